// SPDX-License-Identifier: MIT
// What bench measures on one grid.
#pragma once

#include "app/bench/bench.hpp"
#include "app/measure/timing.hpp"
#include "solver/kernels/diffuse.hpp"

#include <functional>

namespace halotherm::app {

/// Fields of one size, and everything that is measured on them. Collective. Instantiated for float
/// and double.
template <class Real>
class BenchGrid {
 public:
  using Add = std::function<void(BenchRow)>;

  BenchGrid(const comm::Communicator& world, const comm::Int3& cells, int repeats);

  /// The rates of copy and triad.
  std::vector<BenchCeiling> ceilings();
  /// A step with every kind of coefficient, or only with constant ones.
  void measure_operators(bool all, const Add& add);
  /// Packing and unpacking of all faces of a rank that has neighbours everywhere.
  void measure_packing(const Add& add);
  /// A checkpoint of the grid on every rank, with all that belongs to it; the file is removed.
  void measure_checkpoint(const std::filesystem::path& directory, const Add& add);

 private:
  struct Operator {
    std::string name;
    solver::Material material;
    bool shell = false;    ///< interior and shell apart, as on a rank with neighbours at all sides
    bool watched = false;  ///< notes diagnostics
  };

  /// Of all ranks at once [bytes/s]; leaves the temperature as it is.
  double copy_rate(int repeats);
  std::vector<Operator> operators(bool all) const;
  solver::Coefficient varying(double mean) const;
  /// Again, up to three times in all, while its copies run far below the best ones of the grid: the
  /// row with the best copies.
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
