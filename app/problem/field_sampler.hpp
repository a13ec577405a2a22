// SPDX-License-Identifier: MIT
// Numbers, formulas and files of a configuration as values on cells and faces.
#pragma once

#include "app/problem/sampled_quantity.hpp"
#include "comm/partition/partition.hpp"
#include "io/field/checkpoint.hpp"
#include "solver/equation/boundary.hpp"
#include "solver/equation/heat_equation.hpp"
#include "solver/field/grid.hpp"

#include <string>
#include <vector>

namespace halotherm::app {

/// Calls `work(i, j, k)` for the cells of the box, x fastest.
template <class Work>
void for_cells(const comm::Box& box, const Work& work) {
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) work(i, j, k);
    }
  }
}

/// Evaluates quantities on a grid and reads them from files.
struct FieldSampler {
  const comm::Communicator& world;
  std::filesystem::path folder;  ///< of relative input files
  solver::Grid grid;
  comm::Periodic periodic;

  /// Collective. The quantity at the cell centres of this rank's `box`; cells beyond the domain
  /// take the value of the nearest one inside, or of the other end of a periodic axis. A formula
  /// without x, y and z gives one number. Throws CollectiveError, naming `key`, if a value is not
  /// finite or out of `range` (usage for formulas, input_output for files).
  solver::Coefficient cells(const std::string& key, const Quantity& quantity, const comm::Box& box,
                            Range range) const;

  /// The centres of a box's cells; for cells beyond the domain those of the cells whose values they
  /// take.
  SamplePoints points_of_cells(const comm::Box& box) const;
  /// The index along an axis of the cell whose values a cell beyond the domain takes.
  int inside(int axis, int index) const;

  /// Not collective. A number or a formula at the cell centres of a box, at any time; cells beyond
  /// the domain as above. Throws Error.
  SampledQuantity on_cells(const std::string& key, const Quantity& quantity, const comm::Box& box,
                           Range range) const;

  /// Not collective. A number or a formula at the centres of a side's faces, in the order of the
  /// ghost layer's cells. Throws Error.
  SampledQuantity on_faces(const std::string& key, const Quantity& quantity, const comm::Box& layer,
                           const solver::Side& side, Range range) const;
};

/// The sampler of the configuration's grid and input files.
FieldSampler make_field_sampler(const comm::Communicator& world, const Config& config);

/// The values of a coefficient in a part of the box that it was sampled on, x fastest; one value if
/// it is a number.
std::vector<double> values_in(const solver::Coefficient& coefficient, const comm::Box& box,
                              const comm::Box& part);

/// Collective. Adds the checksum of what `key` reads to `inputs`, if it reads a data set.
/// `sampled`: its values in `box`, which holds this rank's cells `owned`; all ranks' cells together
/// are the grid.
void add_checksum(const FieldSampler& sampler, const std::string& key, const Quantity& quantity,
                  const solver::Coefficient& sampled, const comm::Box& box, const comm::Box& owned,
                  std::vector<io::InputChecksum>& inputs);

}  // namespace halotherm::app
