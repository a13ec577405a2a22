// SPDX-License-Identifier: MIT
#include "io/field/checkpoint.hpp"
#include "io/field/checkpoint_reading.hpp"
#include "io/hdf5/library.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace halotherm::fuzz {

namespace {

constexpr std::int64_t most_cells = 1 << 20;

/// A file that nobody else sees, in TMPDIR; it ends with the process, unless that crashes.
class PrivateFile {
 public:
  PrivateFile() {
    std::string folder =
        (std::filesystem::temp_directory_path() / "halotherm-fuzz-XXXXXX").string();
    promise(::mkdtemp(folder.data()) != nullptr, "a folder can be made in " + folder);
    folder_ = folder;
  }
  ~PrivateFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;

  std::filesystem::path path() const { return folder_ / "checkpoint.h5"; }

  void fill(std::string_view bytes) const {
    std::ofstream stream(path(), std::ios::binary | std::ios::trunc);
    promise(bool(stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()),
            "the file can be written");
  }

 private:
  std::filesystem::path folder_;
};

template <class Real>
void read_field(const comm::Communicator& world, const std::filesystem::path& file,
                const io::CheckpointInfo& info) {
  const comm::Box all{{0, 0, 0}, info.grid.cells};
  std::vector<Real> values(info.fields.size() * static_cast<std::size_t>(all.size()));
  io::read_checkpoint<Real>(world, file, info, all, values);
}

/// Some damaged links make the library unable to close a file, which it then keeps (HDF5 1.10.8,
/// "Pinned entry count not decreasing"): only a file that can still be closed was forgotten by us.
bool nothing_left_can_be_closed() {
  std::vector<hid_t> files(static_cast<std::size_t>(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_FILE)));
  if (files.empty()) return true;
  H5Fget_obj_ids(H5F_OBJ_ALL, H5F_OBJ_FILE, files.size(), files.data());
  const io::hdf5::QuietErrors quiet;
  return std::ranges::all_of(files, [](hid_t file) { return H5Fclose(file) < 0; });
}

}  // namespace

void checkpoint(std::string_view bytes) {
  const comm::Communicator alone(MPI_COMM_SELF);
  static const PrivateFile file;
  file.fill(bytes);
  accepted(comm::ExitCode::input_output, [&] {
    const auto info = io::read_checkpoint_info(alone, file.path());
    double cells = 1;
    for (int axis = 0; axis < 3; ++axis) cells *= info.grid.cells[axis];
    if (cells > most_cells) return;
    info.precision == "float32" ? read_field<float>(alone, file.path(), info)
                                : read_field<double>(alone, file.path(), info);
  });
  promise(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL & ~H5F_OBJ_FILE) == 0,
          "all that was opened in a file is closed");
  promise(nothing_left_can_be_closed(), "files are closed");
}

}  // namespace halotherm::fuzz
