// SPDX-License-Identifier: MIT
// One holder at a time: of many that ask at once, after one that died, and after one that was only
// away.
#include "io/files/folder_lock.hpp"

#include "comm/mpi/error.hpp"
#include "io/files/lock_holder.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <memory>
#include <regex>
#include <thread>

namespace halotherm::io {
namespace {

class FolderLocks : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_.path() / ".halotherm.lock"; }
  FolderLock::Settings settings() {
    return {.beat = 0.05, .print = [this](const std::string& text) { said_ += text + "\n"; }};
  }

  /// A lock's text in which some values are others.
  static std::string text_with(std::initializer_list<std::pair<std::string, std::string>> changes,
                               const std::string& token = "0a") {
    auto text = this_process_as_holder(token) + "000000000000\n";
    for (const auto& [key, value] : changes)
      text = std::regex_replace(text, std::regex(key + ": [^\n]*"), key + ": " + value);
    return text;
  }

  std::optional<comm::Error> refusal() {
    try {
      const FolderLock lock(folder_.path(), settings());
      return std::nullopt;
    } catch (const comm::Error& error) {
      return error;
    }
  }

  comm::Communicator world_{MPI_COMM_WORLD};
  test::TemporaryFolder folder_{world_};
  std::string said_;
};

TEST_F(FolderLocks, a_second_one_is_told_who_has_it) {
  {
    const FolderLock lock(folder_.path(), settings());
    const auto refused = refusal();
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->code(), comm::ExitCode::usage);
    EXPECT_NE(std::string(refused->what()).find("process " + std::to_string(getpid())),
              std::string::npos)
        << refused->what();
  }
  EXPECT_TRUE(test::names_in(folder_.path()).empty());
  EXPECT_FALSE(refusal());
}

TEST_F(FolderLocks, one_whose_process_has_ended_is_taken_over_at_once) {
  test::write_bytes(file(), text_with({{"born", "1"}}));
  const FolderLock lock(folder_.path(), {.beat = 1000, .print = settings().print});
  EXPECT_NE(said_.find("taken over"), std::string::npos);
  EXPECT_EQ(test::names_in(folder_.path()).size(), 1U);
  lock.require();
}

TEST_F(FolderLocks, another_machine_is_watched) {
  for (const auto* key : {"kernel", "namespace"}) {
    const auto text = text_with({{key, "another"}, {"host", "elsewhere"}});
    test::write_bytes(file(), text);
    EXPECT_FALSE(refusal()) << "no sign of life";
    test::write_bytes(file(), text);
    const std::jthread other([&](const std::stop_token& end) {
      for (int n = 1; !end.stop_requested(); ++n) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        std::fstream(file(), std::ios::in | std::ios::out)
                .seekp(static_cast<std::streamoff>(text.size()) - 5)
            << n % 10;
      }
    });
    const auto refused = refusal();
    ASSERT_TRUE(refused);
    EXPECT_NE(std::string(refused->what()).find("host elsewhere"), std::string::npos)
        << refused->what();
  }
}

TEST_F(FolderLocks, an_earlier_attempt_of_the_same_job_gives_way) {
  const auto text = text_with({{"job", "4711"}});  // on this machine, and alive
  test::write_bytes(file(), text);
  setenv("SLURM_JOB_ID", "4711", 1);
  EXPECT_TRUE(refusal()) << "another step of the same attempt";
  setenv("SLURM_RESTART_COUNT", "1", 1);
  EXPECT_FALSE(refusal());
  test::write_bytes(file(), text);
  setenv("SLURM_JOB_ID", "4712", 1);
  EXPECT_TRUE(refusal()) << "another job";
  unsetenv("SLURM_JOB_ID");
  unsetenv("SLURM_RESTART_COUNT");
}

TEST_F(FolderLocks, one_without_a_word_is_taken_over_after_a_while) {
  test::write_bytes(file(), "");
  EXPECT_FALSE(refusal());
}

TEST_F(FolderLocks, who_died_while_taking_over_is_taken_over) {
  test::write_bytes(file(), text_with({{"born", "1"}}, "0a"));
  test::write_bytes(file().string() + ".0a", text_with({{"born", "1"}}, "0b"));
  const FolderLock lock(folder_.path(), settings());
  EXPECT_EQ(test::names_in(folder_.path()).size(), 1U);
  lock.require();
}

