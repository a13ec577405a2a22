// SPDX-License-Identifier: MIT
#include "io/hdf5/axis_labels.hpp"

#include "io/hdf5/values.hpp"

#include <cctype>
#include <cstring>

namespace halotherm::io {

namespace {

constexpr std::size_t longest = 64;  ///< of a label [bytes]

std::vector<std::string> variable_texts(const hdf5::Attribute& attribute,
                                        const hdf5::Datatype& type, const hdf5::Dataspace& space,
                                        std::size_t count) {
  std::vector<char*> read(count, nullptr);
  std::vector<std::string> texts(count);
  if (H5Aread(attribute.get(), type.get(), read.data()) < 0) return {};
  for (std::size_t n = 0; n < count; ++n) {
    if (read[n] != nullptr) texts[n].assign(read[n], strnlen(read[n], longest));
  }
  H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, read.data());
  return texts;
}

std::vector<std::string> fixed_texts(const hdf5::Attribute& attribute, const hdf5::Datatype& type,
                                     std::size_t count) {
  const std::size_t size = H5Tget_size(type.get());
  if (size == 0 || size > longest) return {};
  std::string read(count * size, '\0');
  if (H5Aread(attribute.get(), type.get(), read.data()) < 0) return {};
  std::vector<std::string> texts;
  for (std::size_t n = 0; n < count; ++n)
    texts.emplace_back(read.data() + n * size, strnlen(read.data() + n * size, size));
  return texts;
}

std::vector<std::string> texts_of(const hdf5::Dataset& dataset, const char* name,
                                  std::size_t count) {
  if (H5Aexists(dataset.get(), name) <= 0) return {};
  const hdf5::Attribute attribute(H5Aopen(dataset.get(), name, H5P_DEFAULT));
  if (!attribute) return {};
  const hdf5::Datatype type(H5Aget_type(attribute.get()));
  const hdf5::Dataspace space(H5Aget_space(attribute.get()));
  if (!type || !space || H5Tget_class(type.get()) != H5T_STRING) return {};
  if (H5Sget_simple_extent_npoints(space.get()) != static_cast<hssize_t>(count)) return {};
  return H5Tis_variable_str(type.get()) > 0 ? variable_texts(attribute, type, space, count)
                                            : fixed_texts(attribute, type, count);
}

}  // namespace

std::vector<std::string> axis_labels(const hdf5::Dataset& dataset) {
  const auto axes = hdf5::extents(dataset).size();
  for (const char* name : {"axis_labels", "DIMENSION_LABELS"}) {
    const auto labels = texts_of(dataset, name, axes);
    if (!labels.empty()) return labels;
  }
  return {};
}

bool contradict_order(const std::vector<std::string>& labels) {
  for (std::size_t place = 0; place < labels.size(); ++place) {
    const auto& label = labels[place];
    const std::size_t fastness = labels.size() - 1 - place;  // 0 for the fastest
    if (label.size() != 1 || fastness > 2) continue;
    const auto letter = static_cast<char>(std::tolower(static_cast<unsigned char>(label.front())));
    if (letter >= 'x' && letter <= 'z' && letter != "xyz"[fastness]) return true;
  }
  return false;
}

std::string labels_text(const std::vector<std::string>& labels) {
  std::string text;
  for (const auto& label : labels) text += (text.empty() ? "" : ", ") + label;
  return "(" + text + ")";
}

}  // namespace halotherm::io
