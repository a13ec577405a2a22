// SPDX-License-Identifier: MIT
// The measurements of bench on one grid.
#pragma once

#include "app/bench/bench.hpp"
#include "app/bench/bench_report.hpp"
#include "app/measure/timing.hpp"
#include "solver/kernels/apply.hpp"

#include <functional>

namespace halotherm::app {

/// Fields of one size and the measurements on them. Collective. Instantiated for float and double.
template <class Real>
class BenchGrid {
 public:
  using Add = std::function<void(BenchRow)>;

  BenchGrid(const comm::Communicator& world, const comm::Int3& cells, int repeats);

  /// Rates of copy and triad.
  std::vector<BenchCeiling> ceilings();
  /// A step with every kind of coefficient (`all`), or with constant ones only.
  void measure_operators(bool all, const Add& add) {
    for (const auto& op : operators(all)) add(measure(op));
  }
  /// Packing and unpacking the faces of a rank with neighbours on all sides.
  void measure_packing(const Add& add);
  /// Writing and reading a checkpoint of the ranks' grids; the file is removed.
  void measure_checkpoint(const std::filesystem::path& directory, const Add& add);

 private:
  struct Operator {
    std::string name;
    solver::AnyMaterial material;
    bool shell = false;         ///< computed apart, as on a rank with neighbours on all sides
    bool instrumented = false;  ///< adds to diagnostics
  };

  /// The copy rate of all ranks together [bytes/s]. Does not change the temperature.
  double copy_rate();
  std::vector<Operator> operators(bool all) const;
  std::vector<Operator> operators_of_tables(const std::string& points) const;
  solver::Coefficient varying(double mean) const;
  solver::Coefficient of_kinds(double mean) const;
  /// Temperatures in waves of 80 K, less than 1 K from cell to cell of 512.
  void fill_with_waves();
  /// The row with the best copies of up to three attempts, which end once copies are undisturbed.
  BenchRow measure(const Operator& op);
  BenchRow measure_once(const Operator& op);
  BenchRow row(const char* kind, const std::string& name, const Timing& timing, double cells) const;

  const comm::Communicator& world_;
  solver::Grid grid_;
  comm::Box box_;
  int repeats_;
  double best_copy_ = 0;  ///< the largest median of copies so far [bytes/s]
  comm::Space space_;
  solver::Field<Real> temperature_;
  solver::Field<Real> next_;
};

}  // namespace halotherm::app
