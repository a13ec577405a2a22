// SPDX-License-Identifier: MIT
#include "app/verify/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halotherm::app {

std::string_view name_of(Required required) {
  return required == Required::at_least ? "at least" : "at most";
}

bool Claim::failed() const {
  if (!was_measured()) return false;
  if (!std::isfinite(measured)) return true;
  return required == Required::at_least ? !(measured >= bound) : !(measured <= bound);
}

int VerifyRecord::measured() const {
  return static_cast<int>(std::ranges::count_if(claims, &Claim::was_measured));
}

int VerifyRecord::failed() const {
  return static_cast<int>(std::ranges::count_if(claims, &Claim::failed));
}

double observed_order(double coarse_error, double fine_error, double ratio) {
  const bool usable = std::isfinite(coarse_error) && std::isfinite(fine_error) &&
                      coarse_error > 0 && fine_error > 0;
  if (!usable) return std::numeric_limits<double>::quiet_NaN();
  return std::log(coarse_error / fine_error) / std::log(ratio);
}

std::optional<comm::ErrorText> what_failed(const VerifyRecord& record) {
  const auto first = std::ranges::find_if(record.claims, &Claim::failed);
  if (first == record.claims.end()) return std::nullopt;
  return comm::ErrorText{
      fmt::format("{} of {} claims failed, first: {}: {}", record.failed(), record.measured(),
                  first->group, first->name),
      fmt::format("{:.4g} was measured, {} {:.4g} is required", first->measured,
                  name_of(first->required), first->bound),
      "report it with the output of halotherm verify --json and halotherm info, and do not rely on "
      "this build here"};
}

}  // namespace halotherm::app
