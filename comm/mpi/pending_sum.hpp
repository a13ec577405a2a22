// SPDX-License-Identifier: MIT
// Sums over all ranks in progress, in as many rounds of messages as the logarithm of their number.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace halotherm::comm {

/// Adds up numbers modulo 2^64 by recursive doubling: in round n a rank exchanges its sums with the
/// one whose number differs in bit n, so that floor(log2 P) rounds suffice, and two more where P is
/// no power of two (Thakur, Rabenseifner and Gropp 2005, section 4.5). MPI_Iallreduce would be the
/// same sum, but may take a ring for many numbers: P rounds, each of which takes a call of
/// `arrived` that a rank makes once a step. The communicator must have no other messages with tag
/// `tags::pending_sums`. Members throw Error (internal) if MPI fails.
class PendingSum {
 public:
  /// Collective, non-blocking. `values` must stay valid and unused until `arrived` returns true.
  PendingSum(const Communicator& communicator, std::span<std::uint64_t> values);

  /// Whether `values` are the sums over all ranks. Non-blocking; begins the next round if the
  /// messages of the last one have arrived.
  bool arrived();
  /// Blocks until they are.
  void wait();

  /// One round: numbers that are sent to a rank, received from it, or both.
  struct Round {
    int rank = 0;
    bool sends = true;
    bool receives = true;
    bool replaces = false;  ///< the received numbers are the sums
  };
  /// Those of one of `ranks` ranks, at most floor(log2 ranks) + 2. Each takes at least one call of
  /// `arrived`, and no more if its messages have arrived. Pure.
  static std::vector<Round> rounds_of(int rank, int ranks);

 private:
  void begin_round();
  void end_round();

  const Communicator& communicator_;
  std::span<std::uint64_t> values_;
  std::vector<Round> rounds_;
  std::size_t round_ = 0;
  std::vector<std::uint64_t> received_;
  std::vector<MPI_Request> requests_;
};

}  // namespace halotherm::comm
