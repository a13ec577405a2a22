// SPDX-License-Identifier: MIT
#include "app/linear/conjugate_gradients.hpp"

#include "solver/linear/smoother.hpp"

#include <cmath>
#include <utility>

namespace halotherm::app {

ConjugateGradients::ConjugateGradients(Multigrid& multigrid)
    : multigrid_(multigrid),
      e_(multigrid.finest().field("correction")),
      p_(multigrid.finest().field("search direction")),
      Ap_(multigrid.finest().field("A p")) {}

auto ConjugateGradients::solve(double reduction, int most) -> Result {
  auto& level = multigrid_.finest();
  const auto& space = level.space();
  const auto product = [&](Products& products, const solver::Field<float>& a,
                           const solver::Field<float>& b) {
    return products.sum(level.communicator, space, level.owned, a.view(), b.view());
  };
  auto& r = level.b;
  const double first = product(rr_, r, r);
  solver::clear(space, level.owned, e_.view());
  solver::clear(space, level.owned, p_.view());
  Result result;
  double rz_before = 0;
  while (result.iterations < most && result.reduction > reduction && first > 0) {
    multigrid_.symmetric_cycle();
    const auto& z = level.x;
    const double rz = product(rz_, r, z);
    const double factor = result.iterations == 0 ? 0 : rz / rz_before;
    solver::scale_and_add(space, level.owned, static_cast<float>(factor), z.view(), p_.view());
    level.exchange(p_);
    solver::residual(space, level.dimensions(), level.owned, level.A(), {},
                     std::as_const(p_).view(), Ap_.view());  // −A p
    const double pAp = -product(pAp_, p_, Ap_);
    if (!(pAp > 0) || !(rz > 0)) break;  // rounding
    solver::advance(space, level.owned, static_cast<float>(rz / pAp), std::as_const(p_).view(),
                    std::as_const(Ap_).view(), e_.view(), r.view());
    rz_before = rz;
    ++result.iterations;
    result.reduction = std::sqrt(product(rr_, r, r) / first);
  }
  solver::clear_void_cells(space, level.dimensions(), level.owned, level.A(), e_.view());
  return result;
}

}  // namespace halotherm::app
