// SPDX-License-Identifier: MIT
// Input fields: every rank gets its block with ghost cells as the boundaries want them, and every
// mistake in the file is named.
#include "io/field/dataset.hpp"

#include "io/hdf5/values.hpp"
#include "tests/support/hdf5_file.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace halotherm {
namespace {

using comm::Communicator;

constexpr comm::Int3 cells{9, 8, 10};

double value_at(int i, int j, int k) {
  return 100.0 * k + 10.0 * j + i;
}

std::vector<double> whole_field() {
  std::vector<double> values;
  for (int k = 0; k < cells[2]; ++k) {
    for (int j = 0; j < cells[1]; ++j) {
      for (int i = 0; i < cells[0]; ++i) values.push_back(value_at(i, j, k));
    }
  }
  return values;
}

io::GridShape shape() {
  return {3, cells, {0, 0, 0}, {1, 1, 1}};
}

void expect_block(const Communicator& world, const std::filesystem::path& file, int axis,
                  int ghosts, const comm::Int3& periodic) {
  const comm::Int3 wide{ghosts, ghosts, ghosts};
  const auto block = grown(test::slab(world, cells, axis), wide, wide);
  const auto values = io::read_dataset(world, file, "k", shape(), block, periodic);
  const auto inside = [&](int index, int along) {
    const int n = cells[along];
    return periodic[along] ? ((index % n) + n) % n : std::clamp(index, 0, n - 1);
  };
  std::size_t position = 0;
  int wrong = 0;
  for (int k = block.lower[2]; k < block.upper[2]; ++k) {
    for (int j = block.lower[1]; j < block.upper[1]; ++j) {
      for (int i = block.lower[0]; i < block.upper[0]; ++i) {
        wrong += values.at(position++) != value_at(inside(i, 0), inside(j, 1), inside(k, 2));
      }
    }
  }
  EXPECT_EQ(wrong, 0) << "axis " << axis << ", ghosts " << ghosts;
  EXPECT_EQ(position, values.size());
}

TEST(Dataset, fills_blocks_and_ghosts) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = folder.path() / "in.h5";
  test::by_root(world, [&] { test::add_dataset(file, "k", {10, 8, 9}, whole_field()); });
  for (const int ghosts : {0, 1, 3}) {
    for (const comm::Int3& periodic :
         {comm::Int3{0, 0, 0}, comm::Int3{1, 1, 1}, comm::Int3{0, 1, 0}}) {
      for (int axis = 0; axis < 3; ++axis) expect_block(world, file, axis, ghosts, periodic);
    }
  }
}

TEST(Dataset, a_periodic_axis_may_wrap_more_than_once) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = folder.path() / "in.h5";
  test::by_root(world, [&] { test::add_dataset(file, "line", {3}, {1, 2, 3}); });
  const auto values = io::read_dataset(world, file, "line", {1, {3, 1, 1}, {0, 0, 0}, {1, 1, 1}},
                                       {{-4, 0, 0}, {7, 1, 1}}, {1, 0, 0});
  EXPECT_EQ(values, (std::vector<double>{3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1}));
}

TEST(Dataset, takes_other_number_types_groups_and_fewer_dimensions) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = folder.path() / "in.h5";
  std::vector<double> numbers(12);
  std::iota(numbers.begin(), numbers.end(), -3.0);
  test::by_root(world, [&] {
    test::add_dataset(file, "deep/float", {3, 4}, numbers, H5T_NATIVE_FLOAT);
    test::add_dataset(file, "deep/integer", {3, 4}, numbers, H5T_STD_I16BE);
    test::add_dataset(file, "line", {12}, numbers, H5T_IEEE_F64BE);
  });
  const io::GridShape flat{2, {4, 3, 1}, {0, 0, 0}, {1, 1, 1}},
      line{1, {12, 1, 1}, {0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(io::read_dataset(world, file, "deep/float", flat, {{0, 0, 0}, {4, 3, 1}}, {0, 0, 0}),
            numbers);
  EXPECT_EQ(io::read_dataset(world, file, "/deep/integer", flat, {{0, 0, 0}, {4, 3, 1}}, {0, 0, 0}),
            numbers);
  EXPECT_EQ(io::read_dataset(world, file, "line", line, {{0, 0, 0}, {12, 1, 1}}, {0, 0, 0}),
            numbers);
}

class BadDataset : public testing::Test {
 protected:
  void expect_refused(const std::string& file, const std::string& name, const std::string& text) {
    const auto block = test::slab(world_, cells, 2);
    const auto error = test::collective_error([&] {
      io::read_dataset(world_, folder_.path() / file, name, shape(), block, {0, 0, 0});
    });
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->code(), comm::ExitCode::input_output);
    EXPECT_NE(std::string(error->what()).find(text), std::string::npos) << error->what();
  }

  Communicator world_{MPI_COMM_WORLD};
  test::TemporaryFolder folder_{world_};
};

