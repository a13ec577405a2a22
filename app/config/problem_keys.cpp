// SPDX-License-Identifier: MIT
// The keys of what a problem is made of.
#include "app/config/key_rules.hpp"

namespace halotherm::app {

// A table: one key a paragraph.
// clang-format off

std::vector<Key> keys_of(AxisConfig& axis) {
  return {
    {.path = "cells", .slot = &axis.cells, .rule = count(1, most_cells_an_axis),
     .help = "number of cells, all of the same width", .example = "80", .needs = {"upper"}},
    {.path = "lower", .slot = &axis.lower, .rule = number({}), .unit = "m",
     .help = "lower end of the axis; default 0", .example = "0", .not_beside = {"faces"}},
    {.path = "upper", .slot = &axis.upper, .rule = number({}), .unit = "m",
     .help = "upper end of the axis, above the lower one", .example = "10e-3",
     .not_beside = {"layers", "faces"}},
    {.path = "layers", .slot = &axis.layers, .rule = {.kind = Kind::layers}, .unit = "m",
     .help = "the axis from its lower end on: thickness and number of equal cells of each layer",
     .example = "[[2e-6, 1], [48e-6, 8]]", .not_beside = {"cells"}},
    {.path = "faces", .slot = &axis.faces, .rule = {.kind = Kind::faces}, .unit = "m",
     .help = "the faces of all cells in ascending order, from one end of the axis to the other",
     .example = "[0, 1e-6, 3e-6, 7e-6]", .not_beside = {"cells", "layers"}},
  };
}

std::vector<Key> keys_of(MaterialConfig& material) {
  return {
    {.path = "conductivity", .slot = &material.conductivity,
     .rule = per_axis(property(positive), Shape::single_or_per_axis),
     .unit = "W/(m K)", .help = "thermal conductivity; a list if it differs between the axes",
     .required = true, .example = "401"},
    {.path = "conductivity_factor", .slot = &material.conductivity_factor,
     .rule = quantity_in_time(positive),
     .help = "factor of the conductivity that changes with time", .example = "\"1 + 0.5*sin(t)\""},
    {.path = "density", .slot = &material.density, .rule = field_quantity(positive, "xyz"),
     .unit = "kg/m3", .help = "mass per volume", .required = true, .example = "8960"},
    {.path = "heat_capacity", .slot = &material.heat_capacity,
     .rule = property(positive),
     .unit = "J/(kg K)",
     .help = "specific heat capacity", .required = true, .example = "385"},
    {.path = "latent_heat", .slot = &material.latent_heat, .rule = number(positive), .unit = "J/kg",
     .help = "heat of melting, besides heat_capacity", .example = "2e5"},
    {.path = "melting", .slot = &material.melting, .rule = temperature(interval(not_negative)),
     .unit = "K",
     .help = "solidus and liquidus, between which the latent heat is spread evenly",
     .example = "[300, 303]"},
    {.path = "temperatures", .slot = &material.temperatures,
     .rule = temperature(interval(not_negative)),
     .unit = "K", .help = "range of the formulas in T; beyond it they keep the values at its ends",
     .example = "[250, 1500]"},
  };
}

std::vector<Key> keys_of(RegionConfig& region) {
  return {
    {.path = "name", .slot = &region.name, .rule = {.kind = Kind::name},
     .help = "name in messages and tables; unique", .example = "die"},
    {.path = "material", .slot = &region.material, .rule = {.kind = Kind::name},
     .help = "one of materials, or void, which cuts the cells out of the body; without it, what "
             "lies below stays", .example = "copper"},
    {.path = "box", .slot = map_slot(region.box), .rule = one_map(),
     .help = "a box with sides along the axes",
     .example = "{lower: [0, 0, 0], upper: [0.1, 0.1, 0.1]}"},
    {.path = "cylinder", .slot = map_slot(region.cylinder), .rule = one_map(),
     .help = "a cylinder along an axis", .example = "{axis: z, center: [0.5, 0.5, 0], radius: 0.1}",
     .not_beside = {"box"}},
    {.path = "sphere", .slot = map_slot(region.sphere), .rule = one_map(), .help = "a sphere",
     .example = "{center: [0.5, 0.5, 0.5], radius: 0.1}", .not_beside = {"box", "cylinder"}},
    {.path = "layer", .slot = map_slot(region.layer), .rule = one_map(),
     .help = "what lies between two planes", .example = "{axis: z, from: 0, to: 0.1}",
     .not_beside = {"box", "cylinder", "sphere"}},
    {.path = "formula", .slot = &region.formula,
     .rule = {.kind = Kind::quantity, .variables = "xyz"},
     .help = "true, which is not 0, in the cells of the region", .example = "\"x^2 + y^2 < 0.01\"",
     .not_beside = {"box", "cylinder", "sphere", "layer"}},
    {.path = "labels", .slot = map_slot(region.labels), .rule = one_map(),
     .help = "a data set of whole numbers, one a cell, which `materials` translates",
     .example = "{file: part.h5, dataset: /label}",
     .not_beside = {"material", "box", "cylinder", "sphere", "layer", "formula"}},
    {.path = "materials", .slot = &region.materials, .rule = {.kind = Kind::labels},
     .help = "the material of each label, or void", .example = "{1: copper, 2: silicon}"},
    {.path = "source", .slot = &region.source, .rule = source_quantity(), .unit = "W/m3",
     .help = "heat source per volume", .example = "1e6"},
    {.path = "power", .slot = &region.power, .rule = quantity_in_time({}), .unit = "W",
     .help = "heat source in total, the same per volume in all cells that have it", .example = "10",
     .not_beside = {"source"}},
    {.path = "temperatures", .slot = &region.temperatures,
     .rule = temperature(interval(not_negative)), .unit = "K",
     .help = "range of T in source; beyond it the source keeps the values at its ends",
     .example = "[250, 1500]", .needs = {"source"}},
  };
}

std::vector<Key> keys_of(ContactConfig& contact) {
  return {
    {.path = "between", .slot = &contact.between, .rule = pair_of_names(),
     .help = "the two materials", .required = true, .example = "[silicon, copper]"},
    {.path = "resistance", .slot = &contact.resistance, .rule = number(not_negative),
     .unit = "m2 K/W", .help = "thermal resistance of a unit of area", .required = true,
     .example = "1e-5"},
  };
}

std::vector<Key> keys_of(BoxConfig& box) {
  return {
    {.path = "lower", .slot = &box.lower, .rule = position(), .unit = "m",
     .help = "lower corner", .required = true, .example = "[0, 0, 0]"},
    {.path = "upper", .slot = &box.upper, .rule = position(), .unit = "m",
     .help = "upper corner", .required = true,
     .example = "[0.1, 0.1, 0.1]"},
  };
}

std::vector<Key> keys_of(CylinderConfig& cylinder) {
  return {
    {.path = "axis", .slot = word_slot(cylinder.axis), .rule = one_of({"x", "y", "z"}),
     .help = "axis that the cylinder is parallel to", .required = true, .example = "z"},
    {.path = "center", .slot = &cylinder.center, .rule = position(), .unit = "m",
     .help = "a point of its axis", .required = true, .example = "[0.5, 0.5, 0]"},
    {.path = "radius", .slot = &cylinder.radius, .rule = number(positive), .unit = "m",
     .help = "radius", .required = true, .example = "0.1"},
    {.path = "from", .slot = &cylinder.from, .rule = number({}), .unit = "m",
     .help = "lower end along the axis; that of the domain if not given", .example = "0"},
    {.path = "to", .slot = &cylinder.to, .rule = number({}), .unit = "m",
     .help = "upper end along the axis; that of the domain if not given", .example = "0.1"},
  };
}

std::vector<Key> keys_of(SphereConfig& sphere) {
  return {
    {.path = "center", .slot = &sphere.center, .rule = position(), .unit = "m", .help = "centre",
     .required = true, .example = "[0.5, 0.5, 0.5]"},
    {.path = "radius", .slot = &sphere.radius, .rule = number(positive), .unit = "m",
     .help = "radius", .required = true, .example = "0.1"},
  };
}

std::vector<Key> keys_of(LayerConfig& layer) {
  return {
    {.path = "axis", .slot = word_slot(layer.axis), .rule = one_of({"x", "y", "z"}),
     .help = "axis across the layer", .required = true, .example = "z"},
    {.path = "from", .slot = &layer.from, .rule = number({}), .unit = "m", .help = "lower plane",
     .required = true, .example = "0"},
    {.path = "to", .slot = &layer.to, .rule = number({}), .unit = "m",
     .help = "upper plane, above the lower one", .required = true, .example = "0.1"},
  };
}

std::vector<Key> keys_of(SurfaceConfig& surface) {
  return {
    {.path = "temperature", .slot = &surface.temperature,
     .rule = temperature(side_quantity({})), .unit = "K", .help = "fixed temperature of the side",
     .example = "300"},
    {.path = "flux", .slot = &surface.flux, .rule = side_quantity({}), .unit = "W/m2",
     .help = "heat flux into the domain", .not_beside = {"temperature"}},
    {.path = "convection", .slot = map_slot(surface.convection), .rule = one_map(),
     .help = "heat transfer to the surroundings: coefficient times (ambient - T)",
     .example = "{coefficient: 25, ambient: 293}", .not_beside = {"temperature"}},
    {.path = "radiation", .slot = map_slot(surface.radiation), .rule = one_map(),
     .help = "radiation to the surroundings: emissivity times 5.670374419e-8 W/(m2 K4) times "
             "(ambient^4 - T^4)",
     .example = "{emissivity: 0.8, ambient: 293}", .not_beside = {"temperature"}},
  };
}

std::vector<Key> keys_of(SideConfig& side) {
  auto keys = keys_of(static_cast<SurfaceConfig&>(side));
  keys.push_back(
    {.path = "patches", .slot = map_slot(side.patches), .rule = maps(most_patches),
     .help = "parts of the side with conditions of their own; those of the side hold outside",
     .example = "[{name: heater, box: {lower: [0, 0, 0], upper: [1, 1, 0]}, flux: 100}]"});
  return keys;
}

std::vector<Key> keys_of(PatchConfig& patch) {
  std::vector<Key> keys{
    {.path = "name", .slot = &patch.name, .rule = {.kind = Kind::name},
     .help = "name of its column in the diagnostics, after that of the side; unique on the side",
     .required = true, .example = "heater"},
    {.path = "box", .slot = map_slot(patch.box), .rule = one_map(),
     .help = "the faces of the side whose centres are in this box belong to the patch",
     .required = true, .example = "{lower: [0, 0, 0], upper: [1, 1, 0]}"},
  };
  for (auto& key : keys_of(static_cast<SurfaceConfig&>(patch))) keys.push_back(std::move(key));
  return keys;
}

std::vector<Key> keys_of(RadiationConfig& radiation) {
  return {
    {.path = "emissivity", .slot = &radiation.emissivity,
     .rule = side_quantity({.min = 0, .max = 1}), .help = "emissivity of the surface",
     .required = true, .example = "0.8"},
    {.path = "ambient", .slot = &radiation.ambient,
     .rule = temperature(side_quantity(not_negative)), .unit = "K",
     .help = "temperature of the surroundings", .required = true, .example = "293"},
  };
}

std::vector<Key> keys_of(ConvectionConfig& convection) {
  return {
    {.path = "coefficient", .slot = &convection.coefficient, .rule = side_quantity(not_negative),
     .unit = "W/(m2 K)", .help = "heat transfer coefficient", .required = true, .example = "25"},
    {.path = "ambient", .slot = &convection.ambient,
     .rule = temperature(side_quantity({})), .unit = "K",
     .help = "temperature of the surroundings", .required = true, .example = "293"},
  };
}

std::vector<Key> keys_of(FileDataset& dataset) {
  return {
    {.path = "file", .slot = &dataset.file, .rule = {.kind = Kind::path},
     .help = "HDF5 file, relative to the folder of the configuration file", .required = true,
     .example = "chip.h5"},
    {.path = "dataset", .slot = &dataset.dataset, .rule = {.kind = Kind::text},
     .help = "path of the data set in the file; its shape is the grid's, in the order (z, y, x), x "
             "fastest", .required = true, .example = "/conductivity"},
    {.path = "made_by", .slot = &dataset.made_by, .rule = {.kind = Kind::text},
     .help = "command that creates the file, for the message where it is missing",
     .example = "make_chip.py"},
  };
}
// clang-format on

}  // namespace halotherm::app
