// SPDX-License-Identifier: MIT
// The exchange: cells hold a code of their global indices, ghost cells hold NaN. After the exchange
// each ghost cell that copies a cell of the grid must hold its code, and all others still NaN.
#include "comm/halo/halo_exchange.hpp"

#include "comm/mpi/error.hpp"
#include "solver/field/state.hpp"
#include "tests/support/nccl.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace {
long messages = 0;  ///< that were begun: requests and puts
}

// MPI's profiling interface: the program's calls come here
extern "C" {
int MPI_Startall(int count, MPI_Request* requests) {
  messages += count;
  return PMPI_Startall(count, requests);
}
int MPI_Put(const void* data, int n, MPI_Datatype type, int rank, MPI_Aint offset, int m,
            MPI_Datatype other, MPI_Win window) {
  ++messages;
  return PMPI_Put(data, n, type, rank, offset, m, other, window);
}
}

namespace halotherm::comm {
namespace {

constexpr Int3 cells{19, 18, 17};

/// A number that differs between cells and is exact in float.
template <class Real>
Real code(int i, int j, int k) {
  return static_cast<Real>(i + 32 * j + 1024 * k);
}

struct Case {
  Partition partition;
  int width;
  GhostRegion region;
  std::vector<TransportKind> transports;  ///< taken in turns by the channels, alike at both ends
};

std::vector<TransportKind> transports_of(const Case& c, const HaloPlan& plan) {
  std::vector<TransportKind> kinds;
  for (const auto& message : plan.messages) {
    const int channel =
        test::world().rank() + message.neighbour + std::min(message.send_tag, message.receive_tag);
    kinds.push_back(c.transports[static_cast<std::size_t>(channel) % c.transports.size()]);
  }
  return kinds;
}

template <class Real>
Halo<Real> make_halo(const Case& c, int fields = 1) {
  const auto plan = make_halo_plan(c.partition, test::world().rank(), c.width, c.region);
  return {test::world(), plan, transports_of(c, plan), fields};
}

template <class Work>
void for_cells(const Box& box, const Work& work) {
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) work(i, j, k);
    }
  }
}

template <class Real>
std::vector<Real> coded(const Box& owned, Real offset) {
  std::vector<Real> values;
  for_cells(owned, [&](int i, int j, int k) { values.push_back(code<Real>(i, j, k) + offset); });
  return values;
}

/// The expected value after the exchange: the cell's code, the code of its original, or NaN.
template <class Real>
Real expected(const Case& c, const Box& owned, Int3 cell, Real offset) {
  int outside = 0;
  for (int axis = 0; axis < 3; ++axis)
    outside += cell[axis] < owned.lower[axis] || cell[axis] >= owned.upper[axis] ? 1 : 0;
  if (outside > 1 && c.region == GhostRegion::faces) return std::numeric_limits<Real>::quiet_NaN();
  for (int axis = 0; axis < 3; ++axis) {
    const bool beyond = cell[axis] < 0 || cell[axis] >= cells[axis];
    if (beyond && !c.partition.periodic()[axis]) return std::numeric_limits<Real>::quiet_NaN();
    cell[axis] = (cell[axis] + cells[axis]) % cells[axis];
  }
  return code<Real>(cell[0], cell[1], cell[2]) + offset;
}

template <class Real>
int wrong_cells(const Case& c, const solver::Field<Real>& field, Real offset) {
  const auto all = field.allocated();
  std::vector<Real> values(static_cast<std::size_t>(all.size()));
  solver::copy_to_host<Real>(field, all, values);
  int wrong = 0;
  std::size_t n = 0;
  for_cells(all, [&](int i, int j, int k) {
    const Real got = values[n++];
    const Real want = expected<Real>(c, field.owned(), {i, j, k}, offset);
    if (!(got == want || (std::isnan(got) && std::isnan(want)))) ++wrong;
  });
  return wrong;
}

/// All partitions for the test's ranks that the grid allows.
std::vector<Int3> cuts(int ranks) {
  std::vector<Int3> found;
  for (int x = 1; x <= ranks; ++x) {
    for (int y = 1; x * y <= ranks; ++y) {
      if (ranks % (x * y) == 0) found.push_back({x, y, ranks / (x * y)});
    }
  }
  return found;
}

/// A partition with as many blocks of different thickness; the last rank has the first block.
Partition askew(const Partition& even) {
  auto split_points = even.split_points();
  for (int axis = 0; axis < 3; ++axis) {
    auto& along = split_points[static_cast<std::size_t>(axis)];
    for (std::size_t n = 1; n + 1 < along.size(); ++n) along[n] = static_cast<int>(2 * n);
  }
  std::vector<int> blocks(static_cast<std::size_t>(even.ranks()));
  std::iota(blocks.rbegin(), blocks.rend(), 0);
  return even.between(split_points).mapped(blocks);
}

