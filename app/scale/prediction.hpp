// SPDX-License-Identifier: MIT
// halotherm scale --predict: a study carried on to as many nodes as one likes.
#pragma once

#include "app/scale/scale_study.hpp"
#include "app/scale/scaling_model.hpp"
#include "comm/partition/box.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::app {

struct PredictOptions {
  std::vector<int> nodes;                     ///< ascending; none: nothing is to be predicted
  std::optional<std::filesystem::path> from;  ///< the study; none: measured before
  std::optional<int> ranks_per_node;          ///< none: as in the study
  std::optional<Link> link;                   ///< between nodes; none: as between the study's ranks
};

struct PredictedRow {
  int nodes = 1;
  int ranks = 1;
  comm::Int3 blocks{};
  double all_cells = 0;
  Load load;
  PredictedStep step;
  double efficiency = 1;  ///< against the model's own step on the study's smallest number of ranks
  int best_depth = 1;     ///< of ghost layers that are exchanged every so many steps
  double depth_gain = 0;  ///< share of the step that these would save
};

/// How far the model is off where it can be compared: (predicted − measured) / measured.
struct ModelError {
  int ranks = 1;
  double measured = 0;   ///< a step [s]
  double predicted = 0;  ///< by a model of all rows [s]
};

struct Prediction {
  ScaleStudy study;
  ScalingModel model;
  std::optional<Link> far;
  int ranks_per_node = 1;
  std::vector<ModelError> errors;  ///< of each row of the study
  std::vector<PredictedRow> rows;  ///< of the nodes that were asked for
  std::vector<PredictedRow> scan;  ///< of 1, 2, 4, … nodes, as long as the grid can be cut so
};

/// Pure. Throws comm::Error (usage) if the grid cannot be cut into so many blocks, or if the study
/// tells nothing of links and none is given.
Prediction predict(ScaleStudy study, const PredictOptions& options);

std::string prediction_text(const Prediction& prediction);
std::string prediction_json(const Prediction& prediction);

}  // namespace halotherm::app
