// SPDX-License-Identifier: MIT
// Reads a data set of the whole grid by a few ranks, which distribute its values to all.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "io/distribution/field_block.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace halotherm::io {

/// An open file and its data set.
struct OpenDataset {
  hdf5::File file;
  hdf5::Dataset dataset;
};

/// Where values are read from.
struct FieldSource {
  FieldAxes axes;
  /// Opens the data set and checks it; throws comm::Error. Rank 0 calls it first, so that a mistake
  /// is found once and not by thousands of processes, then every other rank that reads.
  std::function<OpenDataset()> open;
  /// Throws comm::Error for a data set that HDF5 cannot read, given HDF5's reason.
  std::function<void(const hdf5::Dataset&, const std::string& reason)> refuse;
};

/// Where values go.
template <class Real>
struct FieldTarget {
  comm::Box block;         ///< of this rank; may be empty, overlap others and exceed the data set
  comm::Int3 periodic;     ///< axes along which cells beyond the data set get the opposite values
  std::span<Real> values;  ///< of the block, x fastest
};

/// Collective. Reads the blocks of all ranks, in rounds of at most 16 MiB a reader
/// (io/distribution/bricks.hpp). If `see` is not empty, the rank that reads a box calls it with the
/// values, so that it gets every value of the data set once; else values that no block needs are
/// not read. Throws CollectiveError if a rank cannot open or read. Instantiated for float and
/// double.
template <class Real>
void read_shared(const comm::Communicator& communicator, const FieldSource& source,
                 const FieldTarget<Real>& target,
                 const std::function<void(const comm::Box&, std::span<const Real>)>& see);

/// Local. The most values that rank 0, a reader, keeps besides its block in a round; of very many
/// rounds some all over the data set are looked at. `blocks`: disjoint, and together the data set;
/// `nodes` as in bricks_to_read. Instantiated for float and double.
template <class Real>
std::int64_t values_kept_to_read(const comm::Int3& extent, const std::vector<comm::Box>& blocks,
                                 const std::vector<int>& nodes);

}  // namespace halotherm::io
