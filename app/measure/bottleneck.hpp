// SPDX-License-Identifier: MIT
// Attributes the time that a step loses in scaling to causes, by arithmetic on measurements.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace halotherm::app {

/// Measurements on one number of ranks. Times are of one step [s].
struct ScaleFacts {
  int ranks = 1;
  double step = 0;      ///< as a run has it, on the slowest rank
  double step_low = 0;  ///< the ends of its interval
  double step_high = 0;
  double computation = 0;  ///< all kernels of the step without its exchange, on the slowest rank
  double work_max = 0;   ///< of `computation`, what a rank worked while it had its core or device:
                         ///< the largest of the ranks
  double work_mean = 0;  ///< and their mean
  /// the smallest share of its cores' or device's time that a rank got, from 0 to 1
  double processor = 1;
  bool shared_by_ranks = false;  ///< several ranks have one core or device
  double launches = 0;           ///< the step's kernels on next to no cells
  double exchange = 0;           ///< packing, messages, unpacking, with nothing to hide behind
  double messages = 0;           ///< the messages alone, at their best
  double latency = 0;            ///< as many messages of a single value
  double message_bytes = 0;      ///< that the rank with the most sends
  double surface = 0;            ///< cells that a rank receives, as a share of those that it owns
  double copy_rate = 0;  ///< of all ranks copying their fields at once [bytes/s, read and written]
  double cells = 0;      ///< of a rank
  bool on_one_host = false;  ///< and computed by its CPUs: messages are copies that these make
  double clock = 1;  ///< of its highest, that the slowest device had, if a limit of power or heat
                     ///< held it back; else 1
  std::string clock_limit;  ///< "power", "heat": that limit
  double fastest_step = 0;  ///< of the repeats, when devices were coolest; 0 if not known
};

/// Causes of lost time.
enum class Cause { processor, power, imbalance, launches, latency, link, surface, memory };
inline constexpr int cause_count = 8;
/// "link bandwidth", "surface-to-volume": as reports name it.
std::string_view name_of(Cause cause);

enum class Verdict { good, named, within_noise, unexplained };

/// The loss of a step against the reference's, and its parts.
struct Bottleneck {
  Verdict verdict = Verdict::good;
  Cause cause = Cause::processor;  ///< the largest part; counts if `verdict` says `named`
  double ideal = 0;                ///< what a step would take with perfect scaling [s]
  double lost = 0;  ///< step − ideal [s]; below 0 if it scales better than perfectly
  std::array<double, cause_count> parts{};  ///< of what is lost [s], indexed by Cause, none below 0
  double unexplained = 0;  ///< lost − parts [s]; below 0 where something else made up for them

  double part(Cause which) const { return parts[static_cast<std::size_t>(which)]; }
};

enum class ScaleKind { strong, weak };
std::string_view name_of(ScaleKind kind);

/// A loss below this share of the step is good scaling.
inline constexpr double good_loss = 0.1;

/// Compares with the study's smallest number of ranks, `reference`, whose own step counts as
/// perfect except for its launch overhead and its share of the processor. The parts:
///
///     ideal       the reference's step; strong: times reference ranks / ranks
///     exposed     step − computation: the part of the exchange that nothing hid
///     processor   computation − work_max; and all of `exposed` if ranks share a core or device,
///                 else (1 − processor) of exposed · (exchange − messages) / exchange, since a rank
///                 that waits for a message needs no processor; between ranks on the CPUs of one
///                 host (1 − processor) of all of it, since they copy the messages themselves
///     power       where a power or thermal limit reduced a device's clock: of `exposed` what the
///                 fastest repeat did not take; and of imbalance and of additional computation up
///                 to work · (1/clock − 1)
///     imbalance   work_max − work_mean
///     launches    launches
///     latency     exposed · latency / exchange
///     link        exposed · (messages − latency − their time at the memory's rate) / exchange
///     surface     exposed · the rest of the exchange, and additional computation without another
///                 cause: thin kernels of the shell
///     memory      work_mean · (1 − copy rate a rank / the reference's)
///
/// each less the same part of the reference's step (strong: scaled as the ideal), so that costs
/// that one rank already had are not attributed to the others. The largest part is named if the
/// loss is `good_loss` of the step or more, not within both steps' intervals, and the part is
/// larger than the unexplained rest. Pure.
Bottleneck find_bottleneck(ScaleKind kind, const ScaleFacts& reference, const ScaleFacts& facts);

}  // namespace halotherm::app
