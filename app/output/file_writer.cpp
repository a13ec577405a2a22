// SPDX-License-Identifier: MIT
#include "app/output/file_writer.hpp"

#include "app/results/output_directory.hpp"
#include "comm/machine/environment.hpp"
#include "comm/mpi/error.hpp"

namespace halotherm::app {

namespace {

io::WriteMethod method_for(WriterChoice choice, bool prefer_parallel) {
  switch (choice) {
    case WriterChoice::parallel_hdf5:
      return io::WriteMethod::parallel_hdf5;
    case WriterChoice::background:
      return io::WriteMethod::background;
    case WriterChoice::automatic:
      break;
  }
  return prefer_parallel ? io::WriteMethod::parallel_hdf5 : io::WriteMethod::background;
}

}  // namespace

FileWriter file_writer_for(const Config& config, const io::FileSystem& file_system,
                           bool threads_may_call_mpi) {
  const auto& output = config.output;
  if (output.writer == WriterChoice::parallel_hdf5 && !threads_may_call_mpi) {
    throw comm::Error(comm::ExitCode::usage,
                      {"output.writer: parallel-hdf5 cannot write during the steps",
                       "this MPI library does not provide MPI_THREAD_MULTIPLE", "use background"});
  }
  FileWriter writer;
  writer.file_system = file_system.name;
  writer.settings.method = method_for(output.writer, file_system.parallel && threads_may_call_mpi);
  writer.settings.hints = output.hints;
  writer.settings.stall_limit = config.watchdog.seconds;
  if (writer.settings.method == io::WriteMethod::background && !output.hints.empty()) {
    // variables, since nvcc 13.0 with GCC 13 cuts the first of several texts in braces
    const std::string problem = "output.hints have no effect";
    const std::string reason = output.writer == WriterChoice::background
                                   ? "output.writer is background"
                                   : "auto takes background on " + file_system.name;
    const std::string remedy = "set output.writer: parallel-hdf5, or remove them";
    writer.warning = comm::to_string({problem, reason, remedy});
  }
  return writer;
}

FileWriter choose_file_writer(const comm::Communicator& world, const Config& config) {
  io::FileSystem here;
  if (world.is_root())
    here = io::file_system_of(OutputDirectory(config.output.directory).checkpoints());
  here.name = world.broadcast(here.name);
  here.parallel = world.any(here.parallel);
  const bool threads = !world.any(!comm::threads_may_call_mpi());
  return comm::agreed(world, [&] { return file_writer_for(config, here, threads); });
}

std::string to_string(io::WriteMethod method) {
  return method == io::WriteMethod::parallel_hdf5 ? "parallel-hdf5" : "background";
}

}  // namespace halotherm::app
