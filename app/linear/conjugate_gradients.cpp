// SPDX-License-Identifier: MIT
#include "app/linear/conjugate_gradients.hpp"

#include "solver/linear/search_direction.hpp"
#include "solver/linear/smoother.hpp"

#include <cmath>
#include <utility>

namespace halotherm::app {

ConjugateGradients::ConjugateGradients(Multigrid& multigrid)
    : multigrid_(multigrid),
      e_(multigrid.finest().field("correction")),
      p_(multigrid.finest().field("search direction")),
      flow_(multigrid.finest().field("A p")) {}

auto ConjugateGradients::solve(double reduction, int most) -> Result {
  auto& level = multigrid_.finest();
  const auto& space = level.space();
  const auto product_of = [&](const solver::Field<float>& a, const solver::Field<float>& b) {
    return [&](const solver::SumScale& scale) {
      return solver::sum_of_products<float>(space, level.owned, a.view(), b.view(), scale);
    };
  };
  auto& r = level.b;
  const double first = rr_.sum(level.communicator, product_of(r, r));
  solver::clear(space, level.owned, e_.view());
  solver::clear(space, level.grid.grown(level.owned, 1), p_.view());
  Result result;
  double rz_before = 0;
  while (result.iterations < most && result.reduction > reduction && first > 0) {
    const double rz = rz_.sum(
        level.communicator,
        [&](const auto& scale) { return multigrid_.symmetric_cycle_and_sum(scale); },
        product_of(r, level.x));
    const double factor = result.iterations == 0 ? 0 : rz / rz_before;
    const double pAp = -set_direction(static_cast<float>(factor));
    if (!(pAp > 0) || !(rz > 0)) break;  // rounding
    const double rr = rr_.sum(
        level.communicator,
        [&](const auto& scale) {
          return solver::advance(space, level.owned, static_cast<float>(rz / pAp),
                                 std::as_const(p_).view(), std::as_const(flow_).view(), e_.view(),
                                 r.view(), scale);
        },
        product_of(r, r));
    rz_before = rz;
    ++result.iterations;
    result.reduction = std::sqrt(rr / first);
  }
  solver::clear_void_cells(space, level.dimensions(), level.owned, level.A(), e_.view());
  return result;
}
double ConjugateGradients::set_direction(float factor) {
  auto& level = multigrid_.finest();
  const auto& space = level.space();
  auto& z = level.x;
  auto& next = level.next;
  level.exchange(z);
  const solver::SearchDirection direction{factor, std::as_const(z).view(), std::as_const(p_).view(),
                                          next.view(), flow_.view()};
  const double sum = pAp_.sum(
      level.communicator,
      [&](const auto& scale) {
        return solver::set_direction(space, level.grid, level.owned, level.A(), direction, scale);
      },
      [&](const auto& scale) {
        return solver::sum_of_products<float>(space, level.owned, std::as_const(next).view(),
                                              std::as_const(flow_).view(), scale);
      });
  swap(p_, next);
  return sum;
}

}  // namespace halotherm::app
