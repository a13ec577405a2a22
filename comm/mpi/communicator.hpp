// SPDX-License-Identifier: MIT
// MPI communicators as values, and collective calls for any number of elements.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace halotherm::comm {

/// Throws Error (internal) with MPI's own text if `code` is not MPI_SUCCESS.
void check(int code, std::source_location where = std::source_location::current());

/// Elements that one MPI call takes, since MPI counts in int.
inline constexpr std::int64_t most_at_once = std::int64_t{1} << 30;

/// Calls `part(first, count)` for consecutive parts of at most `most` of `total` elements; at least
/// once.
template <class Part>
void for_each_part(std::int64_t total, std::int64_t most, const Part& part) {
  std::int64_t first = 0;
  do {
    part(first, static_cast<int>(std::min(most, total - first)));
    first += most;
  } while (first < total);
}

/// Numbers that MPI reduces as std::int64_t or double.
template <class Number>
concept Reducible = std::signed_integral<Number> || std::same_as<Number, double>;

/// Owns a duplicate of an MPI communicator that returns errors instead of aborting. Move-only; a
/// moved-from one must not be used. All members but `rank`, `size`, `is_root` and `handle` are
/// collective and blocking. They throw Error (internal) if MPI fails.
class Communicator {
 public:
  /// Collective over `original`, which it duplicates.
  explicit Communicator(MPI_Comm original);
  ~Communicator();
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&& other) noexcept;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_root() const { return rank_ == 0; }
  MPI_Comm handle() const { return handle_; }

  void barrier() const;

  /// Element-wise reductions; all ranks receive the result. It does not depend on the order of the
  /// ranks: sums are of integers (unsigned ones modulo 2^64), extremes of numbers that are not NaN.
  void sum(std::span<std::int64_t> values) const { reduce(values, MPI_SUM); }
  void sum(std::span<std::uint64_t> values) const { reduce(values, MPI_SUM); }
  void max(std::span<double> values) const { reduce(values, MPI_MAX); }
  void min(std::span<double> values) const { reduce(values, MPI_MIN); }
  void max(std::span<std::int64_t> values) const { reduce(values, MPI_MAX); }
  void min(std::span<std::int64_t> values) const { reduce(values, MPI_MIN); }
  std::int64_t sum(std::int64_t value) const { return reduced(value, MPI_SUM); }
  template <Reducible Number>
  Number max(Number value) const {
    return reduced(value, MPI_MAX);
  }
  template <Reducible Number>
  Number min(Number value) const {
    return reduced(value, MPI_MIN);
  }
  bool any(bool value) const { return max(value ? 1 : 0) == 1; }
  bool all(bool value) const { return min(value ? 1 : 0) == 1; }

  /// Replaces the text or the numbers by those of the root.
  std::string broadcast(std::string text, int root = 0) const;
  void broadcast(std::span<double> values, int root = 0) const;
  void broadcast(std::span<std::int64_t> values, int root = 0) const;

  /// All ranks' texts or numbers, in the order of the ranks. One MPI call receives at most `most`
  /// bytes of text, or one byte from each rank.
  std::vector<std::string> gather(const std::string& text, std::int64_t most = most_at_once) const;
  std::vector<double> gather(double value) const;
  std::vector<int> gather(int value) const;

  /// All ranks' values on rank 0, in the order of the ranks; nothing on the others.
  template <class Value>
  requires std::is_trivially_copyable_v<Value> std::vector<Value> gather_on_root(const Value& mine)
  const {
    std::vector<Value> values(is_root() ? static_cast<std::size_t>(size_) : 0);
    gather_bytes(&mine, sizeof mine, values.data(), true);
    return values;
  }
  /// All ranks' values, in the order of the ranks.
  template <class Value>
  requires std::is_trivially_copyable_v<Value> std::vector<Value> gather_values(const Value& mine)
  const {
    std::vector<Value> values(static_cast<std::size_t>(size_));
    gather_bytes(&mine, sizeof mine, values.data(), false);
    return values;
  }

  /// The ranks that share this rank's memory, that is, its node. Collective in its first call or
  /// that of `nodes`, and local afterwards.
  const Communicator& node() const;
  /// The lowest rank on each rank's node, in the order of the ranks. Collective as `node` is.
  const std::vector<int>& nodes() const;

 private:
  struct Nodes;
  struct Adopt {};
  Communicator(MPI_Comm owned, Adopt);
  template <class Number>
  void reduce(std::span<Number> values, MPI_Op operation) const;
  void gather_bytes(const void* mine, std::size_t bytes, void* all, bool on_root) const;
  template <Reducible Number>
  Number reduced(Number value, MPI_Op operation) const {
    std::conditional_t<std::integral<Number>, std::int64_t, double> wide = value;
    reduce(std::span(&wide, 1), operation);
    return static_cast<Number>(wide);
  }

  MPI_Comm handle_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  mutable std::unique_ptr<Nodes> nodes_;  ///< once they are asked for
};

}  // namespace halotherm::comm