TEST_F(FolderLocks, one_that_was_taken_over_is_lost) {
  const auto theirs = text_with({}, "0c");
  {
    const FolderLock lock(folder_.path(), {.beat = 1000});
    lock.require();
    test::write_bytes(file(), theirs);
    EXPECT_FALSE(lock.lost());
    EXPECT_THROW(lock.require(), comm::Error);
    EXPECT_TRUE(lock.lost());
  }
  EXPECT_EQ(test::bytes_of(file()), theirs) << "it was not this one's to remove";
}

TEST_F(FolderLocks, the_thread_sees_a_loss_and_makes_good_a_removal) {
  const FolderLock lock(folder_.path(), settings());
  const auto until = [](const std::function<bool()>& done) {
    for (int n = 0; n < 1000 && !done(); ++n)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return done();
  };
  std::filesystem::remove(file());
  EXPECT_TRUE(until([&] { return std::filesystem::exists(file()); }));
  lock.require();
  test::write_bytes(folder_.path() / "other", text_with({}, "0d"));
  std::filesystem::rename(folder_.path() / "other", file());
  EXPECT_TRUE(until([&] { return lock.lost(); }));
}

TEST_F(FolderLocks, one_that_is_still_being_written_is_no_loss) {
  const FolderLock lock(folder_.path(), settings());
  const auto replace_by = [&](const std::string& text) {
    test::write_bytes(folder_.path() / "other", text);
    std::filesystem::rename(folder_.path() / "other", file());
  };
  replace_by("");
  EXPECT_NO_THROW(lock.require());
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_FALSE(lock.lost());
  replace_by(text_with({}, "0d"));
  EXPECT_THROW(lock.require(), comm::Error);
}

TEST_F(FolderLocks, one_that_cannot_be_read_in_the_end_stays) {
  {
    const FolderLock lock(folder_.path(), settings());
    std::filesystem::create_symlink("nowhere", folder_.path() / "link");
    std::filesystem::rename(folder_.path() / "link", file());
  }
  EXPECT_TRUE(std::filesystem::is_symlink(file()));
}

TEST_F(FolderLocks, a_link_is_not_followed) {
  std::filesystem::create_symlink("victim", file());
  const auto refused = refusal();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code(), comm::ExitCode::input_output);
  EXPECT_EQ(test::names_in(folder_.path()), std::vector<std::string>{".halotherm.lock"});
}

/// How many of eight threads get a lock that all ask for at the same moment.
template <class Take>
int winners(const Take& take) {
  constexpr int threads = 8;
  std::barrier together(threads);
  std::atomic<int> count = 0;
  {
    std::vector<std::jthread> all;
    for (int n = 0; n < threads; ++n) {
      all.emplace_back([&] {
        together.arrive_and_wait();
        const auto held = take();
        if (held) ++count;
        together.arrive_and_wait();  // nobody gives it back before all have tried
      });
    }
  }
  return count;
}

TEST_F(FolderLocks, one_of_many_gets_it) {
  const auto take = [&]() -> std::unique_ptr<FolderLock> {
    try {
      return std::make_unique<FolderLock>(folder_.path(), FolderLock::Settings{.beat = 1000});
    } catch (const comm::Error& error) {
      EXPECT_EQ(error.code(), comm::ExitCode::usage) << error.what();
      return nullptr;
    }
  };
  for (int round = 0; round < 100; ++round) {
    if (round % 2 == 1) test::write_bytes(file(), text_with({{"born", "1"}}));
    ASSERT_EQ(winners(take), 1) << "round " << round;
    ASSERT_TRUE(test::names_in(folder_.path()).empty()) << "round " << round;
  }
}

TEST_F(FolderLocks, a_lock_that_looks_before_it_takes_is_caught) {
  const auto look_then_take = [&]() -> std::unique_ptr<int> {
    if (std::filesystem::exists(file())) return nullptr;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    test::write_bytes(file(), "mine");
    return std::make_unique<int>(0);
  };
  int most = 0;
  for (int round = 0; round < 20; ++round) {
    most = std::max(most, winners(look_then_take));
    std::filesystem::remove(file());
  }
  EXPECT_GT(most, 1);
}

}  // namespace
}  // namespace halotherm::io
