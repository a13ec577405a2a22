// SPDX-License-Identifier: MIT
#include "app/cli/scale_options.hpp"

#include "app/scale/rank_counts.hpp"
#include "comm/mpi/error.hpp"
#include "io/text/comma_list.hpp"
#include "io/text/message_text.hpp"
#include "io/text/number_text.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw comm::Error(comm::ExitCode::usage, "halotherm scale: " + text);
}

}  // namespace

void ScaleCommandLine::add(CLI::App& command, ScaleOptions& scale, PredictOptions& predict) {
  command.add_flag("--strong", strong_, "the same grid on every number of ranks");
  command.add_flag(
      "--weak", weak_,
      "a grid that grows with the ranks: each has a block of the configuration's own grid");
  command
      .add_option(
          "--ranks", ranks_,
          "numbers of ranks, as in 1,2,4; if not given 1, 2, 4 and so on, and all of the job")
      ->type_name("N[,N...]");
  command
      .add_option("--repeats", scale.repeats,
                  "measurements of each, 6 if not given: the fewest for 95 % intervals")
      ->check(CLI::Range(1, 1000));
  command
      .add_option("--steps", scale.steps,
                  "steps of a repeat; if not given, as many as take about a second")
      ->check(CLI::Range(1, 1000000000));
  command
      .add_option(
          "--json", scale.json,
          "write everything to this file, too, as scripts/plot_scaling.py and --from read it")
      ->type_name("FILE");
  command.add_option("--csv", scale.csv, "write a table to this file, too")->type_name("FILE");
  auto* predict_option =
      command
          .add_option(
              "--predict", nodes_,
              "carry the study on to these numbers of nodes, by a model of what was measured")
          ->type_name("NODES[,...]");
  command
      .add_option("--from", predict.from,
                  "predict from this study, which an earlier --json wrote; nothing is measured")
      ->type_name("FILE")
      ->needs(predict_option);
  command
      .add_option("--ranks-per-node", predict.ranks_per_node,
                  "of the predicted nodes; as in the study if not given")
      ->check(CLI::Range(1, 4096))
      ->needs(predict_option);
  command
      .add_option("--link", link_,
                  "between the predicted nodes: latency of an exchange and bandwidth each way of a "
                  "rank, as in 2e-6,25e9, and the "
                  "length up to which messages leave without an answer, if there is one; as "
                  "between the study's ranks if not "
                  "given")
      ->type_name("SECONDS,BYTES_PER_SECOND[,BYTES]")
      ->needs(predict_option);
}

void ScaleCommandLine::finish(bool has_config, ScaleOptions& scale, PredictOptions& predict) const {
  if (predict.from && (has_config || strong_ || weak_ || ranks_))
    refuse(
        "--from is given with what is to be measured (a study that is read has its own) name one "
        "of them");
  if (!predict.from && !has_config)
    refuse("CONFIG is required, or a study by --from; see halotherm scale --help");
  if (!predict.from && strong_ == weak_)
    refuse("--strong or --weak is required, and not both; see halotherm scale --help");
  scale.kind = weak_ ? ScaleKind::weak : ScaleKind::strong;
  if (ranks_) scale.ranks = parse_counts("--ranks", *ranks_);
  if (nodes_) predict.nodes = parse_counts("--predict", *nodes_);
  if (link_) predict.link = parse_link(*link_);
}

Link parse_link(const std::string& text) {
  std::vector<double> numbers;
  for (const auto& word : io::words_between_commas(text))
    numbers.push_back(io::parse_number(word).value_or(0));
  const bool good = std::ranges::all_of(numbers, [](double number) { return number > 0; });
  if (numbers.size() < 2 || numbers.size() > 3 || !good) {
    refuse("--link is '" + io::shortened(text, 60) +
           "' (must be two or three numbers above 0: seconds, bytes a second, bytes) give them as "
           "in 2e-6,25e9 or 2e-6,25e9,65536");
  }
  Link link{.latency = numbers[0], .bandwidth = numbers[1]};
  if (numbers.size() == 3) link.at_once = numbers[2];
  return link;
}

}  // namespace halotherm::app
