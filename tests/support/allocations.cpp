// SPDX-License-Identifier: MIT
#include "tests/support/allocations.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<bool> counting = false;
std::atomic<std::int64_t> count = 0, held = 0, peak = 0;

void* counted(void* memory) {
  if (memory != nullptr && counting.load(std::memory_order_relaxed)) {
    ++count;
    const auto now = held += static_cast<std::int64_t>(malloc_usable_size(memory));
    auto most = peak.load();
    while (now > most && !peak.compare_exchange_weak(most, now)) {
    }
  }
  return memory;
}
void* counted_or_thrown(std::size_t bytes) {
  auto* memory = counted(std::malloc(bytes));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void given_back(void* memory) {
  if (memory != nullptr && counting.load(std::memory_order_relaxed))
    held -= static_cast<std::int64_t>(malloc_usable_size(memory));
}

}  // namespace

// all forms but those of over-aligned types, whose memory is given back by forms of its own
void* operator new(std::size_t bytes) {
  return counted_or_thrown(bytes);
}
void* operator new[](std::size_t bytes) {
  return counted_or_thrown(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return counted(std::malloc(bytes));
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return counted(std::malloc(bytes));
}
void operator delete(void* memory) noexcept {
  given_back(memory);
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  given_back(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  given_back(memory);
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  given_back(memory);
  std::free(memory);
}

void operator delete(void* memory, const std::nothrow_t&) noexcept {
  given_back(memory);
  std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  given_back(memory);
  std::free(memory);
}

namespace halotherm::test {

AllocationCount::AllocationCount() {
  count = held = peak = 0;
  counting = true;
}
AllocationCount::~AllocationCount() {
  counting = false;
}
Allocations AllocationCount::so_far() const {
  return {count, peak};
}

}  // namespace halotherm::test
