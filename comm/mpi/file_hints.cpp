// SPDX-License-Identifier: MIT
#include "comm/mpi/file_hints.hpp"

#include "comm/mpi/communicator.hpp"

#include <algorithm>
#include <array>

namespace halotherm::comm {

namespace {

/// The n-th hint.
FileHint hint_of(MPI_Info info, int n) {
  std::array<char, MPI_MAX_INFO_KEY + 1> name{};
  std::array<char, MPI_MAX_INFO_VAL + 1> value{};
  int found = 0;
  check(MPI_Info_get_nthkey(info, n, name.data()));
  check(MPI_Info_get(info, name.data(), MPI_MAX_INFO_VAL, value.data(), &found));
  return {name.data(), value.data()};
}

}  // namespace

HintSet::HintSet(const FileHints& hints) {
  check(MPI_Info_create(&handle_));
  for (const auto& hint : hints)
    check(MPI_Info_set(handle_, hint.name.c_str(), hint.value.c_str()));
}

HintSet::~HintSet() {
  MPI_Info_free(&handle_);
}

FileHints hints_of(MPI_File file) {
  MPI_Info info = MPI_INFO_NULL;
  check(MPI_File_get_info(file, &info));
  FileHints hints;
  int count = 0;
  if (info != MPI_INFO_NULL) check(MPI_Info_get_nkeys(info, &count));
  for (int n = 0; n < count; ++n) hints.push_back(hint_of(info, n));
  if (info != MPI_INFO_NULL) MPI_Info_free(&info);
  std::ranges::sort(hints, {}, &FileHint::name);
  return hints;
}

}  // namespace halotherm::comm
