// SPDX-License-Identifier: MIT
#include "tests/fuzz/resolved.hpp"
#include "tests/fuzz/targets.hpp"

namespace {

constexpr const char* good = R"yaml(
title: a bar between two walls
grid: {cells: [16, 8], lower: [-1, 0], upper: [2, 1]}
materials: {solid: {conductivity: [401, "40 + x"], density: 8960,
           heat_capacity: {file: copper.h5, dataset: /c}}}
regions: [{source: "1e6*exp(-t)*(x > 0)"}]
initial: {temperature: 300}
sides:
  x-: {temperature: 300}
  x+: {convection: {coefficient: 50, ambient: "290 + 10*sin(2*pi*t)"}}
  y: periodic
time: {end: 1}
output:
  sensors: [{name: middle, at: [0.5, 0.5]}]
)yaml";

}  // namespace

void halotherm::fuzz::overrides(std::string_view bytes) {
  const std::string assignment(bytes);
  accepted(comm::ExitCode::usage,
           [&] { must_come_back(app::parse_config(good, "good.yaml", {assignment})); });
}
