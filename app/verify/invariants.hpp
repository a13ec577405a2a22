// SPDX-License-Identifier: MIT
// What holds exactly: known solutions of the discrete equations, the balance of heat, and one
// answer for every partition.
#pragma once

#include "app/verify/judgement.hpp"
#include "comm/mpi/communicator.hpp"
#include "comm/partition/box.hpp"

#include <string>
#include <vector>

namespace halotherm::app {

/// One way to compute the same problem: its keys of `parallel`, and what else differs.
struct Variant {
  std::string name;
  std::string parallel;
  bool poison_ghosts = false;
  bool alone = false;            ///< by every rank for itself
  double change_last_value = 0;  ///< of tests: an error that must be found [K]
};

/// All numbers of blocks along the three axes for so many ranks; with `quick` at most four.
std::vector<comm::Int3> all_dims(int ranks, bool quick);

/// The partitions, halo widths and overlap settings for so many ranks.
std::vector<Variant> partition_variants(int ranks, bool quick);

/// Collective. Whether each variant has the bits of the partition that is chosen by default.
std::vector<Claim> measure_same_bits(const comm::Communicator& world, const std::string& integrator,
                                     const std::vector<Variant>& variants);

/// Collective over `ranks`. The worst balance of a step's heat, over its largest flow.
Claim measure_balance(const comm::Communicator& ranks, const std::string& integrator);

/// A problem whose discrete solution is known.
struct ExactCase {
  std::string name;
  std::string config;
  std::string exact;
  double bound;  ///< of the largest error [K]
};
std::vector<ExactCase> exact_cases();
/// Collective over `ranks`.
Claim measure_exact(const comm::Communicator& ranks, const ExactCase& exact);

}  // namespace halotherm::app
