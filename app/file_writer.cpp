// SPDX-License-Identifier: MIT
#include "app/file_writer.hpp"

#include "comm/environment.hpp"
#include "comm/error.hpp"
#include "io/file_system.hpp"

namespace halotherm::app {

namespace {

io::WriteMethod method_for(WriterChoice choice, bool parallel_file_system) {
  switch (choice) {
    case WriterChoice::parallel_hdf5:
      return io::WriteMethod::parallel_hdf5;
    case WriterChoice::background:
      return io::WriteMethod::background;
    case WriterChoice::automatic:
      break;
  }
  return parallel_file_system && comm::threads_may_call_mpi() ? io::WriteMethod::parallel_hdf5 : io::WriteMethod::background;
}

}  // namespace

FileWriter choose_file_writer(const comm::Communicator& world, const Config& config) {
  comm::agree(world, [&] {
    if (config.output.writer != WriterChoice::parallel_hdf5 || comm::threads_may_call_mpi()) return;
    throw comm::Error(
        comm::ExitCode::usage,
        "output.writer: parallel-hdf5 cannot write beside the steps (this MPI library does not let any thread call it: it "
        "gives less than MPI_THREAD_MULTIPLE) use background");
  });
  const auto here = io::file_system_of(config.output.directory);
  const bool parallel = world.any(world.is_root() && here.parallel);
  FileWriter writer;
  writer.file_system = world.broadcast(here.name);
  writer.settings.method = method_for(config.output.writer, parallel);
  writer.settings.hints = config.output.hints;
  writer.settings.stall_limit = config.watchdog.seconds;
  return writer;
}

std::string to_string(io::WriteMethod method) {
  return method == io::WriteMethod::parallel_hdf5 ? "parallel-hdf5" : "background";
}

}  // namespace halotherm::app
