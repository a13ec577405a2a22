// SPDX-License-Identifier: MIT
// The model's parts; regression/allocations compares it with scripts/predict_scaling.py.
#include "app/measure/step_model.hpp"

#include "comm/mpi/error.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

StepModel machine() {
  StepModel model;
  model.launches = 4e-6;
  model.cell = 4e-12;
  model.packing = 1e-12;
  model.link = {.latency = 10e-6, .bandwidth = 200e9};
  model.seen = 0.1;
  return model;
}

TEST(StepModel, WithoutMessagesIsTheWork) {
  EXPECT_DOUBLE_EQ(machine().seconds({.cells = 1e8}), 4e-6 + 4e-4);
}

TEST(StepModel, ShowsAShareOfAnExchangeBesideMuchWork) {
  const double exchange = 1e6 * 1e-12 + 10e-6 + 1e6 / 200e9;
  EXPECT_NEAR(machine().seconds({.cells = 1e8, .near_bytes = 1e6}), 404e-6 + 0.1 * exchange, 1e-12);
}

TEST(StepModel, TakesTheSlowerLink) {
  auto model = machine();
  const RankLoad load{.cells = 1e4, .near_bytes = 1e6, .far_bytes = 1e6, .far_message = 1e6};
  const double usual = model.seconds(load);
  model.far = ModelLink{.latency = 1e-3, .bandwidth = 1e9};
  EXPECT_GT(model.seconds(load), usual + 1.5e-3);
  model.far->eager_limit = 1e5;
  const double waiting = model.seconds(load);
  model.far->eager_limit = 1e7;
  EXPECT_GT(waiting, model.seconds(load) + 1.5e-3)
      << "for an answer, of which one latency is hidden";
}

TEST(StepModel, IsReadWithAReasonIfItIsNone) {
  const comm::Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = folder.path() / "model.json";
  EXPECT_THROW(read_step_model(file), comm::Error);
  for (const char* content : {"", "[1]", "{\"device\": \"a\"}"}) {
    test::write_bytes(file, content);
    try {
      read_step_model(file);
      ADD_FAILURE() << content;
    } catch (const comm::Error& error) {
      EXPECT_EQ(error.code(), comm::ExitCode::input_output);
      EXPECT_NE(std::string(error.what()).find("cannot read the model"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace halotherm::app
