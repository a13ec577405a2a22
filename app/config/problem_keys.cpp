// SPDX-License-Identifier: MIT
// The keys of what a problem is made of.
#include "app/config/key_rules.hpp"

namespace halotherm::app {

// A table: one key a paragraph.
// clang-format off

std::vector<Key> keys_of(SideConfig& side) {
  return {
    {.path = "temperature", .slot = &side.temperature, .rule = side_quantity({}), .unit = "K",
     .help = "fixed temperature of the side", .example = "300"},
    {.path = "flux", .slot = &side.flux, .rule = side_quantity({}), .unit = "W/m2",
     .help = "heat flux into the domain", .not_beside = {"temperature"}},
    {.path = "convection", .slot = map_slot(side.convection), .rule = one_map(),
     .help = "heat transfer to the surroundings: coefficient times (ambient - T)",
     .example = "{coefficient: 25, ambient: 293}", .not_beside = {"temperature"}},
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
