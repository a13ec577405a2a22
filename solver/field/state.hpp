// SPDX-License-Identifier: MIT
// The fields that steps advance, and from which a run restarts.
#pragma once

#include "comm/halo/ghosted.hpp"
#include "comm/partition/quantity.hpp"
#include "solver/field/field.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace halotherm::solver {

/// Owns one field for each quantity, all on the cells of one block, in the order in which
/// exchanges, checkpoints and snapshots take them. The temperature comes first; integrators may
/// keep more, such as earlier levels in time, and numbers.
template <class Real>
class State {
 public:
  State(std::vector<comm::Quantity> quantities, const comm::Box& owned, const comm::Int3& ghosts)
      : quantities_(std::move(quantities)) {
    for (const auto& quantity : quantities_)
      fields_.emplace_back(quantity.description, owned, ghosts);
  }

  std::size_t size() const { return fields_.size(); }
  const std::vector<comm::Quantity>& quantities() const { return quantities_; }
  Field<Real>& operator[](std::size_t n) { return fields_[n]; }
  const Field<Real>& operator[](std::size_t n) const { return fields_[n]; }
  Field<Real>& temperature() { return fields_.front(); }
  const Field<Real>& temperature() const { return fields_.front(); }

  /// What an integrator keeps from step to step beside fields, by name; part of checkpoints.
  std::map<std::string, double>& numbers() { return numbers_; }
  const std::map<std::string, double>& numbers() const { return numbers_; }

  /// Views of the first `count` fields, for an exchange.
  comm::FieldViews<Real> views(int count) {
    comm::FieldViews<Real> list;
    for (list.count = 0; list.count < count; ++list.count)
      list.views[list.count] = fields_[static_cast<std::size_t>(list.count)].view();
    return list;
  }

 private:
  std::vector<comm::Quantity> quantities_;
  std::vector<Field<Real>> fields_;
  std::map<std::string, double> numbers_;
};

/// Copies the values of the owned cells, x fastest and one field after another. Blocking; see
/// copy_from_host of a field.
template <class Real>
void copy_from_host(std::span<const Real> values, State<Real>& state) {
  for (std::size_t n = 0; n < state.size(); ++n) {
    const auto& owned = state[n].owned();
    const auto cells = static_cast<std::size_t>(owned.size());
    copy_from_host<Real>(values.subspan(n * cells, cells), owned, state[n]);
  }
}

}  // namespace halotherm::solver
