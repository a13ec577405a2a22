// SPDX-License-Identifier: MIT
#include "app/problem/sampled_side.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

double pick(std::span<const double> values, std::size_t n) {
  return values[values.size() == 1 ? 0 : n];
}

}  // namespace

SampledSide::SampledSide(const std::string& key, const SurfaceConfig& side, const Sample& sample)
    : fixed_(side.temperature.has_value()),
      insulated_(!fixed_ && !side.convection && !side.radiation && side.flux == Quantity(0.0)),
      radiates_(!fixed_ && side.radiation.has_value()) {
  const auto add = [&](const char* name, const Quantity& quantity, Range range) {
    quantities_.push_back(sample(key + name, quantity, range));
  };
  if (fixed_) {
    add(".temperature", *side.temperature, Range::any);
    return;
  }
  const auto convection = side.convection.value_or(ConvectionConfig{});
  add(".flux", side.flux, Range::any);
  add(".convection.coefficient", convection.coefficient, Range::not_negative);
  add(".convection.ambient", convection.ambient, Range::any);
  if (!radiates_) return;
  add(".radiation.emissivity", side.radiation->emissivity, Range::share);
  add(".radiation.ambient", side.radiation->ambient, Range::absolute);
}

bool SampledSide::changes() const {
  return std::ranges::any_of(quantities_, [](const auto& quantity) { return quantity.changes(); });
}

bool SampledSide::weight_changes() const {
  return radiates_ || (!fixed_ && quantities_[1].changes());
}

void SampledSide::evaluate(const Moment& moment) {
  for (auto& quantity : quantities_) quantity.at(moment);
}

std::size_t SampledSide::count() const {
  std::size_t most = 1;
  for (const auto& quantity : quantities_) most = std::max(most, quantity.last().size());
  return most;
}

double SampledSide::temperature(std::size_t point) const {
  return pick(quantities_.front().last(), point);
}

solver::HeatFlows SampledSide::flows(std::size_t point) const {
  const auto value = [&](std::size_t n) { return pick(quantities_[n].last(), point); };
  if (!radiates_) return {value(0), value(1), value(2)};
  return {value(0), value(1), value(2), value(3), value(4)};
}

}  // namespace halotherm::app
