// SPDX-License-Identifier: MIT
// The self-test of the ghost exchange, by each transport.
#pragma once

#include "app/verify/judgement.hpp"
#include "comm/mpi/communicator.hpp"
#include "comm/transport/transport.hpp"

#include <vector>

namespace halotherm::app {

/// Collective. Why the ranks cannot exchange by this transport; empty if they can.
std::string unavailable_transport(const comm::Communicator& world, comm::TransportKind kind);

/// Collective. Owned cells hold a code of their place in the grid, all others NaN. Exchanges them
/// and counts the cells of all ranks that are wrong: ghost cells without the code of the cell that
/// they copy, ghost cells beyond the grid that are not NaN, owned cells that changed. On several
/// partitions, with one and two ghost layers. Without `exchange` nothing travels, so the count must
/// not be 0 where ranks have neighbours.
Claim measure_ghost_cells(const comm::Communicator& world, comm::TransportKind kind, bool quick,
                          bool exchange = true);

/// Collective. For each transport.
std::vector<Claim> measure_transports(const comm::Communicator& world, bool quick);

}  // namespace halotherm::app
