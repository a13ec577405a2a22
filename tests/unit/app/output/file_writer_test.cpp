// SPDX-License-Identifier: MIT
#include "app/output/file_writer.hpp"

#include "tests/support/error_text.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

const io::FileSystem lustre{"Lustre", true}, ext4{"ext4", false};

Config config_with(WriterChoice writer, comm::FileHints hints = {}) {
  Config config;
  config.output.writer = writer;
  config.output.hints = std::move(hints);
  return config;
}

io::WriteMethod method_for(WriterChoice writer, const io::FileSystem& file_system,
                           bool threads = true) {
  return file_writer_for(config_with(writer), file_system, threads).settings.method;
}

TEST(FileWriter, auto_depends_on_the_file_system_and_the_threads) {
  EXPECT_EQ(method_for(WriterChoice::automatic, lustre), io::WriteMethod::parallel_hdf5);
  EXPECT_EQ(method_for(WriterChoice::automatic, lustre, false), io::WriteMethod::background);
  EXPECT_EQ(method_for(WriterChoice::automatic, ext4), io::WriteMethod::background);
}

TEST(FileWriter, the_configured_method_is_taken_or_refused) {
  EXPECT_EQ(method_for(WriterChoice::parallel_hdf5, ext4), io::WriteMethod::parallel_hdf5);
  EXPECT_EQ(method_for(WriterChoice::background, lustre), io::WriteMethod::background);
  test::expect_part(
      test::usage_error([] { method_for(WriterChoice::parallel_hdf5, lustre, false); }),
      "use background");
}

TEST(FileWriter, hints_without_effect_give_a_warning) {
  const comm::FileHints hints{{"cb_nodes", "4"}};
  const auto warning = [&](WriterChoice writer, const io::FileSystem& file_system) {
    return file_writer_for(config_with(writer, hints), file_system, true).warning;
  };
  test::expect_part(warning(WriterChoice::automatic, ext4),
                    "output.hints have no effect (auto takes background on ext4)");
  test::expect_part(warning(WriterChoice::background, lustre),
                    "output.hints have no effect (output.writer is background)");
  EXPECT_EQ(warning(WriterChoice::automatic, lustre), "");
  EXPECT_EQ(file_writer_for(config_with(WriterChoice::automatic), ext4, true).warning, "");
  EXPECT_EQ(
      file_writer_for(config_with(WriterChoice::automatic, hints), lustre, true).settings.hints,
      hints);
}

TEST(FileWriter, are_equal_on_every_rank) {
  const auto& world = test::world();
  auto config = config_with(WriterChoice::automatic);
  config.output.directory = world.is_root() ? "/proc/self" : "/";
  const auto chosen = choose_file_writer(world, config);
  EXPECT_EQ(chosen.file_system, "0x00009fa0");
  EXPECT_EQ(chosen.settings.method, io::WriteMethod::background);
}

}  // namespace
}  // namespace halotherm::app
