// SPDX-License-Identifier: MIT
#include "io/files/checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <type_traits>

namespace halotherm::io {

namespace {

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection in which every input bit
/// moves about half of the output bits.
constexpr std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31);
}

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;

template <class Real>
std::uint64_t bits(Real value) {
  using Word = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  return std::bit_cast<Word>(value);
}

}  // namespace

template <class Real>
std::uint64_t range_checksum(std::int64_t place, std::span<const Real> values) {
  std::uint64_t sum = 0;
  auto number = static_cast<std::uint64_t>(place);
  for (const Real value : values) sum += mixed(bits(value) ^ mixed(++number * golden));
  return sum;
}

template <class Real>
std::uint64_t field_checksum(const comm::Int3& cells, const comm::Box& region,
                             const comm::Box& block, std::span<const Real> values) {
  std::uint64_t sum = 0;
  const auto row = static_cast<std::size_t>(std::max(0, region.extent(0)));
  for (std::int64_t k = region.lower[2]; k < region.upper[2]; ++k) {
    for (std::int64_t j = region.lower[1]; j < region.upper[1]; ++j) {
      const auto plane = (k - block.lower[2]) * block.extent(1) + (j - block.lower[1]);
      const auto begin = plane * block.extent(0) + (region.lower[0] - block.lower[0]);
      sum += range_checksum((k * cells[1] + j) * cells[0] + region.lower[0],
                            values.subspan(static_cast<std::size_t>(begin), row));
    }
  }
  return sum;
}

template std::uint64_t range_checksum(std::int64_t, std::span<const float>);
template std::uint64_t range_checksum(std::int64_t, std::span<const double>);
template std::uint64_t field_checksum(const comm::Int3&, const comm::Box&, const comm::Box&,
                                      std::span<const float>);
template std::uint64_t field_checksum(const comm::Int3&, const comm::Box&, const comm::Box&,
                                      std::span<const double>);

std::uint64_t text_checksum(std::string_view text) {
  std::uint64_t sum = mixed(text.size() + golden);
  for (const char letter : text) sum = mixed((sum ^ static_cast<unsigned char>(letter)) + golden);
  return sum;
}

std::string to_hex(std::uint64_t checksum) {
  return fmt::format("{:016x}", checksum);
}

bool from_hex(std::string_view text, std::uint64_t& checksum) {
  if (text.size() != 16) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), checksum, 16);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace halotherm::io
