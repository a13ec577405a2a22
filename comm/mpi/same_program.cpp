// SPDX-License-Identifier: MIT
#include "comm/mpi/same_program.hpp"

#include "comm/mpi/error.hpp"
#include "comm/system/activity.hpp"
#include "comm/system/version.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace halotherm::comm {

namespace {

using Digest = std::array<std::uint64_t, 4>;
constexpr std::uint64_t magic = 0x48414c4f54484552;
constexpr auto different_arguments = "the ranks have different command lines";
constexpr auto give_same = "give every rank the same arguments";
constexpr std::size_t program_length = 512;
constexpr std::size_t text_length = 2048;
using Text = std::array<char, text_length>;

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char character : text)
    hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3;
  return hash;
}

/// The build id in a note segment, in hexadecimal; empty if it has none.
std::string build_id_in(const char* notes, std::size_t bytes) {
  constexpr std::size_t alignment = 4;
  const auto aligned = [](std::size_t size) {
    return (size + alignment - 1) / alignment * alignment;
  };
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes + at, sizeof header);
    const auto content = at + sizeof header + aligned(header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID && content + header.n_descsz <= bytes) {
      std::string text;
      for (std::size_t n = 0; n < header.n_descsz; ++n) {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(notes[content + n]);
        text += {digits[byte / 16], digits[byte % 16]};
      }
      return text;
    }
    at = content + aligned(header.n_descsz);
  }
  return {};
}

/// Returns 1 to stop after the first loaded object, which is the program itself.
int find_build_id(dl_phdr_info* info, std::size_t, void* result) {
  for (int n = 0; n < info->dlpi_phnum; ++n) {
    const auto& segment = info->dlpi_phdr[n];
    if (segment.p_type != PT_NOTE) continue;
    const auto id = build_id_in(reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr),
                                segment.p_memsz);
    if (!id.empty()) *static_cast<std::string*>(result) = id;
  }
  return 1;
}

/// The linker's hash of the program's content: equal for copies of a file, different for any other
/// build.
std::string build_id() {
  std::string id;
  dl_iterate_phdr(find_build_id, &id);
  return id;
}

Text text_of(const ProgramIdentity& identity) {
  Text text{};
  identity.program.copy(text.data(), program_length - 1);
  identity.arguments.copy(text.data() + program_length, text_length - program_length - 1);
  return text;
}

/// "rank 1", or "ranks 1, 3 and 5 others".
std::string list(const std::vector<std::size_t>& ranks) {
  constexpr std::size_t most = 4;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t n = 0; n < std::min(ranks.size(), most); ++n)
    text += (n == 0 ? "" : ", ") + std::to_string(ranks[n]);
  if (ranks.size() > most) text += " and " + std::to_string(ranks.size() - most) + " others";
  return text;
}

/// The text from the first word on that differs from `other`, at most 200 characters.
std::string from_difference(const std::string& text, const std::string& other) {
  const auto differs =
      static_cast<std::size_t>(std::ranges::mismatch(text, other).in1 - text.begin());
  const auto space = text.substr(0, differs).rfind(' ');
  const auto rest = space == std::string::npos ? text : "... " + text.substr(space + 1);
  constexpr std::size_t most = 200;
  if (rest.empty()) return "none";
  return rest.size() > most ? rest.substr(0, most) + " ..." : rest;
}

std::vector<std::size_t> unlike_first(const std::vector<ProgramIdentity>& ranks,
                                      std::string ProgramIdentity::*part) {
  std::vector<std::size_t> others;
  for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
    if (ranks[rank].*part != ranks[0].*part) others.push_back(rank);
  }
  return others;
}

}  // namespace

ProgramIdentity identity_of(int argc, const char* const* argv) {
  ProgramIdentity identity{std::string("halotherm ") + version + " (" + commit + "), preset " +
                               build_preset + ", build " + build_id(),
                           {}};
  for (int n = 1; n < argc; ++n) identity.arguments += (n > 1 ? " " : "") + std::string(argv[n]);
  return identity;
}

std::optional<ErrorText> program_difference(const std::vector<ProgramIdentity>& ranks) {
  if (const auto others = unlike_first(ranks, &ProgramIdentity::program); !others.empty()) {
    return ErrorText{
        "the ranks run different programs",
        list(others) + ": " + ranks[others[0]].program + "; rank 0: " + ranks[0].program,
        "start the same file on every rank"};
  }
  if (const auto others = unlike_first(ranks, &ProgramIdentity::arguments); !others.empty()) {
    const auto &mine = ranks[0].arguments, &other = ranks[others[0]].arguments;
    return ErrorText{different_arguments,
                     list(others) + ": " + from_difference(other, mine) +
                         "; rank 0: " + from_difference(mine, other),
                     give_same};
  }
  return std::nullopt;
}

void require_same_program(const Communicator& world, const ProgramIdentity& mine) {
  const auto size = static_cast<std::size_t>(world.size());
  const CollectiveCall call("MPI_Allgather");
  const Digest digest{magic, fnv1a(mine.program), fnv1a(mine.arguments), 0};
  std::vector<Digest> digests(size);
  check(MPI_Allgather(digest.data(), sizeof digest, MPI_BYTE, digests.data(), sizeof digest,
                      MPI_BYTE, world.handle()));
  if (std::ranges::all_of(digests, [&](const Digest& other) { return other == digests[0]; }))
    return;
  const auto text = text_of(mine);
  std::vector<Text> texts(size);
  check(MPI_Allgather(text.data(), sizeof text, MPI_BYTE, texts.data(), sizeof text, MPI_BYTE,
                      world.handle()));
  std::vector<ProgramIdentity> ranks;
  for (const auto& other : texts) ranks.push_back({other.data(), other.data() + program_length});
  throw CollectiveError(ExitCode::usage,
                        program_difference(ranks).value_or(
                            ErrorText{different_arguments, "beyond their beginning", give_same}));
}

}  // namespace halotherm::comm
