// SPDX-License-Identifier: MIT
#include "app/verify/verify_report.hpp"

#include "app/measure/json.hpp"
#include "io/text/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace halotherm::app {

namespace {

using Claims = std::vector<const Claim*>;

template <class Member>
std::vector<std::string> values_of(const Claims& claims, Member member) {
  std::vector<std::string> found;
  for (const auto* claim : claims) {
    const auto& value = claim->*member;
    if (std::ranges::find(found, value) == found.end()) found.push_back(value);
  }
  return found;
}

bool is_worse(const Claim& a, const Claim& b) {
  if (a.failed() != b.failed()) return a.failed();
  return a.required == Required::at_least ? a.measured < b.measured : a.measured > b.measured;
}

/// The worst claim of a place in the table.
const Claim* worst_of(const Claims& claims, const std::string& row, const std::string& column) {
  const Claim* worst = nullptr;
  for (const auto* claim : claims) {
    if (claim->row != row || claim->column != column) continue;
    if (worst == nullptr || is_worse(*claim, *worst)) worst = claim;
  }
  return worst;
}

std::string cell_of(const Claim* claim) {
  if (claim == nullptr) return "-";
  if (claim->required == Required::at_most) return claim->failed() ? "FAIL" : "ok";
  return fmt::format("{:.2f}{}", claim->measured, claim->failed() ? " FAIL" : "");
}

std::string table_of(const Claims& claims) {
  const auto columns = values_of(claims, &Claim::column);
  auto rows = values_of(claims, &Claim::row);
  std::size_t widest = 0;
  for (const auto& row : rows) widest = std::max(widest, row.size());
  const auto width = [](const std::string& text) { return std::max<std::size_t>(9, text.size()); };
  auto text = fmt::format("  {:{}}", "", widest);
  for (const auto& column : columns) text += fmt::format("  {:>{}}", column, width(column));
  for (const auto& row : rows) {
    text += fmt::format("\n  {:{}}", row, widest);
    for (const auto& column : columns)
      text += fmt::format("  {:>{}}", cell_of(worst_of(claims, row, column)), width(column));
  }
  return text + "\n";
}

/// What the numbers of a table are.
std::string heading_of(const std::string& group, const Claims& claims) {
  if (claims.front()->coefficients.empty() || claims.front()->row.empty()) return group;
  return fmt::format("{}: the least over coefficients ({}); at least {} is required", group,
                     fmt::join(values_of(claims, &Claim::coefficients), ", "),
                     claims.front()->bound);
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
          {"seconds", claim.seconds},
          {"detail", text_or_null(claim.detail)}};
}

}  // namespace

std::string verify_text(const VerifyRecord& record) {
  Claims all;
  for (const auto& claim : record.claims) all.push_back(&claim);
  std::string text;
  for (const auto& group : values_of(all, &Claim::group)) {
    Claims placed, listed, of_group;
    for (const auto* claim : all) {
      if (claim->group != group) continue;
      of_group.push_back(claim);
      if (!claim->row.empty()) placed.push_back(claim);
      if (claim->row.empty() || claim->failed()) listed.push_back(claim);
    }
    text += "\n" + heading_of(group, of_group) + "\n";
    if (!placed.empty()) text += table_of(placed);
    for (const auto* claim : listed) text += line_of(*claim);
  }
  const auto left_out = static_cast<int>(record.claims.size()) - record.measured();
  return text + fmt::format("\nverdict        {} of {} claims hold on {} rank{}{}, {}",
                            record.measured() - record.failed(), record.measured(), record.ranks,
                            record.ranks == 1 ? "" : "s",
                            left_out > 0 ? fmt::format(" ({} not available)", left_out) : "",
                            io::duration_text(record.seconds));
}

std::string verify_json(const VerifyRecord& record, const comm::Places& places) {
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
