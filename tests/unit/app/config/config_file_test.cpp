// SPDX-License-Identifier: MIT
// Files that are no configuration: one message, the same on all ranks.
#include "app/config/config.hpp"
#include "comm/mpi/error.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <fstream>

namespace halotherm::app {
namespace {

class ConfigFile : public testing::Test {
 protected:
  ConfigFile() : world_(MPI_COMM_WORLD) {
    std::string folder;
    if (world_.is_root()) {
      folder = (std::filesystem::temp_directory_path() / "halotherm_config_XXXXXX").string();
      if (mkdtemp(folder.data()) == nullptr) folder.clear();
    }
    folder_ = world_.broadcast(folder);
  }

  ~ConfigFile() override {
    world_.barrier();
    if (world_.is_root()) std::filesystem::remove_all(folder_);
  }

  /// The root makes a file; every rank gets its path.
  std::filesystem::path make(const std::string& name, const std::string& content) const {
    if (world_.is_root()) std::ofstream(folder_ / name, std::ios::binary) << content;
    world_.barrier();
    return folder_ / name;
  }

  void expect_refused(const std::filesystem::path& file, const std::string& part) const {
    try {
      load_config(world_, file, {});
      FAIL() << file << " was read";
    } catch (const comm::CollectiveError& error) {
      EXPECT_EQ(error.code(), comm::ExitCode::usage);
      EXPECT_NE(std::string(error.what()).find(file.string() + ": " + part), std::string::npos)
          << error.what();
    }
  }

  comm::Communicator world_;
  std::filesystem::path folder_;
};

TEST_F(ConfigFile, right) {
  const auto file = make("right.yaml",
                         "grid: {cells: [16], upper: [1]}\nmaterials: {solid: {conductivity: 1, "
                         "density: 1, heat_capacity: 1}}\n"
                         "initial: {temperature: 0}\ntime: {steps: 1}\n");
  EXPECT_EQ(load_config(world_, file, {"grid.cells=[20]"}).grid.cells, std::vector<int>{20});
  EXPECT_EQ(load_config(world_, file, {}).folder, folder_);
}

TEST_F(ConfigFile, missing) {
  expect_refused(folder_ / "none.yaml", "cannot be read (No such file or directory)");
}

TEST_F(ConfigFile, a_directory) {
  expect_refused(folder_, "is a directory");
}

TEST_F(ConfigFile, empty) {
  expect_refused(make("empty.yaml", ""), "is empty");
}

TEST_F(ConfigFile, of_comments_only) {
  expect_refused(make("comments.yaml", "# nothing\n\n# here\n"), "is empty");
}

TEST_F(ConfigFile, binary) {
  expect_refused(make("binary.yaml", std::string("\x89HDF\r\n\x1a\n\0\0", 10)),
                 "is not a text file");
}

TEST_F(ConfigFile, not_utf8) {
  expect_refused(make("latin1.yaml", "title: K\xf6ln\n"), "is not a text file");
}

TEST_F(ConfigFile, of_one_gigabyte) {
  const auto file = make("large.yaml", "title: large\n");
  if (world_.is_root()) std::filesystem::resize_file(file, 1 << 30);  // sparse: takes no space
  world_.barrier();
  expect_refused(file, "is too large (a configuration has at most 1 MiB)");
}

TEST_F(ConfigFile, what_could_block_or_has_no_end) {
  expect_refused("/dev/zero", "is a device");
  const auto pipe = folder_ / "pipe.yaml";
  if (world_.is_root()) mkfifo(pipe.c_str(), 0600);
  world_.barrier();
  expect_refused(pipe, "is a pipe");
}

TEST_F(ConfigFile, unreadable) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const auto file = make("secret.yaml", "title: secret\n");
  if (world_.is_root()) std::filesystem::permissions(file, std::filesystem::perms::none);
  world_.barrier();
  expect_refused(file, "cannot be read (Permission denied)");
}

}  // namespace
}  // namespace halotherm::app
