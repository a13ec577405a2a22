// SPDX-License-Identifier: MIT
#include "app/run/report.hpp"

#include "app/config/config.hpp"
#include "app/config/writer.hpp"
#include "app/measure/json.hpp"

namespace halotherm::app {

namespace {

Json flows_json(const HeatBalance& b) {
  Json sides = Json::object();
  for (const auto& [name, power] : b.sides) sides[name] = power;
  return {
      {"sides_W", sides}, {"source_W", b.source}, {"stored_W", b.stored}, {"missing_W", b.missing}};
}

Json diagnostics_json(const Diagnostics& in_kelvin, io::TemperatureUnit unit) {
  const auto o = in_unit(in_kelvin, unit);
  const std::string in = std::string("_") + io::symbol(unit);
  return {{"step", o.step},
          {"time_s", o.time},
          {"heat_J", o.heat},
          {"mean" + in, o.mean},
          {"min" + in, o.lowest},
          {"max" + in, o.highest},
          {"max_rate_K_per_s", o.change_rate},
          {"flows", o.balance ? flows_json(*o.balance) : Json(nullptr)}};
}

Json bounds_json(const std::vector<OutOfBounds>& all, io::TemperatureUnit unit) {
  const std::string in = std::string("_") + io::symbol(unit);
  Json list = Json::array();
  for (const auto& found : all) {
    list.push_back({{"extreme", (found.above ? "max" : "min") + in},
                    {"value" + in, io::from_kelvin(found.temperature, unit)},
                    {"bound" + in, io::from_kelvin(found.bound, unit)},
                    {"step", found.step},
                    {"time_s", found.time}});
  }
  return list;
}

Json written_json(const Written& w, const FileWriter& writer) {
  Json hints = Json::object();
  for (const auto& [name, value] : w.hints) hints[name] = value;
  return {{"files", w.files},
          {"failures", w.failures},
          {"bytes", w.bytes},
          {"seconds", w.seconds},
          {"waited", w.waited},
          {"latency", w.latency},
          {"writer", to_string(writer.settings.method)},
          {"file_system", writer.file_system},
          {"hints", hints}};
}

Json speed_json(const RunRecord& r) {
  if (r.steps == 0 || r.solve.levels > 0) return nullptr;
  Json speed{{"cell_updates_per_s", r.updates_per_second()},
             {"effective_bytes_per_s", r.effective_bandwidth()},
             {"bytes_per_cell", r.bytes_per_cell},
             {"flops_per_cell", r.flops_per_cell}};
  if (r.calibration.measured) {
    speed["copy_bytes_per_s"] = r.calibration.copy_bandwidth;
    speed["share_of_copy"] = r.copy_share();
    speed["not_graded"] = text_or_null(r.not_graded());
  }
  return speed;
}

Json adaptive_json(const std::optional<AdaptiveRecord>& adaptive) {
  if (!adaptive) return nullptr;
  const auto& counts = adaptive->counts;
  return {{"tolerance_K", adaptive->tolerance},
          {"rejected_steps", counts.rejected},
          {"stages", counts.stages},
          {"smallest_dt_s", counts.smallest_dt},
          {"largest_dt_s", counts.largest_dt}};
}

Json trial_json(ChannelClass channels, const comm::TransportTrial& trial) {
  Json tried{{"class", name_of(channels)}, {"transport", name_of(trial.kind)}};
  if (trial.unavailable.exists()) {
    tried["unavailable"] = trial.unavailable.text;
  } else {
    tried["seconds"] = trial.seconds;
  }
  return tried;
}

Json exchange_json(const RunRecord& r) {
  Json exchange{{"transport", to_string(r.transport)},
                {"messages_per_step", r.halo_messages},
                {"bytes_per_step", r.halo_bytes},
                {"bytes_between_nodes", r.node_bytes}};
  for (const auto& of_class : r.transport.classes) {
    for (const auto& trial : of_class.trials)
      exchange["tried"].push_back(trial_json(of_class.channels, trial));
  }
  if (r.calibration.measured && r.communicates() && r.steps > 0)
    exchange["hidden_share"] = r.hidden_share();
  return exchange;
}

Json balance_json(const BalanceRecord& b) {
  if (b.speeds.empty()) return nullptr;
  return {{"cells_per_s", b.speeds},
          {"imbalance_even", b.even_imbalance},
          {"imbalance_predicted", b.predicted_imbalance},
          {"seconds", b.seconds}};
}

Json alone_json(const Calibration& c) {
  if (!c.measured) return nullptr;
  return {{"formulas_s", c.formulas},
          {"exchange_s", c.exchange},
          {"interior_s", c.interior},
          {"shell_s", c.shell},
          {"step_without_exchange_s", c.computation},
          {"launches_s", c.launches}};
}

Json solve_json(const SolveRecord& s) {
  if (s.levels == 0) return nullptr;
  const bool steady = s.solves == 0;
  return {{"solves", steady ? 1 : s.solves},
          {"iterations", s.iterations},
          {"corrections", s.corrections},
          {"levels", s.levels},
          {"residuals", steady ? Json(s.residuals) : Json(nullptr)},
          {"at_rounding", s.at_rounding},
          {"setup_seconds", steady ? Json(s.setup_seconds) : Json(nullptr)},
          {"seconds", s.seconds},
          {"copies", steady ? Json(s.copies) : Json(nullptr)}};
}

/// The lines after the first with two more blanks.
std::string indented(const std::string& text) {
  std::string result;
  for (const char character : text) {
    result += character;
    if (character == '\n') result += "  ";
  }
  return result;
}

/// One line a rank, without a Json of all of them, which would take seven times the memory.
void add_places(const comm::Places& places, std::string& text) {
  text += "[";
  for (int rank = 0; rank < places.ranks(); ++rank)
    text += (rank > 0 ? ",\n    " : "\n    ") + place_json(places, rank).dump();
  text += "\n  ]";
}

}  // namespace

std::string report_json(const RunRecord& r, const Config& config, const comm::Places& places) {
  const auto unit = config.output_unit();
  Json phases;
  for (int phase = 0; phase < phase_count; ++phase) {
    phases[std::string(name_of(static_cast<Phase>(phase)))] =
        r.phases[static_cast<std::size_t>(phase)];
  }
  const Json report{
      {"program", program_json()},
      {"title", config.title},
      {"mpi", comm::mpi_library()},
      {"ranks", nullptr},
      {"blocks",
       {r.split_points[0].size() - 1, r.split_points[1].size() - 1, r.split_points[2].size() - 1}},
      {"split_points",
       {{"x", r.split_points[0]}, {"y", r.split_points[1]}, {"z", r.split_points[2]}}},
      {"balance", balance_json(r.balance)},
      {"imbalance", r.imbalance},
      {"cells", r.cells},
      {"dt_s", r.dt},
      {"stages_per_step", r.stages},
      {"adaptive", adaptive_json(r.adaptive)},
      {"first_step", r.first_step},
      {"steps", r.steps},
      {"steps_at_once", r.together},
      {"steps_at_once_trials_s", r.trials_together},
      {"steps_at_once_pass", r.together > 1 ? Json(r.pass) : Json(nullptr)},
      {"steps_submitted", r.submitted},
      {"seconds", r.loop_seconds},
      {"step_seconds", r.step_seconds},
      {"processor_share", r.processor},
      {"solve", solve_json(r.solve)},
      {"speed", speed_json(r)},
      {"phase_seconds", phases},
      {"alone", alone_json(r.calibration)},
      {"exchange", exchange_json(r)},
      {"stopped_by", text_or_null(r.stopped_by)},
      {"checkpoints", written_json(r.checkpoints, r.writer)},
      {"fields", written_json(r.fields, r.writer)},
      {"first", diagnostics_json(r.first, unit)},
      {"last", diagnostics_json(r.last, unit)},
      {"out_of_bounds", bounds_json(r.out_of_bounds, unit)},
      {"config", to_yaml(config)}};
  std::string text;
  for (const auto& [key, value] : report.items()) {
    text += (text.empty() ? "{\n  " : ",\n  ") + Json(key).dump() + ": ";
    if (key == "ranks") {
      add_places(places, text);
    } else {
      text += indented(value.dump(2));
    }
  }
  text += "\n}\n";
  return text;
}

}  // namespace halotherm::app
