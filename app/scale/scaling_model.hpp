// SPDX-License-Identifier: MIT
// What a step takes on machines that nobody has measured, from what it took on those that somebody
// has.
#pragma once

#include "app/measure/bottleneck.hpp"

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halotherm::app {

/// A rank's way to others: a message of n bytes takes latency + n / bandwidth (Hockney 1994,
/// Parallel Computing 20, eq. 1).
struct Link {
  double latency = 0;    ///< of all messages of an exchange together [s]
  double bandwidth = 0;  ///< each way, while both are in use [bytes/s]
  /// Longer messages [bytes] leave once their receiver has answered (a rendezvous), which it does
  /// only while it waits for them.
  double at_once = std::numeric_limits<double>::infinity();
};

/// A step's times are made of
///
///     work      launches + cells · cell + received cells · shell
///     exchange  bytes sent · packing + the slower one of both links: latency + bytes / bandwidth
///     step      work + max(seen · usual, usual − hiding · work) + what a slower link adds, as far
///     as no work is left beside it
///
/// The exchange runs beside the work, but for a share that always costs time, `seen`, of what it
/// takes by the links that were measured, the `usual` one: packing, and whatever ranks do for
/// messages themselves; where that takes the processor from the work it may be more than the
/// exchange takes alone. A slower link only makes messages travel longer, beside the work. Nothing
/// can hide behind more work than there is; messages that wait for an answer take three latencies,
/// of which the first alone may hide: the receiver answers when its work is done. Times are in
/// seconds.
struct ScalingModel {
  double launches = 0;
  double cell = 0;     ///< of the work on one cell, in a node full of ranks
  double shell = 0;    ///< more for each cell that is received: the computation of thin layers
  double packing = 0;  ///< and unpacking, of a byte
  Link link;           ///< between the ranks that were measured
  double seen = 0;     ///< from 0 on
  double hiding = 1;   ///< from 0 to 1
};

/// From a study's rows, by ascending ranks, of which the first is the reference and the last the
/// most like what is to be predicted:
///
///     launches, packing, link  as the last row measured them; packing beside one rank alone: two
///     copies at the memory's rate cell      the reference's computation; where ranks share a
///     memory slower, as the copy rate of a rank has become, but no
///               slower than the last row's
///     shell     least squares of what the other rows' computation has beyond that
///     seen      the median of exposed / exchange of rows whose exchange has enough work beside it
///     hiding    of the others, the median of (exchange − exposed) / work; 1 if there are none
ScalingModel fit_model(std::span<const ScaleFacts> rows);

/// The model's step for a row of the study that it was fitted to, in which ranks share memories as
/// they did there.
double predicted_again(const ScalingModel& model, std::span<const ScaleFacts> rows,
                       const ScaleFacts& row);

/// The largest share that a rank has.
struct Load {
  double cells = 0;
  double received = 0;     ///< cells
  double near_bytes = 0;   ///< sent by links as those measured, within a node
  double far_bytes = 0;    ///< sent by links between nodes
  double far_message = 0;  ///< the longest of these [bytes]
};

struct PredictedStep {
  double launches = 0;
  double inner = 0;    ///< cells · cell
  double shell = 0;    ///< received · shell
  double packing = 0;  ///< of the exchange
  double latency = 0;
  double transfer = 0;
  double exposed = 0;  ///< of the exchange

  double work() const { return launches + inner + shell; }
  double exchange() const { return packing + latency + transfer; }
  double step() const { return work() + exposed; }
  /// What takes the most time beyond `inner`: by the names of bottleneck.hpp.
  Cause largest_loss() const;
};

/// `far`: the link between nodes; that of the model if there is none.
PredictedStep predict_step(const ScalingModel& model, const Load& load,
                           const std::optional<Link>& far = std::nullopt);

/// The same block with ghost layers `depth` cells deep, exchanged in every depth-th step, in
/// between computed by both neighbours: the mean time of a step. Its edges and corners are left
/// out.
double step_with_halo_depth(const ScalingModel& model, const Load& load,
                            const std::optional<Link>& far, int depth);

/// The load of a measured row, all of whose messages take the measured link.
Load load_of(const ScaleFacts& facts);

}  // namespace halotherm::app
