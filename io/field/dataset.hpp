// SPDX-License-Identifier: MIT
// Input fields from HDF5 files.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "io/text/grid_shape.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace halotherm::io {

/// Collective. This rank's `block` of the data set `name`, which holds numbers and has the grid's
/// shape. The block may reach beyond the domain (ghost cells): there the values are those of the
/// nearest cell inside, or, along axes marked `periodic`, of the cell on the other side. Order: x
/// fastest. Throws CollectiveError (input_output) if the file or the data set is missing or
/// damaged, is not of floating-point or integer numbers, has another shape (both are named) or
/// labels its axes in another order, or holds a NaN or an infinite number (its first place is
/// named).
std::vector<double> read_dataset(const comm::Communicator& communicator,
                                 const std::filesystem::path& file, const std::string& name,
                                 const GridShape& grid, const comm::Box& block,
                                 const comm::Int3& periodic);

}  // namespace halotherm::io
