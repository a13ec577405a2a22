// SPDX-License-Identifier: MIT
// The conductances of the faces of a block where materials have contacts.
#pragma once

#include "solver/equation/heat_equation.hpp"

#include <vector>

namespace halotherm::solver {

/// For a StoredMedium, of the lower face across an axis of each cell of `box`, x fastest: its
/// conductance, 1/(h⁻/(2 K⁻) + R + h/(2 K)) [W/(m² K)], which is exact for a flux in series, over
/// what a cell multiplies it by. The first faces of the box count as inside a material.
std::vector<double> lower_faces(const Grid& grid, const comm::Box& box, int axis,
                                const Coefficient& K, const Contacts& contacts);

/// The same numbers of each pair of kinds, for a KindsMedium: by axis, on an even grid.
std::vector<std::vector<double>> faces_of_kinds(const Grid& grid, const FoundKinds& found,
                                                const Contacts& contacts);

}  // namespace halotherm::solver
