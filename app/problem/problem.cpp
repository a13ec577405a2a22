// SPDX-License-Identifier: MIT
#include "app/problem/problem.hpp"

#include "comm/mpi/error.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::app {

namespace {

/// A product of two coefficients on the same box.
solver::Coefficient product(const solver::Coefficient& a, const solver::Coefficient& b) {
  const auto* number_a = std::get_if<double>(&a);
  const auto* number_b = std::get_if<double>(&b);
  if (number_a && number_b) return *number_a * *number_b;
  const auto at = [](const solver::Coefficient& c, std::size_t n) {
    const auto* number = std::get_if<double>(&c);
    return number ? *number : std::get<std::vector<double>>(c)[n];
  };
  std::vector<double> values(std::get<std::vector<double>>(number_a ? b : a).size());
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = at(a, n) * at(b, n);
  return values;
}

}  // namespace

template <class Real>
typename Problem<Real>::Sampled Problem<Real>::sample(const FieldSampler& sampler,
                                                      const Config& config, const comm::Box& owned,
                                                      int ghost_layers) {
  const auto ghosts = sampler.grid.ghosts(ghost_layers);
  const auto box = comm::grown(owned, ghosts, ghosts);
  std::vector<io::InputChecksum> inputs;
  const auto cells = [&](const std::string& key, const Quantity& quantity, Range range) {
    auto sampled = sampler.cells(key, quantity, box, range);
    add_checksum(sampler, key, quantity, sampled, box, owned, inputs);
    return sampled;
  };
  solver::Material material;
  for (const auto& conductivity : config.material.conductivity) {
    material.conductivity.push_back(cells("material.conductivity", conductivity, Range::positive));
  }
  const auto density = cells("material.density", config.material.density, Range::positive);
  material.volumetric_heat_capacity = product(
      density, cells("material.heat_capacity", config.material.heat_capacity, Range::positive));
  material.source = cells("source", config.source, Range::any);
  std::optional<SampledQuantity> source;
  if (std::holds_alternative<Formula>(config.source))
    source = sampler.on_cells("source", config.source, box, Range::any);
  if (source && !source->changes()) source.reset();
  BoundaryConditions<Real> boundary(sampler, config, owned, box, material.conductivity);
  return {std::move(material), std::move(source), std::move(boundary), std::move(inputs)};
}

template <class Real>
Problem<Real>::Problem(const Domain<Real>& domain, const Config& config)
    : Problem(domain, sample(make_field_sampler(domain.world, config), config, domain.owned,
                             domain.settings.width)) {}

template <class Real>
Problem<Real>::Problem(const Domain<Real>& domain, Sampled sampled)
    : changing_source(std::move(sampled.changing_source)),
      equation(domain.grid, domain.owned, sampled.material, domain.settings.width),
      boundary(std::move(sampled.boundary)),
      inputs(std::move(sampled.inputs)),
      domain_(domain),
      conditions_change_(domain.world.any(changing_source || boundary.change())) {}

template <class Real>
void Problem<Real>::apply_conditions(double time) {
  if (failure_.kept()) return;
  try {
    if (changing_source) equation.set_source(changing_source->at(time));
    boundary.update(time);
  } catch (const comm::Error& error) {
    auto text = error.text();
    text.reason += "; checkpoints written before are good";
    failure_.keep(time, {comm::ExitCode::numerics, text});
  }
}

template <class Real>
std::vector<Real> Problem<Real>::initial_temperature(const Config& config) {
  const auto& owned = domain_.owned;
  const auto sampler = make_field_sampler(domain_.world, config);
  std::vector<Real> values(static_cast<std::size_t>(owned.size()));
  const auto sampled =
      sampler.cells("initial.temperature", config.initial_temperature, owned, Range::any);
  add_checksum(sampler, "initial.temperature", config.initial_temperature, sampled, owned, owned,
               inputs);
  if (const auto* number = std::get_if<double>(&sampled)) {
    std::ranges::fill(values, static_cast<Real>(*number));
  } else {
    std::ranges::transform(std::get<std::vector<double>>(sampled), values.begin(),
                           [](double value) { return static_cast<Real>(value); });
  }
  return values;
}

template struct Problem<float>;
template struct Problem<double>;

}  // namespace halotherm::app
