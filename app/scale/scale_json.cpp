// SPDX-License-Identifier: MIT
#include "app/scale/scale_json.hpp"

#include "app/measure/bottleneck_text.hpp"
#include "app/measure/json.hpp"
#include "io/files/checksum.hpp"

namespace halotherm::app {

static void to_json(Json& json, const Estimate& e) {
  json = {{"median", e.median}, {"low", e.low}, {"high", e.high}, {"confidence", e.confidence}};
}

namespace {

/// With the samples themselves, in the order in which they were measured.
Json measured_json(const ScaleRow& row, double ScaleSample::*quantity) {
  const auto e = row.of(quantity);
  Json json = e;
  json["outliers"] = e.outliers;
  for (const auto& sample : row.samples) json["samples"].push_back(sample.*quantity);
  return json;
}

Json phases_json(const ScaleRow& row) {
  Json phases;
  for (int phase = 0; phase <= static_cast<int>(Phase::shell); ++phase) {
    phases[std::string(name_of(static_cast<Phase>(phase)))] = row.phase(static_cast<Phase>(phase));
  }
  return phases;
}

Json exchange_json(const ScaleRow& row) {
  return {{"transport", row.transport},
          {"messages_per_step", row.halo_messages},
          {"bytes_per_step", row.halo_bytes},
          {"bytes_of_busiest_rank", row.rank_bytes},
          {"received_over_owned_cells", row.surface},
          {"alone_s", measured_json(row, &ScaleSample::exchange)},
          {"messages_s", row.messages},
          {"latency_s", row.latency},
          {"exposed_s", row.exposed()},
          {"hidden_share", row.halo_messages > 0 ? Json(row.hidden_share()) : Json(nullptr)}};
}

/// A time, under this name, the rate that follows from it, and how both scale.
Json times_json(const ScaleRecord& r, const ScaleRow& row, double ScaleSample::*time,
                const char* seconds, const char* rate) {
  return {{seconds, measured_json(row, time)},
          {rate, r.cell_rate(row, time)},
          {"speed_up", r.speed_up(row, time)},
          {"efficiency", r.efficiency(row, time)}};
}

Json solve_json(const ScaleRecord& r, const ScaleRow& row) {
  if (!row.solves) return nullptr;
  auto json = times_json(r, row, &ScaleSample::solve, "seconds", "unknowns_per_s");
  json.update({{"iterations", row.solves->iterations},
               {"levels", row.solves->levels},
               {"copies", row.copies_of_solve()},
               {"coarse_share", row.coarse_share()},
               {"solves_per_repeat", row.solves->solves},
               {"setup_s", row.solves->setup},
               {"checksum", io::to_hex(row.solves->checksum)}});
  return json;
}

Json run_steps_json(const ScaleRecord& r, const ScaleRow& row) {
  if (!row.run_steps) return nullptr;
  auto json = times_json(r, row, &ScaleSample::run_step, "step_s", "cells_per_s");
  json.update(
      {{"steps_at_once", row.run_steps->together}, {"steps_submitted", row.run_steps->submitted}});
  return json;
}

Json bottleneck_json(const ScaleRecord& r, const ScaleRow& row) {
  const auto b = r.bottleneck(row);
  Json parts;
  for (int cause = 0; cause < cause_count; ++cause) {
    parts[std::string(name_of(static_cast<Cause>(cause)))] = b.part(static_cast<Cause>(cause));
  }
  return {{"name", verdict_name(b)},
          {"ideal_s", b.ideal},
          {"lost_s", b.lost},
          {"parts_s", parts},
          {"unexplained_s", b.unexplained},
          {"text", to_string(b, r.kind, r.reference().facts(), row.facts())}};
}

Json row_json(const ScaleRecord& r, const ScaleRow& row) {
  return {{"ranks", row.ranks},
          {"blocks", row.blocks},
          {"cells", row.cells},
          {"cells_per_rank", row.block_cells},
          {"balance", text_or_null(row.balance)},
          {"steps_per_repeat", row.steps},
          {"step_s", measured_json(row, &ScaleSample::step)},
          {"cells_per_s", r.cell_rate(row)},
          {"speed_up", r.speed_up(row)},
          {"efficiency", r.efficiency(row)},
          {"phases_s", phases_json(row)},
          {"computation_s", measured_json(row, &ScaleSample::computation)},
          {"work_max_s", measured_json(row, &ScaleSample::work_max)},
          {"work_mean_s", measured_json(row, &ScaleSample::work_mean)},
          {"imbalance", row.imbalance()},
          {"launches_s", row.launches},
          {"exchange", exchange_json(row)},
          {"copy_bytes_per_s", measured_json(row, &ScaleSample::copy_rate)},
          {"bytes_per_cell", row.bytes_per_cell},
          {"share_of_copy", row.copy_share()},
          {"processor_share", measured_json(row, &ScaleSample::processor)},
          {"oversubscription", row.oversubscription},
          {"clock_share", measured_json(row, &ScaleSample::clock)},
          {"clock_limit", row.clock_limit()},
          {"steady_step_s", row.steady.step > 0 ? Json(row.steady.step) : Json(nullptr)},
          {"steady_efficiency", r.steady_efficiency(row)},
          {"checksum", io::to_hex(row.checksum)},
          {"solve", solve_json(r, row)},
          {"run_steps", run_steps_json(r, row)},
          {"bottleneck", bottleneck_json(r, row)}};
}

}  // namespace

std::string scale_json(const ScaleRecord& r) {
  Json results = Json::array();
  for (const auto& row : r.rows) results.push_back(row_json(r, row));
  const Json report{
      {"program", program_json()},  {"kind", r.kind},
      {"title", r.title},           {"mpi", comm::mpi_library()},
      {"device", r.device},         {"places", *r.places},
      {"own_memory", r.own_memory}, {"precision", r.element_bytes == 8 ? "float64" : "float32"},
      {"repeats", r.repeats},       {"seed", r.seed},
      {"order", r.order},           {"checked_steps", r.checked_steps},
      {"same_bits", r.same_bits()}, {"results", results},
      {"config", r.config}};
  return report.dump(1) + "\n";
}

}  // namespace halotherm::app
