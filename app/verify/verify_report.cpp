// SPDX-License-Identifier: MIT
#include "app/verify/verify_report.hpp"

#include "app/measure/json.hpp"
#include "io/text/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace halotherm::app {

namespace {

constexpr const char* space = "order in space";

template <class Member>
std::vector<std::string> values_of(const std::vector<const Claim*>& claims, Member member) {
  std::vector<std::string> found;
  for (const auto* claim : claims) {
    const auto& value = claim->*member;
    if (std::ranges::find(found, value) == found.end()) found.push_back(value);
  }
  return found;
}

/// The least order over all coefficients, "-" if there is none; a failed one is marked.
std::string least(const std::vector<const Claim*>& claims, int dimensions,
                  const std::string& integrator, const std::string& sides) {
  const Claim* worst = nullptr;
  for (const auto* claim : claims) {
    if (claim->dimensions != dimensions || claim->integrator != integrator || claim->sides != sides)
      continue;
    if (worst == nullptr || claim->failed() || claim->measured < worst->measured) worst = claim;
    if (worst->failed()) break;
  }
  if (worst == nullptr) return "-";
  return fmt::format("{:.2f}{}", worst->measured, worst->failed() ? " !" : "");
}

/// Dimensions and integrators down, sides across.
std::string space_table(const std::vector<const Claim*>& claims) {
  const auto sides = values_of(claims, &Claim::sides);
  auto text = fmt::format(
      "\norder in space: the least over coefficients ({}); at least {} is "
      "required\n{:22}",
      fmt::join(values_of(claims, &Claim::coefficients), ", "), claims.front()->bound, "");
  const auto width = [](const std::string& side) { return std::max<std::size_t>(7, side.size()); };
  for (const auto& side : sides) text += fmt::format("  {:>{}}", side, width(side));
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    for (const auto& integrator : values_of(claims, &Claim::integrator)) {
      text += fmt::format("\n  {}-D  {:<15}", dimensions, integrator);
      for (const auto& side : sides)
        text += fmt::format("  {:>{}}", least(claims, dimensions, integrator, side), width(side));
    }
  }
  return text + "\n";
}

std::string line_of(const Claim& claim) {
  if (!claim.was_measured())
    return fmt::format("  -     {:<52} not available: {}\n", claim.name, claim.impossible);
  return fmt::format("  {:<4}  {:<52} {:>9.3g}  {} {:<6.3g}  {}\n", claim.failed() ? "FAIL" : "ok",
                     claim.name, claim.measured, name_of(claim.required), claim.bound,
                     claim.detail);
}

Json claim_json(const Claim& claim) {
  const bool finite = std::isfinite(claim.measured);
  return {{"group", claim.group},
          {"name", claim.name},
          {"dimensions", claim.dimensions > 0 ? Json(claim.dimensions) : Json(nullptr)},
          {"integrator", text_or_null(claim.integrator)},
          {"sides", text_or_null(claim.sides)},
          {"coefficients", text_or_null(claim.coefficients)},
          {"measured", claim.was_measured() && finite ? Json(claim.measured) : Json(nullptr)},
          {"required", name_of(claim.required)},
          {"bound", claim.bound},
          {"verdict", !claim.was_measured() ? "not available"
                      : claim.failed()      ? "failed"
                                            : "ok"},
          {"unavailable_reason", text_or_null(claim.impossible)},
          {"detail", text_or_null(claim.detail)}};
}

}  // namespace

std::string verify_text(const VerifyRecord& record) {
  std::string text, group;
  std::vector<const Claim*> in_space;
  for (const auto& claim : record.claims) {
    if (claim.group == space) {
      in_space.push_back(&claim);
      continue;
    }
    if (claim.group != group) text += "\n" + claim.group + "\n";
    group = claim.group;
    text += line_of(claim);
  }
  if (!in_space.empty()) text = space_table(in_space) + text;
  std::string failures;
  for (const auto& claim : record.claims) {
    if (claim.failed() && claim.group == space) failures += line_of(claim);
  }
  if (!failures.empty()) text += "\nfailed in the table of orders in space\n" + failures;
  const auto left_out = static_cast<int>(record.claims.size()) - record.measured();
  return text + fmt::format("\nverdict        {} of {} claims hold on {} rank{}{}, {}",
                            record.measured() - record.failed(), record.measured(), record.ranks,
                            record.ranks == 1 ? "" : "s",
                            left_out > 0 ? fmt::format(" ({} not available)", left_out) : "",
                            io::duration_text(record.seconds));
}

std::string verify_json(const VerifyRecord& record, const std::vector<comm::Place>& places) {
  Json claims = Json::array();
  for (const auto& claim : record.claims) claims.push_back(claim_json(claim));
  const Json json{{"program", program_json()},
                  {"places", places},
                  {"ranks", record.ranks},
                  {"quick", record.quick},
                  {"passed", record.failed() == 0},
                  {"measured", record.measured()},
                  {"failed", record.failed()},
                  {"seconds", record.seconds},
                  {"claims", claims}};
  return json.dump(2) + "\n";
}

}  // namespace halotherm::app
