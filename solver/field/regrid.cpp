// SPDX-License-Identifier: MIT
#include "solver/field/regrid.hpp"

#include <cmath>

namespace halotherm::solver {

namespace {

/// Rounds towards minus infinity, as ghost cells have negative indices.
int floor_of(int a, int b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

double minmod(double a, double b) {
  if (a * b <= 0) return 0;
  return std::abs(a) < std::abs(b) ? a : b;
}

}  // namespace

std::optional<Regrid> Regrid::between(const comm::Int3& from, const comm::Int3& to) {
  Regrid regrid;
  for (int axis = 0; axis < 3; ++axis) {
    if (to[axis] % from[axis] == 0) {
      regrid.cuts_[axis] = to[axis] / from[axis];
    } else if (from[axis] % to[axis] == 0) {
      regrid.joins_[axis] = from[axis] / to[axis];
    } else {
      return std::nullopt;
    }
  }
  return regrid;
}

comm::Box Regrid::source(const comm::Box& block) const {
  comm::Box box;
  for (int axis = 0; axis < 3; ++axis) {
    const int neighbours = cuts_[axis] > 1 ? 1 : 0;
    box.lower[axis] = floor_of(block.lower[axis], cuts_[axis]) * joins_[axis] - neighbours;
    box.upper[axis] =
        (floor_of(block.upper[axis] - 1, cuts_[axis]) + 1) * joins_[axis] + neighbours;
  }
  return box;
}

std::vector<double> Regrid::values(const comm::Box& block, std::span<const double> old) const {
  const auto box = source(block);
  const std::ptrdiff_t stride[3] = {1, box.extent(0),
                                    std::ptrdiff_t{box.extent(0)} * box.extent(1)};

  /// The value of one old cell at the centre of the new cell (i, j, k).
  const auto within = [&](const double* cell, const comm::Int3& at) {
    double value = *cell;
    for (int axis = 0; axis < 3; ++axis) {
      if (cuts_[axis] == 1) continue;
      const int part = at[axis] - floor_of(at[axis], cuts_[axis]) * cuts_[axis];
      const double slope = minmod(*cell - cell[-stride[axis]], cell[stride[axis]] - *cell);
      value += slope * ((part + 0.5) / cuts_[axis] - 0.5);
    }
    return value;
  };

  const auto mean = [&](const comm::Int3& at) {
    const double* first = old.data();
    for (int axis = 0; axis < 3; ++axis) {
      first += stride[axis] * (floor_of(at[axis], cuts_[axis]) * joins_[axis] - box.lower[axis]);
    }
    double sum = 0;
    for (int k = 0; k < joins_[2]; ++k) {
      for (int j = 0; j < joins_[1]; ++j) {
        for (int i = 0; i < joins_[0]; ++i)
          sum += within(first + i * stride[0] + j * stride[1] + k * stride[2], at);
      }
    }
    return sum / (static_cast<double>(joins_[0]) * joins_[1] * joins_[2]);
  };

  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(block.size()));
  for (int k = block.lower[2]; k < block.upper[2]; ++k) {
    for (int j = block.lower[1]; j < block.upper[1]; ++j) {
      for (int i = block.lower[0]; i < block.upper[0]; ++i) values.push_back(mean({i, j, k}));
    }
  }
  return values;
}

}  // namespace halotherm::solver
