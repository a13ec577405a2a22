// SPDX-License-Identifier: MIT
#include "app/cli/info.hpp"

#include "comm/device/execution.hpp"
#include "comm/system/version.hpp"
#include "io/hdf5/library.hpp"

#include <sstream>

namespace halotherm::app {

namespace {

/// Ranks with the same host and device share a line: "ranks 0 to 3: node1, 2 OpenMP threads".
std::string place_lines(const std::vector<comm::Place>& places) {
  std::string text;
  for (std::size_t first = 0; first < places.size();) {
    auto last = first;
    while (last + 1 < places.size() && places[last + 1].host == places[first].host &&
           places[last + 1].device == places[first].device)
      ++last;
    const auto ranks = first == last
                           ? "rank " + std::to_string(first)
                           : "ranks " + std::to_string(first) + " to " + std::to_string(last);
    text += (first == 0 ? "places         " : "               ") + ranks + ": " +
            places[first].host + ", " + places[first].device +
            (places[first].shared ? " (shared by several ranks)" : "") + "\n";
    first = last + 1;
  }
  return text;
}

std::string device_line() {
  return std::string("kernels        Kokkos ") + std::to_string(KOKKOS_VERSION / 10000) + "." +
         std::to_string(KOKKOS_VERSION / 100 % 100) + "." + std::to_string(KOKKOS_VERSION % 100) +
         ", " + comm::Space::name() + "\n";
}

std::string mpi_line() {
  const std::string takes = comm::kernels_run_on_host           ? ""
                            : comm::mpi_claims_device_support() ? ", says it takes device pointers"
                                                                : ", takes no device pointers";
  const std::string threads = comm::threads_may_call_mpi() ? "" : ", calls from one thread only";
  return "mpi            " + comm::mpi_library() + takes + threads + "\n";
}

}  // namespace

std::string banner(const Config& config, const std::vector<comm::Place>& places) {
  const std::string title = config.title.empty() ? "" : ": " + config.title;
  return std::string("halotherm ") + version + " (" + commit + ")" + title + "\n" + device_line() +
         mpi_line() + place_lines(places);
}

std::string info(const comm::Communicator& world) {
  const comm::DeviceScope device(world);
  return std::string("halotherm ") + version + " (" + commit + "), preset " + build_preset +
         "\nflags          " + build_flags + "\n" + device_line() + mpi_line() + "libraries      " +
         io::library_versions() + "\n" + place_lines(comm::places(world));
}

}  // namespace halotherm::app
