// SPDX-License-Identifier: MIT
#include "io/field/dataset.hpp"

#include "comm/mpi/error.hpp"
#include "comm/system/activity.hpp"
#include "io/field/shared_read.hpp"
#include "io/hdf5/input_file.hpp"
#include "io/hdf5/library.hpp"
#include "io/text/grid_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace halotherm::io {

namespace {

/// "(z, y, x)", for numbers or names.
template <class List>
std::string tuple_text(const List& list) {
  return fmt::format("({})", fmt::join(list, ", "));
}

herr_t note_name(hid_t file, const char* name, const H5L_info_t*, void* list) {
  auto& names = *static_cast<std::vector<std::string>*>(list);
  if (names.size() < 20 && hdf5::find_dataset(file, name)) names.emplace_back(name);
  return 0;
}

std::string names_in(const hdf5::File& file) {
  std::vector<std::string> names;
  H5Lvisit(file.get(), H5_INDEX_NAME, H5_ITER_INC, note_name, &names);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

hdf5::Dataset open_checked(const hdf5::File& file, const std::string& where,
                           const std::string& name, const FieldAxes& axes) {
  const auto refuse = [&](const comm::ErrorText& text) {
    throw comm::Error(comm::ExitCode::input_output, text);
  };
  const auto subject = fmt::format("the data set '{}' of '{}'", name, where);
  auto dataset = hdf5::find_dataset(file.get(), name);
  if (!dataset)
    refuse({fmt::format("'{}' has no data set '{}'", where, name), "it holds " + names_in(file),
            "name one that it has"});
  const hdf5::Datatype type(H5Dget_type(dataset.get()));
  const auto kind = type ? H5Tget_class(type.get()) : H5T_NO_CLASS;
  if (kind != H5T_FLOAT && kind != H5T_INTEGER)
    refuse({subject + " does not hold numbers", "it must", "name another one"});
  if (const auto labels = hdf5::axis_labels(dataset); hdf5::contradict_order(labels))
    refuse({fmt::format("{} has its axes in the order {}", subject, tuple_text(labels)),
            "its attribute says so; the order must be (z, y, x), x fastest",
            "transpose it, in numpy by .T"});
  const auto found = hdf5::extents(dataset);
  const auto wanted = axes.file_extents();
  if (found != wanted)
    refuse({fmt::format("{} has the shape {}", subject, tuple_text(found)),
            fmt::format("the grid's is {}, slowest axis first", tuple_text(wanted)),
            "change grid.cells or the file"});
  return dataset;
}

/// "filter 307 (bzip2)", if the data set's chunks need that filter and this HDF5 library lacks it;
/// else an empty text.
std::string missing_filter(const hdf5::Dataset& dataset) {
  const hdf5::PropertyList creation(H5Dget_create_plist(dataset.get()));
  const int filters = creation ? H5Pget_nfilters(creation.get()) : 0;
  for (int place = 0; place < filters; ++place) {
    std::array<char, 100> name{};
    unsigned flags = 0, can = 0;
    std::size_t values = 0;
    const auto number = static_cast<unsigned>(place);
    const auto filter = H5Pget_filter2(creation.get(), number, &flags, &values, nullptr,
                                       name.size() - 1, name.data(), nullptr);
    const bool there = H5Zfilter_avail(filter) > 0 && H5Zget_filter_info(filter, &can) >= 0;
    if (!there || (can & H5Z_FILTER_CONFIG_DECODE_ENABLED) == 0)
      return "filter " + std::to_string(filter) + " (" + name.data() + ")";
  }
  return {};
}

[[noreturn]] void refuse(const hdf5::Dataset& dataset, const std::string& where,
                         const std::string& name, const std::string& reason) {
  const auto filter = missing_filter(dataset);
  const auto why = filter.empty()
                       ? reason
                       : "it needs the HDF5 " + filter +
                             ", which this HDF5 library lacks, and plug-ins are not loaded";
  const auto remedy = filter.empty()
                          ? "repair the file or use another one"
                          : "rewrite it without filters: h5repack -f NONE " + where + " plain.h5";
  throw comm::Error(
      comm::ExitCode::input_output,
      {fmt::format("cannot read the data set '{}' of '{}'", name, where), why, remedy});
}

/// Copies the values of the outermost layers of the domain into the block's layers beyond it along
/// `axis`.
void extend(std::vector<double>& values, const comm::Box& block, int axis, int cells) {
  const std::array<std::int64_t, 3> strides{1, block.extent(0),
                                            std::int64_t{block.extent(0)} * block.extent(1)};
  const auto stride = strides[static_cast<std::size_t>(axis)];
  std::int64_t position = 0;
  for (int k = block.lower[2]; k < block.upper[2]; ++k) {
    for (int j = block.lower[1]; j < block.upper[1]; ++j) {
      for (int i = block.lower[0]; i < block.upper[0]; ++i, ++position) {
        const int index = axis == 0 ? i : axis == 1 ? j : k;
        const int nearest = std::clamp(index, 0, cells - 1);
        if (nearest != index) {
          values[static_cast<std::size_t>(position)] =
              values[static_cast<std::size_t>(position + (nearest - index) * stride)];
        }
      }
    }
  }
}

/// Collective. Throws CollectiveError, which names the first value that is not finite.
void require_finite(const comm::Communicator& communicator, const std::filesystem::path& file,
                    const std::string& name, const GridShape& grid, const comm::Box& block,
                    const std::vector<double>& values) {
  const auto inside = intersection(block, {{0, 0, 0}, grid.cells});
  const auto first = communicator.min(first_non_finite<double>(grid, inside, block, values));
  if (first == no_index) return;
  const auto cell = cell_of(grid, first);
  const FieldAxes index{grid.dimensions, cell};  // in the order of the file
  throw comm::CollectiveError(
      comm::ExitCode::input_output,
      {fmt::format("the data set '{}' of '{}' is NaN or infinite at the index {}", name,
                   file.string(), tuple_text(index.file_extents())),
       "every value must be finite", "repair the file"});
}

}  // namespace

std::vector<double> read_dataset(const comm::Communicator& communicator,
                                 const std::filesystem::path& file, const std::string& name,
                                 const GridShape& grid, const comm::Box& block,
                                 const comm::Int3& periodic) {
  const comm::Activity activity("reading '" + name + "' of '" + file.string() + "'");
  const hdf5::QuietErrors quiet;
  FieldSource source{{grid.dimensions, grid.cells}, {}, {}};
  source.open = [&] {
    auto handle = hdf5::open_to_read(file, "input file");
    auto dataset = open_checked(handle, file.string(), name, source.axes);
    return OpenDataset{std::move(handle), std::move(dataset)};
  };
  source.refuse = [&](const hdf5::Dataset& dataset, const std::string& reason) {
    refuse(dataset, file.string(), name, reason);
  };
  auto values = comm::agreed(communicator, [&] {
    if (intersection(block, {{0, 0, 0}, grid.cells}).empty())
      throw comm::Error(comm::ExitCode::internal, {"cannot read the block " + to_string(block),
                                                   "it has no cell of the grid", "report this"});
    return std::vector<double>(static_cast<std::size_t>(block.size()));
  });
  read_shared<double>(communicator, source, {block, periodic, values}, {});
  for (int axis = 0; axis < 3; ++axis) {
    if (periodic[axis] == 0) extend(values, block, axis, grid.cells[axis]);
  }
  require_finite(communicator, file, name, grid, block, values);
  return values;
}

std::optional<std::string> read_units(const comm::Communicator& communicator,
                                      const std::filesystem::path& file, const std::string& name) {
  const hdf5::QuietErrors quiet;
  std::string text;
  comm::agree(communicator, [&] {
    if (!communicator.is_root()) return;
    const auto handle = hdf5::open_to_read(file, "input file");
    const auto dataset = hdf5::find_dataset(handle.get(), name);
    if (const auto found = dataset ? hdf5::units_text(dataset) : std::nullopt) text = "=" + *found;
  });
  text = communicator.broadcast(text);
  return text.empty() ? std::nullopt : std::optional(text.substr(1));
}

}  // namespace halotherm::io
