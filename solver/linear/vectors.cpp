// SPDX-License-Identifier: MIT
#include "solver/linear/vectors.hpp"

#include "comm/device/for_each_cell.hpp"
#include "solver/field/dimensions.hpp"
#include "solver/field/reduce_cells.hpp"

#include <algorithm>
#include <cmath>

namespace halotherm::solver {

namespace {

/// Chunks of some products that are not yet part of the sum.
struct Collected {
  static constexpr int most = 1 << 18;  ///< of which chunks stay exact
  ProductSum total;
  double chunks[SumScale::chunks] = {0, 0, 0};
  int count = 0;

  KOKKOS_FORCEINLINE_FUNCTION void hand_over(const SumScale& scale) {
    total.sum.add_chunks(chunks, scale);
    for (double& chunk : chunks) chunk = 0;
    count = 0;
  }
};

template <class Value>
struct Products {
  using value_type = Collected;
  comm::GridView<const Value> a, b;
  SumScale scale;
  double limit;  ///< of the scale

  Products(const comm::GridView<const Value>& the_a, const comm::GridView<const Value>& the_b,
           const SumScale& the_scale)
      : a(the_a), b(the_b), scale(the_scale), limit(the_scale.limit()) {}

  KOKKOS_INLINE_FUNCTION void init(Collected& value) const { value = Collected{}; }
  KOKKOS_INLINE_FUNCTION void join(Collected& value, const Collected& other) const {
    auto rest = other;
    rest.hand_over(scale);
    value.total.sum += rest.total.sum;
    value.total.largest = Kokkos::max(value.total.largest, rest.total.largest);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k, Collected& value) const {
    double product = static_cast<double>(a(i, j, k));
    if (b.data != nullptr) product *= static_cast<double>(b(i, j, k));
    const double magnitude = Kokkos::abs(product);
    if (!(magnitude < limit)) {
      value.total.largest = Kokkos::isfinite(product) ? Kokkos::max(value.total.largest, magnitude)
                                                      : Kokkos::Experimental::infinity_v<double>;
      return;
    }
    value.total.largest = Kokkos::max(value.total.largest, magnitude);
    add_to_chunks(value.chunks, product, scale);
    if (++value.count == Collected::most) value.hand_over(scale);
  }

  /// On CPUs: lines of cells with a sum of its own for each place, then the rest.
  void row(int first, int end, int j, int k, Collected& value) const {
    while (end - first >= places) {
      const int lines = std::min((end - first) / places, most_lines);
      if (value.count + lines * places > Collected::most) value.hand_over(scale);
      const bool fits = b.data == nullptr ? add_lines<false>(first, lines, j, k, value)
                                          : add_lines<true>(first, lines, j, k, value);
      if (!fits) break;
      first += lines * places;
    }
    for (int i = first; i < end; ++i) (*this)(i, j, k, value);
  }

 private:
  static constexpr int places = 16, most_lines = 1 << 12;

