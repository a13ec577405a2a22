// SPDX-License-Identifier: MIT
// Field output for ParaView and VTK: VTKHDF ImageData files and the series file that lists them
// with their times.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "io/field/shared_field.hpp"
#include "io/field/vtkhdf.hpp"
#include "io/files/durable_file.hpp"
#include "io/text/grid_shape.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace halotherm::io {

/// Local. The snapshots of the series `name` in the folder by their names, ascending; the file that
/// lists them; and the removal of partial files of both. Throw comm::Error (input_output).
std::vector<NumberedFile> snapshots_in(const std::filesystem::path& folder,
                                       const std::string& name);
std::filesystem::path series_list(const std::filesystem::path& folder, const std::string& name);
void remove_stale_snapshots(const std::filesystem::path& folder, const std::string& name);

/// Local. The times [s] that a list gives, by file name; none if there is no such file. Throws
/// comm::Error (input_output).
std::map<std::string, double> listed_times(const std::filesystem::path& series);
/// Local. Writes a list of files with their times [s], ascending.
void write_series_list(const std::filesystem::path& series,
                       const std::vector<std::pair<std::string, double>>& times);

/// A series of snapshots of the temperature, one VTKHDF file a time, named
/// `folder`/`name`_<step>.hdf, and `folder`/`name`.hdf.series, which ParaView opens as one animated
/// data set. Each file is complete under its final name or not there. The temperature [K] stands as
/// point data T at the cells' centres; docs/adr/0005-field-series.md says why.
class FieldSeries {
 public:
  /// Collective. Starts an empty series, or, given the step that a run restarts from, goes on with
  /// the one in the folder after removing its snapshots of later steps. Makes the folder. `config`
  /// is the resolved configuration, stored in every file. The communicator must outlive the series.
  /// Throws CollectiveError (input_output).
  FieldSeries(const comm::Communicator& communicator, std::filesystem::path folder,
              std::string name, GridShape grid, std::string config,
              std::optional<std::int64_t> restart_step);

  /// Whether a snapshot of the step was there at the start, or was begun since.
  bool has(std::int64_t step) const { return steps_.contains(step); }

  /// What a FieldWriter is to write for a step that the series does not have: the values of the
  /// image's points, of which a block of cells has `points_of(image(), block)`. Once that file has
  /// its name, the list gets its line. The series must outlive the write.
  SharedField snapshot(std::int64_t step, double time);
  const VtkImage& image() const { return image_; }

  /// Collective. Writes a snapshot of this rank's block `owned`, x fastest and without ghosts, and
  /// waits for it; a step that is in the series already is left as it is. Throws CollectiveError:
  /// input_output, or numerics if a value is not finite.
  template <class Real>
  WrittenFile write(std::int64_t step, double time, const comm::Box& owned,
                    std::span<const Real> temperature);

  /// The file that lists the snapshots.
  std::filesystem::path series_file() const;

 private:
  struct Snapshot {
    std::int64_t step = 0;
    double time = 0;  ///< [s]
  };

  std::vector<Snapshot> resumed(std::int64_t restart_step) const;
  void list(std::int64_t step, double time);
  std::map<std::string, double> times() const;  ///< by the files' names
  void write_list() const;

  const comm::Communicator* communicator_;
  std::filesystem::path folder_;
  std::string name_;
  GridShape grid_;
  VtkImage image_;
  std::string config_;
  std::vector<Snapshot> snapshots_;  ///< complete ones, ascending; on rank 0 alone
  std::set<std::int64_t> steps_;     ///< those and the ones begun; on every rank
};

}  // namespace halotherm::io
