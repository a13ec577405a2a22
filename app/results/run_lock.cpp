// SPDX-License-Identifier: MIT
#include "app/results/run_lock.hpp"

#include "app/results/output_directory.hpp"
#include "comm/mpi/error.hpp"
#include "io/files/durable_file.hpp"

#include <unistd.h>

namespace halotherm::app {

RunLock::RunLock(const comm::Communicator& world, const std::filesystem::path& directory,
                 const io::Log& log) {
  comm::agree(world, [&] {
    if (!world.is_root()) return;
    OutputDirectory(directory).check();
    if (!std::filesystem::exists(directory)) created_ = directory;
    io::make_folder(directory);
    lock_.emplace(directory, io::FolderLock::Settings{
                                 .print = [&log](const std::string& text) { log.line(text); }});
  });
}

RunLock::~RunLock() {
  lock_.reset();
  if (!created_.empty()) ::rmdir(created_.c_str());  // fails on purpose if not empty
}

}  // namespace halotherm::app
