// SPDX-License-Identifier: MIT
// Divides the values of a data set among the ranks that write them.
#pragma once

#include "io/distribution/file_order.hpp"

#include <utility>
#include <vector>

namespace halotherm::io {

/// Divides a data set's values among ranks, the owners. Each owns one range, its file domain. The
/// domains follow one another in the order of the owners, consist of whole units but for the end of
/// the last one, and differ by at most one unit. No member communicates; the cost of each but the
/// constructor does not grow with the number of ranks.
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

  /// The domains that share values with the range: from `first` to before `second`.
  std::pair<int, int> overlapping(const ValueRange& range) const;

 private:
  int domain_with(std::int64_t place) const;

  FileOrder order_;
  std::int64_t unit_;
  std::int64_t units_;
  std::vector<int> owners_;
};

/// `count` of the given ranks, evenly spread, the first one among them.
std::vector<int> spread(const std::vector<int>& ranks, std::int64_t count);

/// File domains for values of `value_bytes` each, owned by as many of `ranks` as get 256 KiB or
/// more. Domains begin at multiples of 64 KiB to 1 MiB, so that no two nodes write the same page or
/// stripe; the largest is at most 1.25 times the mean.
FileDomains domains_to_write(const comm::Int3& extent, std::size_t value_bytes, int ranks);

/// The rank whose domain `rank` reads back, to verify what other nodes find in the file: a rank on
/// another node, unless one node has more than half of the ranks. Each rank is verified by exactly
/// one, and by itself only if it is alone. `nodes`: a number for each rank, equal on one node.
int rank_to_verify(const std::vector<int>& nodes, int rank);

}  // namespace halotherm::io
