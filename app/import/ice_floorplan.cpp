// SPDX-License-Identifier: MIT
#include "app/import/ice_floorplan.hpp"

#include <fmt/format.h>

namespace halotherm::app {

namespace {

/// A rectangle inside of the die.
std::array<double, 4> inside(const Statements& text, std::size_t line,
                             const std::array<double, 4>& rectangle, double length, double width) {
  const auto& [x, y, dx, dy] = rectangle;
  const double rounding = 1e-9 * (length + width);
  if (x >= 0 && y >= 0 && dx > 0 && dy > 0 && x + dx <= length + rounding &&
      y + dy <= width + rounding)
    return rectangle;
  refuse(text.file(), line,
         {fmt::format("the rectangle at ({:g}, {:g}) of {:g} x {:g} um is not on the chip", x, y,
                      dx, dy),
          fmt::format("the chip has {:g} x {:g} um", length, width), "correct one of the two"});
}

IceElement read_element(Statements& text, double length, double width,
                        std::vector<std::string>& notes) {
  const auto name = text.name("an element");
  IceElement element{.name = name.text, .line = name.line};
  text.expect(":");
  const auto add = [&](const std::array<double, 4>& rectangle) {
    element.rectangles.push_back(inside(text, name.line, rectangle, length, width));
  };
  while (!text.accept("power values")) {
    if (text.accept("position")) {
      const double x = text.number("position");
      text.expect(",");
      const double y = text.number("position");
      text.expect("; dimension");
      const double dx = text.number("dimension");
      text.expect(",");
      add({x, y, dx, text.number("dimension")});
    } else if (text.accept("rectangle (")) {
      const auto values = text.numbers("rectangle");
      if (values.size() != 4)
        text.refuse_next({fmt::format("a rectangle has {} numbers", values.size()),
                          "it has x, y, length and width", "give four"});
      text.expect(")");
      add({values[0], values[1], values[2], values[3]});
    } else if (text.accept("material")) {
      element.material = text.name("an element's material").text;
    } else if (text.accept("discretization")) {
      text.numbers("discretization");
      notes.push_back(text.place(name.line) +
                      ": discretization is left out; the cells are those of `dimensions`");
    } else {
      refuse(text.file(), name.line,
             {name.text + " has no power values",
              fmt::format("\"{}\" follows instead", comm::shortened(text.peek().text, 40)),
              "give its powers, one a slot"});
    }
    text.expect(";");
  }
  element.power = text.numbers("power");
  text.expect(";");
  if (element.rectangles.empty())
    refuse(text.file(), name.line,
           {name.text + " has no rectangle", "heat needs a place", "give position and dimension"});
  return element;
}

}  // namespace

std::vector<IceElement> read_ice_floorplan(const std::filesystem::path& file, double length,
                                           double width, std::vector<std::string>& notes) {
  Statements text(file);
  std::vector<IceElement> elements;
  while (!text.done()) elements.push_back(read_element(text, length, width, notes));
  if (!elements.empty()) return elements;
  refuse(file, 1,
         {"has no element", "a floorplan lists elements with their powers", "give the right file"});
}

}  // namespace halotherm::app
