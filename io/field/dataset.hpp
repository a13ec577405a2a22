// SPDX-License-Identifier: MIT
// Input fields from HDF5 files.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "io/text/grid_shape.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::io {

/// Collective. Reads this rank's `block`, x fastest, of the data set `name`, which holds numbers
/// and has the grid's shape. In ghost cells beyond the domain the values are those of the nearest
/// cell inside, or, along axes marked `periodic`, of the cell on the opposite side. Throws
/// CollectiveError (input_output) if the file or the data set is missing or damaged, does not hold
/// floating-point or integer numbers, has another shape, labels its axes in another order, or holds
/// a NaN or infinite number (the message gives the first one's index).
std::vector<double> read_dataset(const comm::Communicator& communicator,
                                 const std::filesystem::path& file, const std::string& name,
                                 const GridShape& grid, const comm::Box& block,
                                 const comm::Int3& periodic);

/// Collective. The text of the attribute `units` of a data set; none if it has none, "" if that is
/// no text. Throws CollectiveError (input_output) if the file is missing or damaged.
std::optional<std::string> read_units(const comm::Communicator& communicator,
                                      const std::filesystem::path& file, const std::string& name);

}  // namespace halotherm::io
