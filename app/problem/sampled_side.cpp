// SPDX-License-Identifier: MIT
#include "app/problem/sampled_side.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

double pick(std::span<const double> values, std::size_t n) {
  return values[values.size() == 1 ? 0 : n];
}

}  // namespace

SampledSide::SampledSide(const std::string& key, const SideConfig& side, const Sample& sample) {
  if (side.temperature) {
    temperature_.emplace(sample(key + ".temperature", *side.temperature, Range::any));
    return;
  }
  const auto convection = side.convection.value_or(ConvectionConfig{});
  flows_.emplace(
      Flows{sample(key + ".flux", side.flux, Range::any),
            sample(key + ".convection.coefficient", convection.coefficient, Range::not_negative),
            sample(key + ".convection.ambient", convection.ambient, Range::any)});
}

bool SampledSide::changes() const {
  if (is_fixed()) return temperature_->changes();
  return flows_->flux.changes() || flows_->coefficient.changes() || flows_->ambient.changes();
}

void SampledSide::evaluate(double time) {
  if (is_fixed()) {
    temperature_->at(time);
    return;
  }
  flows_->flux.at(time);
  flows_->coefficient.at(time);
  flows_->ambient.at(time);
}

std::size_t SampledSide::count() const {
  if (is_fixed()) return temperature_->last().size();
  return std::max({flows_->flux.last().size(), flows_->coefficient.last().size(),
                   flows_->ambient.last().size()});
}

double SampledSide::temperature(std::size_t point) const {
  return pick(temperature_->last(), point);
}

solver::HeatFlows SampledSide::flows(std::size_t point) const {
  return {pick(flows_->flux.last(), point), pick(flows_->coefficient.last(), point),
          pick(flows_->ambient.last(), point)};
}

}  // namespace halotherm::app
