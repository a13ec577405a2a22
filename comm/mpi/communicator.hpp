// SPDX-License-Identifier: MIT
// MPI communicators as values.
#pragma once

#include <mpi.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace halotherm::comm {

/// Throws Error (internal) with MPI's own text if `code` is not MPI_SUCCESS.
void check(int code, std::source_location where = std::source_location::current());

/// Whole numbers that std::int64_t holds.
template <class Number>
concept Integer = std::signed_integral<Number>;

/// Owns a duplicate of an MPI communicator whose errors are returned, not fatal. Move-only; a
/// moved-from one must not be used. Every member but `rank`, `size` and `handle` is collective.
class Communicator {
 public:
  /// Collective: duplicates `original`.
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

  /// Element-wise over the ranks; every rank gets the result. The results do not depend on the
  /// order of the ranks: sums are of integers (unsigned ones modulo 2^64), extremes of numbers that
  /// are not NaN.
  void sum(std::span<std::int64_t> values) const;
  void sum(std::span<std::uint64_t> values) const;
  void max(std::span<double> values) const;
  void min(std::span<double> values) const;
  void max(std::span<std::int64_t> values) const;
  void min(std::span<std::int64_t> values) const;
  std::int64_t sum(std::int64_t value) const;
  double max(double value) const;
  double min(double value) const;
  template <Integer Number>
  Number max(Number value) const {
    return static_cast<Number>(max_of_integers(value));
  }
  template <Integer Number>
  Number min(Number value) const {
    return static_cast<Number>(min_of_integers(value));
  }
  bool any(bool value) const { return max(value ? 1 : 0) == 1; }
  bool all(bool value) const { return min(value ? 1 : 0) == 1; }

  /// The root's text or numbers, on every rank.
  std::string broadcast(std::string text, int root = 0) const;
  void broadcast(std::span<double> values, int root = 0) const;
  void broadcast(std::span<std::int64_t> values, int root = 0) const;

  /// Every rank's text or number, in the order of the ranks.
  std::vector<std::string> gather(const std::string& text) const;
  std::vector<double> gather(double value) const;
  std::vector<int> gather(int value) const;

  /// The ranks that share this rank's memory: those on the same node.
  Communicator node() const;

 private:
  struct Adopt {};
  Communicator(MPI_Comm owned, Adopt);
  std::int64_t max_of_integers(std::int64_t value) const;
  std::int64_t min_of_integers(std::int64_t value) const;

  MPI_Comm handle_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace halotherm::comm
