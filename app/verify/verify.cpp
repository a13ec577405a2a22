// SPDX-License-Identifier: MIT
#include "app/verify/verify.hpp"

#include "app/measure/by_first_ranks.hpp"
#include "app/verify/ghost_cells.hpp"
#include "app/verify/invariants.hpp"
#include "app/verify/orders.hpp"
#include "comm/mpi/error.hpp"
#include "comm/mpi/sub_communicator.hpp"
#include "comm/system/stopwatch.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

namespace halotherm::app {

namespace {

/// A measurement that waits for its turn.
struct Measurement {
  std::string name;
  bool on_first_ranks;
  std::function<std::vector<Claim>(const comm::Communicator&)> measure;
};

/// A problem that ends with an error is a failed claim.
Claim not_computed(const std::string& name, const std::string& error) {
  return {.group = "computed without an error",
          .name = name,
          .measured = std::numeric_limits<double>::quiet_NaN(),
          .detail = error};
}

class Plan {
 public:
  explicit Plan(int ranks, bool quick) {
    add("ghost cells", false,
        [quick](const auto& world) { return measure_transports(world, quick); });
    for (const auto& exact : exact_cases()) add_claim(exact.name, true, measure_exact, exact);
    const auto variants = partition_variants(ranks, quick);
    for (const auto& method : verified_methods()) {
      const std::string name = method.name;
      add_claim("balance by " + name, true, measure_balance, name);
      add("bits by " + name, false,
          [name, variants](const auto& world) { return measure_same_bits(world, name, variants); });
    }
    add_orders(quick);
  }

  const std::vector<Measurement>& measurements() const { return measurements_; }

 private:
  template <class Measure>
  void add(const std::string& name, bool on_first_ranks, Measure measure) {
    measurements_.push_back({name, on_first_ranks, std::move(measure)});
  }
  template <class Measure, class Argument>
  void add_claim(const std::string& name, bool on_first_ranks, Measure measure,
                 const Argument& argument) {
    add(name, on_first_ranks,
        [measure, argument](const auto& ranks) { return std::vector{measure(ranks, argument)}; });
  }

  void add_orders(bool quick) {
    for (const auto& method : verified_methods()) {
      for (const auto& problem : time_problems(method, quick))
        add("order in time of " + std::string(method.name), true,
            [&method, problem](const auto& ranks) {
              return std::vector{measure_time(ranks, method, problem)};
            });
    }
    for (const auto& study : space_studies(quick))
      add("order in space of " + std::string(study.method->name), true, [study](const auto& ranks) {
        return std::vector{measure_space(ranks, study, study.problem.temperature())};
      });
  }

  std::vector<Measurement> measurements_;
};

}  // namespace

VerifyRecord verify(const comm::Communicator& world, const VerifyOptions& options,
                    const io::Log& log) {
  const comm::Stopwatch stopwatch;
  VerifyRecord record{.quick = options.quick, .ranks = world.size(), .claims = {}};
  const Plan plan(world.size(), options.quick);
  const int few = std::min(world.size(), most_ranks_of_orders);
  std::optional<comm::Communicator> first;
  by_first_ranks(world, few, [&] { first.emplace(comm::first_ranks(world, few)); });
  io::Progress progress(log);
  progress.begin(0);
  double done = 0;
  for (const auto& measurement : plan.measurements()) {
    progress.update(done++ / static_cast<double>(plan.measurements().size()),
                    [&] { return measurement.name; });
    const comm::Stopwatch watch;
    std::vector<Claim> claims;
    try {
      if (measurement.on_first_ranks) {
        by_first_ranks(world, few, [&] { claims = measurement.measure(*first); });
      } else {
        claims = measurement.measure(world);
      }
    } catch (const comm::CollectiveError& error) {
      claims = {not_computed(measurement.name, error.what())};
    }
    for (auto& claim : claims) claim.seconds = watch.seconds() / static_cast<double>(claims.size());
    std::ranges::move(claims, std::back_inserter(record.claims));
  }
  progress.interrupt();
  std::ranges::stable_sort(record.claims, {}, &Claim::group);
  record.seconds = world.max(stopwatch.seconds());
  return record;
}

void require_passed(const comm::Communicator& world, const VerifyRecord& record) {
  std::optional<comm::CollectiveError> failure;
  if (world.is_root()) {
    if (const auto text = what_failed(record)) failure.emplace(comm::ExitCode::check_failed, *text);
  }
  comm::rethrow_of_root(world, failure);
}

}  // namespace halotherm::app
