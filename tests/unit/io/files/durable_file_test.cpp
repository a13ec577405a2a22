// SPDX-License-Identifier: MIT
#include "io/files/durable_file.hpp"

#include "comm/mpi/error.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>

namespace halotherm::io {
namespace {

class DurableFile : public testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  void expect_error(const std::function<void()>& work, const std::string& text) {
    try {
      work();
      ADD_FAILURE() << "nothing was thrown, expected: " << text;
    } catch (const comm::Error& error) {
      EXPECT_EQ(error.code(), comm::ExitCode::input_output);
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  }

  comm::Communicator world_{MPI_COMM_WORLD};
  test::TemporaryFolder folder_{world_};
};

TEST_F(DurableFile, partial_names_match_no_finished_file) {
  EXPECT_EQ(partial_path("out/checkpoint_0000000120.h5"), "out/.checkpoint_0000000120.h5.partial");
  EXPECT_EQ(partial_path("a.series"), ".a.series.partial");
}

TEST_F(DurableFile, text_replaces_text_and_leaves_no_partial) {
  write_text_file(path("list"), "one");
  write_text_file(path("list"), "two");
  EXPECT_EQ(test::bytes_of(path("list")), "two");
  EXPECT_EQ(test::names_in(folder_.path()).size(), 1U);
}

TEST_F(DurableFile, links_at_a_partial_name_are_not_followed) {
  test::write_bytes(path("victim"), "precious");
  std::filesystem::create_symlink("victim", partial_path(path("list")));
  write_text_file(path("list"), "one");
  EXPECT_EQ(test::bytes_of(path("list")), "one");
  std::filesystem::create_symlink("victim", partial_path(path("field")));
  reserve_new_file(partial_path(path("field")), 100);
  EXPECT_FALSE(std::filesystem::is_symlink(partial_path(path("field"))));
  std::filesystem::create_symlink("victim", path("link"));
  expect_error([&] { check_visible({path("link"), O_WRONLY}, path("link"), 8); }, "symbolic links");
  discard_file(path("link"));
  EXPECT_EQ(test::bytes_of(path("victim")), "precious");
}

TEST_F(DurableFile, folders_and_devices_are_not_replaced) {
  std::filesystem::create_directory(partial_path(path("list")));
  expect_error([&] { write_text_file(path("list"), "one"); }, "Is a directory");
  EXPECT_TRUE(std::filesystem::exists(partial_path(path("list"))));
  std::filesystem::create_symlink("/dev/null", path("nothing"));
  expect_error([&] { write_text_file(path("nothing"), "one"); }, "not a regular file");
}

TEST_F(DurableFile, errors_name_the_file_and_the_reason) {
  write_text_file(path("file"), "x");
  expect_error([&] { make_folder(path("file") / "below"); }, "Not a directory");
  expect_error([&] { write_text_file(path("none") / "list", "x"); }, "No such file or directory");
  expect_error([&] { reserve_space(path("none"), 1); }, path("none").string());
  expect_error(
      [&] {
        check_visible({path("none"), O_WRONLY}, path("none"), 1);
      },
      "use a shared file system");
  expect_error(
      [&] {
        check_visible({path("file"), O_WRONLY}, path("file"), 2);
      },
      "1 bytes instead of 2");
  expect_error([&] { publish(path("none"), path("name")); }, "No such file or directory");
  expect_error([&] { numbered_files(path("file"), "a", "b"); }, "Not a directory");
}

TEST_F(DurableFile, numbered_files_are_sorted_by_step) {
  for (const auto* name : {"a_0000000010.h5", "a_0000000009.h5", "a_10000000000.h5", "a_9.h5",
                           "a_.h5", "a_000000000x.h5", "a_99999999999999999999.h5",
                           "b_0000000001.h5", "a_0000000001.h5.partial", ".a_0000000001.h5"}) {
    test::write_bytes(path(name), "x");
  }
  std::filesystem::create_directory(path("a_0000000003.h5"));
  std::vector<std::int64_t> steps;
  for (const auto& file : numbered_files(folder_.path(), "a_", ".h5")) steps.push_back(file.step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{9, 10, 10000000000}));
  EXPECT_TRUE(numbered_files(path("none"), "a_", ".h5").empty());
  EXPECT_EQ(numbered_name("a_", 7, ".h5"), "a_0000000007.h5");
  EXPECT_EQ(numbered_name("a_", 12345678901, ".h5"), "a_12345678901.h5");
}

TEST_F(DurableFile, stale_partials_go_and_nothing_else) {
  for (const auto* name :
       {".a_0000000001.h5.partial", ".b_0000000001.h5.partial", "a_0000000001.h5"})
    test::write_bytes(path(name), "x");
  remove_stale_partials(folder_.path(), "a_", ".h5");
  EXPECT_EQ(test::names_in(folder_.path()),
            (std::vector<std::string>{".b_0000000001.h5.partial", "a_0000000001.h5"}));
}

TEST_F(DurableFile, no_space_is_made_where_there_is_none) {
  expect_error([&] { reserve_new_file(path("huge"), std::int64_t{1} << 60); },
               "cannot reserve 1152921504606846976 bytes");
}

}  // namespace
}  // namespace halotherm::io
