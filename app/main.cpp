// SPDX-License-Identifier: MIT
#include "app/cli/commands.hpp"
#include "app/cli/help.hpp"
#include "app/results/checkpoint_trial.hpp"
#include "comm/machine/environment.hpp"
#include "comm/mpi/same_program.hpp"
#include "comm/transport/device_pointers.hpp"
#include "io/hdf5/library.hpp"

#include <csignal>

int main(int argc, char** argv) {
  using namespace halotherm;
  if (comm::is_device_pointer_trial(argc, argv)) return comm::run_device_pointer_trial(argc, argv);
  if (app::is_checkpoint_trial(argc, argv)) {
    io::hdf5::set_up_library();
    return app::run_checkpoint_trial(argc, argv);
  }
  if (app::has_printed_help(argc, argv)) return 0;
  comm::wait_without_spinning(argv);
  io::hdf5::set_up_library();
  std::signal(SIGXFSZ,
              SIG_IGN);  // a file beyond the job's limit is a failed write like others, not the end
  comm::Environment environment(argc, argv);
  const auto& world = environment.world();
  return comm::guarded(world, [&] {
    comm::require_same_program(world, comm::identity_of(argc, argv));
    environment.name_processes();
    const auto options = comm::agreed(world, [&] { return app::parse_options(argc, argv); });
    return app::carry_out(world, options);
  });
}