/// Each transport alone, and a mixture of all.
std::vector<std::vector<TransportKind>> usable_transports() {
  std::vector<TransportKind> usable{TransportKind::staged, TransportKind::rma};
  if (mpi_claims_device_support()) usable.push_back(TransportKind::device);
  if (!kernels_run_on_host) usable.push_back(TransportKind::p2p);
  if (test::nccl_works()) usable.push_back(TransportKind::nccl);
  std::vector<std::vector<TransportKind>> sets;
  for (const auto kind : usable) sets.push_back({kind});
  sets.push_back(usable);
  return sets;
}

std::vector<Case> all_cases(int ranks) {
  std::vector<Case> cases;
  for (const auto& dims : cuts(ranks)) {
    for (const auto& periodic :
         {Periodic{false, false, false}, Periodic{true, false, true}, Periodic{true, true, true}}) {
      for (int width = 1; width <= 2; ++width) {
        for (const auto region : {GhostRegion::faces, GhostRegion::all}) {
          for (const auto& transports : usable_transports()) {
            cases.push_back({Partition(cells, periodic, dims), width, region, transports});
            cases.push_back({askew(cases.back().partition), width, region, transports});
          }
        }
      }
    }
  }
  return cases;
}

template <class Real>
class HaloExchange : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(HaloExchange, Precisions);

TYPED_TEST(HaloExchange, FillsEveryGhostCell) {
  using Real = TypeParam;
  const auto& world = test::world();
  const Streams streams;
  for (const auto& c : all_cases(world.size())) {
    auto halo = make_halo<Real>(c);
    solver::Field<Real> a("a", c.partition.owned(world.rank()), {c.width, c.width, c.width});
    solver::Field<Real> b("b", c.partition.owned(world.rank()), {c.width, c.width, c.width});
    // twice, on two fields that are swapped in between: requests are bound to buffers, not to
    // fields
    for (int round = 0; round < 4; ++round) {
      const auto offset = static_cast<Real>(round);
      solver::copy_from_host<Real>(coded<Real>(a.owned(), offset), a.owned(), a);
      if (round == 0 && (world.size() > 1 || c.partition.periodic()[0])) {
        ASSERT_GT(wrong_cells(c, a, offset), 0) << "the test could not fail";
      }
      auto pending = halo.start(streams, a.view());
      const auto ghosted = std::move(pending).finish();
      streams.edge().fence("test");
      ASSERT_EQ(ghosted.view().data, a.data());
      ASSERT_EQ(wrong_cells(c, a, offset), 0) << "round " << round;
      swap(a, b);
    }
  }
}

TYPED_TEST(HaloExchange, FillsTwoFieldsByTheMessagesOfOne) {
  using Real = TypeParam;
  const auto& world = test::world();
  const Streams streams;
  const Real apart = 20000;  // more than any code
  for (const auto& c : all_cases(world.size())) {
    if (c.partition.periodic() != Periodic{true, false, true}) continue;  // both kinds of axes
    auto one = make_halo<Real>(c);
    auto two = make_halo<Real>(c, 2);
    const Int3 ghosts{c.width, c.width, c.width};
    solver::State<Real> state({temperature, {"E", "J/m3", "enthalpy"}},
                              c.partition.owned(world.rank()), ghosts);
    auto& a = state.temperature();
    auto& b = state[1];
    auto values = coded<Real>(a.owned(), Real(0));
    std::ranges::copy(coded<Real>(a.owned(), apart), std::back_inserter(values));
    solver::copy_from_host<Real>(values, state);
    const auto before = messages;
    (void)one.start(streams, a.view()).finish();
    const auto of_one = messages - before;
    const auto ghosted = two.start(streams, state.views(2)).finish();
    streams.edge().fence("test");
    ASSERT_EQ(messages - before, 2 * of_one);
    ASSERT_EQ(two.bytes(), 2 * one.bytes());
    ASSERT_EQ(ghosted.view().data, a.data());
    ASSERT_EQ(ghosted[1].view().data, b.data());
    ASSERT_EQ(wrong_cells(c, a, Real(0)), 0);
    ASSERT_EQ(wrong_cells(c, b, apart), 0);
    EXPECT_THROW((void)two.start(streams, a.view()).finish(), Error);
  }
}

TYPED_TEST(HaloExchange, ADroppedExchangeIsCompleted) {
  using Real = TypeParam;
  const auto& world = test::world();
  const Streams streams;
  Case c{make_partition(cells, {true, true, true}, world.size(), 1), 1, GhostRegion::faces, {}};
  for (const auto& transports : usable_transports()) {
    c.transports = transports;
    auto halo = make_halo<Real>(c);
    solver::Field<Real> field("field", c.partition.owned(world.rank()), {1, 1, 1});
    solver::copy_from_host<Real>(coded<Real>(field.owned(), Real(0)), field.owned(), field);
    { const auto dropped = halo.start(streams, field.view()); }
    auto pending = halo.start(streams, field.view());
    (void)std::move(pending).finish();
    streams.edge().fence("test");
    EXPECT_EQ(wrong_cells(c, field, Real(0)), 0);
  }
}

}  // namespace
}  // namespace halotherm::comm
