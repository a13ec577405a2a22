// SPDX-License-Identifier: MIT
// Whether a stream still has work. Defined in builds with CUDA only.
#pragma once

#include "comm/device/gpu_runtime.hpp"

namespace halotherm::comm::gpu {

/// Whether all launches on the stream so far are complete, or that cannot be told. Any thread may
/// ask that uses the stream's device, but not while launches are recorded.
bool is_idle(Stream stream);

}  // namespace halotherm::comm::gpu
