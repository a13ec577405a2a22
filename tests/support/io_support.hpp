// SPDX-License-Identifier: MIT
// What the tests of files need: a folder of their own, a field of known values, blocks of a grid,
// and errors as values.
#pragma once

#include "comm/mpi/error.hpp"
#include "comm/partition/partition.hpp"
#include "io/distribution/file_order.hpp"
#include "io/field/checkpoint.hpp"
#include "io/field/field_series.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::test {

/// Collective. A new folder that every rank sees, removed at the end.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const comm::Communicator& communicator) : communicator_(communicator) {
    std::string name = (std::filesystem::temp_directory_path() / "halotherm-test-XXXXXX").string();
    if (communicator.is_root() && mkdtemp(name.data()) == nullptr) name.clear();
    path_ = communicator.broadcast(name);
    if (path_.empty()) throw std::runtime_error("cannot make a temporary folder");
  }
  ~TemporaryFolder() {
    if (std::uncaught_exceptions() == 0) communicator_.barrier();
    std::error_code error;
    if (communicator_.is_root()) std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  const comm::Communicator& communicator_;
  std::filesystem::path path_;
};

/// Collective. Lets rank 0 do it when all have come here, so that nobody still looks at what it
/// changes, while the others wait; not for work that throws.
template <class Work>
void by_root(const comm::Communicator& communicator, Work&& work) {
  communicator.barrier();
  if (communicator.is_root()) work();
  communicator.barrier();
}

/// Collective. The ranks below `ranks` in one group, the others in another.
inline comm::Communicator fewer(const comm::Communicator& world, int ranks) {
  MPI_Comm part = MPI_COMM_NULL;
  comm::check(MPI_Comm_split(world.handle(), world.rank() < ranks ? 0 : 1, world.rank(), &part));
  comm::Communicator group(part);
  MPI_Comm_free(&part);
  return group;
}

/// The place of each cell of the box in the file of a data set of `cells`; of cells beyond it that
/// of their periodic image.
inline std::vector<double> places_of(const comm::Int3& cells, const comm::Box& box) {
  const auto wrapped = [](int index, int n) { return ((index % n) + n) % n; };
  std::vector<double> places;
  const io::FileOrder order(cells);
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) {
        places.push_back(static_cast<double>(
            order.place(wrapped(i, cells[0]), wrapped(j, cells[1]), wrapped(k, cells[2]))));
      }
    }
  }
  return places;
}

/// The CollectiveError that `work` throws, if it does.
inline std::optional<comm::CollectiveError> collective_error(const std::function<void()>& work) {
  try {
    work();
    return std::nullopt;
  } catch (const comm::CollectiveError& error) {
    return error;
  }
}

/// Differs from cell to cell in all bits, signs, magnitudes; step makes another field.
inline double coded(int i, int j, int k, std::int64_t step = 0) {
  if ((i + j + k) % 11 == 5) return -0.0;
  return std::sin(1.0 + i + 17.0 * j + 291.0 * k + 0.1 * static_cast<double>(step)) *
         std::ldexp(1.0, (i * 7 + j * 3 + k) % 90 - 45);
}

template <class Real>
std::vector<Real> coded_block(const comm::Box& box, std::int64_t step = 0) {
  std::vector<Real> values;
  values.reserve(static_cast<std::size_t>(box.size()));
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i)
        values.push_back(static_cast<Real>(coded(i, j, k, step)));
    }
  }
  return values;
}

/// This rank's block when the grid is cut along one axis only.
inline comm::Box slab(const comm::Communicator& communicator, const comm::Int3& cells, int axis) {
  comm::Int3 dims{1, 1, 1};
  dims[axis] = communicator.size();
  return comm::Partition(cells, {false, false, false}, dims).owned(communicator.rank());
}

/// Collective. Writes a snapshot of this rank's block, x fastest, and waits for it.
template <class Real>
io::WrittenFile write_snapshot(const comm::Communicator& communicator, io::FieldSeries& series,
                               std::int64_t step, double time, const comm::Box& block,
                               const std::vector<Real>& values) {
  const auto& layout = series.layout();
  const auto at_points = io::values_at_points<Real>(layout, block, values);
  return io::write_shared_field<Real>(communicator, series.snapshot(step, time),
                                      io::points_of(layout, block), at_points);
}

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline void write_bytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// The names in the folder, hidden ones too.
inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Collective. The same, seen when all ranks have come here; nobody goes on, to change them, before
/// all have looked.
inline std::vector<std::string> names_in(const std::filesystem::path& folder,
                                         const comm::Communicator& communicator) {
  communicator.barrier();
  const auto names = names_in(folder);
  communicator.barrier();
  return names;
}

}  // namespace halotherm::test
