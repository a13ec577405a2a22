// SPDX-License-Identifier: MIT
#include "app/results/checkpoint_text.hpp"

#include "io/files/checksum.hpp"

#include <fmt/format.h>

namespace halotherm::app {

std::string describe(const io::CheckpointInfo& info) {
  std::string cells, lower, spacing;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(info.grid.dimensions); ++axis) {
    const auto* between = axis > 0 ? " x " : "";
    cells += between + std::to_string(info.grid.cells[axis]);
    lower += fmt::format("{}{:.9g}", axis > 0 ? ", " : "", info.grid.lower[axis]);
    spacing += between + fmt::format("{:.9g}", info.grid.spacing[axis]);
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
