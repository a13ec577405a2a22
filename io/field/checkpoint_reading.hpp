// SPDX-License-Identifier: MIT
// Reads and verifies checkpoints. All functions are collective and throw CollectiveError
// (input_output).
#pragma once

#include "io/field/checkpoint.hpp"

namespace halotherm::io {

/// The file's description. Throws if it is not a complete checkpoint of a known format, or if its
/// name has the form checkpoint_<step>.h5 with another step than it holds.
CheckpointInfo read_checkpoint_info(const comm::Communicator& communicator,
                                    const std::filesystem::path& file);

/// Reads this rank's block `owned` of one of `info.fields` after another into `values`, x fastest,
/// and verifies the checksum of every chunk; the blocks of all ranks are the grid. `info` is the
/// file's description, whose precision must be that of `Real`. Instantiated for float and double.
template <class Real>
void read_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& file,
                     const CheckpointInfo& info, const comm::Box& owned, std::span<Real> values);

/// Verifies every chunk of the file without keeping its values.
void verify_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& file,
                       const CheckpointInfo& info);

}  // namespace halotherm::io
