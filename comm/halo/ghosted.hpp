// SPDX-License-Identifier: MIT
// The fields of an exchange, and the type of those with valid ghost cells, for code without MPI.
#pragma once

#include "comm/device/grid_view.hpp"

#include <concepts>

namespace halotherm::comm {

template <class Real>
class Pending;

/// Views of the fields that are exchanged at once, as one kernel argument.
template <class Value>
struct FieldViews {
  static constexpr int capacity = 4;

  FieldViews() = default;
  /// One view or several, at most `capacity`: a view is a list of one.
  template <std::convertible_to<GridView<Value>>... Views>
  requires(sizeof...(Views) > 0 && sizeof...(Views) <= capacity)
      // NOLINTNEXTLINE(google-explicit-constructor)
      FieldViews(const Views&... fields)
      : count(sizeof...(Views)), views{fields...} {}
  /// Read-only views of the same fields.
  template <class Other>
  // NOLINTNEXTLINE(google-explicit-constructor)
  requires std::same_as<const Other, Value> FieldViews(const FieldViews<Other>& other)
      : count(other.count) {
    for (int n = 0; n < count; ++n) views[n] = other.views[n];
  }

  int count = 0;
  GridView<Value> views[capacity] = {};
};

/// Read-only views of fields whose ghost cells are valid. Only Pending::finish makes one, so it
/// proves that the exchange has finished. Valid until a field is written again.
template <class Real>
class Ghosted {
 public:
  /// The first field of the exchange, mostly the only one.
  const GridView<const Real>& view() const { return fields_.views[0]; }
  /// The n-th field alone.
  Ghosted operator[](int n) const { return Ghosted(fields_.views[n]); }

 private:
  friend class Pending<Real>;
  explicit Ghosted(const FieldViews<const Real>& fields) : fields_(fields) {}
  FieldViews<const Real> fields_;
};

}  // namespace halotherm::comm
