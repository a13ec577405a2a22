// SPDX-License-Identifier: MIT
#include "app/bench_checkpoint.hpp"

#include "comm/error.hpp"
#include "comm/version.hpp"
#include "io/checkpoint.hpp"
#include "io/durable_file.hpp"
#include "io/file_descriptor.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstdlib>

namespace halotherm::app {

namespace {

/// Collective. Seconds that the slowest rank takes.
double write_plainly(const comm::Communicator& world, const std::filesystem::path& path, std::span<const std::byte> bytes) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  comm::agree(world, [&] {
    if (world.is_root()) io::reserve_new_file(path, size * world.size());
  });
  const comm::Stopwatch watch;
  comm::agree(world, [&] {
    const io::FileDescriptor file(path, O_WRONLY);
    if (!file.is_open()) io::fail("cannot open", path, errno, "choose another --directory");
    file.write(bytes, size * world.rank());
    file.flush();
  });
  const double seconds = world.max(watch.seconds());
  if (world.is_root()) io::remove_file(path);
  return seconds;
}

/// Collective. One of its own: the user's may hold other things, and other measurements.
std::filesystem::path new_folder(const comm::Communicator& world, const std::filesystem::path& directory) {
  auto name = (directory / "halotherm-bench-XXXXXX").string();
  comm::agree(world, [&] {
    if (!world.is_root()) return;
    io::make_folder(directory);
    if (::mkdtemp(name.data()) == nullptr) io::fail("cannot make the folder", name, errno, "choose another --directory");
  });
  return world.broadcast(name);
}

}  // namespace

template <class Real>
std::vector<std::pair<std::string, Timing>> time_checkpoint(const comm::Communicator& world, const std::filesystem::path& directory,
                                                            const comm::Int3& cells, std::span<const Real> values, int repeats) {
  const auto folder = new_folder(world, directory);
  io::CheckpointInfo info;
  info.grid = {.dimensions = 3, .cells = {cells[0], cells[1], cells[2] * world.size()}};
  info.title = "bench";
  info.version = version;
  info.commit = commit;
  const comm::Box owned{{0, 0, cells[2] * world.rank()}, {cells[0], cells[1], cells[2] * (world.rank() + 1)}};
  io::prepare_checkpoint_folder(world, folder);
  std::vector<double> plain, written, named;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    plain.push_back(write_plainly(world, folder / "plain", std::as_bytes(values)));
    info.step = repeat;
    const auto file = io::write_checkpoint<Real>(world, folder, info, owned, values, 1);
    written.push_back(file.seconds);
    named.push_back(file.latency);
  }
  if (world.is_root()) {
    std::error_code ignored;  // what cannot be removed can be seen in the folder
    std::filesystem::remove_all(folder, ignored);
    std::filesystem::remove(directory, ignored);  // only if it is empty
  }
  return {{"plain write, flush", timing_of(plain)},
          {"checkpoint write, flush", timing_of(written)},
          {"checkpoint until verified and named", timing_of(named)}};
}

template std::vector<std::pair<std::string, Timing>> time_checkpoint(const comm::Communicator&, const std::filesystem::path&,
                                                                     const comm::Int3&, std::span<const float>, int);
template std::vector<std::pair<std::string, Timing>> time_checkpoint(const comm::Communicator&, const std::filesystem::path&,
                                                                     const comm::Int3&, std::span<const double>, int);

}  // namespace halotherm::app
