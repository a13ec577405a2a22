// SPDX-License-Identifier: MIT
#include "io/field/checkpoint_metadata.hpp"

#include "comm/system/error_text.hpp"
#include "io/files/checksum.hpp"
#include "io/hdf5/input_file.hpp"
#include "io/hdf5/values.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <sstream>

namespace halotherm::io {

namespace {

constexpr const char* format_name = "halotherm-checkpoint";
constexpr std::int64_t format_version = 5;
constexpr std::int64_t first_version = 1;    // one checksum for the whole field
constexpr std::int64_t inputs_version = 3;   // the first with checksums of the inputs
constexpr std::int64_t fields_version = 4;   // lists its fields; others hold the temperature alone
constexpr std::int64_t numbers_version = 5;  // has further numbers of the state
constexpr std::size_t most_fields = 64;
constexpr std::int64_t most_chunks = 1 << 20;
constexpr const char* checksums_dataset = "checksums";
constexpr std::array<const char*, 3> faces_datasets{"faces_x", "faces_y", "faces_z"};
constexpr std::size_t title_limit = 4096;  // the configuration has the whole title
constexpr std::size_t config_limit = std::size_t{16} << 20;
constexpr std::size_t inputs_limit = std::size_t{1} << 20;
constexpr double cells_limit = 9007199254740992.0;  // 2^53

using hdf5::FormatError;

bool has_temperature_alone(const CheckpointInfo& info) {
  return info.fields == std::vector{comm::temperature};
}

/// Every value on which a restart relies, exactly, as one text. Its checksum protects them as
/// `checksum` protects the fields.
std::string digest(const CheckpointInfo& info) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::hexfloat << info.grid.dimensions;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(info.grid.dimensions); ++axis) {
    text << ' ' << info.grid.cells[axis] << ' ' << info.grid.lower[axis] << ' '
         << info.grid.spacing[axis];
    if (info.grid.even(axis)) continue;
    for (const double face : *info.grid.faces[axis]) text << ' ' << face;
  }
  text << ' ' << info.precision << ' ' << info.step << ' ' << info.time << ' ' << info.dt << ' '
       << info.checksum << '\n';
  if (!has_temperature_alone(info)) {
    for (const auto& [name, unit, description] : info.fields)
      text << name << '\n' << unit << '\n' << description << '\n';
  }
  for (const auto& [name, value] : info.numbers) text << name << ' ' << value << '\n';
  if (info.knows_inputs) text << info.inputs.size() << '\n' << to_text(info.inputs);
  text << info.config;
  return text.str();
}

void require(bool condition, const std::string& otherwise) {
  if (!condition) throw FormatError(otherwise);
}

/// The faces along an axis, if the file has any.
std::shared_ptr<const std::vector<double>> read_faces(hid_t file, const char* name, int cells) {
  if (H5Lexists(file, name, H5P_DEFAULT) <= 0) return nullptr;
  auto faces = hdf5::read_numbers(file, name, static_cast<std::size_t>(cells) + 1);
  require(std::ranges::is_sorted(faces, std::less_equal<>()) && std::isfinite(faces.front()) &&
              std::isfinite(faces.back()),
          "the data set '" + std::string(name) + "' is not of ascending numbers");
  return std::make_shared<const std::vector<double>>(std::move(faces));
}

GridShape read_grid(hid_t file) {
  GridShape grid;
  const auto dimensions = hdf5::read_integers(file, "dimensions", 1)[0];
  require(1 <= dimensions && dimensions <= 3,
          "the attribute 'dimensions' is " + std::to_string(dimensions));
  grid.dimensions = static_cast<int>(dimensions);
  const auto axes = static_cast<std::size_t>(dimensions);
  const auto cells = hdf5::read_integers(file, "cells", axes);
  const auto lower = hdf5::read_reals(file, "lower", axes);
  const auto spacing = hdf5::read_reals(file, "spacing", axes);
  double total = 1;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    require(1 <= cells[axis] && cells[axis] <= std::numeric_limits<int>::max(),
            "the attribute 'cells' holds " + std::to_string(cells[axis]));
    require(std::isfinite(lower[axis]), "the attribute 'lower' holds a number that is not finite");
    require(std::isfinite(spacing[axis]) && spacing[axis] > 0,
            "the attribute 'spacing' holds a number that is not positive");
    grid.cells[axis] = static_cast<int>(cells[axis]);
    grid.lower[axis] = lower[axis];
    grid.spacing[axis] = spacing[axis];
    total *= static_cast<double>(cells[axis]);
    grid.faces[axis] = read_faces(file, faces_datasets[axis], grid.cells[axis]);
  }
  require(total <= cells_limit, "the attribute 'cells' multiplies to more than 2^53");
  return grid;
}

