// SPDX-License-Identifier: MIT
// The faces of a side's patches.
#pragma once

#include "app/config/config.hpp"
#include "comm/partition/box.hpp"
#include "io/yaml/yaml_reader.hpp"

namespace halotherm::app {

/// The faces at the lower (0) or upper (1) end of an axis whose centres are in `box`, as the cells
/// next to them: lower <= centre < upper along the other axes, so patches that touch share no face.
/// Empty if there are none. `box` has one number an axis of the grid. Local.
comm::Box patch_cells(const GridConfig& grid, int axis, int end, const BoxConfig& box);

/// Reports axes of which only one side is periodic to `yaml`. Local.
void check_periodic(const Config& config, io::YamlReader& yaml);
/// Reports patches that are not on their side, have no face, overlap or share a name. The corners
/// of the grid must be in order. Local.
void check_patches(const Config& config, io::YamlReader& yaml);

/// Whether a side, a patch or the faces towards void cells radiate.
bool radiates(const Config& config);

}  // namespace halotherm::app
