// SPDX-License-Identifier: MIT
// The keys of what a problem is made of.
#include "app/config/key_rules.hpp"

namespace halotherm::app {

// A table: one key a paragraph.
// clang-format off

namespace {

std::vector<Key> keys_of_surface(SurfaceConfig& surface) {
  return {
    {.path = "temperature", .slot = &surface.temperature, .rule = side_quantity({}), .unit = "K",
     .help = "fixed temperature of the side", .example = "300"},
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

}  // namespace

std::vector<Key> keys_of(SideConfig& side) {
  auto keys = keys_of_surface(side);
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
  for (auto& key : keys_of_surface(patch)) keys.push_back(std::move(key));
  return keys;
}

std::vector<Key> keys_of(BoxConfig& box) {
  return {
    {.path = "lower", .slot = &box.lower, .rule = position(), .unit = "m",
     .help = "lower corner", .required = true, .example = "[0, 0, 0]"},
    {.path = "upper", .slot = &box.upper, .rule = position(), .unit = "m",
     .help = "upper corner", .required = true, .example = "[1, 1, 0]"},
  };
}

std::vector<Key> keys_of(RadiationConfig& radiation) {
  return {
    {.path = "emissivity", .slot = &radiation.emissivity,
     .rule = side_quantity({.min = 0, .max = 1}), .help = "emissivity of the surface",
     .required = true, .example = "0.8"},
    {.path = "ambient", .slot = &radiation.ambient, .rule = side_quantity(not_negative),
     .unit = "K", .help = "temperature of the surroundings", .required = true, .example = "293"},
  };
}

std::vector<Key> keys_of(ConvectionConfig& convection) {
  return {
    {.path = "coefficient", .slot = &convection.coefficient, .rule = side_quantity(not_negative),
     .unit = "W/(m2 K)", .help = "heat transfer coefficient", .required = true, .example = "25"},
    {.path = "ambient", .slot = &convection.ambient, .rule = side_quantity({}), .unit = "K",
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
     .example = "scripts/make_chip.py"},
  };
}
// clang-format on

}  // namespace halotherm::app
