// SPDX-License-Identifier: MIT
// A matrix with a number a face and vectors of one block, for tests and benchmarks.
#pragma once

#include "solver/cycle/symmetric_cycle.hpp"
#include "tests/support/conductance_line.hpp"

#include <cmath>
#include <vector>

namespace halotherm::solver {

/// Conductances from 1 to 1e4 in no order, none at sides of z, and some void cells if there are
/// anchors. At most one axis is periodic.
struct StoredProblem {
  static constexpr int layers = SymmetricCycle::layers;

  StoredProblem(const Coarsening& the_coarsening, bool anchored)
      : coarsening(the_coarsening),
        grid(coarsening.fine),
        box{{0, 0, 0}, grid.cells},
        coarse_box{{0, 0, 0}, coarsening.coarse().cells},
        matrix(grid, box, anchored, layers),
        b(zero_field(grid, box, "b", layers)),
        x(zero_field(grid, box, "x", layers)),
        next(zero_field(grid, box, "next", layers)),
        coarse_b(zero_field(coarsening.coarse(), coarse_box, "coarse b", layers)),
        coarse_x(zero_field(coarsening.coarse(), coarse_box, "coarse x", layers)),
        transfer(coarsening, coarse_box, layers) {
    for (int axis = 0; axis < 3; ++axis) set_faces(axis, anchored);
    if (anchored) set_in(matrix.anchor(), box, [](float wave) { return wave > 0.8F ? 1e3F : 0; });
    set_in(b, box, [](float wave) { return wave; });
    set_in(coarse_x, coarse_box, [](float wave) { return 0.01F * wave; });
    for (auto* field : {&b, &coarse_x}) wrap(*field);
    for (int axis = 0; axis < 3; ++axis) wrap(matrix.lower(axis), grid.faces(box, axis));
    if (anchored) wrap(matrix.anchor());
    set_shares(
        comm::Space(), coarse_box, matrix.view(), coarse_b,
        [this](Field<float>& field) { wrap(field); }, transfer);
  }

  SymmetricCycle cycle(const Exchange& exchange) const {
    return {transfer.view(), matrix.view(), {0.6F, 1.1F}, b.view(), box, coarse_box, exchange};
  }
  /// Makes ghost cells beyond periodic sides those of the other end.
  void wrap(Field<float>& field) const { wrap(field, field.owned()); }
  void wrap(Field<float>& field, const comm::Box& whole) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (!grid.periodic[axis]) continue;
      const int cells = whole.extent(axis);
      for (const int end : {0, 1}) {
        auto from = whole, to = whole;
        from.lower[axis] = end == 0 ? cells - layers : 0;
        to.lower[axis] = end == 0 ? -layers : cells;
        from.upper[axis] = from.lower[axis] + layers;
        to.upper[axis] = to.lower[axis] + layers;
        set(field, to, values_of(field, from));
      }
    }
  }

  Coarsening coarsening;
  LevelGrid grid;
  comm::Box box, coarse_box;
  Matrix matrix;
  Field<float> b, x, next, coarse_b, coarse_x;
  Transfer transfer;

 private:
  template <class Value>
  static void set_in(Field<float>& field, const comm::Box& cells, const Value& value) {
    std::vector<float> values(static_cast<std::size_t>(cells.size()));
    for (std::size_t n = 0; n < values.size(); ++n)
      values[n] = value(std::sin(0.37F * static_cast<float>(n % 4099)));
    set(field, cells, values);
  }
  void set_faces(int axis, bool with_void) {
    const auto faces = grid.faces(box, axis);
    set_in(matrix.lower(axis), faces, [&](float wave) {
      return with_void && wave < -0.9F ? 0.0F : std::pow(10.0F, 2 + 2 * wave);
    });
    if (axis != 2) return;
    auto lower = faces, upper = faces;
    lower.upper[2] = 1;
    upper.lower[2] = faces.upper[2] - 1;
    for (const auto& side : {lower, upper})
      set(matrix.lower(2), side, std::vector<float>(static_cast<std::size_t>(side.size()), 0));
  }
};

}  // namespace halotherm::solver
