// SPDX-License-Identifier: MIT
#include "io/dataset.hpp"

#include "comm/error.hpp"
#include "io/axis_labels.hpp"
#include "io/field_block.hpp"
#include "io/hdf5_error.hpp"
#include "io/hdf5_values.hpp"
#include "io/non_finite.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace halotherm::io {

namespace {

std::string shape_text(const std::vector<hsize_t>& extents) {
  std::string text = "(";
  for (std::size_t place = 0; place < extents.size(); ++place) text += (place > 0 ? ", " : "") + std::to_string(extents[place]);
  return text + ")";
}

herr_t note_name(hid_t file, const char* name, const H5L_info_t*, void* list) {
  auto& names = *static_cast<std::vector<std::string>*>(list);
  if (names.size() < 20 && hdf5::find_dataset(file, name)) names.emplace_back(name);
  return 0;
}

std::string names_in(const hdf5::File& file) {
  std::vector<std::string> names;
  H5Lvisit(file.get(), H5_INDEX_NAME, H5_ITER_INC, note_name, &names);
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return names.empty() ? "it holds none" : "it holds " + text;
}

hdf5::Dataset open_checked(const hdf5::File& file, const std::string& where, const std::string& name, const FieldAxes& axes) {
  const auto refuse = [&](const std::string& problem) { throw comm::Error(comm::ExitCode::input_output, problem); };
  auto dataset = hdf5::find_dataset(file.get(), name);
  if (!dataset) refuse("'" + where + "' has no data set '" + name + "' (" + names_in(file) + ") name one that it has");
  const hdf5::Datatype type(H5Dget_type(dataset.get()));
  const auto kind = type ? H5Tget_class(type.get()) : H5T_NO_CLASS;
  if (kind != H5T_FLOAT && kind != H5T_INTEGER)
    refuse("the data set '" + name + "' of '" + where + "' does not hold numbers (it must) name another one");
  if (const auto labels = axis_labels(dataset); contradict_order(labels)) {
    refuse("the data set '" + name + "' of '" + where + "' has its axes in the order " + labels_text(labels) +
           ", as its attribute says (the order must be (z, y, x), x fastest) transpose it, in numpy by .T");
  }
  const auto found = hdf5::extents(dataset);
  const auto wanted = axes.file_extents();
  if (found != wanted) {
    refuse("the data set '" + name + "' of '" + where + "' has the shape " + shape_text(found) + " (the grid's is " +
           shape_text(wanted) + ", slowest axis first) change grid.cells or the file");
  }
  return dataset;
}

/// A filter that the data set's chunks need and that this HDF5 library does not have: "filter 307 (bzip2)"; else nothing.
std::string missing_filter(const hdf5::Dataset& dataset) {
  const hdf5::PropertyList creation(H5Dget_create_plist(dataset.get()));
  const int filters = creation ? H5Pget_nfilters(creation.get()) : 0;
  for (int place = 0; place < filters; ++place) {
    std::array<char, 100> name{};
    unsigned flags = 0, can = 0;
    std::size_t values = 0;
    const auto number = static_cast<unsigned>(place);
    const auto filter = H5Pget_filter2(creation.get(), number, &flags, &values, nullptr, name.size() - 1, name.data(), nullptr);
    const bool there = H5Zfilter_avail(filter) > 0 && H5Zget_filter_info(filter, &can) >= 0;
    if (!there || (can & H5Z_FILTER_CONFIG_DECODE_ENABLED) == 0)
      return "filter " + std::to_string(filter) + " (" + name.data() + ")";
  }
  return {};
}

[[noreturn]] void fail_read(const hdf5::Dataset& dataset, const std::string& where, const std::string& name) {
  const auto reason = hdf5::last_error(), filter = missing_filter(dataset);
  const auto problem = "cannot read the data set '" + name + "' of '" + where + "' (";
  if (filter.empty()) throw comm::Error(comm::ExitCode::input_output, problem + reason + ") repair the file or use another one");
  throw comm::Error(comm::ExitCode::input_output, problem + "it needs the HDF5 " + filter +
                                                      ", which this HDF5 library lacks, and plug-ins are not loaded) rewrite it "
                                                      "without filters: h5repack -f NONE " +
                                                      where + " plain.h5");
}

/// A run of cells of the block along one axis and where its values stand in the file.
struct Run {
  int begin = 0, end = 0;
  int shift = 0;  ///< from a cell's index to its index in the file
};

/// The parts of the block along an axis whose values are read: all of it if the axis is periodic, else what lies within the domain.
std::vector<Run> runs(const comm::Box& block, int axis, int cells, bool periodic) {
  std::vector<Run> parts;
  const int lower = periodic ? block.lower[axis] : std::max(block.lower[axis], 0);
  const int upper = periodic ? block.upper[axis] : std::min(block.upper[axis], cells);
  for (int begin = lower; begin < upper;) {
    const int place = ((begin % cells) + cells) % cells;
    const int end = std::min(upper, begin + cells - place);
    parts.push_back({begin, end, place - begin});
    begin = end;
  }
  return parts;
}

/// Reads the cells of `part`, whose values stand `shift` further in the file, into their place in the block; false if HDF5 cannot.
bool read_part(const hdf5::Dataset& dataset, const FieldAxes& axes, const comm::Box& part, const comm::Int3& shift,
               const comm::Box& block, std::vector<double>& values) {
  std::array<hsize_t, 3> extent{}, start{}, count{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto place = static_cast<std::size_t>(2 - axis);
    extent[place] = static_cast<hsize_t>(block.extent(axis));
    start[place] = static_cast<hsize_t>(part.lower[axis] - block.lower[axis]);
    count[place] = static_cast<hsize_t>(part.extent(axis));
  }
  const hdf5::Dataspace memory(hdf5::checked(H5Screate_simple(3, extent.data(), nullptr), "cannot describe the memory"));
  hdf5::checked(H5Sselect_hyperslab(memory.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
                "cannot select a block");
  const auto source = hdf5::file_selection(axes, shifted(part, shift));
  return H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), source.get(), H5P_DEFAULT, values.data()) >= 0;
}