TEST_F(BadDataset, files_that_cannot_be_read) {
  test::by_root(world_, [&] {
    test::write_bytes(folder_.path() / "text.h5", std::string(5000, 'x'));
    test::add_dataset(folder_.path() / "whole.h5", "k", {10, 8, 9}, whole_field());
    const auto bytes = test::bytes_of(folder_.path() / "whole.h5");
    test::write_bytes(folder_.path() / "cut.h5", bytes.substr(0, bytes.size() / 2));
  });
  expect_refused("missing.h5", "k", "No such file or directory");
  expect_refused("text.h5", "k", "it is not an HDF5 file");
  expect_refused("cut.h5", "k", "cut off or damaged");
  expect_refused(".", "k", "it is not a regular file");
}

TEST_F(BadDataset, what_is_there_and_what_was_wanted_are_named) {
  test::by_root(world_, [&] {
    const auto file = folder_.path() / "in.h5";
    test::add_dataset(file, "k", {10, 8, 9}, whole_field());
    test::add_dataset(file, "turned", {9, 8, 10}, whole_field());
    test::add_dataset(file, "flat", {80, 9}, whole_field());
    const io::hdf5::File handle(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    H5Lcreate_external("/etc/hostname", "/", handle.get(), "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
    const io::hdf5::Dataspace scalar(H5Screate(H5S_SCALAR));
    const io::hdf5::Dataset text(H5Dcreate2(handle.get(), "text", H5T_C_S1, scalar.get(),
                                            H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  });
  expect_refused("in.h5", "conductivity",
                 "has no data set 'conductivity' (it holds flat, k, text, turned)");
  expect_refused("in.h5", "elsewhere", "has no data set 'elsewhere'");
  expect_refused("in.h5", "", "has no data set ''");
  expect_refused("in.h5", "turned",
                 "has the shape (9, 8, 10) (the grid's is (10, 8, 9), slowest axis first)");
  expect_refused("in.h5", "flat", "has the shape (80, 9)");
  expect_refused("in.h5", "text", "does not hold numbers");
}

/// Texts of variable length, as h5py writes both its `dims[n].label` and a list.
void label(const std::filesystem::path& path, const std::string& name, const char* attribute,
           std::vector<const char*> texts) {
  const io::hdf5::File file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
  const io::hdf5::Dataset dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT));
  const io::hdf5::Datatype type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), H5T_VARIABLE);
  const hsize_t count = texts.size();
  const io::hdf5::Dataspace space(H5Screate_simple(1, &count, nullptr));
  const io::hdf5::Attribute written(
      H5Acreate2(dataset.get(), attribute, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  H5Awrite(written.get(), type.get(), texts.data());
}

TEST_F(BadDataset, axes_that_are_labelled_in_another_order) {
  test::by_root(world_, [&] {
    const auto file = folder_.path() / "in.h5";
    for (const auto* name : {"k", "turned", "half", "written", "other"})
      test::add_dataset(file, name, {10, 8, 9}, whole_field());
    label(file, "k", "DIMENSION_LABELS", {"z", "y", "x"});
    label(file, "turned", "DIMENSION_LABELS", {"x", "y", "z"});
    label(file, "half", "DIMENSION_LABELS", {"Y", "", "x"});
    label(file, "other", "DIMENSION_LABELS", {"depth", "", "x"});
    const io::hdf5::File handle(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    const io::hdf5::Dataset written(H5Dopen2(handle.get(), "written", H5P_DEFAULT));
    io::hdf5::write_attribute(written.get(), "axis_labels",
                              std::vector<std::string>{"x", "y", "z"});
  });
  const auto block = test::slab(world_, cells, 2);
  for (const auto* name : {"k", "other"})
    EXPECT_NO_THROW(
        io::read_dataset(world_, folder_.path() / "in.h5", name, shape(), block, {0, 0, 0}));
  expect_refused(
      "in.h5", "turned",
      "has its axes in the order (x, y, z) (its attribute says so; the order must be (z, y, x)");
  expect_refused("in.h5", "half", "has its axes in the order (Y, , x)");
  expect_refused("in.h5", "written", "has its axes in the order (x, y, z)");
}

TEST_F(BadDataset, the_first_value_that_is_not_finite_is_named) {
  test::by_root(world_, [&] {
    auto values = whole_field();
    values[(7 * 8 + 2) * 9 + 3] = std::numeric_limits<double>::infinity();
    test::add_dataset(folder_.path() / "infinite.h5", "k", {10, 8, 9}, values);
    values[(1 * 8 + 5) * 9 + 8] = std::nan("");
    test::add_dataset(folder_.path() / "nan.h5", "k", {10, 8, 9}, values);
  });
  expect_refused("infinite.h5", "k", "is NaN or infinite at the index (7, 2, 3)");
  expect_refused("nan.h5", "k", "is NaN or infinite at the index (1, 5, 8)");
}

}  // namespace
}  // namespace halotherm
