// SPDX-License-Identifier: MIT
// Temperatures at the positions that the configuration names.
#pragma once

#include "app/problem/boundary_conditions.hpp"
#include "solver/field/cell_values.hpp"

#include <array>
#include <vector>

namespace halotherm::app {

/// Second order in space everywhere: between cell centres the temperature is multilinear; within
/// half a cell of a side it is linear to the temperature of the face, as the side's condition gives
/// it, so that a sensor on a fixed side has its temperature. Where sides meet, fixed temperatures
/// prevail, and of several sides the mean counts. The same bits however the grid is cut.
/// Instantiated for float and double.
template <class Real>
class Sensors {
 public:
  /// Collective. The equation must be that of this rank's block.
  Sensors(const comm::Communicator& world, const Config& config,
          const solver::HeatEquation<Real>& equation, const comm::Box& owned);

  /// Collective: one reduction for all. Temperatures [K] in the configuration's order, of a finite
  /// field at time t [s], whose kernels must have ended. Throws CollectiveError (numerics) if a
  /// formula of a side has no value at a sensor.
  std::vector<double> values(const solver::Field<Real>& temperature, double time);

 private:
  /// How a position lies along an axis.
  struct Along {
    std::array<int, 2> cells{0, 0};
    std::array<double, 2> weights{1, 0};
    int end = -1;      ///< of the axis, if the position is between it and the last centre
    double share = 0;  ///< of the face's temperature
  };
  /// The temperature of a side's face: what its condition makes of that of the cell inside.
  struct Face {
    int axis;
    BoundaryType type;
    std::vector<SampledQuantity> values;
    double conductance;  ///< K/h of the cell inside [W/(m² K)]
    double temperature(double inside, double time);
  };
  struct Sensor {
    std::array<Along, 3> along;
    comm::Int3 cell{};  ///< that holds it
    std::array<std::vector<Face>, 8>
        faces;              ///< that determine the node on the faces of these axes (bits)
    std::size_t first = 0;  ///< of its corners among all
    std::size_t count = 0;
  };

  std::vector<Sensor> sensors_of(const std::vector<SensorConfig>& sensors);
  Along along(int axis, double position) const;
  Sensor sensor_at(const std::vector<double>& position) const;
  std::vector<Face> faces_of(const Sensor& sensor, const std::vector<double>& position,
                             int axes) const;
  Face face_of(int axis, int end, const SamplePoints& point) const;
  void add_corners(Sensor& sensor);
  void set_conductances(const solver::HeatEquation<Real>& equation, const comm::Box& owned);
  std::vector<double> gathered(std::span<const Real> read, const std::vector<std::size_t>& places,
                               std::size_t count) const;
  double to_sides(Sensor& sensor, double inside, double time);

  const comm::Communicator& world_;
  FieldSampler sampler_;
  const Config& config_;
  std::vector<comm::Int3>
      corners_;                  ///< the cells between which the sensors are, in the sensors' order
  std::vector<double> weights_;  ///< theirs
  std::vector<Sensor> sensors_;
  std::vector<std::size_t> mine_;    ///< places of the corners in this rank's block
  solver::CellValues<Real> reader_;  ///< of them
};

}  // namespace halotherm::app
