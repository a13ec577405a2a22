// SPDX-License-Identifier: MIT
#include "solver/equation/stored_faces.hpp"

namespace halotherm::solver {

std::vector<double> lower_faces(const Grid& grid, const comm::Box& box, int axis,
                                const Coefficient& K, const Contacts& contacts) {
  const auto* number = std::get_if<double>(&K);
  std::vector<double> widths;
  for (int index = box.lower[axis] - 1; index < box.upper[axis]; ++index)
    widths.push_back(grid.width(axis, index));
  const std::array<std::size_t, 3> before{
      1, static_cast<std::size_t>(box.extent(0)),
      static_cast<std::size_t>(box.extent(0)) * static_cast<std::size_t>(box.extent(1))};
  std::vector<double> faces(static_cast<std::size_t>(box.size()));
  for (std::size_t n = 0; n < faces.size(); ++n) {
    const auto place =
        n / before[static_cast<std::size_t>(axis)] % static_cast<std::size_t>(box.extent(axis));
    const auto below = place > 0 ? n - before[static_cast<std::size_t>(axis)] : n;
    const double h = widths[place + 1];
    const auto resistance = [&](std::size_t cell, double width) {
      return width / (number ? *number : std::get<std::vector<double>>(K)[cell]);
    };
    const double face =
        1 / (resistance(below, widths[place]) + resistance(n, h) + 2 * contacts.between(below, n));
    faces[n] = grid.even() ? face * (2 / h) : face;
  }
  return faces;
}

}  // namespace halotherm::solver
