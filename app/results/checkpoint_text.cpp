// SPDX-License-Identifier: MIT
#include "app/results/checkpoint_text.hpp"

#include "io/files/checksum.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace halotherm::app {

namespace {

/// "0.01", or "2e-06 to 6e-06" where they differ.
std::string widths(const io::GridShape& grid, std::size_t axis) {
  if (grid.even(axis)) return fmt::format("{:.9g}", grid.spacing[axis]);
  const auto& faces = *grid.faces[axis];
  double least = grid.spacing[axis], most = least;
  for (std::size_t n = 1; n < faces.size(); ++n) {
    least = std::min(least, faces[n] - faces[n - 1]);
    most = std::max(most, faces[n] - faces[n - 1]);
  }
  return fmt::format("({:.9g} to {:.9g})", least, most);
}

}  // namespace

std::string describe(const io::CheckpointInfo& info) {
  std::string cells, lower, spacing;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(info.grid.dimensions); ++axis) {
    const auto* between = axis > 0 ? " x " : "";
    cells += between + std::to_string(info.grid.cells[axis]);
    lower += fmt::format("{}{:.9g}", axis > 0 ? ", " : "", info.grid.lower[axis]);
    spacing += between + widths(info.grid, axis);
  }
  std::string inputs;
  for (const auto& [key, checksum] : info.inputs) {
    inputs += (inputs.empty() ? "inputs         " : "               ") + key + ", checksum " +
              io::to_hex(checksum) + "\n";
  }
  return "title          " + info.title + "\n" +                                                  //
         "written by     Halotherm " + info.version + " (" + info.commit + ")\n" +                //
         "grid           " + cells + " cells of " + spacing + " m from (" + lower + ") m\n" +     //
         "temperature    " + info.precision + ", checksum " + io::to_hex(info.checksum) + "\n" +  //
         inputs +
         fmt::format("state          step {}, t = {:.9g} s, dt = {:.9g} s", info.step, info.time,
                     info.dt);
}

}  // namespace halotherm::app
