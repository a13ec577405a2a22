// SPDX-License-Identifier: MIT
// The tags by which messages of one communicator are told apart, where their sender and receiver do
// not number them themselves.
#pragma once

namespace halotherm::comm::tags {

inline constexpr int pending_messages = 1;
inline constexpr int pending_sums = 2;
inline constexpr int texts = 3;

}  // namespace halotherm::comm::tags
