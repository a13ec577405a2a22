// SPDX-License-Identifier: MIT
#include "comm/mpi/deferred_error.hpp"

#include <limits>

namespace halotherm::comm {

void DeferredError::check(const Communicator& communicator) const {
  constexpr double never = std::numeric_limits<double>::infinity();
  const double mine = first_ ? first_->first : never;
  const double first = communicator.min(mine);
  if (first == never) return;
  agree(communicator, [&] {
    if (mine == first) throw Error(first_->second);
  });
}

}  // namespace halotherm::comm
