// SPDX-License-Identifier: MIT
#include "comm/mpi/communicator.hpp"

#include "comm/mpi/error.hpp"
#include "comm/system/activity.hpp"

#include <array>
#include <exception>
#include <utility>

namespace halotherm::comm {

void check(int code, std::source_location where) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw Error(ExitCode::internal, {std::string("an MPI call failed at ") + where.file_name() + ":" +
                                       std::to_string(where.line()),
                                   std::string(text.data(), static_cast<std::size_t>(length)),
                                   "check the MPI library and the network"});
}

namespace {

MPI_Comm duplicate(MPI_Comm original) {
  const CollectiveCall call("MPI_Comm_dup");
  MPI_Comm copy = MPI_COMM_NULL;
  check(MPI_Comm_dup(original, &copy));
  return copy;
}

template <class Number>
void spread(std::span<Number> values, MPI_Datatype type, int root, MPI_Comm handle) {
  const CollectiveCall call("MPI_Bcast");
  for_each_part(std::ssize(values), most_at_once, [&](std::int64_t first, int count) {
    check(MPI_Bcast(values.data() + first, count, type, root, handle));
  });
}

template <class Number>
std::vector<Number> gather_numbers(Number value, MPI_Datatype type, const Communicator& ranks) {
  const CollectiveCall call("MPI_Allgather");
  std::vector<Number> values(static_cast<std::size_t>(ranks.size()));
  check(MPI_Allgather(&value, 1, type, values.data(), 1, type, ranks.handle()));
  return values;
}

}  // namespace

struct Communicator::Nodes {
  Communicator mine;
  std::vector<int> of_rank;
};

Communicator::Communicator(MPI_Comm original) : Communicator(duplicate(original), Adopt{}) {}

Communicator::Communicator(MPI_Comm owned, Adopt) : handle_(owned) {
  check(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN));
  check(MPI_Comm_rank(handle_, &rank_));
  check(MPI_Comm_size(handle_, &size_));
}

Communicator::~Communicator() {
  // freeing is collective, and while an exception unwinds other ranks may not arrive here
  if (handle_ != MPI_COMM_NULL && std::uncaught_exceptions() == 0) MPI_Comm_free(&handle_);
}

Communicator::Communicator(Communicator&& other) noexcept
    : handle_(std::exchange(other.handle_, MPI_COMM_NULL)),
      rank_(other.rank_),
      size_(other.size_),
      nodes_(std::move(other.nodes_)) {}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(rank_, other.rank_);
  std::swap(size_, other.size_);
  std::swap(nodes_, other.nodes_);
  return *this;
}

void Communicator::barrier() const {
  const CollectiveCall call("MPI_Barrier");
  check(MPI_Barrier(handle_));
}

template <class Number>
void Communicator::reduce(std::span<Number> values, MPI_Op operation) const {
  const CollectiveCall call("MPI_Allreduce");
  const auto type = std::floating_point<Number>    ? MPI_DOUBLE
                    : std::signed_integral<Number> ? MPI_INT64_T
                                                   : MPI_UINT64_T;
  for_each_part(std::ssize(values), most_at_once, [&](std::int64_t first, int count) {
    check(MPI_Allreduce(MPI_IN_PLACE, values.data() + first, count, type, operation, handle_));
  });
}
template void Communicator::reduce(std::span<std::int64_t>, MPI_Op) const;
template void Communicator::reduce(std::span<std::uint64_t>, MPI_Op) const;
template void Communicator::reduce(std::span<double>, MPI_Op) const;

std::string Communicator::broadcast(std::string text, int root) const {
  auto length = std::ssize(text);
  broadcast(std::span<std::int64_t>(&length, 1), root);
  text.resize(static_cast<std::size_t>(length));
  spread(std::span(text), MPI_CHAR, root, handle_);
  return text;
}

void Communicator::broadcast(std::span<double> values, int root) const {
  spread(values, MPI_DOUBLE, root, handle_);
}
void Communicator::broadcast(std::span<std::int64_t> values, int root) const {
  spread(values, MPI_INT64_T, root, handle_);
}

std::vector<std::string> Communicator::gather(const std::string& text, std::int64_t most) const {
  const auto lengths = gather_numbers<std::int64_t>(std::ssize(text), MPI_INT64_T, *this);
  const CollectiveCall call("MPI_Allgatherv");
  std::vector<std::string> texts(lengths.size());
  const auto at_once = std::max<std::int64_t>(1, most / size_);
  for_each_part(std::ranges::max(lengths), at_once, [&](std::int64_t first, int) {
    std::vector<int> counts, starts;
    int total = 0;
    for (const auto length : lengths) {
      starts.push_back(total);
      counts.push_back(static_cast<int>(std::clamp<std::int64_t>(length - first, 0, at_once)));
      total += counts.back();
    }
    std::string all(static_cast<std::size_t>(total), '\0');
    const auto* begin = text.data() + std::min<std::int64_t>(first, std::ssize(text));
    check(MPI_Allgatherv(begin, counts[static_cast<std::size_t>(rank_)], MPI_CHAR, all.data(),
                         counts.data(), starts.data(), MPI_CHAR, handle_));
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
      texts[rank].append(all, static_cast<std::size_t>(starts[rank]),
                         static_cast<std::size_t>(counts[rank]));
    }
  });
  return texts;
}

std::vector<double> Communicator::gather(double value) const {
  return gather_numbers(value, MPI_DOUBLE, *this);
}
std::vector<int> Communicator::gather(int value) const {
  return gather_numbers(value, MPI_INT, *this);
}

void Communicator::gather_bytes(const void* mine, std::size_t bytes, void* all,
                                bool on_root) const {
  const CollectiveCall call(on_root ? "MPI_Gather" : "MPI_Allgather");
  const int count = static_cast<int>(bytes);
  check(on_root ? MPI_Gather(mine, count, MPI_BYTE, all, count, MPI_BYTE, 0, handle_)
                : MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, handle_));
}

const Communicator& Communicator::node() const {
  if (nodes_) return nodes_->mine;
  const CollectiveCall call("MPI_Comm_split_type");
  MPI_Comm shared = MPI_COMM_NULL;
  check(MPI_Comm_split_type(handle_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &shared));
  Communicator mine(shared, Adopt{});
  auto of_rank = gather(mine.min(rank_));
  nodes_.reset(new Nodes{std::move(mine), std::move(of_rank)});
  return nodes_->mine;
}

const std::vector<int>& Communicator::nodes() const {
  node();
  return nodes_->of_rank;
}

}  // namespace halotherm::comm