/// Gives the layers of the block that lie beyond the domain along `axis` the values of the nearest layer inside.
void extend(std::vector<double>& values, const comm::Box& block, int axis, int cells) {
  const std::array<std::int64_t, 3> strides{1, block.extent(0), std::int64_t{block.extent(0)} * block.extent(1)};
  const auto stride = strides[static_cast<std::size_t>(axis)];
  std::int64_t position = 0;
  for (int k = block.lower[2]; k < block.upper[2]; ++k) {
    for (int j = block.lower[1]; j < block.upper[1]; ++j) {
      for (int i = block.lower[0]; i < block.upper[0]; ++i, ++position) {
        const int index = axis == 0 ? i : axis == 1 ? j : k;
        const int nearest = std::clamp(index, 0, cells - 1);
        if (nearest != index) {
          values[static_cast<std::size_t>(position)] = values[static_cast<std::size_t>(position + (nearest - index) * stride)];
        }
      }
    }
  }
}

std::optional<std::vector<double>> read_block(const hdf5::Dataset& dataset, const FieldAxes& axes, const comm::Int3& cells,
                                              const comm::Box& block, const comm::Int3& periodic) {
  std::vector<double> values(static_cast<std::size_t>(block.size()));
  for (const auto& z : runs(block, 2, cells[2], periodic[2] != 0)) {
    for (const auto& y : runs(block, 1, cells[1], periodic[1] != 0)) {
      for (const auto& x : runs(block, 0, cells[0], periodic[0] != 0)) {
        const comm::Box part{{x.begin, y.begin, z.begin}, {x.end, y.end, z.end}};
        if (!read_part(dataset, axes, part, {x.shift, y.shift, z.shift}, block, values)) return std::nullopt;
      }
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (periodic[axis] == 0) extend(values, block, axis, cells[axis]);
  }
  return values;
}

void check_block(const GridShape& grid, const comm::Box& block) {
  if (!block.empty() && !intersection(block, {{0, 0, 0}, grid.cells}).empty()) return;
  throw comm::Error(comm::ExitCode::internal,
                    "cannot read the block " + to_string(block) + " (it has no cell of the grid) report this");
}

}  // namespace

std::vector<double> read_dataset(const comm::Communicator& communicator, const std::filesystem::path& file, const std::string& name,
                                 const GridShape& grid, const comm::Box& block, const comm::Int3& periodic) {
  const hdf5::QuietErrors quiet;
  const FieldAxes axes{grid.dimensions, grid.cells};
  // rank 0 looks first: a mistake is then found once, and not by thousands of processes
  comm::agree(communicator, [&] {
    check_block(grid, block);
    if (communicator.is_root()) open_checked(hdf5::open_to_read(file, "input file"), file.string(), name, axes);
  });
  auto values = comm::agreed(communicator, [&] {
    const auto handle = hdf5::open_to_read(file, "input file");
    const auto dataset = open_checked(handle, file.string(), name, axes);
    auto read = read_block(dataset, axes, grid.cells, block, periodic);
    if (!read) fail_read(dataset, file.string(), name);
    return std::move(*read);
  });
  const auto inside = intersection(block, {{0, 0, 0}, grid.cells});
  const double first = first_non_finite<double>(communicator, grid, inside, block, values);
  if (first < 0) return values;
  const auto cell = cell_of(grid, first);
  std::vector<hsize_t> place;
  for (int axis = grid.dimensions - 1; axis >= 0; --axis) place.push_back(static_cast<hsize_t>(cell[axis]));
  throw comm::CollectiveError(comm::ExitCode::input_output, "the data set '" + name + "' of '" + file.string() +
                                                                "' is NaN or infinite at the index " + shape_text(place) +
                                                                " (every value must be finite) repair the file");
}

}  // namespace halotherm::io
