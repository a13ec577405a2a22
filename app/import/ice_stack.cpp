// SPDX-License-Identifier: MIT
#include "app/import/ice_stack.hpp"

#include "app/import/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace halotherm::app {

namespace {

class IceReader {
 public:
  explicit IceReader(const std::filesystem::path& file) : text_(file) { stack_.file = file; }

  IceStack read() {
    while (!text_.done()) read_section();
    if (stack_.layers.empty()) missing("stack");
    if (!stack_.initial) missing("solver");
    if (!stack_.sinks[0] && !stack_.sinks[1]) missing("heat sink");
    return std::move(stack_);
  }

 private:
  [[noreturn]] void missing(const char* what) const {
    refuse(text_.file(), 1, {fmt::format("has no {}", what), "a stack needs one", "add it"});
  }

  void read_section() {
    for (const char* word : {"microchannel", "channel", "top pluggable", "bottom pluggable"}) {
      auto probe = text_;
      if (probe.accept(word)) refuse_part(word);
    }
    if (text_.accept("material")) return read_material();
    if (text_.accept("top heat sink :")) return read_sink(1);
    if (text_.accept("bottom heat sink :")) return read_sink(0);
    if (text_.accept("dimensions :")) return read_dimensions();
    if (text_.accept("layer")) return read_layer();
    if (text_.accept("die")) return read_die();
    if (text_.accept("stack :")) return read_stack();
    if (text_.accept("solver :")) return read_solver();
    if (text_.accept("output :")) return read_outputs();
    text_.expect("material, sink, dimensions, layer, die, stack, solver or output");
  }

  [[noreturn]] void refuse_part(const std::string& what) const {
    text_.refuse_next({what + " has no counterpart", "Halotherm has neither flow nor plug-ins",
                       "replace it by a layer of a material, or by a heat sink"});
  }

  void read_material() {
    const auto name = text_.name("a material");
    text_.expect(": thermal conductivity");
    StackMaterial material{.name = plain_name(name.text), .origin = text_.place(name.line)};
    material.conductivity = {text_.positive("thermal conductivity")};
    while (text_.accept(",")) material.conductivity.push_back(text_.positive("conductivity"));
    text_.expect("; volumetric heat capacity");
    material.heat_capacity = text_.positive("volumetric heat capacity") * 1e18;
    text_.expect(";");
    for (auto& value : material.conductivity) value *= 1e6;  // from W/(um K)
    if (const auto count = material.conductivity.size(); count != 1 && count != 3)
      refuse(text_.file(), name.line,
             {fmt::format("{} conductivities", count), "a material has one, or one per axis",
              "give 1 or 3"});
    if (std::ranges::find(stack_.materials, material.name, &StackMaterial::name) !=
        stack_.materials.end())
      refuse(text_.file(), name.line,
             {name.text + " is given twice", "names are unique", "rename one"});
    stack_.materials.push_back(std::move(material));
  }

  void read_sink(std::size_t end) {
    text_.expect("heat transfer coefficient");
    const double coefficient = text_.positive("heat transfer coefficient") * 1e12;
    text_.expect("; temperature");
    stack_.sinks[end] = {coefficient, text_.positive("temperature of the heat sink")};
    text_.expect(";");
  }

  void read_dimensions() {
    text_.expect("chip length");
    stack_.chip[0] = text_.positive("chip length");
    text_.expect(", width");
    stack_.chip[1] = text_.positive("chip width");
    text_.expect("; cell length");
    stack_.cell[0] = text_.positive("cell length");
    text_.expect(", width");
    stack_.cell[1] = text_.positive("cell width");
    text_.expect(";");
    if (text_.accept("non-uniform")) {
      const auto line = text_.peek().line;
      text_.skip_statement();
      stack_.notes.push_back(text_.place(line) +
                             ": non-uniform cells are left out; the cells are "
                             "those of `dimensions`");
    }
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double cells = std::round(stack_.chip[axis] / stack_.cell[axis]);
      if (cells < 1 || cells > 1e6)
        text_.refuse_next({fmt::format("the chip has {:g} cells", cells), "must be 1 to 1e6",
                           "correct the cell length"});
    }
  }

