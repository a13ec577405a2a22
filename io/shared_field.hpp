// SPDX-License-Identifier: MIT
// One file that all ranks write together: how checkpoints and snapshots come to be.
#pragma once

#include "comm/communicator.hpp"
#include "io/field_block.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace halotherm::io {

/// A file that was written.
struct WrittenFile {
  std::filesystem::path path;
  std::int64_t bytes = 0;
  std::string remark;  ///< what the user should know although nothing is lost; empty if all went as it should
};

/// What the file is to hold.
struct SharedField {
  std::filesystem::path path;          ///< final name; its folder is there
  std::string dataset;                 ///< name of the data set
  FieldAxes axes;                      ///< of the data set
  comm::Int3 copies{1, 1, 1};          ///< how often the field stands side by side along each axis; 1 but for flat images
  std::uint64_t checksum = 0;          ///< of the whole field, as field_checksum gives it
  std::int64_t description_bytes = 0;  ///< at least what `describe` adds to the file
  std::function<void(hid_t file, hid_t dataset)> describe;  ///< writes everything else; called by rank 0, which is then alone
};

/// Collective. Rank 0 lays the file out under a partial name and has its space reserved; all ranks write their block `owned` of the
/// field (`cells` in all; x fastest) in one collective MPI-IO write a piece; the file is flushed to the disk, read back by all
/// ranks and its checksum compared; rank 0 gives it its name. Throws CollectiveError (input_output) and removes the partial file if
/// anything fails on any rank. Where MPI or HDF5 leaves no way back (a disk that fails within the collective write, although it had
/// room; a rank that alone cannot open the file) the rank throws a comm::Error that is not collective, which ends the job.
template <class Real>
WrittenFile write_shared_field(const comm::Communicator& communicator, const SharedField& field, const comm::Int3& cells,
                               const comm::Box& owned, std::span<const Real> values);

/// Local. This block's part of the checksum as the file has it, read in small pieces by this process alone.
template <class Real>
std::uint64_t stored_checksum(const hdf5::Dataset& dataset, const FieldAxes& axes, const comm::Int3& cells, const comm::Box& block);

}  // namespace halotherm::io
