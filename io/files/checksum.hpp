// SPDX-License-Identifier: MIT
// Checksums that do not depend on the partition of the grid.
#pragma once

#include "comm/partition/box.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace halotherm::io {

/// The contribution of the cells of `region` to a field's checksum. The checksum is the sum modulo
/// 2^64, over the cells, of a 64-bit mix of the cell's place in the grid of `cells` and the bits of
/// its value. Contributions of disjoint boxes add up to it in any order, so it depends neither on
/// the number of ranks nor on the partition; a changed bit or two exchanged values change it.
/// `values` holds the cells of `block`, which contains `region`, x fastest.
template <class Real>
std::uint64_t field_checksum(const comm::Int3& cells, const comm::Box& region,
                             const comm::Box& block, std::span<const Real> values);

/// The contribution of a whole block.
template <class Real>
std::uint64_t field_checksum(const comm::Int3& cells, const comm::Box& block,
                             std::span<const Real> values) {
  return field_checksum(cells, block, block, values);
}

/// The contribution of values that are contiguous in the file; `place` of the first counts from 0.
template <class Real>
std::uint64_t range_checksum(std::int64_t place, std::span<const Real> values);

/// The checksum of a text, byte by byte.
std::uint64_t text_checksum(std::string_view text);

/// A checksum as 16 hexadecimal digits.
std::string to_hex(std::uint64_t checksum);
/// Parses what `to_hex` writes; false for other texts.
bool from_hex(std::string_view text, std::uint64_t& checksum);

}  // namespace halotherm::io
