// SPDX-License-Identifier: MIT
#include "app/cli/info.hpp"

#include "comm/device/execution.hpp"
#include "comm/system/version.hpp"
#include "io/hdf5/library.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace halotherm::app {

namespace {

/// Consecutive ranks.
struct RankRun {
  int first = 0, last = 0;
  int count() const { return last - first + 1; }
  std::string text() const {
    return count() == 1 ? "rank " + std::to_string(first)
                        : "ranks " + std::to_string(first) + " to " + std::to_string(last);
  }
};

template <class Alike>
std::vector<RankRun> runs_of(int ranks, const Alike& alike) {
  std::vector<RankRun> runs;
  for (int rank = 0; rank < ranks; ++rank) {
    if (runs.empty() || !alike(runs.back().first, rank)) runs.push_back({rank, rank});
    runs.back().last = rank;
  }
  return runs;
}

template <class Element>
std::span<const Element> first_of(const std::vector<Element>& all, std::size_t most) {
  return std::span(all).first(std::min(all.size(), most));
}

std::string shared_text(bool shared) {
  return shared ? " (shared by several ranks)" : "";
}

/// "ranks 0 to 7: node1, 8 x NVIDIA H200": the first hosts of each kind, and how many others are
/// like them.
std::vector<std::string> host_lines(const comm::Places& places) {
  constexpr std::size_t most_named = 4, most_kinds = 8;
  const auto runs = runs_of(places.ranks(), [&](int one, int other) {
    return places.host(one) == places.host(other) && places.model(one) == places.model(other) &&
           places.shared(one) == places.shared(other);
  });
  std::map<std::string, std::vector<RankRun>> kinds;
  std::vector<std::string> in_order;
  for (const auto& run : runs) {
    const auto kind = std::to_string(run.count()) + " x " + places.model(run.first) +
                      shared_text(places.shared(run.first));
    auto& of_kind = kinds[kind];
    if (of_kind.empty()) in_order.push_back(kind);
    of_kind.push_back(run);
  }
  std::vector<std::string> lines;
  for (const auto& kind : first_of(in_order, most_kinds)) {
    const auto& alike = kinds[kind];
    for (const auto& run : first_of(alike, most_named))
      lines.push_back(run.text() + ": " + places.host(run.first) + ", " + kind);
    if (alike.size() > most_named)
      lines.push_back("and " + std::to_string(alike.size() - most_named) + " more hosts alike");
  }
  if (in_order.size() > most_kinds) {
    lines.push_back("and hosts of " + std::to_string(in_order.size() - most_kinds) +
                    " more kinds (report.json lists every rank)");
  }
  return lines;
}

}  // namespace

std::string place_lines(const comm::Places& places) {
  constexpr std::size_t most_lines = 16;
  const auto runs = runs_of(places.ranks(), [&](int one, int other) {
    return places.host(one) == places.host(other) && places.device(one) == places.device(other);
  });
  std::vector<std::string> lines;
  for (const auto& run : first_of(runs, most_lines))
    lines.push_back(run.text() + ": " + places.host(run.first) + ", " + places.device(run.first) +
                    shared_text(places.shared(run.first)));
  if (runs.size() > most_lines) lines = host_lines(places);
  std::string text;
  for (const auto& line : lines)
    text += (text.empty() ? "places         " : "               ") + line + "\n";
  return text;
}

namespace {

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

std::string banner(const Config& config, const comm::Places& places) {
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
