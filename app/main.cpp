// SPDX-License-Identifier: MIT
#include "app/checkpoint_trial.hpp"
#include "app/commands.hpp"
#include "comm/device_pointers.hpp"
#include "comm/environment.hpp"

int main(int argc, char** argv) {
  using namespace halotherm;
  if (app::is_checkpoint_trial(argc, argv)) return app::run_checkpoint_trial(argc, argv);
  if (comm::is_device_pointer_trial(argc, argv)) return comm::run_device_pointer_trial(argc, argv);
  const comm::Environment environment(argc, argv);
  const auto& world = environment.world();
  return comm::guarded(world, [&] {
    const auto options = comm::agreed(world, [&] { return app::parse_options(argc, argv); });
    return app::carry_out(world, options);
  });
}