  /// Nothing, and false, if a product does not fit the scale.
  template <bool Two>
  bool add_lines(int first, int lines, int j, int k, Collected& value) const {
    const SumScale split = scale;
    double sums[SumScale::chunks][places] = {}, largest[places] = {};
    const Value* one = &a(first, j, k);
    const Value* other = Two ? &b(first, j, k) : one;
    for (int line = 0; line < lines; ++line, one += places, other += places) {
      for (int n = 0; n < places; ++n) {
        double product = static_cast<double>(one[n]);
        if constexpr (Two) product *= static_cast<double>(other[n]);
        const double magnitude = std::abs(product);
        largest[n] = largest[n] < magnitude ? magnitude : largest[n];
        double chunks[SumScale::chunks] = {sums[0][n], sums[1][n], sums[2][n]};
        add_to_chunks(chunks, product, split);
        for (int c = 0; c < SumScale::chunks; ++c) sums[c][n] = chunks[c];
      }
    }
    double total = 0, top = 0;
    for (int n = 0; n < places; ++n) {
      top = std::max(top, largest[n]);
      total += sums[SumScale::chunks - 1][n];  // not a number if a product was not
    }
    if (!(top < limit) || !(std::abs(total) < limit)) return false;
    value.total.largest = std::max(value.total.largest, top);
    for (int c = 0; c < SumScale::chunks; ++c) {
      for (const double sum : sums[c]) value.chunks[c] += sum;
    }
    value.count += lines * places;
    return true;
  }
};

struct Clear {
  comm::GridView<float> x;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const { x(i, j, k) = 0; }
};

struct ScaleAndAdd {
  float factor;
  comm::GridView<const float> x;
  comm::GridView<float> y;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    y(i, j, k) = x(i, j, k) + factor * y(i, j, k);
  }
};

struct Advance {
  float step;
  comm::GridView<const float> p, q;
  comm::GridView<float> x, r;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    x(i, j, k) = x(i, j, k) + step * p(i, j, k);
    r(i, j, k) = r(i, j, k) + step * q(i, j, k);
  }
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

/// Writes b, and sums up its squares.
template <class Real>
struct RoundAndSum : Products<float> {
  HeatContent<Real> heat;
  VolumeShares shares;
  double factor;
  comm::GridView<const Real> values;
  comm::GridView<float> rounded;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k, Collected& value) const {
    round(i, j, k);
    Products<float>::operator()(i, j, k, value);
  }
  /// On CPUs, where the row is then in the cache.
  void row(int first, int end, int j, int k, Collected& value) const {
    for (int i = first; i < end; ++i) round(i, j, k);
    Products<float>::row(first, end, j, k, value);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void round(int i, int j, int k) const {
    const bool none = heat.is_void(i, j, k);
    const double value = factor * static_cast<double>(values(i, j, k)) * shares(i, j, k);
    rounded(i, j, k) = none ? 0.0F : static_cast<float>(value);
  }
};

template <class Real>
struct Correct {
  double factor;
  comm::GridView<const float> x;
  comm::GridView<Real> T;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    T(i, j, k) = static_cast<Real>(static_cast<double>(T(i, j, k)) +
                                   factor * static_cast<double>(x(i, j, k)));
  }
};

}  // namespace

template <class Value>
ProductSum sum_of_products(const comm::Space& space, const comm::Box& owned,
                           const comm::GridView<const Value>& a,
                           const comm::GridView<const Value>& b, const SumScale& scale) {
  Collected result;
  reduce_cells(space, "sum of products", owned, Products<Value>(a, b, scale), result);
  space.fence("sum of products");
  result.hand_over(scale);
  return result.total;
}

template <class Real>
ProductSum round_and_sum(const comm::Space& space, const comm::Box& owned,
                         const HeatEquation<Real>& equation, double factor,
                         const comm::GridView<const Real>& values, const comm::GridView<float>& b,
                         const SumScale& scale) {
  Collected result;
  const RoundAndSum<Real> body{
      {b, b, scale}, equation.heat_content(), equation.volume_shares(), factor, values, b};
  reduce_cells(space, "round and sum", owned, body, result);
  space.fence("round and sum");
  result.hand_over(scale);
  return result.total;
}

void clear(const comm::Space& space, const comm::Box& owned, const comm::GridView<float>& x) {
  comm::for_each_cell(space, "clear", owned, Clear{x});
}

void scale_and_add(const comm::Space& space, const comm::Box& owned, float factor,
                   const comm::GridView<const float>& x, const comm::GridView<float>& y) {
  comm::for_each_cell(space, "scale and add", owned, ScaleAndAdd{factor, x, y});
}

void advance(const comm::Space& space, const comm::Box& owned, float step,
             const comm::GridView<const float>& p, const comm::GridView<const float>& q,
             const comm::GridView<float>& x, const comm::GridView<float>& r) {
  comm::for_each_cell(space, "advance", owned, Advance{step, p, q, x, r});
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
  template ProductSum round_and_sum(                                                             \
      const comm::Space&, const comm::Box&, const HeatEquation<Real>&, double,                   \
      const comm::GridView<const Real>&, const comm::GridView<float>&, const SumScale&);         \
  template void residual_terms(const comm::Space&, int, const comm::Box&, const AnyMatrixView&,  \
                               const comm::GridView<const Real>&, const comm::GridView<float>&); \
  template void correct(const comm::Space&, const comm::Box&, double,                            \
                        const comm::GridView<const float>&, const comm::GridView<Real>&);
HALOTHERM_VECTORS(float)
HALOTHERM_VECTORS(double)

}  // namespace halotherm::solver
