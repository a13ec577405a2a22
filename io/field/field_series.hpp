// SPDX-License-Identifier: MIT
// Field output for ParaView, VTK and readers of netCDF: a file a time, and the series file that
// lists them with their times.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "io/field/shared_field.hpp"
#include "io/field/snapshot_layout.hpp"
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

/// Local; throw comm::Error (input_output). The snapshots of the series `name` in the folder,
/// ascending; the path of the file that lists them; the removal of partial files of both.
std::vector<NumberedFile> snapshots_in(const std::filesystem::path& folder, const std::string& name,
                                       SnapshotFormat format);
std::filesystem::path series_list(const std::filesystem::path& folder, const std::string& name,
                                  SnapshotFormat format);
void remove_stale_snapshots(const std::filesystem::path& folder, const std::string& name);

/// Local. The times [s] in a list, by file name; empty if there is no list. Throws comm::Error
/// (input_output).
std::map<std::string, double> listed_times(const std::filesystem::path& series);
/// Local. Writes a list of files with their times [s], ascending.
void write_series_list(const std::filesystem::path& series,
                       const std::vector<std::pair<std::string, double>>& times);

/// A series of snapshots of fields, one file a time, named `folder`/`name`_<step>.hdf (or .nc), and
/// `folder`/`name`.hdf.series, which ParaView opens as one animated data set. Each file is complete
/// under its final name or absent. The fields are point data, named as their quantities, at the
/// cells' centres; docs/adr/0005-field-series.md gives the reason.
class FieldSeries {
 public:
  /// Collective. Starts an empty series, or, given the step from which a run restarts, continues
  /// the one in the folder after removing later snapshots of any format. Creates the folder.
  /// `config` is the resolved configuration, stored in every file. Throws CollectiveError
  /// (input_output).
  FieldSeries(const comm::Communicator& communicator, std::filesystem::path folder,
              std::string name, SnapshotFormat format, GridShape grid, std::string config,
              std::optional<std::int64_t> restart_step,
              std::vector<comm::Quantity> fields = {comm::temperature});

  /// Whether the series has a snapshot of the step, or one was begun.
  bool has(std::int64_t step) const { return steps_.contains(step); }

  /// The file that a FieldWriter writes for a step that the series lacks. Its values are those of
  /// the layout's points, of one field after another; a block of cells has `points_of(layout(),
  /// block)`. The list gets its line when the file has its name. The series must outlive the write.
  SharedField snapshot(std::int64_t step, double time);
  const SnapshotLayout& layout() const { return layout_; }

  /// The file that lists the snapshots.
  std::filesystem::path series_file() const;

 private:
  struct Snapshot {
    std::int64_t step = 0;
    double time = 0;  ///< [s]
  };

  std::vector<Snapshot> resumed(SnapshotFormat format, std::int64_t restart_step) const;
  std::string file_name(SnapshotFormat format, std::int64_t step) const;
  /// Times [s], with the files' names.
  std::vector<std::pair<std::string, double>> times(SnapshotFormat format,
                                                    const std::vector<Snapshot>& snapshots) const;
  void describe(hid_t file, std::span<const hdf5::Dataset> datasets, const Snapshot& snapshot,
                bool fills) const;

  std::filesystem::path folder_;
  std::string name_;
  SnapshotFormat format_;
  GridShape grid_;
  SnapshotLayout layout_;
  std::string config_;
  std::vector<comm::Quantity> fields_;
  std::vector<Snapshot> snapshots_;  ///< complete ones, ascending; on rank 0 only
  std::set<std::int64_t> steps_;     ///< of complete and begun snapshots; on every rank
};

}  // namespace halotherm::io
