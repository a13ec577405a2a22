// SPDX-License-Identifier: MIT
// What links can carry by their standards, in one direction [bytes/s].
#pragma once

#include <optional>

namespace halotherm::comm {

/// One NVLink, by the number that nvmlDeviceGetNvLinkVersion gives for its version: 1 is
/// NVLink 1.0, 2 and 3 are 2.x, 4 and 5 are 3.x, 6 is 4.0, 7 is 5.0 (nvmlNvlinkVersion_t). The
/// rates are those of NVIDIA's architecture whitepapers: P100 (20 GB/s), V100, A100 and H100 (25),
/// Blackwell (50). Some drivers call the links of Hopper, compute capability 9, version 5.0.
inline std::optional<double> nvlink_rate(int version, int compute_capability) {
  if (version < 1 || version > 7) return std::nullopt;
  if (version == 1) return 20e9;
  return version == 7 && compute_capability != 9 ? 50e9 : 25e9;
}

/// A PCI Express link with its line code taken off: 8b/10b for generations 1 and 2, 128b/130b for 3
/// to 5, flits of 242 in 256 bytes for 6 (PCI-SIG's base specifications). What packets' headers
/// cost is not.
inline std::optional<double> pcie_rate(int generation, int lanes) {
  constexpr double bits_a_lane[] = {0,
                                    2.5e9 * 8 / 10,
                                    5e9 * 8 / 10,
                                    8e9 * 128 / 130,
                                    16e9 * 128 / 130,
                                    32e9 * 128 / 130,
                                    64e9 * 242 / 256};
  if (generation < 1 || generation > 6 || lanes < 1) return std::nullopt;
  return lanes * bits_a_lane[generation] / 8;
}

}  // namespace halotherm::comm
