// SPDX-License-Identifier: MIT
// A restart needs the fields that its integrator keeps.
#include "app/results/compatibility.hpp"

#include "comm/mpi/error.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

TEST(Compatibility, of_fields_names_what_differs) {
  const comm::Quantity enthalpy{"E", "J/m3", "enthalpy"};
  io::CheckpointInfo info;
  require_fields("a.h5", info, {comm::temperature});
  info.fields = {comm::temperature, enthalpy};
  require_fields("a.h5", info, {comm::temperature, enthalpy});
  for (const auto& kept : {std::vector{comm::temperature}, {enthalpy, comm::temperature}}) {
    try {
      require_fields("a.h5", info, kept);
      FAIL() << "accepted";
    } catch (const comm::Error& error) {
      EXPECT_EQ(error.code(), comm::ExitCode::usage);
      EXPECT_NE(std::string(error.what()).find("it holds the fields T [K], E [J/m3]"),
                std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace halotherm::app
