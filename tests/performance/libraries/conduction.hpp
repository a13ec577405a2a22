// SPDX-License-Identifier: MIT
// The problem that compare_libraries.py gives to each library: steady heat in a cube.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

namespace conduction {

/// What conducts in the cube, in fourths of the exponent of the contrast.
class Body {
 public:
  explicit Body(const std::string& name) : name_(name) {
    if (name != "box" && name != "layers" && name != "rods" && name != "grains") {
      std::cerr << "bodies are box, layers, rods and grains\n";
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  }
  /// Of a cell of n³.
  int exponent(int n, int i, int j, int k) const {
    if (name_ == "layers") return k % 7 < 2 ? 4 : 0;
    if (name_ == "rods") return i % 8 < 2 && j % 8 < 2 ? 4 : 0;
    if (name_ == "grains") {
      const auto part = [](int cell, std::uint32_t factor) {
        return static_cast<std::uint32_t>(cell / 5 + 1) * factor;
      };
      const auto mixed = part(i, 73856093) ^ part(j, 19349663) ^ part(k, 83492791);
      return static_cast<int>((mixed * 2654435761U >> 24) % 5);
    }
    const auto inside = [&](int cell) { return 4 * cell + 2 >= n && 4 * cell + 2 <= 3 * n; };
    return inside(i) && inside(j) && inside(k) ? 4 : 0;
  }

 private:
  std::string name_;
};

/// A unit cube of n³ equal cells with one value each, as finite volumes. The conductivity is 1
/// W/(m K), and `contrast` times as much in the body: the box from 1/4 to 3/4 along all axes, or
/// two of seven layers of cells, or rods of 2 × 2 cells eight apart, or grains of 5³ cells that
/// each conduct 1 or contrast^(1/4) to contrast. The unknown is the temperature beyond 300 K, so a
/// solve that starts from 0 starts from 300 K everywhere. Sides: x- has 300 K, x+ has 400 K, y- a
/// convection of 3 W/(m² K) towards 280 K, z+ a flux of 5 W/m² inwards, the others are insulated.
/// The source is 100 W/m³. Rows are balances of heat [W].
struct Cube {
  int n;
  Body body;
  double contrast;

  double h() const { return 1.0 / n; }

  double conductivity(int i, int j, int k) const {
    return std::pow(contrast, body.exponent(n, i, j, k) / 4.0);
  }

  struct Row {
    double diagonal = 0;
    std::array<double, 6> neighbours{};  ///< x-, x+, y-, y+, z-, z+; 0 at sides
    double right = 0;
  };

  /// The row of a cell: conductances of faces are those of half cells in series (harmonic means).
  Row row(int i, int j, int k) const {
    Row result;
    result.right = 100 * h() * h() * h();
    const double own = conductivity(i, j, k);
    for (int face = 0; face < 6; ++face) {
      std::array<int, 3> cell{i, j, k};
      auto& place = cell[static_cast<std::size_t>(face / 2)];
      place += face % 2 == 0 ? -1 : 1;
      if (place < 0 || place >= n) {
        add_side(face, own, result);
        continue;
      }
      const double other = conductivity(cell[0], cell[1], cell[2]);
      const double conductance = h() * 2 * own * other / (own + other);
      result.neighbours[static_cast<std::size_t>(face)] = -conductance;
      result.diagonal += conductance;
    }
    return result;
  }

 private:
  void add_side(int face, double own, Row& row) const {
    const double half = 2 * own / h();  // conductance of half a cell for each m²
    const double area = h() * h();
    const auto hold = [&](double conductance, double value) {
      row.diagonal += area * conductance;
      row.right += area * conductance * value;
    };
    if (face == 0) hold(half, 0);
    if (face == 1) hold(half, 100);
    if (face == 2) hold(1 / (1 / half + 1 / 3.0), -20);
    if (face == 5) row.right += area * 5;
  }
};

/// The cells of one rank: lower and upper (exclusive) along each axis.
struct Box {
  std::array<int, 3> lower, upper;
  std::size_t size() const {
    std::size_t cells = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
      cells *= static_cast<std::size_t>(upper[axis] - lower[axis]);
    return cells;
  }
};

/// Seconds on the slowest rank, and seconds of its processor that the rank got that got least.
struct Lap {
  double seconds = 0, processor = 0;
};

class Laps {
 public:
  Laps() { begin(); }
  /// Collective.
  Lap lap() {
    Lap result{clock(CLOCK_MONOTONIC) - begin_, clock(CLOCK_PROCESS_CPUTIME_ID) - processor_};
    MPI_Allreduce(MPI_IN_PLACE, &result.seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &result.processor, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    begin();
    return result;
  }

 private:
  static double clock(clockid_t which) {
    timespec time{};
    clock_gettime(which, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  void begin() {
    MPI_Barrier(MPI_COMM_WORLD);
    begin_ = clock(CLOCK_MONOTONIC);
    processor_ = clock(CLOCK_PROCESS_CPUTIME_ID);
  }

  double begin_ = 0, processor_ = 0;
};

/// Writes this rank's values, x fastest, after the six numbers of its box, to `name` and its rank.
inline void write_part(const std::string& name, int rank, const Box& box,
                       const std::vector<double>& values) {
  std::ofstream file(name + "." + std::to_string(rank), std::ios::binary);
  std::array<std::int32_t, 6> corners{};
  std::copy(box.lower.begin(), box.lower.end(), corners.begin());
  std::copy(box.upper.begin(), box.upper.end(), corners.begin() + 3);
  file.write(reinterpret_cast<const char*>(corners.data()), sizeof(corners));
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(double)));
}

/// What compare_libraries.py reads from standard output.
inline void print_result(const Lap& setup, const Lap& solve, int iterations) {
  const double processor = setup.processor + solve.processor;
  std::cout << std::setprecision(9) << "{\"setup\": " << setup.seconds
            << ", \"solve\": " << solve.seconds << ", \"iterations\": " << iterations
            << ", \"processor\": " << processor / (setup.seconds + solve.seconds) << "}"
            << std::endl;
}

}  // namespace conduction
