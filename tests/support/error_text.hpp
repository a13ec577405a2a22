// SPDX-License-Identifier: MIT
// What users are told when something is wrong, as a value to compare.
#pragma once

#include "comm/mpi/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace halotherm::test {

/// What the Error (usage) says that `work` throws; "" if it throws nothing.
template <class Work>
std::string usage_error(const Work& work) {
  try {
    work();
  } catch (const comm::Error& error) {
    EXPECT_EQ(error.code(), comm::ExitCode::usage);
    return error.what();
  }
  return "";
}

inline void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace halotherm::test
