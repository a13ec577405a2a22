// SPDX-License-Identifier: MIT
#include "app/measure/step_model.hpp"

#include "app/measure/json.hpp"
#include "comm/mpi/error.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace halotherm::app {

namespace {

/// A link's share of an exchange [s].
struct Way {
  double latency = 0;
  double transfer = 0;
  bool waits = false;  ///< for answers

  double seconds() const { return latency + transfer; }
};

Way way_over(const ModelLink& link, double bytes, double longest) {
  const bool waits = longest > link.eager_limit;
  return {(waits ? 3 : 1) * link.latency, bytes / link.bandwidth, waits};
}

ModelLink link_of(const Json& json) {
  ModelLink link{.latency = json.at("latency_s"), .bandwidth = json.at("bytes_per_s")};
  const auto& limit = json.at("sent_at_once_bytes");
  if (!limit.is_null()) link.eager_limit = limit;
  return link;
}

StepModel model_of(const Json& content) {
  const auto& numbers = content.at("model");
  StepModel model{.device = content.at("device"),
                  .element_bytes = content.at("element_bytes"),
                  .launches = numbers.at("launches_s"),
                  .cell = numbers.at("cell_s"),
                  .shell = numbers.at("shell_cell_s"),
                  .packing = numbers.at("packing_s_per_byte"),
                  .link = link_of(numbers.at("link")),
                  .seen = numbers.at("seen_share_of_exchange"),
                  .hiding = numbers.at("hiding_share_of_work")};
  const auto& far = numbers.at("link_between_nodes");
  if (!far.is_null()) model.far = link_of(far);
  for (const auto& row : content.at("errors")) {
    const double measured = row.at("measured_s"), predicted = row.at("predicted_s");
    model.largest_error = std::max(model.largest_error, std::abs(predicted / measured - 1));
  }
  return model;
}

}  // namespace

double StepModel::seconds(const RankLoad& load) const {
  Way way;
  if (load.far_bytes > 0) way = way_over(far.value_or(link), load.far_bytes, load.far_message);
  if (load.near_bytes > 0) {
    const auto near = way_over(link, load.near_bytes, 0);
    if (near.seconds() > way.seconds()) way = near;
  }
  const double bytes = load.near_bytes + load.far_bytes;
  const double work = launches + load.cells * cell + load.received * shell;
  const double exchange = bytes * packing + way.seconds();
  double usual = bytes > 0 ? bytes * packing + link.latency + bytes / link.bandwidth : 0;
  usual = std::min(exchange, usual);
  const double room = hiding * work;
  const double shown = std::max(seen * usual, usual - room);
  const double left =
      std::min(room - std::max(0.0, usual - shown), way.waits ? way.latency / 3 : exchange);
  return work + shown + std::max(0.0, exchange - usual - left);
}

StepModel read_step_model(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& reason) {
    throw comm::Error(comm::ExitCode::input_output,
                      {"cannot read the model '" + file.string() + "'", reason,
                       "give a file that scripts/predict_scaling.py --json has written"});
  };
  std::ifstream stream(file);
  if (!stream) refuse("it cannot be opened");
  try {
    return model_of(Json::parse(stream));
  } catch (const Json::exception& error) {
    refuse(error.what());
  }
  return {};
}

}  // namespace halotherm::app
