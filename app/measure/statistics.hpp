// SPDX-License-Identifier: MIT
// Medians of repeated measurements with confidence intervals that assume nothing about the
// distribution of the times, which is skewed on every computer (Hoefler & Belli 2015, rules 5 to
// 8).
#pragma once

#include <functional>
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

struct Steady {
  double step = 0;       ///< mean of the last windows [s]; 0: not measured
  int windows = 0;       ///< that it took
  bool settled = false;  ///< before there were too many
};

/// The time of a step after power and temperature have settled. Calls `window`, which takes steps
/// for about a second and gives the time of one, until four windows in a row differ by no more than
/// half a percent, and are not all slower than the one before, as those of a device that still
/// warms up are; 30 times at most.
Steady settle(const std::function<double()>& window);

/// The sum of some numbers, in their order.
double sum(const std::vector<double>& values);

}  // namespace halotherm::app
