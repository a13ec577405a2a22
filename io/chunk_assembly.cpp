// SPDX-License-Identifier: MIT
#include "io/chunk_assembly.hpp"

#include <algorithm>

namespace halotherm::io {

namespace {

/// Values in rows along x, at some place for every cell.
struct Rows {
  std::int64_t origin = 0;  ///< place of the cell (0, 0, 0), perhaps outside
  std::int64_t row = 0;
  std::int64_t plane = 0;

  std::int64_t place(int i, int j, int k) const { return origin + i + j * row + k * plane; }
};

/// Those of a box of which every cell is there, the first one at `offset`.
Rows dense(const comm::Box& box, std::int64_t offset = 0) {
  Rows rows{0, box.extent(0), std::int64_t{box.extent(0)} * box.extent(1)};
  rows.origin = offset - rows.place(box.lower[0], box.lower[1], box.lower[2]);
  return rows;
}

template <class Real>
void copy_rows(const comm::Box& box, const Real* from, const Rows& source, Real* to, const Rows& target) {
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      std::copy_n(from + source.place(box.lower[0], j, k), box.extent(0), to + target.place(box.lower[0], j, k));
    }
  }
}

}  // namespace

template <class Real>
void pack(const WritePlan& plan, std::span<const Real> block, const Transfer& transfer, std::span<Real> message) {
  for (const auto& part : transfer.parts) {
    copy_rows(part.box, block.data(), dense(plan.block), message.data(), dense(part.box, part.offset));
  }
}

template <class Real>
std::span<const Real> ChunkAssembly<Real>::chunk(std::int64_t number) {
  const auto& chunks = plan_.chunks;
  values_.resize(static_cast<std::size_t>(chunks.end(number) - chunks.first(number)));
  auto in_chunk = dense({{0, 0, 0}, chunks.extent});
  in_chunk.origin -= chunks.first(number);

  const auto take = [&](const std::vector<ChunkPart>& parts, std::size_t& next, const auto& copy) {
    for (; next < parts.size() && parts[next].chunk <= number; ++next) {
      if (parts[next].chunk == number) copy(parts[next]);
    }
  };
  take(plan_.local, next_local_,
       [&](const ChunkPart& part) { copy_rows(part.box, block_.data(), dense(plan_.block), values_.data(), in_chunk); });
  for (std::size_t n = 0; n < received_.size(); ++n) {
    take(plan_.receives[n].parts, next_received_[n], [&](const ChunkPart& part) {
      copy_rows(part.box, received_[n].data(), dense(part.box, part.offset), values_.data(), in_chunk);
    });
  }
  return values_;
}

template void pack(const WritePlan&, std::span<const float>, const Transfer&, std::span<float>);
template void pack(const WritePlan&, std::span<const double>, const Transfer&, std::span<double>);
template class ChunkAssembly<float>;
template class ChunkAssembly<double>;

}  // namespace halotherm::io
