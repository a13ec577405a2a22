// SPDX-License-Identifier: MIT
#include "solver/linear/vectors.hpp"

#include "comm/device/for_each_cell.hpp"
#include "solver/field/dimensions.hpp"

namespace halotherm::solver {

namespace {

template <class Value>
struct Products : ExactReduction {
  comm::GridView<const Value> a, b;

  Products(const comm::GridView<const Value>& the_a, const comm::GridView<const Value>& the_b,
           const SumScale& the_scale)
      : ExactReduction(the_scale), a(the_a), b(the_b) {}

  KOKKOS_FORCEINLINE_FUNCTION double term(int i, int j, int k) const {
    const double product = static_cast<double>(a(i, j, k));
    return b.data == nullptr ? product : product * static_cast<double>(b(i, j, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_term(double term, int, int, int, Collected& value) const {
    add(term, value);
  }
  /// On CPUs.
  void row(int first, int end, int j, int k, Collected& value) const {
    const Value* one = &a(first, j, k);
    if (b.data == nullptr)
      return add_all(
          end - first, [&](int n) { return static_cast<double>(one[n]); }, value);
    add_products(end - first, one, &b(first, j, k), value);
  }
};

struct Clear {
  comm::GridView<float> x;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const { x(i, j, k) = 0; }
};

template <int Dim, class Matrix, class Real>
struct ResidualTerms {
  Matrix A;
  comm::GridView<const Real> T;
  comm::GridView<float> terms;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    terms(i, j, k) = A.template around<Dim>(i, j, k).diagonal() * static_cast<float>(T(i, j, k));
  }
};

template <class Real>
struct Round {
  Rounded<Real> rounded;
  comm::GridView<float> b;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    b(i, j, k) = rounded.rounding(rounded.values(i, j, k), i, j, k);
  }
};

template <class Real>
struct Correct {
  double factor;
  comm::GridView<const float> x;
  comm::GridView<Real> T;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    T(i, j, k) = corrected(T(i, j, k), factor, x(i, j, k));
  }
};

}  // namespace

template <class Value>
ProductSum sum_of_products(const comm::Space& space, const comm::Box& owned,
                           const comm::GridView<const Value>& a,
                           const comm::GridView<const Value>& b, const SumScale& scale) {
  return exact_sum(space, "sum of products", owned, Products<Value>(a, b, scale));
}

template <class Real>
void round_to(const comm::Space& space, const comm::Box& owned, const Rounded<Real>& rounded,
              const comm::GridView<float>& b) {
  comm::for_each_cell(space, "round", owned, Round<Real>{rounded, b});
}

void clear(const comm::Space& space, const comm::Box& owned, const comm::GridView<float>& x) {
  comm::for_each_cell(space, "clear", owned, Clear{x});
}

template <class Real>
void residual_terms(const comm::Space& space, int dimensions, const comm::Box& owned,
                    const AnyMatrixView& A, const comm::GridView<const Real>& T,
                    const comm::GridView<float>& terms) {
  with_matrix(A, dimensions, [&](const auto& matrix, auto dim) {
    using Form = std::decay_t<decltype(matrix)>;
    comm::for_each_cell(space, "residual terms", owned,
                        ResidualTerms<dim(), Form, Real>{matrix, T, terms});
  });
}

template <class Real>
void correct(const comm::Space& space, const comm::Box& owned, double factor,
             const comm::GridView<const float>& x, const comm::GridView<Real>& T) {
  comm::for_each_cell(space, "correct", owned, Correct<Real>{factor, x, T});
}

#define HALOTHERM_VECTORS(Real)                                                                  \
  template ProductSum sum_of_products(const comm::Space&, const comm::Box&,                      \
                                      const comm::GridView<const Real>&,                         \
                                      const comm::GridView<const Real>&, const SumScale&);       \
  template void round_to(const comm::Space&, const comm::Box&, const Rounded<Real>&,             \
                         const comm::GridView<float>&);                                          \
  template void residual_terms(const comm::Space&, int, const comm::Box&, const AnyMatrixView&,  \
                               const comm::GridView<const Real>&, const comm::GridView<float>&); \
  template void correct(const comm::Space&, const comm::Box&, double,                            \
                        const comm::GridView<const float>&, const comm::GridView<Real>&);
HALOTHERM_VECTORS(float)
HALOTHERM_VECTORS(double)

}  // namespace halotherm::solver
