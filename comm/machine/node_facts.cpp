// SPDX-License-Identifier: MIT
#include "comm/machine/node_facts.hpp"

#include "comm/system/host_cpus.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace halotherm::comm {

namespace {

/// The entries of a folder, sorted; none if it does not exist.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

bool is_there(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

bool has_entry(const std::filesystem::path& folder, std::string_view beginning) {
  return std::ranges::any_of(entries_of(folder), [&](const auto& entry) {
    return entry.filename().string().starts_with(beginning);
  });
}

/// {0, 1, 2, 8} for "0-2,8".
std::set<int> numbers_in(const std::string& list) {
  std::set<int> numbers;
  std::istringstream stream(list);
  for (int first = 0; stream >> first;) {
    int last = first;
    if (stream.peek() == '-') {
      stream.ignore();
      stream >> last;
    }
    for (int number = first; number <= last; ++number) numbers.insert(number);
    if (stream.peek() == ',') stream.ignore();
  }
  return numbers;
}

std::vector<int> numa_nodes_of(const std::set<int>& cpus, const std::filesystem::path& folder) {
  std::vector<int> nodes;
  for (const auto& entry : entries_of(folder)) {
    const auto name = entry.filename().string();
    const auto list = first_in<std::string>(entry / "cpulist");
    if (!list || !name.starts_with("node")) continue;
    const auto members = numbers_in(*list);
    if (std::ranges::any_of(cpus, [&](int cpu) { return members.contains(cpu); }))
      nodes.push_back(std::stoi(name.substr(4)));
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

/// A port's files contain "4: ACTIVE" and "200 Gb/sec (4X HDR)".
void count_ports(const std::filesystem::path& adapters, NodeFacts& facts) {
  for (const auto& adapter : entries_of(adapters)) {
    for (const auto& port : entries_of(adapter / "ports")) {
      if (first_in<int>(port / "state") != 4) continue;
      ++facts.active_ports;
      const double rate = first_in<double>(port / "rate").value_or(0) * 1e9 / 8;
      if (rate > facts.adapter_rate.value_or(0)) facts.adapter_rate = rate;
    }
  }
}

/// Whether a line of the file contains all these words.
bool has_line_with(const std::filesystem::path& file,
                   std::initializer_list<std::string_view> words) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (std::ranges::all_of(words, [&](auto word) { return line.find(word) != std::string::npos; }))
      return true;
  }
  return false;
}

/// True for Linux 5.12 and later, and where a distribution or an adapter's driver adds it to older
/// kernels.
bool kernel_takes_dmabuf(const std::filesystem::path& proc) {
  int major = 0, minor = 0;
  const auto release = first_in<std::string>(proc / "sys/kernel/osrelease").value_or("");
  if (std::sscanf(release.c_str(), "%d.%d", &major, &minor) == 2 &&
      (major > 5 || (major == 5 && minor >= 12)))
    return true;
  return has_line_with(proc / "kallsyms", {" ib_umem_dmabuf_get"});
}

/// Whether the control daemon's pipe exists, in the environment's folder or the default one.
bool mps_runs(const std::filesystem::path& root) {
  const char* folder = std::getenv("CUDA_MPS_PIPE_DIRECTORY");
  return is_there((folder != nullptr ? std::filesystem::path(folder) : root / "tmp/nvidia-mps") /
                  "control");
}

}  // namespace

NodeFacts node_facts(const std::set<int>& cpus, const std::filesystem::path& root) {
  NodeFacts facts;
  facts.numa_nodes = numa_nodes_of(cpus, root / "sys/devices/system/node");
  facts.peermem =
      is_there(root / "sys/module/nvidia_peermem") || is_there(root / "sys/module/nv_peer_mem");
  facts.gdrdrv = is_there(root / "sys/module/gdrdrv");
  facts.verbs = has_entry(root / "dev/infiniband", "uverbs");
  facts.other_fabric =
      !entries_of(root / "sys/class/cxi").empty() || has_entry(root / "dev", "hfi1_");
  count_ports(root / "sys/class/infiniband", facts);
  facts.open_driver =
      has_line_with(root / "proc/driver/nvidia/version", {"NVRM version", "Open Kernel Module"});
  facts.kernel_dmabuf = kernel_takes_dmabuf(root / "proc");
  facts.nvidia_gpus = static_cast<int>(entries_of(root / "proc/driver/nvidia/gpus").size());
  facts.mps = mps_runs(root);
  return facts;
}

bool verbs_library_takes_dmabuf(const char* library) {
  void* handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) return false;
  const bool known = dlsym(handle, "ibv_reg_dmabuf_mr") != nullptr;
  dlclose(handle);
  return known;
}

std::optional<int> numa_node_of(const std::string& pci_bus_id, const std::filesystem::path& root) {
  if (pci_bus_id.empty()) return std::nullopt;
  const auto node = first_in<int>(root / "sys/bus/pci/devices" / pci_bus_id / "numa_node");
  return node && *node >= 0 ? node : std::nullopt;
}

std::map<std::string, std::string> transport_environment() {
  // not all of OMPI_MCA_, since mpirun itself sets dozens of them
  constexpr auto beginnings = std::to_array<std::string_view>(
      {"UCX_", "OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_mtl", "OMPI_MCA_osc", "OMPI_MCA_opal_cuda",
       "OMPI_MCA_mpi_cuda", "MPICH_GPU", "MPIR_CVAR_ENABLE_GPU", "MV2_USE_CUDA", "FI_PROVIDER",
       "CUDA_VISIBLE_DEVICES", "CUDA_MPS_", "ROCR_VISIBLE_DEVICES", "SLURM_GPUS_PER_TASK"});
  std::map<std::string, std::string> found;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const auto equals = std::min(text.find('='), text.size());
    const auto begins = [&](auto beginning) { return text.starts_with(beginning); };
    if (std::ranges::any_of(beginnings, begins))
      found.emplace(text.substr(0, equals), text.substr(std::min(equals + 1, text.size())));
  }
  return found;
}

}  // namespace halotherm::comm
