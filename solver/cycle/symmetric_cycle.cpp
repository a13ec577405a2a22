// SPDX-License-Identifier: MIT
#include "solver/cycle/symmetric_cycle.hpp"

#include "solver/cycle/cycle_waves.hpp"
#include "solver/linear/smoother.hpp"
#include "solver/linear/sum_of_strips.hpp"
#include "solver/linear/vectors.hpp"

#include <utility>

namespace halotherm::solver {

namespace {

template <class Matrix>
struct DescendStrip {
  const SymmetricCycle* cycle;
  Matrix A;
  comm::GridView<float> x, coarse_b;
  void operator()(const comm::Box& coarse_part) const {
    DescentWave<Matrix>(*cycle, A, coarse_part, x, coarse_b).run();
  }
};

template <class Matrix>
struct AscendStrip {
  const SymmetricCycle* cycle;
  Matrix A;
  comm::GridView<const float> coarse, x;
  comm::GridView<float> result;
  void operator()(const comm::Box& part) const {
    CorrectionWave<Matrix>(*cycle, A, part, coarse, x, result).run([](int, int) {});
  }
};

template <class Matrix>
struct AscendAndSumStrip : ExactReduction {
  AscendStrip<Matrix> strip;

  AscendAndSumStrip(const SumScale& the_scale, const AscendStrip<Matrix>& the_strip)
      : ExactReduction(the_scale), strip(the_strip) {}

  void operator()(const comm::Box& part, Collected& value) const {
    const auto& [cycle, A, coarse, x, result] = strip;
    CorrectionWave<Matrix>(*cycle, A, part, coarse, x, result).run([&](int j, int k) {
      const int begin = part.lower[0];
      add_products(part.extent(0), &strip.cycle->b(begin, j, k), &strip.result(begin, j, k), value);
    });
  }
};

/// Calls `work` with the matrix on CPUs: blocks in three dimensions.
template <class Work>
void with_matrix_of_rows(const SymmetricCycle& cycle, const Work& work) {
  with_matrix(cycle.A, cycle.grid().dimensions, [&](const auto& matrix, auto dim) {
    if constexpr (comm::kernels_run_on_host && dim() == 3) work(matrix);
  });
}

void descend_by_wave(const comm::Space& space, const SymmetricCycle& cycle,
                     const comm::GridView<float>& x, const comm::GridView<float>& coarse_b) {
  const auto& factors = cycle.transfer.c.factors;
  const auto bytes = factors[1] * cycle_bytes_a_row(cycle.owned.extent(0));
  const Strips strips(cycle.coarse_owned, bytes, 1, space.concurrency());
  with_matrix_of_rows(cycle, [&](const auto& A) {
    for_each_strip(space, "descent", strips,
                   DescendStrip<std::decay_t<decltype(A)>>{&cycle, A, x, coarse_b});
  });
}

Strips strips_of(const comm::Space& space, const SymmetricCycle& cycle) {
  return {cycle.owned, cycle_bytes_a_row(cycle.owned.extent(0)), SymmetricCycle::sweeps,
          space.concurrency()};
}

void sweep(const comm::Space& space, const SymmetricCycle& cycle, float weight, Field<float>& x,
           Field<float>& next) {
  cycle.exchange(x);
  sweep(space, cycle.grid().dimensions, cycle.owned, cycle.A, weight, cycle.b,
        std::as_const(x).view(), next.view());
  swap(x, next);
}

void correct_and_sweep(const comm::Space& space, const SymmetricCycle& cycle,
                       const comm::GridView<const float>& coarse_x, Field<float>& x,
                       Field<float>& next) {
  add_correction(space, cycle.transfer, cycle.owned, coarse_x, x.view());
  sweep(space, cycle, cycle.weights[1], x, next);
  sweep(space, cycle, cycle.weights[0], x, next);
}

}  // namespace

void descend(const comm::Space& space, const SymmetricCycle& cycle, Field<float>& x,
             Field<float>& next, const comm::GridView<float>& coarse_b) {
  if (!cycle.exchange) return descend_by_wave(space, cycle, x.view(), coarse_b);
  const int dimensions = cycle.grid().dimensions;
  first_sweep(space, dimensions, cycle.owned, cycle.A, cycle.weights[0], cycle.b, x.view());
  sweep(space, cycle, cycle.weights[1], x, next);
  cycle.exchange(x);
  residual(space, dimensions, cycle.owned, cycle.A, cycle.b, std::as_const(x).view(), next.view());
  cycle.exchange(next);
  restrict_by(space, cycle.transfer, cycle.coarse_owned, std::as_const(next).view(), coarse_b);
}

void ascend(const comm::Space& space, const SymmetricCycle& cycle,
            const comm::GridView<const float>& coarse_x, Field<float>& x, Field<float>& next) {
  if (cycle.exchange) return correct_and_sweep(space, cycle, coarse_x, x, next);
  with_matrix_of_rows(cycle, [&](const auto& A) {
    using Strip = AscendStrip<std::decay_t<decltype(A)>>;
    for_each_strip(space, "correction", strips_of(space, cycle),
                   Strip{&cycle, A, coarse_x, std::as_const(x).view(), next.view()});
  });
  swap(x, next);
}

ProductSum ascend_and_sum(const comm::Space& space, const SymmetricCycle& cycle,
                          const comm::GridView<const float>& coarse_x, Field<float>& x,
                          Field<float>& next, const SumScale& scale) {
  ProductSum sum;
  if (cycle.exchange) {
    correct_and_sweep(space, cycle, coarse_x, x, next);
    return sum_of_products(space, cycle.owned, cycle.b, std::as_const(x).view(), scale);
  }
  with_matrix_of_rows(cycle, [&](const auto& A) {
    using Strip = AscendAndSumStrip<std::decay_t<decltype(A)>>;
    sum = sum_of_strips(space, "correction", strips_of(space, cycle),
                        Strip(scale, {&cycle, A, coarse_x, std::as_const(x).view(), next.view()}));
  });
  swap(x, next);
  return sum;
}

}  // namespace halotherm::solver
