// SPDX-License-Identifier: MIT
// Reads a data set of the whole grid by a few ranks, which pass its values on to all.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "io/distribution/field_block.hpp"

#include <functional>
#include <span>
#include <string>

namespace halotherm::io {

/// A data set and the file that it is in, for as long as a rank reads it.
struct OpenDataset {
  hdf5::File file;
  hdf5::Dataset dataset;
};

/// Where values are read from.
struct FieldSource {
  FieldAxes axes;
  /// Opens it and looks whether it is what is wanted; throws comm::Error. Rank 0 does so first, so
  /// that a mistake is found once and not by thousands of processes, and then those ranks alone
  /// that read.
  std::function<OpenDataset()> open;
  /// Throws comm::Error for a data set that HDF5 cannot read, with its reason.
  std::function<void(const hdf5::Dataset&, const std::string& reason)> refuse;
};

/// Where they go.
template <class Real>
struct FieldTarget {
  comm::Box block;  ///< of this rank; may be empty, overlap others and reach beyond the data set
  comm::Int3 periodic;  ///< along these axes cells beyond the data set get the values of the other
                        ///< side; else none
  std::span<Real> values;  ///< of the block, x fastest
};

/// Collective. Reads the blocks of all ranks, in rounds of at most 16 MiB a reader
/// (io/distribution/bricks.hpp). Unless `see` is empty, it is called for all values of the data
/// set, each once, by the rank that reads them; else what no block wants is not read. Throws
/// CollectiveError where a rank cannot open or read: none waits for it.
template <class Real>
void read_shared(const comm::Communicator& communicator, const FieldSource& source,
                 const FieldTarget<Real>& target,
                 const std::function<void(const comm::Box&, std::span<const Real>)>& see);

/// At most so many values are kept besides the blocks on rank 0, which is a reader; `nodes` as in
/// bricks_to_read. No communication.
template <class Real>
std::int64_t values_kept_to_read(const comm::Int3& extent, const std::vector<comm::Box>& blocks,
                                 const std::vector<int>& nodes);

}  // namespace halotherm::io
