// SPDX-License-Identifier: MIT
#include "comm/mpi/message_parts.hpp"

namespace halotherm::comm {

std::vector<std::string> gather_in_parts(const Communicator& communicator, const std::string& text,
                                         std::int64_t most) {
  const auto ranks = static_cast<std::size_t>(communicator.size());
  const auto mine = static_cast<std::int64_t>(text.size());
  std::vector<std::int64_t> lengths(ranks);
  check(
      MPI_Allgather(&mine, 1, MPI_INT64_T, lengths.data(), 1, MPI_INT64_T, communicator.handle()));
  std::vector<std::string> texts(ranks);
  const auto at_once = std::max<std::int64_t>(1, most / communicator.size());
  for_each_part(std::ranges::max(lengths), at_once, [&](std::int64_t first, int) {
    std::vector<int> counts, starts;
    int total = 0;
    for (const auto length : lengths) {
      starts.push_back(total);
      counts.push_back(static_cast<int>(std::clamp<std::int64_t>(length - first, 0, at_once)));
      total += counts.back();
    }
    std::string all(static_cast<std::size_t>(total), '\0');
    const auto* begin = text.data() + std::min(first, mine);
    check(MPI_Allgatherv(begin, counts[static_cast<std::size_t>(communicator.rank())], MPI_CHAR,
                         all.data(), counts.data(), starts.data(), MPI_CHAR,
                         communicator.handle()));
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      texts[rank].append(all, static_cast<std::size_t>(starts[rank]),
                         static_cast<std::size_t>(counts[rank]));
    }
  });
  return texts;
}

}  // namespace halotherm::comm
