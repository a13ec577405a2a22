// SPDX-License-Identifier: MIT
#include "comm/device/for_each_cell.hpp"

#include "solver/field/field.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

struct Count {
  GridView<double> visits;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k) const { visits(i, j, k) += 1; }
  KOKKOS_INLINE_FUNCTION void operator()(int, std::int64_t, int i, int j, int k) const {
    visits(i, j, k) += 1;
  }
};

/// Records the visits, which must number a box's cells x fastest.
struct Position {
  GridView<double> position;
  KOKKOS_INLINE_FUNCTION void operator()(int box, std::int64_t n, int i, int j, int k) const {
    position(i, j, k) = 1000.0 * box + static_cast<double>(n);
  }
};

class ForEachCell : public testing::Test {
 protected:
  ForEachCell() : field_("visits", whole_, {1, 1, 1}) {
    const std::vector<double> zero(static_cast<std::size_t>(field_.allocated().size()), 0.0);
    solver::copy_from_host<double>(zero, field_.allocated(), field_);
  }

  std::vector<double> values() {
    Space().fence("test");
    std::vector<double> all(static_cast<std::size_t>(field_.allocated().size()));
    solver::copy_to_host<double>(field_, field_.allocated(), all);
    return all;
  }

  /// The number of visits must be 1 in the boxes, 0 elsewhere.
  void expect_once_in(std::span<const Box> boxes) {
    const auto all = values();
    const auto around = field_.allocated();
    std::size_t n = 0;
    for (int k = around.lower[2]; k < around.upper[2]; ++k) {
      for (int j = around.lower[1]; j < around.upper[1]; ++j) {
        for (int i = around.lower[0]; i < around.upper[0]; ++i) {
          int wanted = 0;
          for (const auto& box : boxes) wanted += box.contains(i, j, k) ? 1 : 0;
          ASSERT_EQ(all[n++], wanted) << i << " " << j << " " << k;
        }
      }
    }
  }

  const Box whole_{{-3, 5, 2}, {37, 29, 21}};
  solver::Field<double> field_;
};

TEST_F(ForEachCell, VisitsEachCellOfABoxOnce) {
  for_each_cell(Space(), "test", whole_, Count{field_.view()});
  expect_once_in(std::span(&whole_, 1));
}

TEST_F(ForEachCell, VisitsThinBoxesOnce) {
  const std::vector<Box> boxes{{{-3, 5, 2}, {-2, 29, 21}},
                               {{-2, 5, 2}, {37, 6, 21}},
                               {{0, 10, 20}, {30, 20, 21}},
                               {{0, 10, 3}, {1, 11, 4}}};
  for (const auto& box : boxes) for_each_cell(Space(), "test", box, Count{field_.view()});
  expect_once_in(boxes);
}

TEST_F(ForEachCell, VisitsARegionOnce) {
  const auto boxes = difference(whole_, grown(whole_, {-1, -1, -1}, {-1, -1, -1}));
  const Region region(boxes);
  EXPECT_EQ(region.cells(), 40 * 24 * 19 - 38 * 22 * 17);
  for_each_cell(Space(), "test", region, Count{field_.view()});
  expect_once_in(boxes);
}

TEST_F(ForEachCell, EmptyBoxesAreNotVisited) {
  for_each_cell(Space(), "test", Box{{0, 0, 0}, {5, 0, 5}}, Count{field_.view()});
  for_each_cell(Space(), "test", Region(), Count{field_.view()});
  expect_once_in({});
  EXPECT_TRUE(Region().empty());
}

TEST_F(ForEachCell, PositionsRunFastestAlongX) {
  const std::vector<Box> boxes{{{0, 6, 3}, {4, 9, 5}}, {{10, 10, 10}, {11, 12, 13}}};
  for_each_cell_of(Space(), "test", BoxList(boxes), Position{field_.view()});
  Space().fence("test");
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    std::vector<double> part(static_cast<std::size_t>(boxes[b].size()));
    solver::copy_to_host<double>(field_, boxes[b], part);
    for (std::size_t n = 0; n < part.size(); ++n)
      EXPECT_EQ(part[n], 1000.0 * static_cast<double>(b) + static_cast<double>(n));
  }
}

/// Each part is countable, and together they are the box.
void expect_parts(const Box& box, std::int64_t most, std::size_t count) {
  const auto parts = countable_parts(box, most);
  EXPECT_EQ(parts.size(), count) << to_string(box);
  std::int64_t cells = 0;
  for (const auto& part : parts) {
    EXPECT_LE(BoxList::slots_of(part), most) << to_string(part);
    EXPECT_EQ(intersection(part, box), part);
    cells += part.size();
  }
  EXPECT_EQ(cells, box.size());
}

TEST(CountableParts, DivideBoxesBeyond32Bits) {
  const int nx = kernels_run_on_host ? 1 : 8;  // slots are rows on hosts
  expect_parts({{0, 0, 0}, {nx, 1 << 16, 1 << 15}}, BoxList::most_slots,
               kernels_run_on_host ? 1 : 8);
  expect_parts({{-1, 5, 7}, {nx - 1, 5 + (1 << 16), 7 + (1 << 16)}}, BoxList::most_slots,
               kernels_run_on_host ? 2 : 16);
  expect_parts({{0, 0, 0}, {nx, 3 << 12, 5 << 4}}, std::int64_t{1} << 12,
               std::size_t{15 << 4} * static_cast<unsigned>(nx));
}

/// Slots of the last cells, which exceed 31 bits: arithmetic only, without memory.
TEST(CountableParts, TheLastSlotsAreTheLastCells) {
  const Box box{{0, 0, 0}, {1, 1 << 16, 1 << 16}};
  const auto parts =
      countable_parts(box, kernels_run_on_host ? BoxList::most_slots : box.size() / 2);
  ASSERT_EQ(parts.size(), 2U);
  const BoxList boxes(parts);
  EXPECT_EQ(boxes.slots(), std::int64_t{1} << 32);
  for (const std::int64_t slot : {std::int64_t{0}, (std::int64_t{1} << 31) - 1,
                                  std::int64_t{1} << 31, (std::int64_t{1} << 32) - 1}) {
    boxes.visit(slot, [&](int, std::int64_t, int i, int j, int k) {
      EXPECT_EQ(i, 0);
      EXPECT_EQ(j + (std::int64_t{k} << 16), slot);
    });
  }
}

}  // namespace
}  // namespace halotherm::comm
