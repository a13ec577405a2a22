// SPDX-License-Identifier: MIT
#include "app/problem/problem.hpp"

#include "app/problem/quantity_bounds.hpp"
#include "app/problem/region_census.hpp"
#include "comm/mpi/error.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::app {

namespace {

comm::Error during_steps(const comm::Error& error) {
  auto text = error.text();
  text.reason += "; checkpoints written before are good";
  return {comm::ExitCode::numerics, text};
}

bool conductivities_change(const ConductivityFactors& factors) {
  return std::ranges::any_of(factors,
                             [](const auto& factor) { return factor && factor->changes(); });
}

/// Whether sources or void faces of the block change with time.
bool heating_changes(const std::optional<ChangingSource>& source, const VoidCells& voids) {
  const bool of_cells = source && std::ranges::any_of(source->parts, [](const auto& part) {
                          return changes_with_time(part.quantity);
                        });
  return of_cells || (voids.heating && voids.heating->changes());
}

}  // namespace

template <class Real>
typename Problem<Real>::Sampled Problem<Real>::sample(const FieldSampler& sampler,
                                                      const Config& config, const comm::Box& owned,
                                                      int ghost_layers) {
  const auto ghosts = sampler.grid.ghosts(ghost_layers);
  const auto box = comm::grown(owned, ghosts, ghosts);
  RegionSampler regions(sampler, config, box, owned);
  auto material = regions.material();
  // a side next to a void cell has a condition as well, of which nothing comes
  BoundaryConditions<Real> boundary(sampler, config, owned, box, material);
  auto source = regions.changing_source(material);
  auto bounds =
      bounds_of_sources(config, source_of(material), source ? source->parts : OwnedQuantities{});
  auto void_cells = cut_out(sampler, config, box, owned, regions.materials(), material);
  if (source) source->added = std::exchange(void_cells.flux, {});
  bounds.include(void_cells.bounds);
  const double fall = (source ? source->fall : 0) + void_cells.fall;
  return {std::move(material),
          conductivity_factors(config),
          std::move(source),
          std::move(boundary),
          std::move(void_cells),
          bounds,
          fall,
          std::move(regions).inputs()};
}

template <class Real>
Problem<Real>::Problem(const Domain<Real>& domain, const Config& config)
    : Problem(domain, make_field_sampler(domain.world, config), config) {}

template <class Real>
Problem<Real>::Problem(const Domain<Real>& domain, const FieldSampler& sampler,
                       const Config& config)
    : Problem(domain, sample(sampler, with_source_densities(sampler, config, domain.owned),
                             domain.owned, domain.settings.width)) {}

template <class Real>
Problem<Real>::Problem(const Domain<Real>& domain, Sampled sampled)
    : equation(domain.grid, domain.owned, sampled.material, domain.settings.width),
      boundary(std::move(sampled.boundary)),
      void_cells(std::move(sampled.void_cells)),
      fixed_bounds(sampled.fixed_bounds),
      source_fall(domain.world.max(sampled.fall)),
      inputs(std::move(sampled.inputs)),
      domain_(domain),
      conductivity_factors_(std::move(sampled.conductivity_factors)),
      change_with_time_(domain.world.any(conductivities_change(conductivity_factors_) ||
                                         heating_changes(sampled.changing_source, void_cells) ||
                                         boundary.change())),
      are_evaluated_(change_with_time_ ||
                     domain.world.any(sampled.changing_source || void_cells.heating)),
      follow_temperatures_(domain.world.any(boundary.follow_temperatures())) {
  const comm::Space space;
  comm::agree(domain.world, [&] {
    scale_conductivities(space, 0);
    if (sampled.changing_source) {
      changing_source.emplace(std::move(*sampled.changing_source), domain.owned);
      changing_source->apply(space, 0, equation);
      changing_source->check();
    }
    if (void_cells.heating) {
      void_faces.emplace(std::exchange(void_cells.faces, {}), *void_cells.heating);
      void_faces->hold(space, equation);
    }
    space.fence("conditions at the start");
  });
}

template <class Real>
void Problem<Real>::scale_conductivities(const comm::Space& space, const Moment& moment) {
  for (std::size_t n = 0; n < conductivity_factors_.size(); ++n) {
    if (auto& factor = conductivity_factors_[n])
      equation.scale_conductivity(space, static_cast<int>(n), factor->at(moment).front());
  }
}

template <class Real>
void Problem<Real>::apply_conditions(const comm::Space& space, const Moment& moment) {
  if (failure_.kept()) return;
  try {
    scale_conductivities(space, moment);
    if (changing_source && void_faces) void_faces->release(space, equation);
    if (changing_source) changing_source->apply(space, moment, equation);
    if (changing_source && void_faces) void_faces->hold(space, equation);
    if (void_faces) void_faces->set(moment);
    boundary.update(space, moment);
  } catch (const comm::Error& error) {
    failure_ = with_failures_on_device();
    failure_.keep(moment.time, during_steps(error));
  }
}

template <class Real>
void Problem<Real>::follow_sources(const comm::Space& space, const comm::GridView<const Real>& T) {
  if (failure_.kept()) return;
  if (changing_source && void_faces) void_faces->release(space, equation);
  if (changing_source) changing_source->follow(space, T, equation);
  if (changing_source && void_faces) void_faces->hold(space, equation);
  if (void_faces) void_faces->follow(space, T, equation);
}

template <class Real>
solver::TemperatureBounds Problem<Real>::bounds() const {
  auto all = fixed_bounds;
  all.include(boundary.bounds());
  if (void_faces) all.include(void_faces->bounds());
  return all;
}

/// Sources and faces fail on the device before the host knows.
template <class Real>
comm::DeferredError Problem<Real>::with_failures_on_device() const {
  auto result = failure_;
  if (result.kept()) return result;
  auto first = changing_source ? changing_source->failure() : std::nullopt;
  const auto of_sides = boundary.failure();
  const auto of_void = void_faces ? void_faces->failure() : std::nullopt;
  for (const auto& other : {of_sides, of_void}) {
    if (other && (!first || other->first < first->first)) first.emplace(*other);
  }
  if (first) result.keep(first->first, during_steps(first->second));
  return result;
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
  void_cells.set_temperatures(std::span(values));
  return values;
}

template struct Problem<float>;
template struct Problem<double>;

}  // namespace halotherm::app
