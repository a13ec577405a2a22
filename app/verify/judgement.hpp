// SPDX-License-Identifier: MIT
// What a verification found, and whether that suffices.
#pragma once

#include "comm/system/error_text.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halotherm::app {

/// How a number is judged.
enum class Required { at_least, at_most };
std::string_view name_of(Required required);

/// One claim with what was measured.
struct Claim {
  std::string group;  ///< "order in space", ...
  std::string name;   ///< the case: "2-D, rkl2, flux, K constant"
  double measured = 0;
  Required required = Required::at_most;
  double bound = 0;
  std::string detail{};      ///< from which numbers `measured` follows
  std::string impossible{};  ///< why it was not measured, as a transport that is missing; else ""
  double seconds = 0;        ///< that the measurement took, if of several claims its share
  std::string row{}, column{};  ///< its place in the table of its group; "" if listed by itself
  // of orders
  int dimensions = 0;
  std::string integrator{}, sides{}, coefficients{};

  bool was_measured() const { return impossible.empty(); }
  /// A number that is not finite fails.
  bool failed() const;
};

struct VerifyRecord {
  bool quick = false;
  int ranks = 1;
  std::vector<Claim> claims;
  double seconds = 0;

  int measured() const;
  int failed() const;
};

/// The order of accuracy that follows from errors with steps or cells of a size and of 1/`ratio` of
/// it; not a number if an error is not a positive number.
double observed_order(double coarse_error, double fine_error, double ratio);

/// The error that ends the command: none if nothing failed.
std::optional<comm::ErrorText> what_failed(const VerifyRecord& record);

}  // namespace halotherm::app
