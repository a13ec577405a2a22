// SPDX-License-Identifier: MIT
// The type of a field with valid ghost cells, for code without MPI.
#pragma once

#include "comm/device/grid_view.hpp"

namespace halotherm::comm {

template <class Real>
class Pending;

/// A read-only view of a field whose ghost cells are valid. Only Pending::finish makes one, so it
/// proves that the exchange has finished. Valid until the field is written again.
template <class Real>
class Ghosted {
 public:
  const GridView<const Real>& view() const { return view_; }

 private:
  friend class Pending<Real>;
  explicit Ghosted(const GridView<const Real>& view) : view_(view) {}
  GridView<const Real> view_;
};

}  // namespace halotherm::comm
