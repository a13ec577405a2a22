// SPDX-License-Identifier: MIT
#include "app/run/allocation_text.hpp"

#include "app/measure/json.hpp"
#include "app/run/forecast_text.hpp"

#include <fmt/format.h>

namespace halotherm::app {

namespace {

std::string device_text(const DeviceMemory& memory) {
  std::string text = "fields " + bytes_text(memory.fields);
  const auto add = [&](const char* name, std::int64_t bytes) {
    if (bytes > 0) text += std::string(", ") + name + " " + bytes_text(bytes);
  };
  add("coefficients", memory.coefficients);
  add("ghost cells", memory.ghosts);
  add("linear solver", memory.solver);
  add("exchange buffers", memory.buffers);
  return "device         " + text + "\n";
}

std::string busiest_text(const Allocation& a) {
  const auto& most = a.busiest;
  if (most.messages == 0) return "";
  return fmt::format("busiest rank   {} messages, {} a {}, {} of it to other nodes\n",
                     most.messages, bytes_text(most.cells * a.element_bytes),
                     a.resources.has_stages ? "stage" : "step",
                     bytes_text(most.cells_off_node * a.element_bytes));
}

std::string fit_text(const char* holder, const std::optional<MemoryFit>& fit) {
  if (!fit) return "";
  return fmt::format("{:<15}{}: {} of {}, {:.1f} %\n", holder,
                     fit->fits() ? "fits" : "does not fit", bytes_text(fit->needed),
                     bytes_text(fit->available),
                     100 * static_cast<double>(fit->needed) / static_cast<double>(fit->available));
}

std::string files_text(const RunFiles& files) {
  const auto& [checkpoints, snapshots] = files;
  std::string text = "files          ";
  if (checkpoints.count) {
    text += fmt::format("{} checkpoint{} of {}", *checkpoints.count,
                        *checkpoints.count == 1 ? "" : "s", bytes_text(checkpoints.bytes_each));
  } else {
    text += "checkpoints of " + bytes_text(checkpoints.bytes_each) + " by real time";
  }
  if (snapshots.count.value_or(0) > 0)
    text += fmt::format(", {} snapshots of {}", *snapshots.count, bytes_text(snapshots.bytes_each));
  if (checkpoints.count) text += "; " + bytes_text(files.bytes()) + " in all";
  return text + "\n";
}

std::string time_text(const Allocation& a) {
  if (a.step_seconds <= 0) return "time           not known (" + a.time_reason + ")\n";
  return fmt::format(
      "time           {} {} ({} a step, predicted from steps of {}, whose own it misses by up to "
      "{:.1f} %), and what files take\n",
      a.forecast->dt_adapts ? "at least" : "about", span_text(a.seconds()),
      step_text(a.step_seconds), a.model->device, 100 * a.model->largest_error);
}

std::string left_out_text(const Allocation& a) {
  std::string text;
  if (!a.not_evaluated.empty()) text += "not evaluated  steps and files: " + a.not_evaluated + "\n";
  if (a.has_regions)
    text +=
        "not counted    volumes, masses and powers of regions, areas of contacts, and parts of the "
        "body that nothing holds: halotherm check\n";
  return text;
}

Json files_json(const FilesOfRun& files) {
  return {{"files", files.count}, {"bytes_each", files.bytes_each}};
}

Json fit_json(const std::optional<MemoryFit>& fit) {
  if (!fit) return nullptr;
  return {
      {"needed_bytes", fit->needed}, {"available_bytes", fit->available}, {"fits", fit->fits()}};
}

Json memory_json(const Allocation& a) {
  const auto& needs = a.resources;
  return {{"device_bytes", needs.device.total()},
          {"host_bytes", needs.host_bytes},
          {"device",
           {{"fields", needs.device.fields},
            {"coefficients", needs.device.coefficients},
            {"ghost_cells", needs.device.ghosts},
            {"linear_solver", needs.device.solver},
            {"exchange_buffers", needs.device.buffers}}},
          {"gpu", fit_json(a.gpu)},
          {"node", fit_json(a.node)}};
}

Json exchange_json(const Allocation& a) {
  const auto& needs = a.resources;
  const auto& most = a.busiest;
  const std::int64_t stages = a.forecast ? a.forecast->stages : 1;
  const auto bytes = [&](std::int64_t cells) { return stages * cells * a.element_bytes; };
  return {{"messages_per_step", stages * needs.messages},
          {"bytes_per_step", stages * needs.message_bytes},
          {"bytes_between_nodes", stages * needs.node_bytes},
          {"busiest_rank",
           {{"messages_per_step", stages * most.messages},
            {"bytes_per_step", bytes(most.cells)},
            {"bytes_between_nodes", bytes(most.cells_off_node)}}}};
}

}  // namespace

std::string to_string(const Allocation& a) {
  const int on_last = a.request.ranks % a.request.ranks_per_node;
  auto text = fmt::format("allocation     {} rank{} on {} node{} of {}{}\n", a.request.ranks,
                          a.request.ranks == 1 ? "" : "s", a.nodes, a.nodes == 1 ? "" : "s",
                          a.request.ranks_per_node,
                          on_last > 0 ? fmt::format(", {} on the last one", on_last) : "") +
              to_string(a.resources) + device_text(a.resources.device) +
              fit_text("gpu memory", a.gpu) + fit_text("node memory", a.node) + busiest_text(a);
  if (a.files) text += files_text(*a.files);
  if (a.forecast) text += to_string(*a.forecast);
  text += time_text(a) + left_out_text(a);
  text.pop_back();
  return text;
}

std::string allocation_json(const Allocation& a) {
  const auto& needs = a.resources;
  const auto& block = needs.largest_block;
  Json report{{"program", program_json()},
              {"ranks", a.request.ranks},
              {"nodes", a.nodes},
              {"ranks_per_node", a.request.ranks_per_node},
              {"cells", comm::Box{{0, 0, 0}, needs.cells}.size()},
              {"grid", needs.cells},
              {"blocks", needs.dims},
              {"largest_block", {block.extent(0), block.extent(1), block.extent(2)}},
              {"imbalance", needs.imbalance},
              {"memory", memory_json(a)},
              {"exchange", exchange_json(a)},
              {"dt_s", nullptr},
              {"stages_per_step", nullptr},
              {"steps", nullptr},
              {"step_seconds", nullptr},
              {"seconds", nullptr},
              {"checkpoints", nullptr},
              {"fields", nullptr},
              {"bytes_written", nullptr},
              {"not_evaluated", text_or_null(a.not_evaluated)}};
  if (a.forecast) {
    report["dt_s"] = a.forecast->dt;
    report["stages_per_step"] = a.forecast->stages;
    report["steps"] = a.forecast->steps;
  }
  if (a.step_seconds > 0) {
    report["step_seconds"] = a.step_seconds;
    report["seconds"] = a.seconds();
  }
  if (a.files) {
    report["checkpoints"] = files_json(a.files->checkpoints);
    report["fields"] = files_json(a.files->snapshots);
    if (a.files->checkpoints.count) report["bytes_written"] = a.files->bytes();
  }
  return report.dump(2) + "\n";
}

}  // namespace halotherm::app
