// SPDX-License-Identifier: MIT
#include "app/bench/bench_checkpoint.hpp"

#include "comm/machine/environment.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/best_time.hpp"
#include "comm/system/version.hpp"
#include "io/field/checkpoint.hpp"
#include "io/field/checkpoint_reading.hpp"
#include "io/files/durable_file.hpp"
#include "io/files/file_descriptor.hpp"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstdlib>

namespace halotherm::app {

namespace {

/// Collective. Each rank's bytes by one call, in the ranks' order.
double write_plainly(const comm::Communicator& world, const std::filesystem::path& path,
                     std::span<const std::byte> bytes) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  comm::agree(world, [&] {
    if (world.is_root()) io::reserve_new_file(path, size * world.size());
  });
  return comm::time_once(world, 1, [&] {
    comm::agree(world, [&] {
      const io::FileDescriptor file(path, O_WRONLY);
      file.write(bytes, size * world.rank());
      file.flush();
    });
  });
}

/// Collective. Drops the file's cached pages where the system permits, so that reads use the disk.
void forget(const comm::Communicator& world, const std::filesystem::path& path) {
  comm::agree(world, [&] { io::FileDescriptor(path, O_RDONLY).forget(); });
}

double read_plainly(const comm::Communicator& world, const std::filesystem::path& path,
                    std::span<std::byte> bytes) {
  forget(world, path);
  return comm::time_once(world, 1, [&] {
    comm::agree(world, [&] {
      io::FileDescriptor(path, O_RDONLY)
          .read(bytes, static_cast<std::int64_t>(bytes.size()) * world.rank());
    });
  });
}

/// Collective. As in a restart.
template <class Real>
double read_checkpoint(const comm::Communicator& world, const std::filesystem::path& path,
                       const comm::Box& owned, std::span<Real> values) {
  forget(world, path);
  return comm::time_once(world, 1, [&] {
    const auto info = io::read_checkpoint_info(world, path);
    io::read_checkpoint<Real>(world, path, info, owned, values);
  });
}

/// The writers that this MPI library permits.
std::vector<io::WriteMethod> methods_of(const comm::Communicator& world) {
  std::vector<io::WriteMethod> methods{io::WriteMethod::background};
  if (!world.any(!comm::threads_may_call_mpi())) methods.push_back(io::WriteMethod::parallel_hdf5);
  return methods;
}

/// Collective. A new folder, because the user's may hold other files and measurements.
std::filesystem::path new_folder(const comm::Communicator& world,
                                 const std::filesystem::path& directory) {
  auto name = (directory / "halotherm-bench-XXXXXX").string();
  comm::agree(world, [&] {
    if (!world.is_root()) return;
    io::make_folder(directory);
    if (::mkdtemp(name.data()) == nullptr)
      io::fail("cannot make the folder", name, errno, "choose another --directory");
  });
  return world.broadcast(name);
}

}  // namespace

template <class Real>
NamedTimings time_checkpoint(const comm::Communicator& world,
                             const std::filesystem::path& directory, const comm::Int3& cells,
                             std::span<const Real> values, int repeats) {
  const auto folder = new_folder(world, directory);
  io::CheckpointInfo info;
  info.grid = {.dimensions = 3, .cells = {cells[0], cells[1], cells[2] * world.size()}};
  info.title = "bench";
  info.version = version;
  info.commit = commit;
  const comm::Box owned{{0, 0, cells[2] * world.rank()},
                        {cells[0], cells[1], cells[2] * (world.rank() + 1)}};
  io::prepare_checkpoint_folder(world, folder);
  const auto methods = methods_of(world);
  std::vector<Real> read(values.size());
  std::vector<double> plain_write, plain_read, checkpoint_read;
  std::array<std::vector<double>, 2> written, named;  // by method
  for (int repeat = 0; repeat < repeats; ++repeat) {
    plain_write.push_back(write_plainly(world, folder / "plain", std::as_bytes(values)));
    plain_read.push_back(
        read_plainly(world, folder / "plain", std::as_writable_bytes(std::span(read))));
    if (world.is_root()) io::remove_file(folder / "plain");
    for (std::size_t n = 0; n < methods.size(); ++n) {
      const auto file =
          io::write_checkpoint<Real>(world, folder, info, owned, values, 1, {.method = methods[n]});
      written[n].push_back(file.seconds);
      named[n].push_back(file.latency);
      if (n == 0) checkpoint_read.push_back(read_checkpoint<Real>(world, file.path, owned, read));
      ++info.step;
    }
  }
  if (world.is_root()) {
    std::error_code ignored;  // files that cannot be removed stay visible in the folder
    std::filesystem::remove_all(folder, ignored);
    std::filesystem::remove(directory, ignored);  // only if it is empty
  }
  NamedTimings rows{{"plain write, flush", timing_of(plain_write)}};
  for (std::size_t n = 0; n < methods.size(); ++n) {
    const bool together = methods[n] == io::WriteMethod::parallel_hdf5;
    rows.emplace_back(together ? "parallel HDF5 write, flush" : "checkpoint write, flush",
                      timing_of(written[n]));
    rows.emplace_back(
        together ? "parallel HDF5 until verified, named" : "checkpoint until verified and named",
        timing_of(named[n]));
  }
  rows.emplace_back("plain read", timing_of(plain_read));
  rows.emplace_back("checkpoint read, verified", timing_of(checkpoint_read));
  return rows;
}

template NamedTimings time_checkpoint(const comm::Communicator&, const std::filesystem::path&,
                                      const comm::Int3&, std::span<const float>, int);
template NamedTimings time_checkpoint(const comm::Communicator&, const std::filesystem::path&,
                                      const comm::Int3&, std::span<const double>, int);

}  // namespace halotherm::app
