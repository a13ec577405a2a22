// SPDX-License-Identifier: MIT
#include "app/verify/manufactured.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace halotherm::app {

namespace {

constexpr std::string_view axes = "xyz";

/// f or one of its first two derivatives along an axis.
std::string profile(bool periodic, int derivative, int axis) {
  constexpr const char* open[] = {"sin(1.7*{0} + 0.4)", "1.7*cos(1.7*{0} + 0.4)",
                                  "-2.89*sin(1.7*{0} + 0.4)"};
  constexpr const char* wave[] = {"0.6 + 0.4*sin(2*pi*{0} + 0.3)", "0.8*pi*cos(2*pi*{0} + 0.3)",
                                  "-1.6*pi^2*sin(2*pi*{0} + 0.3)"};
  const auto* text = periodic ? wave[derivative] : open[derivative];
  return "(" + fmt::format(fmt::runtime(text), axes[static_cast<std::size_t>(axis)]) + ")";
}

/// Texts of a problem: values are formulas in x, y, z, t.
class Author {
 public:
  explicit Author(const Manufactured& problem) : problem_(problem) {}

  std::string temperature(const std::string& growth) const {
    return "300 + 50*(" + growth + ")*" + product(-1, 0);
  }
  std::string temperature() const { return temperature(growth()); }

  std::string source() const {
    const std::string rate = problem_.steady ? "0" : "-3*sin(3*t)";
    auto text = fmt::format("({})*50*({})*{}", capacity(), rate, product(-1, 0));
    for (int axis = 0; axis < problem_.dimensions; ++axis)
      text += fmt::format(" - ({})*{} - ({})*{}", conductivity(axis), derivative(axis, 2),
                          slope(axis), derivative(axis, 1));
    return text;
  }

  /// The condition of a side; `outward` is the heat that must flow into the domain there.
  std::string side(int axis, int end) const {
    const auto inward =
        fmt::format("{}1*({})*{}", end == 0 ? "-" : "", conductivity(axis), derivative(axis, 1));
    const auto T = "(" + temperature() + ")";
    const std::string h = problem_.steady ? "3" : "3 + sin(t)";
    const auto convection = [&](double share) {
      return fmt::format("convection: {{coefficient: \"{}\", ambient: \"{} + {}*({})/({})\"}}", h,
                         T, share, inward, h);
    };
    switch (problem_.sides) {
      case SideKind::temperature:
        return fmt::format("temperature: \"{}\"", T);
      case SideKind::flux:
        return fmt::format("flux: \"{}\"", inward);
      case SideKind::convection:
        return convection(1);
      case SideKind::flux_and_convection:
        return convection(0.6) + fmt::format(", flux: \"0.4*({})\"", inward);
      case SideKind::radiation: {
        const std::string emissivity = problem_.steady ? "0.8" : "(0.6 + 0.2*cos(t))";
        return convection(0.5) +
               fmt::format(
                   ", radiation: {{emissivity: \"{0}\", ambient: \"1.1*{1}\"}}, flux: "
                   "\"0.5*({2}) - {0}*5.670374419e-8*(1.1^4 - 1)*{1}^4\"",
                   emissivity, T, inward);
      }
      case SideKind::periodic:
        break;
    }
    return "";
  }

  std::string material() const {
    switch (problem_.coefficients) {
      case CoefficientKind::formulas:
        return fmt::format("conductivity: \"{}\", density: \"1 + 0.3*x\", heat_capacity: \"2 - x\"",
                           conductivity(0));
      case CoefficientKind::per_axis: {
        std::string list;
        for (int axis = 0; axis < problem_.dimensions; ++axis)
          list += (axis > 0 ? ", \"" : "\"") + conductivity(axis) + "\"";
        return "conductivity: [" + list + "], density: 1, heat_capacity: 1";
      }
      case CoefficientKind::of_temperature:
      case CoefficientKind::of_temperature_in_uneven_cells:
        return "conductivity: \"1 + (T - 300)^2/5000\", density: 1, heat_capacity: \"1.5 + "
               "0.005*(T - 300)\", temperatures: [240, 360]";
      default:
        return "conductivity: 1, density: 1, heat_capacity: 1";
    }
  }

 private:
  bool periodic() const { return problem_.sides == SideKind::periodic; }
  std::string growth() const { return problem_.steady ? "1" : "cos(3*t)"; }

  /// The product of the profiles, of which that of one axis is derived so often.
  std::string product(int derived_axis, int order) const {
    std::string text;
    for (int axis = 0; axis < problem_.dimensions; ++axis)
      text += (axis > 0 ? "*" : "") + profile(periodic(), axis == derived_axis ? order : 0, axis);
    return text;
  }
  std::string derivative(int axis, int order) const {
    return "50*(" + growth() + ")*" + product(axis, order);
  }

