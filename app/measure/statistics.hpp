// SPDX-License-Identifier: MIT
// Medians of repeated measurements with confidence intervals that assume nothing about the
// distribution of the times, which is skewed on every computer (Hoefler & Belli 2015, rules 5 to
// 8).
#pragma once

#include <vector>

namespace halotherm::app {

/// The median of some samples, and an interval that holds the true median with a known probability.
struct Estimate {
  double median = 0;
  double low = 0;
  double high = 0;
  double confidence = 0;  ///< of the interval: at least 0.95 from six samples on; with fewer, what
                          ///< the smallest and largest give
  int outliers = 0;  ///< samples beyond Tukey's fences, one and a half interquartile ranges off the
                     ///< quartiles; they do count
};

/// The interval's ends are samples: the j-th smallest and the j-th largest, for the largest j whose
/// binomial tails leave at least 0.95 (Le Boudec 2010, Performance Evaluation, theorem 2.1). At
/// least one sample.
Estimate estimate(std::vector<double> samples);

/// a / b. The interval is that of the ends, so it holds the true ratio if both intervals hold
/// theirs.
Estimate ratio(const Estimate& a, const Estimate& b);

/// Times a positive number.
Estimate scaled(const Estimate& estimate, double factor);

/// The sum of some numbers, in their order.
double sum(const std::vector<double>& values);

}  // namespace halotherm::app