std::uint64_t read_checksum(hid_t file, const std::string& name) {
  std::uint64_t checksum = 0;
  require(from_hex(hdf5::read_text_attribute(file, name), checksum),
          "the attribute '" + name + "' is not 16 hexadecimal digits");
  return checksum;
}

/// Reads the chunks' checksums, which must add up to `info.checksum`.
void read_chunks(hid_t file, std::int64_t version, CheckpointInfo& info) {
  info.chunks = {info.grid.cells, 0};
  info.chunks.length = version == first_version ? info.chunks.values()
                                                : hdf5::read_integers(file, "chunk_values", 1)[0];
  require(info.chunks.length >= 1 && info.chunks.count() <= most_chunks,
          "the attribute 'chunk_values' makes no sense");
  info.chunk_checksums = {info.checksum};
  if (version == first_version) return;
  info.chunk_checksums = hdf5::read_words(
      file, checksums_dataset, info.fields.size() * static_cast<std::size_t>(info.chunks.count()));
  const auto sum =
      std::accumulate(info.chunk_checksums.begin(), info.chunk_checksums.end(), std::uint64_t{0});
  require(sum == info.checksum,
          "the data set 'checksums' does not add up to the attribute 'checksum'");
}

/// The lowest version that has what is in it.
std::int64_t version_of(const CheckpointInfo& info) {
  if (!info.numbers.empty()) return numbers_version;
  return has_temperature_alone(info) ? inputs_version : fields_version;
}

/// The quantities of the fields whose names the file lists.
std::vector<comm::Quantity> read_fields(hid_t file) {
  std::vector<comm::Quantity> fields;
  std::istringstream names(hdf5::read_text_attribute(file, "fields"));
  for (std::string name; std::getline(names, name, ' ');) {
    require(hdf5::is_name(name) && std::ranges::count(fields, name, &comm::Quantity::name) == 0 &&
                fields.size() < most_fields,
            "the attribute 'fields' is not a list of names");
    const auto dataset = hdf5::find_dataset(file, name);
    require(static_cast<bool>(dataset), "the data set '/" + name + "' is missing");
    fields.push_back({name, hdf5::read_text_attribute(dataset.get(), "units"),
                      hdf5::read_text_attribute(dataset.get(), "long_name")});
  }
  require(!fields.empty(), "the attribute 'fields' is not a list of names");
  return fields;
}

void check_dataset(hid_t file, const std::string& name, const CheckpointInfo& info) {
  const auto text = "the data set '/" + name + "'";
  const auto dataset = hdf5::find_dataset(file, name);
  require(static_cast<bool>(dataset), text + " is missing");
  require(hdf5::extents(dataset) == axes_of(info.grid).file_extents(),
          text + " has another shape than the attribute 'cells'");
  const hdf5::Datatype type(H5Dget_type(dataset.get()));
  const bool is_double = info.precision == "float64";
  const auto is = [&](hid_t wanted) { return H5Tequal(type.get(), wanted) > 0; };
  require(type && (is_double ? is(H5T_IEEE_F64LE) || is(H5T_IEEE_F64BE)
                             : is(H5T_IEEE_F32LE) || is(H5T_IEEE_F32BE)),
          text + " is not of " + info.precision + " numbers");
}

}  // namespace

std::string to_text(const std::vector<InputChecksum>& inputs) {
  std::string text;
  for (const auto& [key, checksum] : inputs) text += to_hex(checksum) + " " + key + "\n";
  return text;
}

std::vector<InputChecksum> parse_inputs(const std::string& text) {
  std::vector<InputChecksum> inputs;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::size_t digits = 16;
    InputChecksum input;
    require(line.size() > digits + 1 && line[digits] == ' ' &&
                from_hex(line.substr(0, digits), input.checksum),
            "the text 'inputs' is not of lines of a checksum and a key");
    input.key = line.substr(digits + 1);
    inputs.push_back(input);
  }
  return inputs;
}

FieldAxes axes_of(const GridShape& grid) {
  return {grid.dimensions, grid.cells};
}

