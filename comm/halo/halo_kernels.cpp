// SPDX-License-Identifier: MIT
#include "comm/halo/halo_kernels.hpp"

#include <algorithm>
#include <type_traits>

namespace halotherm::comm {

namespace {

/// The body of a kernel that copies the cells of all boxes to the messages' buffers, or back. The
/// slots are those of the boxes, in one field after another, and so are the values in a buffer.
template <class Real, bool packs>
struct CopyFields {
  using Cell = std::conditional_t<packs, const Real, Real>;
  using Place = std::conditional_t<packs, Real, const Real>;

  BoxList boxes;
  FieldViews<Cell> fields;
  Place* buffers[BoxList::capacity];

  template <class Flags>
  CopyFields(const FieldViews<Cell>& the_fields, const Messages<Place, Flags>& messages)
      : boxes(messages.boxes), fields(the_fields) {
    std::ranges::copy(messages.buffers, buffers);
  }

  std::int64_t slots() const { return fields.count * boxes.slots(); }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t slot) const {
    int cells = 0;
    const auto first = copy(slot, cells);
    for (int n = 0; n < cells; ++n) first.to[n] = first.from[n];
  }
  KOKKOS_INLINE_FUNCTION Copy<Real> copy(std::int64_t slot) const
      requires(!kernels_run_on_host) {  // where a slot is one cell
    int cells = 0;
    return copy(slot, cells);
  }

 private:
  /// The first of a slot's `cells`.
  KOKKOS_FORCEINLINE_FUNCTION Copy<Real> copy(std::int64_t slot, int& cells) const {
    int f = 0;
    for (; slot >= boxes.slots(); slot -= boxes.slots()) ++f;
    const auto row = boxes.row(slot);
    cells = row.cells;
    Cell* cell = &fields.views[f](row.i, row.j, row.k);
    Place* place = buffers[row.box] + row.first;
    if (f > 0) place += f * boxes.cells(row.box);
    if constexpr (packs) {
      return {cell, place, {}};
    } else {
      return {place, cell, {}};
    }
  }
};

template <class Real>
using Packing = CopyFields<Real, true>;
template <class Real>
using Unpacking = CopyFields<Real, false>;

}  // namespace

BoxList boxes_of(const std::vector<HaloMessage>& messages, Box HaloMessage::*which) {
  std::vector<Box> boxes;
  for (const auto& message : messages) boxes.push_back(message.*which);
  return BoxList(boxes);
}

template <class Real>
void pack(const Space& space, const FieldViews<const Real>& fields,
          const Outgoing<Real>& messages) {
  const Packing<Real> body(fields, messages);
  send(space, "halo pack", Sending<Packing<Real>>{messages.flags, body.slots(), body});
}

template <class Real>
void unpack(const Space& space, const FieldViews<Real>& fields, const Incoming<Real>& messages) {
  const Unpacking<Real> body(fields, messages);
  receive(space, "halo unpack", Receiving<Unpacking<Real>>{messages.flags, body.slots(), body});
}

template <class Real>
void exchange(const Space& space, const FieldViews<Real>& fields, const Outgoing<Real>& sent,
              const Incoming<Real>& received) {
  const Packing<Real> pack(fields, sent);
  const Unpacking<Real> unpack(fields, received);
  launch_flagged(space, "halo exchange", Sending<Packing<Real>>{sent.flags, pack.slots(), pack},
                 Receiving<Unpacking<Real>>{received.flags, unpack.slots(), unpack});
}

#define HALOTHERM_INSTANTIATE(Real)                                                       \
  template void pack(const Space&, const FieldViews<const Real>&, const Outgoing<Real>&); \
  template void unpack(const Space&, const FieldViews<Real>&, const Incoming<Real>&);     \
  template void exchange(const Space&, const FieldViews<Real>&, const Outgoing<Real>&,    \
                         const Incoming<Real>&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::comm
