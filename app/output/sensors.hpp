// SPDX-License-Identifier: MIT
// Temperatures at the positions in `output.sensors`.
#pragma once

#include "app/problem/boundary_conditions.hpp"
#include "solver/diagnostics/cell_values.hpp"

#include <array>
#include <vector>

namespace halotherm::app {

/// Interpolates to second order everywhere: multilinearly between cell centres, and linearly to the
/// face temperature from the boundary condition within half a cell of a side, so that a sensor on a
/// fixed side has the side's temperature. At edges and corners fixed temperatures prevail; among
/// equal sides the mean counts. Between cells of which some are void, those of the body count, to
/// first order. The result has the same bits for every partition. Instantiated for
/// float and double.
template <class Real>
class Sensors {
 public:
  /// Collective. `equation` and `owned` are this rank's. Throws CollectiveError.
  Sensors(const comm::Communicator& world, const Config& config,
          const solver::HeatEquation<Real>& equation, const comm::Box& owned);

  /// Collective, by one reduction. Returns the temperatures [K] in the configuration's order at
  /// `time` [s]. The field must be finite and its kernels ended. Throws CollectiveError (numerics)
  /// if a formula of a side has no value at a sensor.
  std::vector<double> values(const solver::Field<Real>& temperature, double time);

 private:
  /// A position relative to the cells along one axis.
  struct Along {
    std::array<int, 2> cells{0, 0};
    std::array<double, 2> weights{1, 0};
    int end = -1;      ///< 0 or 1 if the position is within half a cell of that end, else -1
    double share = 0;  ///< weight of the face's temperature
  };
  /// A cell's face on a side; its temperature follows from the condition and the cell inside.
  struct Face {
    int axis;
    SampledSide values;
    double h = 0;                   ///< [m]
    double conductivity = 0;        ///< K of the cell inside [W/(m K)]
    solver::PropertyTable table{};  ///< K of the cell inside, if it depends on the temperature
    std::optional<SampledQuantity> factor{};  ///< of the table, over time
    double temperature(double inside, double time);
  };
  struct Sensor {
    std::array<Along, 3> along;
    comm::Int3 cell{};  ///< the cell that contains the position
    /// For each set of axes (bits): the faces that determine the temperature where they meet.
    std::array<std::vector<Face>, 8> faces;
    std::size_t first = 0;  ///< index of its first corner
    std::size_t count = 0;  ///< number of its corners
  };

  std::vector<Sensor> sensors_of(const std::vector<SensorConfig>& sensors);
  Along along(int axis, double position) const;
  Sensor sensor_at(const std::vector<double>& position) const;
  std::vector<Face> faces_of(const Sensor& sensor, const std::vector<double>& position,
                             int axes) const;
  Face face_of(int axis, int end, const SamplePoints& point) const;
  void add_corners(Sensor& sensor);
  void set_conductivities(const solver::HeatEquation<Real>& equation, const comm::Box& owned);
  void leave_out_void(const solver::HeatEquation<Real>& equation);
  template <class Value, class Source>
  std::vector<double> values_in(const std::vector<comm::Int3>& cells,
                                const std::vector<std::size_t>& mine, const Source& source) const;
  template <class Value>
  std::vector<double> gathered(std::span<const Value> read, const std::vector<std::size_t>& places,
                               std::size_t count) const;
  double to_sides(Sensor& sensor, double inside, double time);

  const comm::Communicator& world_;
  FieldSampler sampler_;
  const Config& config_;
  std::vector<comm::Int3> corners_;  ///< the cells that the sensors interpolate between
  std::vector<double> weights_;      ///< of the corners
  std::vector<Sensor> sensors_;
  std::vector<std::size_t> mine_;    ///< indices of the corners in this rank's block
  solver::CellValues<Real> reader_;  ///< reads the corners in this rank's block
};

}  // namespace halotherm::app
