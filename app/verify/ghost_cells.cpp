// SPDX-License-Identifier: MIT
#include "app/verify/ghost_cells.hpp"

#include "app/verify/invariants.hpp"
#include "comm/halo/halo_exchange.hpp"
#include "comm/mpi/error.hpp"
#include "comm/transport/device_pointers.hpp"
#include "comm/transport/transport_trial.hpp"
#include "solver/field/field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halotherm::app {

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

comm::Int3 cells_for(int ranks) {
  return {21, 18, std::max(16, 2 * ranks)};
}

/// A number that differs from cell to cell.
double code(const comm::Int3& cells, const comm::Int3& cell) {
  return 1 + cell[0] +
         static_cast<double>(cells[0]) * (cell[1] + static_cast<double>(cells[1]) * cell[2]);
}

template <class Work>
void for_cells(const comm::Box& box, const Work& work) {
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) work(comm::Int3{i, j, k});
    }
  }
}

/// After the exchange: the code of the cell, or of the one that a ghost cell copies; NaN where the
/// exchange fills nothing.
double expected(const comm::Partition& partition, const comm::Box& owned, bool with_corners,
                comm::Int3 cell) {
  const auto& cells = partition.cells();
  int outside = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (cell[axis] < owned.lower[axis] || cell[axis] >= owned.upper[axis]) ++outside;
  }
  if (outside > 1 && !with_corners) return no_value;
  for (int axis = 0; axis < 3; ++axis) {
    const bool beyond = cell[axis] < 0 || cell[axis] >= cells[axis];
    if (beyond && !partition.periodic()[axis]) return no_value;
    cell[axis] = (cell[axis] + cells[axis]) % cells[axis];
  }
  return code(cells, cell);
}

struct Exchange {
  comm::Partition partition;
  int width;
  comm::GhostRegion region() const {
    return width > 1 ? comm::GhostRegion::all : comm::GhostRegion::faces;
  }
};

std::vector<Exchange> exchanges(int ranks, bool quick) {
  std::vector<Exchange> all;
  for (const auto& dims : all_dims(ranks, quick)) {
    for (const auto& periodic :
         {comm::Periodic{false, false, false}, comm::Periodic{true, false, true}}) {
      for (int width = 1; width <= 2; ++width) {
        const comm::Partition partition(cells_for(ranks), periodic, dims);
        if (std::min({partition.thinnest(0), partition.thinnest(1), partition.thinnest(2)}) >=
            width)
          all.push_back({partition, width});
      }
    }
  }
  return all;
}

std::int64_t wrong_cells(const Exchange& exchange, const solver::Field<double>& field) {
  const auto all = field.allocated();
  std::vector<double> values(static_cast<std::size_t>(all.size()));
  solver::copy_to_host<double>(field, all, values);
  std::int64_t wrong = 0;
  std::size_t n = 0;
  for_cells(all, [&](const comm::Int3& cell) {
    const double got = values[n++];
    const double want = expected(exchange.partition, field.owned(),
                                 exchange.region() == comm::GhostRegion::all, cell);
    if (!(got == want || (std::isnan(got) && std::isnan(want)))) ++wrong;
  });
  return wrong;
}

/// Collective. On this rank.
std::int64_t wrong_after(const comm::Communicator& world, const Exchange& exchange,
                         comm::TransportKind kind, bool really) {
  const comm::Streams streams;
  const auto owned = exchange.partition.owned(world.rank());
  solver::Field<double> field("codes", owned, {exchange.width, exchange.width, exchange.width});
  std::vector<double> codes;
  for_cells(owned, [&](const comm::Int3& cell) {
    codes.push_back(code(exchange.partition.cells(), cell));
  });
  solver::copy_from_host<double>(codes, owned, field);
  const auto plan =
      comm::make_halo_plan(exchange.partition, world.rank(), exchange.width, exchange.region());
  comm::Halo<double> halo(world, plan,
                          std::vector<comm::TransportKind>(plan.messages.size(), kind));
  for (int round = 0; really && round < 2; ++round) {
    [[maybe_unused]] const auto ghosted = halo.start(streams, field.view()).finish();
    streams.fence();
  }
  return wrong_cells(exchange, field);
}

}  // namespace

std::string unavailable_transport(const comm::Communicator& world, comm::TransportKind kind) {
  if (world.size() == 1) return "one rank has no neighbour";
  const auto partition =
      comm::make_partition(cells_for(world.size()), {false, false, false}, world.size(), 1);
  const auto channels = comm::channels_of(
      comm::make_halo_plan(partition, world.rank(), 1, comm::GhostRegion::faces), sizeof(double));
  if (kind == comm::TransportKind::device && !comm::kernels_run_on_host) {
    const auto reason = comm::find_device_pointers(world, channels).unavailable;
    if (!reason.empty()) return reason;
  }
  const comm::TransportKind kinds[] = {kind};
  const auto trials = comm::try_transports(world, channels, kinds);
  const auto& unavailable = trials.front().unavailable;
  // wrong data is not a reason to leave out the test, but one to fail it
  return unavailable.kind == comm::UnavailableReason::Kind::unavailable ? unavailable.reason : "";
}

Claim measure_ghost_cells(const comm::Communicator& world, comm::TransportKind kind, bool quick,
                          bool exchange) {
  std::int64_t wrong = 0;
  const auto all = exchanges(world.size(), quick);
  for (const auto& one : all) wrong += wrong_after(world, one, kind, exchange);
  wrong = world.sum(wrong);
  return {.group = "ghost cells",
          .name = std::string(name_of(kind)),
          .measured = static_cast<double>(wrong),
          .required = Required::at_most,
          .bound = 0,
          .detail = fmt::format("{} wrong cells in {} exchanges between poisoned ghost cells",
                                wrong, all.size()),
          .impossible = ""};
}

std::vector<Claim> measure_transports(const comm::Communicator& world, bool quick) {
  std::vector<Claim> claims;
  for (const auto kind :
       {comm::TransportKind::p2p, comm::TransportKind::device, comm::TransportKind::staged,
        comm::TransportKind::rma, comm::TransportKind::nccl}) {
    if (auto reason = unavailable_transport(world, kind); !reason.empty()) {
      claims.push_back({.group = "ghost cells",
                        .name = std::string(name_of(kind)),
                        .detail = "",
                        .impossible = std::move(reason)});
    } else {
      claims.push_back(measure_ghost_cells(world, kind, quick));
    }
  }
  return claims;
}

}  // namespace halotherm::app