void write_metadata(hid_t file, std::span<const hdf5::Dataset> datasets, const CheckpointInfo& info,
                    bool fills) {
  hdf5::write_attribute(file, "format", std::string(format_name));
  hdf5::write_attribute(file, "format_version", version_of(info));
  hdf5::write_attribute(file, "title", std::string(comm::utf8_prefix(info.title, title_limit)));
  hdf5::write_attribute(file, "version", info.version);
  hdf5::write_attribute(file, "commit", info.commit);
  hdf5::write_attribute(file, "precision", info.precision);
  hdf5::write_attribute(file, "step", info.step);
  hdf5::write_attribute(file, "time", info.time);
  hdf5::write_attribute(file, "dt", info.dt);
  hdf5::write_attribute(file, "time_unit", std::string("s"));
  hdf5::write_attribute(file, "length_unit", std::string("m"));
  hdf5::write_attribute(file, "temperature_unit", std::string("K"));
  const auto& grid = info.grid;
  const auto axes = static_cast<std::size_t>(grid.dimensions);
  const std::array<std::int64_t, 3> cells{grid.cells[0], grid.cells[1], grid.cells[2]};
  hdf5::write_attribute(file, "dimensions", std::int64_t{grid.dimensions});
  hdf5::write_attribute(file, "cells", std::span(cells).first(axes));
  hdf5::write_attribute(file, "lower", std::span(grid.lower).first(axes));
  hdf5::write_attribute(file, "spacing", std::span(grid.spacing).first(axes));
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (!grid.even(axis)) hdf5::write_numbers(file, faces_datasets[axis], *grid.faces[axis], fills);
  }
  hdf5::write_attribute(file, "checksum", to_hex(0));
  hdf5::write_attribute(file, "metadata_checksum", to_hex(0));
  hdf5::write_attribute(file, "chunk_values", info.chunks.length);
  hdf5::write_words(file, checksums_dataset,
                    std::vector<std::uint64_t>(
                        info.fields.size() * static_cast<std::size_t>(info.chunks.count()), 0),
                    fills);
  hdf5::write_text(file, "config", info.config, fills);
  hdf5::write_text(file, "inputs", to_text(info.inputs), fills);

  std::vector<std::string> labels{"z", "y", "x"};
  labels.erase(labels.begin(), labels.end() - info.grid.dimensions);
  std::string names;
  for (std::size_t n = 0; n < info.fields.size(); ++n) {
    const auto& [name, unit, description] = info.fields[n];
    hdf5::write_attribute(datasets[n].get(), "axis_labels", labels);
    hdf5::write_attribute(datasets[n].get(), "units", unit);
    hdf5::write_attribute(datasets[n].get(), "long_name", description);
    names += (n > 0 ? " " : "") + name;
  }
  if (version_of(info) >= fields_version) hdf5::write_attribute(file, "fields", names);
  if (!info.numbers.empty()) hdf5::write_named_numbers(file, "numbers", info.numbers);
}

void write_checksums(hid_t file, const CheckpointInfo& info) {
  hdf5::overwrite_words(file, checksums_dataset, info.chunk_checksums);
  hdf5::overwrite_attribute(file, "checksum", to_hex(info.checksum));
  hdf5::overwrite_attribute(file, "metadata_checksum", to_hex(text_checksum(digest(info))));
}

CheckpointInfo read_metadata(hid_t file) {
  require(H5Aexists(file, "format") > 0 && hdf5::read_text_attribute(file, "format") == format_name,
          "it is not a Halotherm checkpoint: there is no attribute format = " +
              std::string(format_name));
  const auto version = hdf5::read_integers(file, "format_version", 1)[0];
  require(first_version <= version && version <= format_version,
          "it has format version " + std::to_string(version) +
              ", and this program reads versions " + std::to_string(first_version) + " to " +
              std::to_string(format_version));
  CheckpointInfo info;
  info.grid = read_grid(file);
  info.precision = hdf5::read_text_attribute(file, "precision");
  require(info.precision == "float32" || info.precision == "float64",
          "the attribute 'precision' is neither float32 nor float64");
  info.step = hdf5::read_integers(file, "step", 1)[0];
  info.time = hdf5::read_reals(file, "time", 1)[0];
  info.dt = hdf5::read_reals(file, "dt", 1)[0];
  require(info.step >= 0 && std::isfinite(info.time) && std::isfinite(info.dt),
          "its step, time or dt makes no sense");
  info.title = hdf5::read_text_attribute(file, "title");
  info.version = hdf5::read_text_attribute(file, "version");
  info.commit = hdf5::read_text_attribute(file, "commit");
  info.config = hdf5::read_text(file, "config", config_limit);
  info.knows_inputs = version >= inputs_version;
  if (info.knows_inputs) info.inputs = parse_inputs(hdf5::read_text(file, "inputs", inputs_limit));
  info.checksum = read_checksum(file, "checksum");
  if (version >= fields_version) info.fields = read_fields(file);
  if (version >= numbers_version) info.numbers = hdf5::read_named_numbers(file, "numbers");
  for (const auto& field : info.fields) check_dataset(file, field.name, info);
  read_chunks(file, version, info);
  require(read_checksum(file, "metadata_checksum") == text_checksum(digest(info)),
          "its attributes were damaged: their checksum differs");
  return info;
}

}  // namespace halotherm::io
