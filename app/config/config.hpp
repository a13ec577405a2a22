// SPDX-License-Identifier: MIT
// The run's configuration: what one YAML file says, as plain structs with their defaults.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/mpi/file_hints.hpp"
#include "io/text/number_text.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace halotherm::app {

/// A formula in the variables that its key allows, such as "300 + 20*sin(x)"; checked when the
/// configuration is read.
struct Formula {
  std::string text;
};

/// A data set of an HDF5 file, of the grid's shape in (z, y, x) order. The path is relative to the
/// configuration file's folder.
struct FileDataset {
  std::filesystem::path file;
  std::string dataset;
  std::string made_by{};  ///< the command that makes the file, for whoever lacks it
};

/// A number, a formula or a file: what the material, the source, the initial field and boundary
/// values may be.
using Quantity = std::variant<double, Formula, FileDataset>;

/// Real time that a run can be told to wait, or to go on [s]: up to some thirty years, with which
/// clocks can still reckon.
inline constexpr io::Bounds real_seconds{.min = 0, .max = 1e9, .min_excluded = true};

enum class Precision { float32, float64 };
enum class BoundaryType { dirichlet, neumann, robin, periodic };
enum class TransportChoice { automatic, device, staged, p2p, rma };
enum class WriterChoice { automatic, parallel_hdf5, background };
enum class OnFailure { stop, go_on };
enum class Balance { even, measured };
enum class RankMapping { automatic, natural };
enum class StepBound { monotone, stable };

struct GridConfig {
  std::vector<int> cells;            ///< 1 to 3 numbers, in the order x, y, z
  std::vector<double> lower, upper;  ///< corners of the domain [m]
  Precision precision = Precision::float64;
};

struct MaterialConfig {
  std::vector<Quantity> conductivity;  ///< [W/(m K)] one for all axes, or one an axis
  Quantity density = 1.0;              ///< [kg/m³]
  Quantity heat_capacity = 1.0;        ///< [J/(kg K)]
};

/// One side of the domain.
struct SideConfig {
  BoundaryType type = BoundaryType::neumann;
  Quantity value = 0.0;        ///< dirichlet: temperature [K]
  Quantity flux = 0.0;         ///< neumann: heat flux into the domain [W/m²]
  Quantity coefficient = 0.0;  ///< robin: heat transfer coefficient [W/(m² K)]
  Quantity ambient = 0.0;      ///< robin: temperature of the surroundings [K]
};

struct TimeConfig {
  std::optional<double> end;  ///< [s]; exactly one of `end` and `steps` is given
  std::optional<long> steps;
  std::string integrator = "euler";
  std::optional<double> dt;  ///< [s]; none = auto: `safety` times the bound
  StepBound bound = StepBound::monotone;
  double safety = 0.9;
};

struct ParallelConfig {
  std::optional<std::array<int, 3>>
      ranks;  ///< blocks along x, y, z; none = auto: least exchanged surface
  std::optional<std::array<std::vector<int>, 3>>
      split_points;  ///< along x, y, z the first cells of all blocks but the first; none = auto
  Balance balance = Balance::even;
  RankMapping rank_mapping = RankMapping::automatic;
  TransportChoice transport = TransportChoice::automatic;
  bool overlap = true;
  int halo = 1;  ///< ghost cells on each side ("auto" = 1)
  bool tune = true;
};

/// When something is due. At most one is given; none = never (but a run's last state is always
/// written).
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
  std::string fields_format = "vtkhdf";  ///< the only one so far
  std::vector<SensorConfig> sensors;
  long diagnostics_steps = 200;
  WriterChoice writer = WriterChoice::automatic;
  comm::FileHints hints;  ///< to the MPI library, of files that ranks write together
  OnFailure on_failure = OnFailure::stop;
};

struct WatchdogConfig {
  long steps = 200;      ///< between looks for values that are not finite
  double seconds = 300;  ///< that a rank may stand still before it is reported [s]
};

struct Config {
  std::string title;
  GridConfig grid;
  MaterialConfig material;
  Quantity source = 0.0;               ///< [W/m³]
  Quantity initial_temperature = 0.0;  ///< [K]
  std::array<std::array<SideConfig, 2>, 3>
      boundary{};  ///< [axis][0 = lower, 1 = upper]; axes beyond the grid's are unused
  TimeConfig time;
  ParallelConfig parallel;
  OutputConfig output;
  WatchdogConfig watchdog;

  std::filesystem::path folder;  ///< of the configuration file; relative input files start here

  int dimensions() const { return static_cast<int>(grid.cells.size()); }
};

/// The configuration that `text` (YAML, named `name` in messages) gives after the `overrides`
/// ("a.b=c"). Throws comm::Error (usage) that lists every mistake at once, each with line and
/// column, what is wrong, why, and the nearest right key.
Config parse_config(const std::string& text, const std::string& name,
                    const std::vector<std::string>& overrides);

/// Collective: rank 0 reads the file of at most 1 MiB, and a byte more where it is larger; all have
/// its text. Throws CollectiveError (usage).
std::string read_shared_file(const comm::Communicator& world, const std::filesystem::path& file);

/// Collective: rank 0 reads the file, all parse it. Throws comm::CollectiveError as above; a file
/// that is missing, empty, not text or larger than 1 MiB is a usage error too.
Config load_config(const comm::Communicator& world, const std::filesystem::path& file,
                   const std::vector<std::string>& overrides);

/// The whole configuration as YAML with every default filled in; parsing it again gives the same
/// configuration. Written into every output.
std::string to_yaml(const Config& config);

/// `halotherm config --defaults`: a commented YAML of every key with its default, unit and range.
std::string default_yaml();
/// `halotherm config --schema`: the same as a JSON Schema (draft 2020-12).
std::string json_schema();

/// The keys ("material.density") whose values differ between two resolved configurations (as
/// `to_yaml` writes them).
std::vector<std::string> differing_keys(const std::string& resolved_a,
                                        const std::string& resolved_b);

}  // namespace halotherm::app
