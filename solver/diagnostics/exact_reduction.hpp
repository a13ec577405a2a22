// SPDX-License-Identifier: MIT
// Reductions whose result is an exact sum, which depends neither on the order nor on the partition.
#pragma once

#include "solver/diagnostics/exact_sum.hpp"
#include "solver/field/reduce_cells.hpp"

#include <algorithm>
#include <cmath>

namespace halotherm::solver {

/// A block's part of a sum of products.
struct ProductSum {
  ExactSum sum;
  double largest = 0;  ///< magnitude of a product; infinite if one is not finite. `sum` has no
                       ///< meaning unless it is below the scale's limit
};

/// What a thread has summed up.
struct Collected {
  static constexpr int most = 1 << 18;  ///< numbers of which chunks stay exact
  ProductSum total;
  double chunks[SumScale::chunks] = {0, 0, 0};  ///< of numbers that are not yet part of the sum
  int count = 0;                                ///< of those

  KOKKOS_FORCEINLINE_FUNCTION void hand_over(const SumScale& scale) {
    total.sum.add_chunks(chunks, scale);
    for (double& chunk : chunks) chunk = 0;
    count = 0;
  }
};

/// The base of reducing functors for `reduce_cells`, which add their numbers.
struct ExactReduction {
  using value_type = Collected;
  SumScale scale;
  double limit;  ///< of the scale

  explicit ExactReduction(const SumScale& the_scale) : scale(the_scale), limit(the_scale.limit()) {}

  KOKKOS_INLINE_FUNCTION void init(Collected& value) const { value = Collected{}; }
  KOKKOS_INLINE_FUNCTION void join(Collected& value, const Collected& other) const {
    auto rest = other;
    rest.hand_over(scale);
    value.total.sum += rest.total.sum;
    value.total.largest = Kokkos::max(value.total.largest, rest.total.largest);
  }

 protected:
  KOKKOS_FORCEINLINE_FUNCTION void add(double number, Collected& value) const {
    const double magnitude = Kokkos::abs(number);
    if (!(magnitude < limit)) {
      value.total.largest = Kokkos::isfinite(number) ? Kokkos::max(value.total.largest, magnitude)
                                                     : Kokkos::Experimental::infinity_v<double>;
      return;
    }
    value.total.largest = Kokkos::max(value.total.largest, magnitude);
    add_to_chunks(value.chunks, number, scale);
    if (++value.count == Collected::most) value.hand_over(scale);
  }

  /// On CPUs: adds the products of two rows of numbers.
  template <class Value>
  void add_products(int count, const Value* one, const Value* other, Collected& value) const {
    add_all(
        count, [&](int n) { return static_cast<double>(one[n]) * static_cast<double>(other[n]); },
        value);
  }
  /// On CPUs: adds `number(n)` for n from 0 to `count`, several at a time.
  template <class Number>
  void add_all(int count, const Number& number, Collected& value) const {
    constexpr int at_once = 512;
    double numbers[at_once];
    for (int done = 0; done < count; done += at_once) {
      const int some = std::min(count - done, at_once);
      for (int n = 0; n < some; ++n) numbers[n] = number(done + n);
      const int in_lines = add_lines(numbers, some / places, value) ? some / places * places : 0;
      for (int n = in_lines; n < some; ++n) add(numbers[n], value);
    }
  }

 private:
  static constexpr int places = 16;

  /// Adds lines of `places` numbers, with a sum of its own for each place; nothing, and false, if a
  /// number does not fit the scale.
  bool add_lines(const double* numbers, int lines, Collected& value) const {
    if (value.count + lines * places > Collected::most) value.hand_over(scale);
    const SumScale split = scale;
    double sums[SumScale::chunks][places] = {}, largest[places] = {};
    for (int line = 0; line < lines; ++line, numbers += places) {
      for (int n = 0; n < places; ++n) {
        const double magnitude = std::abs(numbers[n]);
        largest[n] = largest[n] < magnitude ? magnitude : largest[n];
        double chunks[SumScale::chunks] = {sums[0][n], sums[1][n], sums[2][n]};
        add_to_chunks(chunks, numbers[n], split);
        for (int c = 0; c < SumScale::chunks; ++c) sums[c][n] = chunks[c];
      }
    }
    double total = 0, top = 0;
    for (int n = 0; n < places; ++n) {
      top = std::max(top, largest[n]);
      total += sums[SumScale::chunks - 1][n];  // not a number if one was not
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

/// The sum of what `body` adds over the cells of a box, which may be empty. Blocking.
template <class Body>
ProductSum exact_sum(const comm::Space& space, const char* label, const comm::Box& box,
                     const Body& body) {
  Collected result;
  if (!box.empty()) reduce_cells(space, label, box, body, result);
  space.fence(label);
  result.hand_over(body.scale);
  return result.total;
}

}  // namespace halotherm::solver
