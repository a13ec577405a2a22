// SPDX-License-Identifier: MIT
#include "app/scale/scale_study.hpp"

#include "comm/mpi/error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace halotherm::app {

namespace {

using Json = nlohmann::json;

double number(const Json& json, double lowest) {
  const double value = json.get<double>();
  if (!std::isfinite(value) || value < lowest)
    throw std::invalid_argument("a number in it is " + json.dump());
  return value;
}

double median(const Json& row, const char* key) {
  const double value = number(row.at(key).at("median"), 0);
  if (value <= 0) throw std::invalid_argument(std::string(key) + " is 0");
  return value;
}

ScaleFacts facts_of(const Json& row) {
  const auto& exchange = row.at("exchange");
  ScaleFacts f;
  f.ranks = row.at("ranks").get<int>();
  f.cells = number(row.at("cells_per_rank"), 1);
  f.step = median(row, "step_s");
  f.step_low = number(row.at("step_s").at("low"), 0);
  f.step_high = number(row.at("step_s").at("high"), 0);
  f.computation = median(row, "computation_s");
  f.work_max = median(row, "work_max_s");
  f.work_mean = median(row, "work_mean_s");
  f.processor = median(row, "processor_share");
  f.shared_by_ranks = number(row.at("oversubscription"), 0) > 1;
  f.launches = number(row.at("launches_s"), 0);
  f.copy_rate = median(row, "copy_bytes_per_s");
  f.surface = number(exchange.at("received_over_owned_cells"), 0);
  if (f.ranks < 1 || exchange.at("messages_per_step").get<std::int64_t>() == 0) return f;
  f.messages = number(exchange.at("messages_s"), 1e-12);
  f.latency = number(exchange.at("latency_s"), 1e-12);
  f.message_bytes = number(exchange.at("bytes_of_busiest_rank"), 1);
  const auto samples = exchange.at("alone_s").at("samples").get<std::vector<double>>();
  f.exchange = *std::ranges::min_element(samples);
  return f;
}

int ranks_of_first_node(const Json& places) {
  const auto host = places.at(0).at("host").get<std::string>();
  return static_cast<int>(
      std::ranges::count_if(places, [&](const Json& place) { return place.at("host") == host; }));
}

ScaleStudy study_of(const Json& json, const std::string& name) {
  ScaleStudy study;
  const auto kind = json.at("kind").get<std::string>();
  if (kind != name_of(ScaleKind::strong) && kind != name_of(ScaleKind::weak))
    throw std::invalid_argument("its kind is '" + kind + "'");
  study.kind = kind == name_of(ScaleKind::weak) ? ScaleKind::weak : ScaleKind::strong;
  study.device = json.at("device").get<std::string>();
  study.ranks_per_node = ranks_of_first_node(json.at("places"));
  for (const auto& row : json.at("results")) {
    study.rows.push_back(facts_of(row));
    study.rows.back().own_memory = json.at("own_memory").get<bool>();
  }
  if (study.rows.empty()) throw std::invalid_argument("it has no results");
  std::ranges::sort(study.rows, {}, &ScaleFacts::ranks);
  study.config = parse_config(json.at("config").get<std::string>(), name, {});
  return study;
}

}  // namespace

ScaleStudy parse_study(const std::string& json, const std::string& name) {
  try {
    return study_of(Json::parse(json), name);
  } catch (const comm::Error&) {
    throw;
  } catch (const std::exception& error) {
    throw comm::Error(comm::ExitCode::usage, name + ": is no result of a scaling study (" +
                                                 error.what() +
                                                 ") name a file that halotherm scale --json wrote");
  }
}

}  // namespace halotherm::app
