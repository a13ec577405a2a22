// SPDX-License-Identifier: MIT
// Checksums that do not depend on how the grid is cut.
#pragma once

#include "comm/partition/box.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace halotherm::io {

/// The part that the cells of `box` have in a field's checksum: the sum modulo 2^64, over the
/// cells, of a 64-bit mix of the cell's place in the grid of `cells` and the bits of its value.
/// Parts of disjoint boxes add up, in any order, to that of the whole, which therefore depends on
/// neither ranks nor cut; a changed bit or two exchanged values change it. `values` has the box's
/// cells, x fastest.
template <class Real>
std::uint64_t field_checksum(const comm::Int3& cells, const comm::Box& box,
                             std::span<const Real> values);

/// The same for the cells of `part`, out of `values` that has the cells of a `block` around it.
template <class Real>
std::uint64_t field_checksum(const comm::Int3& cells, const comm::Box& part, const comm::Box& block,
                             std::span<const Real> values);

/// The same for `values` that follow each other in the file, the first one at `place`, counted from
/// 0.
template <class Real>
std::uint64_t range_checksum(std::int64_t place, std::span<const Real> values);

/// Of a text, byte by byte.
std::uint64_t text_checksum(std::string_view text);

/// 16 hexadecimal digits.
std::string to_hex(std::uint64_t checksum);
/// The opposite; false if `text` is not of that form.
bool from_hex(std::string_view text, std::uint64_t& checksum);

}  // namespace halotherm::io
