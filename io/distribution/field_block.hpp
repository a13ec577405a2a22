// SPDX-License-Identifier: MIT
// A rank's block of a data set that holds the whole grid.
#pragma once

#include "comm/partition/box.hpp"
#include "io/hdf5/handle.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace halotherm::io {

/// The axes of a data set: `extent` entries along x, y, z, of which the file has the first
/// `dimensions`, slowest axis first.
struct FieldAxes {
  int dimensions = 3;
  comm::Int3 extent{1, 1, 1};

  /// (nz, ny, nx), (ny, nx) or (nx).
  std::vector<hsize_t> file_extents() const;
};

/// A part of a block that lies in one piece in the block's memory.
struct Piece {
  comm::Box box;
  std::int64_t offset = 0;  ///< of its first cell from the block's first
};

/// Cuts a block, x fastest in memory, into contiguous pieces of at most `limit` cells. No call into
/// HDF5 or MPI then moves more than that, which keeps clear of their 2 GiB limits and bounds the
/// buffers they make. An empty block gives no piece.
std::vector<Piece> pieces(const comm::Box& block, std::int64_t limit);

namespace hdf5 {

template <class Real>
hid_t native_type();

/// The box in the data set; an empty box selects nothing. Throws comm::Error (input_output).
Dataspace file_selection(const FieldAxes& axes, const comm::Box& box);

/// `count` entries in a row of memory.
Dataspace memory_row(std::int64_t count);

/// Reads the box, by this process alone, converting to `Real`; `values` has its size. HDF5's reason
/// if it cannot, else nothing.
template <class Real>
std::string read_box(const Dataset& dataset, const FieldAxes& axes, const comm::Box& box,
                     std::span<Real> values);

}  // namespace hdf5

}  // namespace halotherm::io
