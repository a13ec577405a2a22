// SPDX-License-Identifier: MIT
// A pass over the cells of the body and its faces to the outside, piece by piece.
#pragma once

#include "app/parts/part_labels.hpp"
#include "app/problem/region_sampler.hpp"
#include "app/problem/side_parts.hpp"

#include <functional>
#include <string>
#include <vector>

namespace halotherm::app {

/// A face of a cell of the body to the outside: at a side of the domain, or towards a void cell.
struct OuterFace {
  std::size_t cell;           ///< place in the piece, x fastest
  double area;                ///< [m²]
  const SampledSide& values;  ///< evaluated at the start
  std::size_t point;          ///< of the values
  std::size_t surface;        ///< position in `surface_names`
};

/// What faces can belong to: "x-", "x-_heater" (a patch), ..., "void". The same on all ranks.
std::vector<std::string> surface_names(const Config& config);

/// The place of a cell of a box, x fastest.
inline std::size_t place_in(const comm::Box& box, const comm::Int3& cell) {
  const auto row = std::int64_t{cell[2] - box.lower[2]} * box.extent(1) + (cell[1] - box.lower[1]);
  return static_cast<std::size_t>(row * box.extent(0) + (cell[0] - box.lower[0]));
}

/// Some cells of a block.
struct PieceOfBody {
  const comm::Box& box;
  const comm::Box& sampled;  ///< the box with the cells around it
  RegionSampler& regions;    ///< of `sampled`
  const std::vector<int>& labels;
  bool mine;  ///< else it counts on another rank only, and was seen before

  /// Calls `work(n, place, cell)` for the cells of the box, x fastest: the place in the box, and
  /// the one in owners of `regions`, which is 0 where one holds for all.
  template <class Work>
  void for_each(const Work& work) const {
    const bool all = regions.materials()->size() == 1;
    std::size_t n = 0;
    for (int k = box.lower[2]; k < box.upper[2]; ++k) {
      for (int j = box.lower[1]; j < box.upper[1]; ++j) {
        auto place = all ? 0 : place_in(sampled, {box.lower[0], j, k});
        for (int i = box.lower[0]; i < box.upper[0]; ++i, place += all ? 0 : 1)
          work(n++, place, comm::Int3{i, j, k});
      }
    }
  }
};

/// Passes over the cells of this rank's block, whose parts are labelled alike in each pass. Where
/// no cell is void, all have label 0.
class BodyScan {
 public:
  /// References must outlive it.
  BodyScan(const FieldSampler& sampler, const Config& config, const comm::Box& owned);

  using Visit = std::function<void(const PieceOfBody&)>;
  /// Collective, and so is `visit`, which is called for pieces in the order of memory, as often on
  /// all ranks. Stops after `budget` [s], and returns whether all cells were visited. Throws
  /// CollectiveError.
  bool visit_pieces(double budget, const Visit& visit);
  /// The labels of the last pass.
  PartLabels& labels() { return labels_; }

  /// Calls `visit` for the outer faces of a piece's cells. Not collective. Throws Error (usage).
  void visit_faces(const PieceOfBody& piece,
                   const std::function<void(const OuterFace&)>& visit) const;
  /// The volume of a cell [m³].
  double volume(const comm::Int3& cell) const;

 private:
  void visit_sides(const PieceOfBody& piece,
                   const std::function<void(const OuterFace&)>& visit) const;
  void visit_void_faces(const PieceOfBody& piece,
                        const std::function<void(const OuterFace&)>& visit) const;

  const FieldSampler& sampler_;
  const Config& config_;
  comm::Box owned_;
  PartLabels labels_;
};

}  // namespace halotherm::app
