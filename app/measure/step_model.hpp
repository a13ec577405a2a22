// SPDX-License-Identifier: MIT
// The model of a step that scripts/predict_scaling.py fits to a scaling study, for other machines.
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>

namespace halotherm::app {

/// The largest share of each kind that any rank has in an exchange and a stage.
struct RankLoad {
  double cells = 0;
  double received = 0;     ///< cells
  double near_bytes = 0;   ///< sent within a node
  double far_bytes = 0;    ///< sent between nodes
  double far_message = 0;  ///< the longest of these [bytes]
};

/// The way of a rank's messages to others.
struct ModelLink {
  double latency = 0;    ///< of all messages of an exchange together [s]
  double bandwidth = 0;  ///< each way [bytes/s]
  /// messages above it wait for their receiver's answer [bytes]
  double eager_limit = std::numeric_limits<double>::infinity();
};

/// Seven numbers, with the formulas of scripts/scaling_model.py, which explains them: messages take
/// latency + bytes / bandwidth (Hockney 1994, Parallel Computing 20, eq. 1).
struct StepModel {
  std::string device;              ///< of the study
  int element_bytes = 8;           ///< of its temperatures
  double largest_error = 0;        ///< of a step that the study measured, as a share
  double launches = 0;             ///< launch overhead [s]
  double cell = 0;                 ///< [s]
  double shell = 0;                ///< of a received cell, in addition [s]
  double packing = 0;              ///< of a byte [s]
  ModelLink link;                  ///< between the study's ranks
  std::optional<ModelLink> far{};  ///< between nodes, if given
  double seen = 0;                 ///< share of an exchange that lengthens a step
  double hiding = 1;               ///< share of the work beside which an exchange fits

  /// Of one stage [s].
  double seconds(const RankLoad& load) const;
};

/// Reads what `scripts/predict_scaling.py --json` writes. Local. Throws comm::Error (input or
/// output).
StepModel read_step_model(const std::filesystem::path& file);

}  // namespace halotherm::app
