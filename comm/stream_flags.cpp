// SPDX-License-Identifier: MIT
#include "comm/stream_flags.hpp"

#include "comm/error.hpp"

#include <cuda_runtime.h>

#include <string>

namespace halotherm::comm {

namespace {

using BatchMemOp = CUresult (*)(CUstream, unsigned int, CUstreamBatchMemOpParams*, unsigned int);

/// From the driver at hand, so that the program need not be linked against one.
BatchMemOp batch_mem_op() {
  static const auto found = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult result{};
    const auto status = cudaGetDriverEntryPointByVersion("cuStreamBatchMemOp", &function, 12000, cudaEnableDefault, &result);
    return status == cudaSuccess && result == cudaDriverEntryPointSuccess ? reinterpret_cast<BatchMemOp>(function) : nullptr;
  }();
  return found;
}

}  // namespace

StreamFlags::StreamFlags() {
  if (batch_mem_op() == nullptr) {
    throw Error(ExitCode::usage,
                "parallel.transport: p2p cannot be used (the driver has no stream memory operations) update it, or set it to auto");
  }
}

CUstreamBatchMemOpParams StreamFlags::set(std::byte* flag, std::uint32_t value) {
  CUstreamBatchMemOpParams operation{};
  operation.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  operation.writeValue.address = reinterpret_cast<CUdeviceptr>(flag);
  operation.writeValue.value = value;
  operation.writeValue.flags = CU_STREAM_WRITE_VALUE_DEFAULT;  // with a barrier before it
  return operation;
}

CUstreamBatchMemOpParams StreamFlags::wait(std::byte* flag, std::uint32_t value) {
  CUstreamBatchMemOpParams operation{};
  operation.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  operation.waitValue.address = reinterpret_cast<CUdeviceptr>(flag);
  operation.waitValue.value = value;
  operation.waitValue.flags = CU_STREAM_WAIT_VALUE_GEQ;
  return operation;
}

void StreamFlags::enqueue(const Space& space) {
  if (operations_.empty()) return;
  const auto status = batch_mem_op()(space.cuda_stream(), static_cast<unsigned>(operations_.size()), operations_.data(), 0);
  if (status != CUDA_SUCCESS) {
    throw Error(ExitCode::internal, "the driver refuses a stream memory operation (CUDA error " + std::to_string(status) +
                                        ") set parallel.transport to device or staged");
  }
}

}  // namespace halotherm::comm
