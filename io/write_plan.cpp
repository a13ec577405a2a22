// SPDX-License-Identifier: MIT
#include "io/write_plan.hpp"

#include "comm/error.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <type_traits>

namespace halotherm::io {

namespace {

/// What a rank has of a chunk.
struct Share {
  int rank = 0;
  std::vector<comm::Box> boxes;
  std::int64_t values = 0;
};

std::vector<Share> shares_of(const std::vector<comm::Box>& chunk, const std::vector<comm::Box>& blocks) {
  const int lowest = chunk.front().lower[2], highest = chunk.back().upper[2];
  std::vector<Share> shares;
  for (std::size_t rank = 0; rank < blocks.size(); ++rank) {
    const auto& block = blocks[rank];
    if (block.upper[2] <= lowest || highest <= block.lower[2]) continue;
    Share share{static_cast<int>(rank), {}, 0};
    for (const auto& box : chunk) {
      const auto common = comm::intersection(box, block);
      if (common.empty()) continue;
      share.boxes.push_back(common);
      share.values += common.size();
    }
    if (share.values > 0) shares.push_back(share);
  }
  return shares;
}

void check_complete(const FileChunks& chunks, std::int64_t chunk, const std::vector<Share>& shares) {
  std::int64_t values = 0;
  for (const auto& share : shares) values += share.values;
  if (values == chunks.end(chunk) - chunks.first(chunk)) return;
  throw comm::Error(comm::ExitCode::internal, "the blocks hold " + std::to_string(values) + " values of chunk " +
                                                  std::to_string(chunk) + " (each must be in exactly one) report this");
}

int writer_of(std::int64_t chunk, const std::vector<Share>& shares) {
  std::int64_t most = 0;
  for (const auto& share : shares) most = std::max(most, share.values);
  std::vector<int> candidates;
  for (const auto& share : shares) {
    if (share.values >= most - most / 10) candidates.push_back(share.rank);
  }
  return candidates[static_cast<std::size_t>(chunk) % candidates.size()];
}

void add(Transfer& transfer, std::int64_t chunk, const std::vector<comm::Box>& boxes) {
  for (const auto& box : boxes) {
    transfer.parts.push_back({chunk, box, transfer.values});
    transfer.values += box.size();
  }
}

std::vector<Transfer> in_order(std::map<int, Transfer>& by_rank) {
  std::vector<Transfer> transfers;
  for (auto& [rank, transfer] : by_rank) {
    transfer.rank = rank;
    transfers.push_back(std::move(transfer));
  }
  return transfers;
}

}  // namespace

WritePlan make_write_plan(const FileChunks& chunks, const std::vector<comm::Box>& blocks, int rank) {
  WritePlan plan{chunks, blocks[static_cast<std::size_t>(rank)], {}, {}, {}, {}};
  std::map<int, Transfer> sends, receives;
  for (std::int64_t chunk = 0; chunk < chunks.count(); ++chunk) {
    const auto shares = shares_of(chunks.boxes(chunk), blocks);
    check_complete(chunks, chunk, shares);
    const int writer = writer_of(chunk, shares);
    plan.writers.push_back(writer);
    for (const auto& share : shares) {
      if (share.rank == rank && writer == rank) {
        for (const auto& box : share.boxes) plan.local.push_back({chunk, box, 0});
      } else if (share.rank == rank) {
        add(sends[writer], chunk, share.boxes);
      } else if (writer == rank) {
        add(receives[share.rank], chunk, share.boxes);
      }
    }
  }
  plan.sends = in_order(sends);
  plan.receives = in_order(receives);
  return plan;
}

std::vector<std::int64_t> WritePlan::written_by(int rank) const {
  std::vector<std::int64_t> found;
  for (std::size_t chunk = 0; chunk < writers.size(); ++chunk) {
    if (writers[chunk] == rank) found.push_back(static_cast<std::int64_t>(chunk));
  }
  return found;
}

std::int64_t WritePlan::travelling() const {
  std::int64_t values = 0;
  for (const auto* transfers : {&sends, &receives}) {
    for (const auto& transfer : *transfers) values += transfer.values;
  }
  return values;
}

std::vector<comm::Box> gather_blocks(const comm::Communicator& communicator, const comm::Box& block) {
  static_assert(std::is_trivially_copyable_v<comm::Box>);
  std::string bytes(sizeof block, '\0');
  std::memcpy(bytes.data(), &block, sizeof block);
  std::vector<comm::Box> blocks;
  for (const auto& other : communicator.gather(bytes)) {
    blocks.emplace_back();
    std::memcpy(&blocks.back(), other.data(), sizeof block);
  }
  return blocks;
}

}  // namespace halotherm::io
