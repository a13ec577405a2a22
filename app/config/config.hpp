// SPDX-License-Identifier: MIT
// The configuration of a run: plain structs with defaults, read from one YAML file.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/mpi/file_hints.hpp"
#include "io/text/number_text.hpp"
#include "io/text/temperature_unit.hpp"
#include "solver/integrators/scheme.hpp"

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace halotherm::app {

/// A formula such as "300 + 20*sin(x)"; its syntax and variables are checked when it is read.
struct Formula {
  std::string text;
  bool operator==(const Formula&) const = default;
};

/// A data set of an HDF5 file, of shape (z, y, x); its path starts at the configuration's folder.
struct FileDataset {
  std::filesystem::path file;
  std::string dataset;
  std::string made_by{};  ///< the command that creates the file, for error messages
  /// Of temperatures: their unit where the data set has no attribute that says it.
  std::optional<io::TemperatureUnit> temperature_unit{};
  bool operator==(const FileDataset&) const = default;
};

/// Values at ascending points of T [K] or of time [s], linear or held between; constant beyond.
struct Table {
  std::vector<std::array<double, 2>> points;
  bool held = false;
  bool operator==(const Table&) const = default;
};

/// A value of the material, the source, the initial field or a side.
using Quantity = std::variant<double, Formula, FileDataset, Table>;

/// The allowed range of real times [s]: up to about thirty years, which clocks can represent.
inline constexpr io::Bounds real_seconds{.min = 0, .max = 1e9, .min_excluded = true};

enum class Precision { float32, float64 };
enum class TransportChoice { automatic, device, staged, p2p, rma, nccl };
enum class WriterChoice { automatic, parallel_hdf5, background };
/// automatic: vtkhdf where cells have equal widths, else netcdf
enum class FieldsFormat { automatic, vtkhdf, netcdf };
enum class OnFailure { stop, go_on };
enum class Balance { even, measured };
enum class RankMapping { automatic, natural };
enum class StepBound { monotone, stable };

/// Cells of equal width that divide a part of an axis.
struct GridLayer {
  double thickness = 0;  ///< [m]
  int cells = 1;
};

/// Faces of the cells along an axis, in ascending order [m].
struct FaceList {
  std::vector<double> positions;
};

/// One axis of a grid: exactly one of `cells`, `layers` and `faces` divides it.
struct AxisConfig {
  std::optional<long> cells;           ///< of equal width
  std::optional<double> lower, upper;  ///< ends [m]; `lower` is 0 if not given
  std::vector<GridLayer> layers;       ///< from `lower` on
  FaceList faces;
};

struct GridConfig {
  std::vector<int> cells;            ///< 1 to 3 numbers, in the order x, y, z
  std::vector<double> lower, upper;  ///< corners of the domain [m]
  /// As the file gives them; kept where an axis is uneven only. All else is in the other members.
  std::array<std::optional<AxisConfig>, 3> axes;
  /// All faces along an uneven axis [m]; none along an even one.
  std::array<std::shared_ptr<const std::vector<double>>, 3> faces;
  Precision precision = Precision::float64;

  int element_bytes() const { return precision == Precision::float64 ? 8 : 4; }
  bool even() const { return faces[0] == nullptr && faces[1] == nullptr && faces[2] == nullptr; }
};

enum class Axis { x, y, z };

/// Stands for no material: cells that are cut out of the body.
inline constexpr const char* void_material = "void";

struct MaterialConfig {
  std::string name;
  std::vector<Quantity> conductivity;           ///< [W/(m K)] one for all axes, or one per axis
  std::optional<Quantity> conductivity_factor;  ///< over time
  Quantity density = 1.0;                       ///< [kg/m³]
  Quantity heat_capacity = 1.0;                 ///< [J/(kg K)]
  std::optional<double> latent_heat;            ///< of melting [J/kg]
  /// solidus and liquidus [K], between which melting takes up the latent heat
  std::optional<std::array<double, 2>> melting;
  std::optional<std::array<double, 2>> temperatures;  ///< range of formulas in T [K]
};

/// Shapes of regions: the cells with their centres inside [m]; upper ends do not belong to them.
struct BoxConfig {
  std::vector<double> lower, upper;
};
struct CylinderConfig {
  Axis axis = Axis::z;
  std::vector<double> center;  ///< of which the coordinate along the axis has no meaning
  double radius = 0;
  std::optional<double> from, to;  ///< along the axis; none = to the domain's end
};
struct SphereConfig {
  std::vector<double> center;
  double radius = 0;
};
struct LayerConfig {
  Axis axis = Axis::z;
  double from = 0, to = 0;
};

/// A part of the domain: replaces the material below if it has one, the source if it has either.
struct RegionConfig {
  std::string name;      ///< "" if it has none
  std::string material;  ///< "" to keep what lies below
  /// At most one shape; with none, the region is everywhere.
  std::optional<BoxConfig> box;
  std::optional<CylinderConfig> cylinder;
  std::optional<SphereConfig> sphere;
  std::optional<LayerConfig> layer;
  std::optional<Quantity> formula;        ///< true, which is not 0, in cells of the region
  std::optional<FileDataset> labels;      ///< everywhere: the keys of `materials`
  std::map<long, std::string> materials;  ///< of the labels
  std::optional<Quantity> source;         ///< [W/m³]
  std::optional<Quantity> power;          ///< in total, instead of `source` [W]
  /// range of T in `source`, which keeps the values at its ends beyond [K]
  std::optional<std::array<double, 2>> temperatures;

  /// Whether it may be less than the whole domain.
  bool has_shape() const {
    return box || cylinder || sphere || layer || formula || labels.has_value();
  }
  bool cuts_out() const;  ///< whether some of its cells may be void
  /// Whether the source below ends here.
  bool replaces_source() const {
    return !material.empty() || labels.has_value() || source.has_value() || power.has_value();
  }
};

/// A thermal resistance of the faces between cells of two materials.
struct ContactConfig {
  std::array<std::string, 2> between;  ///< names of materials
  double resistance = 0;               ///< [m² K/W]
};

/// Heat transfer between a side and its surroundings.
struct ConvectionConfig {
  Quantity coefficient = 0.0;  ///< [W/(m² K)]
  Quantity ambient = 0.0;      ///< temperature of the surroundings [K]
};

/// Heat radiation between a side and its surroundings.
struct RadiationConfig {
  Quantity emissivity = 1.0;  ///< from 0 to 1
  Quantity ambient = 0.0;     ///< temperature of the surroundings [K]
};

/// What holds at a surface: a fixed temperature, or a sum of heat flows.
struct SurfaceConfig {
  std::optional<Quantity> temperature;  ///< [K]
  Quantity flux = 0.0;                  ///< heat flux into the domain [W/m²]
  std::optional<ConvectionConfig> convection;
  std::optional<RadiationConfig> radiation;
};

/// A part of a side with a condition of its own: the faces with their centres in the box.
struct PatchConfig : SurfaceConfig {
  std::string name;
  BoxConfig box;
};

/// One side of the domain; its own condition holds outside of the patches.
struct SideConfig : SurfaceConfig {
  std::vector<PatchConfig> patches;
  bool periodic = false;
};

struct TimeConfig {
  std::optional<double> end;  ///< [s]; exactly one of `end` and `steps` is given, unless steady
  std::optional<long> steps;
  solver::Method integrator = solver::Method::euler;
  std::optional<long> stages;           ///< of rkl2's full step; none = auto
  std::optional<double> dt;             ///< [s]; none = auto: by the bound, `safety` and `stages`
  std::optional<double> tolerance;      ///< of a step's error [K]; none = steps of equal length
  std::optional<long> fused_steps;      ///< taken in one pass over memory; none = auto: as measured
  std::optional<long> submitted_steps;  ///< of one call of the host; none = auto
  StepBound bound = StepBound::monotone;
  double safety = 0.9;
};

/// The solver of linear systems.
struct LinearConfig {
  double tolerance = 1e-8;  ///< of the residual's norm over the first
  long iterations = 200;    ///< at most
};

struct ParallelConfig {
  /// Blocks along x, y, z; none = auto: least exchanged surface.
  std::optional<std::array<int, 3>> ranks;
  /// First cells of all blocks but the first, along x, y, z; none = auto.
  std::optional<std::array<std::vector<int>, 3>> split_points;
  Balance balance = Balance::even;
  RankMapping rank_mapping = RankMapping::automatic;
  TransportChoice transport = TransportChoice::automatic;
  bool overlap = true;
  int halo = 1;  ///< ghost cells on each side ("auto" = 1)
};

/// When an output is due: at most one member is set, none for the last state's checkpoint alone.
struct ScheduleConfig {
  std::optional<double> every;  ///< [s] of simulated time
  std::optional<long> steps;
  std::optional<double> walltime;  ///< [s] of real time; checkpoints only
};

struct SensorConfig {
  std::string name;
  std::vector<double> at;  ///< position [m]
};

struct OutputConfig {
  std::filesystem::path directory = "results";  ///< relative to the working directory
  ScheduleConfig checkpoint;
  int keep = 2;  ///< checkpoints kept
  ScheduleConfig fields;
  FieldsFormat fields_format = FieldsFormat::automatic;
  std::vector<SensorConfig> sensors;
  long diagnostics_steps = 200;
  WriterChoice writer = WriterChoice::automatic;
  comm::FileHints hints;  ///< MPI hints for files that ranks write together
  OnFailure on_failure = OnFailure::stop;
};

struct WatchdogConfig {
  long steps = 200;      ///< between checks for values that are not finite
  double seconds = 300;  ///< without progress after which a rank is reported [s]
};

/// Units of temperatures.
struct UnitsConfig {
  io::TemperatureUnit temperature = io::TemperatureUnit::kelvin;  ///< of the configuration
  std::optional<io::TemperatureUnit> output;  ///< of what is printed and written; none = the same
};

struct Config {
  std::string title;
  UnitsConfig units;
  GridConfig grid;
  std::vector<MaterialConfig> materials;  ///< with exactly one, it is everywhere below the regions
  std::vector<RegionConfig> regions;      ///< later ones lie on top
  std::vector<ContactConfig> contacts;    ///< each pair of materials once
  Quantity initial_temperature = 0.0;     ///< [K]
  /// [axis][0 = lower, 1 = upper]; axes beyond the grid's are unused.
  std::array<std::array<SideConfig, 2>, 3> sides{};
  std::optional<SurfaceConfig> void_faces;  ///< the faces towards void cells; none = insulated
  TimeConfig time;
  LinearConfig linear;
  ParallelConfig parallel;
  OutputConfig output;
  WatchdogConfig watchdog;

  std::filesystem::path folder;  ///< of the configuration file; relative input files start here

  int dimensions() const { return static_cast<int>(grid.cells.size()); }
  /// Whether a region may cut cells out.
  bool has_void() const;
  /// The unit of temperatures that the run prints and writes.
  io::TemperatureUnit output_unit() const { return units.output.value_or(units.temperature); }
};

/// Parses `text` (YAML, called `name` in messages) and applies the `overrides` ("a.b=c"). Local.
/// The result is in kelvin whatever the text is in, and its `units` say so. Throws comm::Error
/// (usage) that lists all mistakes, each with line, column, problem, reason and the nearest valid
/// key.
Config parse_config(const std::string& text, const std::string& name,
                    const std::vector<std::string>& overrides);

/// Collective. Rank 0 reads the file, all ranks parse it. Throws CollectiveError (usage) as
/// parse_config does, also if the file is missing, empty, not text or larger than 1 MiB.
Config load_config(const comm::Communicator& world, const std::filesystem::path& file,
                   const std::vector<std::string>& overrides);

}  // namespace halotherm::app