  /// The material is checked when the layer is used.
  void read_layer() {
    const auto name = text_.name("a layer");
    text_.expect(": height");
    IceLayer layer{.thickness = text_.positive("height"), .material = {}, .line = name.line};
    text_.expect(";");
    auto probe = text_;
    if (probe.accept("layout")) refuse_part("a layout");
    text_.expect("material");
    layer.material = material(text_.name("a layer's material"));
    text_.expect(";");
    layer_types_[name.text] = std::move(layer);
  }

  /// The name of a material that is given before.
  std::string material(const Word& name) const {
    auto plain = plain_name(name.text);
    if (std::ranges::find(stack_.materials, plain, &StackMaterial::name) != stack_.materials.end())
      return plain;
    refuse(text_.file(), name.line,
           {fmt::format("\"{}\" is no material", name.text),
            "materials are given before they are used", "add it"});
  }

  void read_die() {
    const auto name = text_.name("a die");
    text_.expect(":");
    auto& layers = die_types_[name.text];
    for (;;) {
      const auto line = text_.peek().line;
      const bool heated = text_.accept("source");
      if (!heated && !text_.accept("layer")) break;
      const double thickness = text_.positive("thickness of a layer");
      layers.push_back({.thickness = thickness,
                        .material = material(text_.name("a layer's material")),
                        .heated = heated,
                        .line = line});
      text_.expect(";");
    }
    if (std::ranges::count(layers, true, &IceLayer::heated) != 1)
      refuse(text_.file(), name.line,
             {name.text + " has not exactly one source layer", "the powers of a die heat one layer",
              "give one"});
  }

  template <class Types>
  const auto& type_in(const Types& types, const Word& name) const {
    const auto found = types.find(name.text);
    if (found != types.end()) return found->second;
    refuse(text_.file(), name.line,
           {fmt::format("\"{}\" is not defined", name.text),
            "the stack names layers and dies given before", "add it"});
  }

  void read_stack() {
    if (stack_.chip[0] == 0) missing("dimensions");
    for (;;) {
      auto probe = text_;
      if (probe.accept("channel")) refuse_part("a channel");
      if (text_.accept("layer")) {
        const auto name = text_.name("a layer of the stack");
        add_layers({type_in(layer_types_, text_.name("a layer's type"))}, name.text, "");
      } else if (text_.accept("die")) {
        const auto name = text_.name("a die of the stack");
        const auto& layers = type_in(die_types_, text_.name("a die's type"));
        text_.expect("floorplan");
        add_layers(layers, name.text, text_.take().text);
      } else {
        break;
      }
      if (text_.accept("discretization")) {
        stack_.notes.push_back(text_.place(text_.peek().line) +
                               ": discretization is left out; the cells are those of "
                               "`dimensions`");
        text_.skip_statement();
      } else {
        text_.expect(";");
      }
    }
  }

  /// From the top of the stack down.
  void add_layers(const std::vector<IceLayer>& layers, const std::string& name,
                  const std::string& floorplan) {
    for (auto layer : layers) {
      layer.name = name;
      if (layer.heated) layer.floorplan = floorplan;
      stack_.layers.push_back(std::move(layer));
    }
  }

  void read_solver() {
    if (!text_.accept("steady ;")) {
      text_.expect("transient step");
      text_.positive("step");
      text_.expect(", slot");
      stack_.slot = text_.positive("slot");
      text_.expect(";");
    }
    text_.expect("initial temperature");
    stack_.initial = text_.positive("initial temperature");
    text_.expect(";");
    if (text_.accept("numofcores")) text_.skip_statement();
  }

  /// Temperatures at points become sensors.
  void read_outputs() {
    while (!text_.done()) {
      const auto kind = text_.name("an output");
      if (kind.text != "T") {
        text_.skip_statement();
        continue;
      }
      text_.expect("(");
      const auto die = text_.name("a temperature").text;
      text_.expect(",");
      const double x = text_.number("position");
      text_.expect(",");
      stack_.points.push_back({die, x, text_.number("position"), kind.line});
      text_.skip_statement();
    }
  }

  Statements text_;
  IceStack stack_;
  std::map<std::string, IceLayer> layer_types_;
  std::map<std::string, std::vector<IceLayer>> die_types_;
};

}  // namespace

std::string IceStack::place(std::size_t line) const {
  return fmt::format("{}:{}", file.filename().string(), line);
}

IceStack read_ice_stack(const std::filesystem::path& file) {
  return IceReader(file).read();
}

}  // namespace halotherm::app
