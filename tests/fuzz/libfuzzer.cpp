// SPDX-License-Identifier: MIT
// libFuzzer's side: one program a target, named by HALOTHERM_FUZZ_TARGET.
#include "comm/machine/environment.hpp"
#include "tests/fuzz/targets.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  ::setenv("OMPI_MCA_opal_signal", "",
           1);  // or Open MPI would take the signals that libFuzzer reports
  static halotherm::comm::Environment environment(*argc, *argv);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  halotherm::fuzz::HALOTHERM_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
