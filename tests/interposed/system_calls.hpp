// SPDX-License-Identifier: MIT
// A library for LD_PRELOAD that sees the calls of the C library on files. system_calls.cpp puts
// functions of the same names in front of the C library's own; what is to become of a call is
// decided by the functions below, which each such library defines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace interposed {

/// What a call does instead of its work: nothing else, an error, half of the bytes, or one bit
/// changed.
enum class Effect { none, failure, half, corruption };

/// Whether calls of this name are of interest; spares the search for the path of a descriptor.
/// Names: open (for writing), open_read, write, pwrite, read, pread, fsync, fallocate, ftruncate,
/// rename, unlink, close. Variants count as what they vary: openat and fopen as open, pwritev as
/// pwrite, fdatasync as fsync.
bool concerns(std::string_view call);

/// Called before the call, on any thread. With Effect::failure, errno is set.
Effect effect(std::string_view call, const std::string& path);

/// Called after the call, with what it returned: bytes, a descriptor, or -1.
void note(std::string_view call, const std::string& path, std::int64_t result);

/// The rank of MPI_COMM_WORLD, as the launcher says; a process without one is its own rank 0.
std::string my_rank();

/// The environment variable's value.
std::string variable(const char* name, const char* otherwise = "");

/// Whether the caller is the thread that the process began with.
bool on_main_thread();

}  // namespace interposed
