// SPDX-License-Identifier: MIT
// The conditions of the domain's sides, part by part, and of void faces.
#pragma once

#include "app/problem/field_sampler.hpp"
#include "app/problem/sampled_side.hpp"

#include <memory>
#include <vector>

namespace halotherm::app {

/// A side of a block outside of its patches, or a patch; later ones lie on top of earlier ones.
struct SidePart {
  comm::Box faces;  ///< as ghost cells
  SampledSide values;
  std::size_t number;  ///< 0 for the side's own condition, then its patches in their order
};

/// The sides of a block that are sides of the domain and not periodic.
std::vector<solver::Side> sides_of(const Config& config, const solver::Grid& grid,
                                   const comm::Box& owned);

/// The cells inside of ghost cells at a side.
comm::Box inside_of(const comm::Box& ghosts, const solver::Side& side);

/// The condition of a side of a block: those parts of which a face of the block shows. Not
/// collective; nothing is evaluated yet. Throws Error (usage).
std::vector<SidePart> parts_of_side(const FieldSampler& sampler, const Config& config,
                                    const solver::Side& side, const comm::Box& owned);

/// Not collective. The condition of void faces, evaluated at the centres of the void cells of a
/// box. `materials`: of its cells, or one for all. Throws Error (usage).
SampledSide void_condition(const FieldSampler& sampler, const Config& config, const comm::Box& box,
                           const std::shared_ptr<const Owners>& materials);

}  // namespace halotherm::app
