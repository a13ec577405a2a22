// SPDX-License-Identifier: MIT
#include "app/problem/block.hpp"

#include "app/problem/problem.hpp"
#include "comm/machine/environment.hpp"
#include "comm/mpi/error.hpp"

#include <algorithm>

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

FieldSampler make_field_sampler(const comm::Communicator& world, const Config& config) {
  return {world, config.folder, make_grid(config.grid), periodic_axes(config)};
}

bool varies(const Quantity& quantity) {
  return !std::holds_alternative<double>(quantity);
}

}  // namespace

comm::HaloPlan halo_plan_of(const Config& config, const comm::Partition& partition, int rank) {
  const int width = config.parallel.halo;
  return comm::make_halo_plan(partition, rank, width,
                              width > 1 ? comm::GhostRegion::all : comm::GhostRegion::faces);
}

comm::Box interior_of(const comm::Box& owned, const comm::HaloPlan& plan, bool overlap,
                      int layer_x) {
  constexpr int radius = 1;  // of the stencil
  const comm::Int3 layer{owned.extent(0) >= 8 * layer_x ? layer_x : radius, radius, radius};
  if (!overlap) return {owned.lower, owned.lower};
  comm::Int3 below{0, 0, 0};
  comm::Int3 above{0, 0, 0};
  for (const auto& message : plan.messages) {
    for (int axis = 0; axis < 3; ++axis) {
      if (message.direction[axis] < 0) below[axis] = -layer[axis];
      if (message.direction[axis] > 0) above[axis] = -layer[axis];
    }
  }
  const auto box = comm::grown(owned, below, above);
  return box.empty() ? comm::Box{owned.lower, owned.lower} : box;
}

std::int64_t device_bytes(const Config& config, const comm::Box& owned,
                          const comm::HaloPlan& plan) {
  const auto grid = make_grid(config.grid);
  const auto field = [&](int width) {
    return config.grid.precision == Precision::float64
               ? solver::Field<double>::bytes_for(owned, grid.ghosts(width))
               : solver::Field<float>::bytes_for(owned, grid.ghosts(width));
  };
  const auto& material = config.material;
  const auto conductivities = std::ranges::any_of(material.conductivity, varies)
                                  ? static_cast<int>(material.conductivity.size())
                                  : 0;
  const int coefficients = conductivities +
                           (varies(material.density) || varies(material.heat_capacity) ? 1 : 0) +
                           (varies(config.source) ? 1 : 0);
  const std::int64_t element = config.grid.precision == Precision::float64 ? 8 : 4;
  return 2 * field(config.parallel.halo) + coefficients * field(1) +
         2 * plan.sent_cells() * element;
}

template <class Real>
typename Block<Real>::Sampled Block<Real>::sample(const FieldSampler& sampler, const Config& config,
                                                  const comm::Box& owned) {
  const auto ghosts = sampler.grid.ghosts(1);
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
  BoundaryConditions<Real> boundary(sampler, config, owned, material.conductivity);
  return {std::move(material), std::move(source), std::move(boundary), std::move(inputs)};
}

template <class Real>
Block<Real>::Block(const comm::Communicator& world, const Config& config,
                   const comm::Partition& partition,
                   const std::vector<comm::TransportKind>& transports)
    : Block(world, config, partition, transports, make_field_sampler(world, config),
            sample(make_field_sampler(world, config), config, partition.owned(world.rank()))) {}

template <class Real>
Block<Real>::Block(const comm::Communicator& world, const Config& config,
                   const comm::Partition& partition,
                   const std::vector<comm::TransportKind>& transports, FieldSampler the_sampler,
                   Sampled sampled)
    : sampler(std::move(the_sampler)),
      owned(partition.owned(world.rank())),
      ghosts(sampler.grid.ghosts(config.parallel.halo)),
      changing_source(std::move(sampled.changing_source)),
      equation(sampler.grid, owned, sampled.material),
      boundary(std::move(sampled.boundary)),
      halo(world, halo_plan_of(config, partition, world.rank()), transports),
      inputs(std::move(sampled.inputs)),
      conditions_change_(world.any(changing_source || boundary.change())) {
  const auto core =
      interior_of(owned, halo.plan(), config.parallel.overlap, solver::Field<Real>::cells_per_line);
  interior = comm::Region(std::span(&core, 1));
  shell = comm::Region(comm::difference(owned, core));
  const auto bytes = owned.size() * equation.bytes_per_cell();
  interior.set_tile(comm::default_tile(bytes));
  shell.set_tile(core.empty() ? comm::default_tile(bytes) : comm::slab_tile(bytes));
}

template <class Real>
void Block<Real>::apply_conditions(double time) {
  if (failure_.kept()) return;
  try {
    evaluate_conditions(time);
  } catch (const comm::Error& error) {
    failure_.keep(time, {comm::ExitCode::numerics,
                         std::string(error.what()) + "; checkpoints written before are good"});
  }
}

template <class Real>
void Block<Real>::evaluate_conditions(double time) {
  if (changing_source) equation.set_source(changing_source->at(time));
  boundary.update(time);
}

template struct Block<float>;
template struct Block<double>;

}  // namespace halotherm::app
