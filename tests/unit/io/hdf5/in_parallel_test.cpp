// SPDX-License-Identifier: MIT
#include "io/hdf5/in_parallel.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <stdexcept>

namespace halotherm::io {
namespace {

TEST(InParallel, calls_each_number_once) {
  std::array<std::atomic<int>, 5> calls{};
  in_parallel(5, [&](int n) { ++calls.at(static_cast<std::size_t>(n)); });
  for (const auto& count : calls) EXPECT_EQ(count, 1);
}

TEST(InParallel, throws_after_all_have_ended) {
  std::atomic<int> ended = 0;
  for (const int failing : {0, 2}) {
    ended = 0;
    const auto work = [&](int n) {
      if (n == failing) throw std::runtime_error("this one");
      ++ended;
    };
    EXPECT_THROW(in_parallel(4, work), std::runtime_error);
    EXPECT_EQ(ended, 3);
  }
}

}  // namespace
}  // namespace halotherm::io
