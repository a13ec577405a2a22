// SPDX-License-Identifier: MIT
// Threads for the length of a call.
#pragma once

#include <future>
#include <vector>

namespace halotherm::io {

/// Calls work(0), ... work(count - 1), the first one in the calling thread, the others each in one
/// of its own. Waits for all, then throws what the first that failed has thrown.
template <class Work>
void in_parallel(int count, const Work& work) {
  std::vector<std::future<void>> others;
  for (int n = 1; n < count; ++n)
    others.push_back(std::async(std::launch::async, [&work, n] { work(n); }));
  work(0);
  for (auto& other : others) other.get();
}

}  // namespace halotherm::io
