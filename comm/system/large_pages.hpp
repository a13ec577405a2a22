// SPDX-License-Identifier: MIT
// Asks the kernel for large pages under big allocations.
#pragma once

#include <cstddef>

namespace halotherm::comm {

/// Asks for pages of 2 MiB for memory that nobody has touched yet, where Linux leaves the choice to
/// programs
/// (/sys/kernel/mm/transparent_hugepage/enabled: madvise). A row of 512 doubles fills a page of 4
/// KiB, and a stencil has ten rows in flight: with small pages it waits for translations. Does
/// nothing where that cannot be had.
void prefer_large_pages(void* memory, std::size_t bytes);

}  // namespace halotherm::comm
