// SPDX-License-Identifier: MIT
// The values of a shared file's data set, divided among the ranks that write them.
#pragma once

#include "io/distribution/file_order.hpp"

#include <utility>
#include <vector>

namespace halotherm::io {

/// Divides a data set's values among ranks, its owners: each owns one range, its file domain. The
/// domains follow each other in the order of the owners, are whole units but for the end of the
/// last one, and differ by at most one unit. No member communicates; none but the constructor takes
/// longer with more ranks.
class FileDomains {
 public:
  /// `unit`: values, at least 1. `owners`: ranks, ascending, at least one and at most one a unit.
  FileDomains(const comm::Int3& extent, std::int64_t unit, std::vector<int> owners);

  const FileOrder& order() const { return order_; }
  int count() const { return static_cast<int>(owners_.size()); }
  int owner(int domain) const { return owners_[static_cast<std::size_t>(domain)]; }
  ValueRange range(int domain) const;
  /// The domain of a rank; empty if it owns none.
  ValueRange range_of(int rank) const;
  /// The largest domain's values.
  std::int64_t largest() const;

  /// The domains from `first` to before `second` share values with the range.
  std::pair<int, int> overlapping(const ValueRange& range) const;

 private:
  int domain_with(std::int64_t place) const;

  FileOrder order_;
  std::int64_t unit_;
  std::int64_t units_;
  std::vector<int> owners_;
};

/// To write values of `value_bytes` each by as many of `ranks` as have 256 KiB or more to write.
/// Domains begin at multiples of 64 KiB to 1 MiB, so that nodes keep out of each other's pages and
/// stripes; the largest is at most 1.25 times the mean.
FileDomains domains_to_write(const comm::Int3& extent, std::size_t value_bytes, int ranks);

/// The rank whose domain `rank` reads back, to see what other nodes find in the file: one on
/// another node, wherever no node has more than half of the ranks. Every rank gets another one,
/// which is itself only if it is alone. `nodes` as above.
int rank_to_verify(const std::vector<int>& nodes, int rank);

}  // namespace halotherm::io