  std::string at_solution(std::string_view of_temperature) const {
    return fmt::format(fmt::runtime(of_temperature), "(" + temperature() + ")");
  }

  /// K along an axis, and its derivative along that axis.
  std::string conductivity(int axis) const {
    const bool wave = periodic();
    switch (problem_.coefficients) {
      case CoefficientKind::formulas: {
        std::string text = wave ? "1 + 0.4*sin(2*pi*x)" : "1 + 0.4*sin(x)";
        if (problem_.dimensions > 1) text += wave ? " + 0.3*cos(2*pi*y)" : " + 0.3*cos(y)";
        if (problem_.dimensions > 2) text += wave ? " + 0.2*sin(2*pi*z)" : " + 0.2*z";
        return text;
      }
      case CoefficientKind::per_axis:
        if (axis == 0) return "2";
        if (axis == 1) return wave ? "1 + 0.4*sin(2*pi*y)" : "1 + 0.4*x*y";
        return "0.5";
      case CoefficientKind::of_temperature:
      case CoefficientKind::of_temperature_in_uneven_cells:
        return at_solution("(1 + ({0} - 300)^2/5000)");
      default:
        return "1";
    }
  }
  std::string slope(int axis) const {
    const bool wave = periodic();
    switch (problem_.coefficients) {
      case CoefficientKind::formulas:
        if (axis == 0) return wave ? "0.8*pi*cos(2*pi*x)" : "0.4*cos(x)";
        if (axis == 1) return wave ? "-0.6*pi*sin(2*pi*y)" : "-0.3*sin(y)";
        return wave ? "0.4*pi*cos(2*pi*z)" : "0.2";
      case CoefficientKind::per_axis:
        if (axis != 1) return "0";
        return wave ? "0.8*pi*cos(2*pi*y)" : "0.4*x";
      case CoefficientKind::of_temperature:
      case CoefficientKind::of_temperature_in_uneven_cells:
        return at_solution("(({0} - 300)/2500)") + "*" + derivative(axis, 1);
      default:
        return "0";
    }
  }
  std::string capacity() const {
    switch (problem_.coefficients) {
      case CoefficientKind::formulas:
        return "(1 + 0.3*x)*(2 - x)";
      case CoefficientKind::of_temperature:
      case CoefficientKind::of_temperature_in_uneven_cells:
        return at_solution("(1.5 + 0.005*({0} - 300))");
      default:
        return "1";
    }
  }

  const Manufactured& problem_;
};

/// Faces whose distances differ smoothly by a factor of up to 1.9.
std::string stretched_axis(int cells) {
  std::string faces;
  for (int n = 0; n <= cells; ++n) {
    const double along = static_cast<double>(n) / cells;
    const double face = along + 0.05 * std::sin(2 * std::numbers::pi * along);
    faces += fmt::format("{}{:.17g}", n > 0 ? ", " : "", n == 0 ? 0.0 : n == cells ? 1.0 : face);
  }
  return "{faces: [" + faces + "]}";
}

}  // namespace

std::string_view name_of(SideKind kind) {
  constexpr std::string_view names[] = {"temperature",         "flux",      "convection",
                                        "flux and convection", "radiation", "periodic"};
  return names[static_cast<int>(kind)];
}

std::string_view name_of(CoefficientKind kind) {
  constexpr std::string_view names[] = {"constant", "formulas",     "of each axis",
                                        "of T",     "uneven cells", "of T in uneven cells"};
  return names[static_cast<int>(kind)];
}

std::string Manufactured::temperature() const {
  return Author(*this).temperature();
}

std::string Manufactured::configuration(int cells) const {
  const Author author(*this);
  std::string grid, sides_text;
  for (int axis = 0; axis < dimensions; ++axis) {
    const char name = axes[static_cast<std::size_t>(axis)];
    grid += fmt::format("  {}: {}\n", name,
                        coefficients == CoefficientKind::uneven_cells ||
                                coefficients == CoefficientKind::of_temperature_in_uneven_cells
                            ? stretched_axis(cells)
                            : fmt::format("{{cells: {}, upper: 1}}", cells));
    if (sides == SideKind::periodic) {
      sides_text += fmt::format("  {}: periodic\n", name);
      continue;
    }
    for (int end = 0; end < 2; ++end)
      sides_text +=
          fmt::format("  {}{}: {{{}}}\n", name, end == 0 ? '-' : '+', author.side(axis, end));
  }
  return "grid:\n" + grid + "materials: {solid: {" + author.material() +
         "}}\nregions: [{source: \"" + author.source() + "\"}]\ninitial: {temperature: \"" +
         author.temperature("1") + "\"}\nsides:\n" + sides_text;
}

}  // namespace halotherm::app
