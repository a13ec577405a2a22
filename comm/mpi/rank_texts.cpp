// SPDX-License-Identifier: MIT
#include "comm/mpi/rank_texts.hpp"

#include "comm/mpi/tags.hpp"
#include "comm/system/activity.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace halotherm::comm {

namespace {

/// Texts as one: each with its length before it.
std::string packed(const std::vector<std::string>& texts) {
  std::string all;
  for (const auto& text : texts) all += std::to_string(text.size()) + ' ' + text;
  return all;
}

std::vector<std::string> unpacked(const std::string& all) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < all.size();) {
    const auto space = all.find(' ', at);
    const auto length = std::stoul(all.substr(at, space - at));
    texts.push_back(all.substr(space + 1, length));
    at = space + 1 + length;
  }
  return texts;
}

std::string received_from(const Communicator& communicator, int rank) {
  MPI_Status status;
  check(MPI_Probe(rank, tags::texts, communicator.handle(), &status));
  int length = 0;
  check(MPI_Get_count(&status, MPI_CHAR, &length));
  std::string text(static_cast<std::size_t>(length), '\0');
  check(MPI_Recv(text.data(), length, MPI_CHAR, rank, tags::texts, communicator.handle(),
                 MPI_STATUS_IGNORE));
  return text;
}

/// The distinct texts of all ranks, on rank 0. A rank joins those of higher ranks to its own, which
/// keeps the order.
std::vector<std::string> joined(const Communicator& communicator, const std::string& mine) {
  const CollectiveCall call("a gathering of texts");
  std::vector<std::string> texts;
  if (!mine.empty()) texts.push_back(mine);
  std::unordered_set<std::string> known(texts.begin(), texts.end());
  const int rank = communicator.rank();
  for (int step = 1; step < communicator.size(); step *= 2) {
    if ((rank & step) != 0) {
      const auto all = packed(texts);
      check(MPI_Send(all.data(), static_cast<int>(all.size()), MPI_CHAR, rank - step, tags::texts,
                     communicator.handle()));
      return {};
    }
    if (rank + step >= communicator.size()) continue;
    for (auto& text : unpacked(received_from(communicator, rank + step))) {
      if (known.insert(text).second) texts.push_back(std::move(text));
    }
  }
  return texts;
}

}  // namespace

RankTexts gather_alike(const Communicator& communicator, const std::string& mine) {
  const auto all = communicator.broadcast(packed(joined(communicator, "=" + mine)));
  RankTexts texts;
  for (const auto& text : unpacked(all)) texts.distinct.push_back(text.substr(1));
  const auto place = std::ranges::find(texts.distinct, mine) - texts.distinct.begin();
  texts.of_rank = communicator.gather(static_cast<int>(place));
  return texts;
}

std::vector<std::string> distinct_texts(const Communicator& communicator, const std::string& mine) {
  if (!communicator.any(!mine.empty())) return {};
  return unpacked(communicator.broadcast(packed(joined(communicator, mine))));
}

}  // namespace halotherm::comm
