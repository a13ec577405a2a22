// SPDX-License-Identifier: MIT
#include "comm/mpi/communicator.hpp"

#include "comm/mpi/error.hpp"
#include "comm/mpi/message_parts.hpp"
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
  throw Error(ExitCode::internal, std::string(text.data(), static_cast<std::size_t>(length)) +
                                      " (MPI call at " + where.file_name() + ":" +
                                      std::to_string(where.line()) + ")");
}

namespace {

MPI_Comm duplicate(MPI_Comm original) {
  const CollectiveCall call("MPI_Comm_dup");
  MPI_Comm copy = MPI_COMM_NULL;
  check(MPI_Comm_dup(original, &copy));
  return copy;
}

template <class Number>
void reduce(std::span<Number> values, MPI_Datatype type, MPI_Op operation, MPI_Comm handle) {
  const CollectiveCall call("MPI_Allreduce");
  for_each_part(
      static_cast<std::int64_t>(values.size()), most_at_once, [&](std::int64_t first, int count) {
        check(MPI_Allreduce(MPI_IN_PLACE, values.data() + first, count, type, operation, handle));
      });
}

template <class Number>
void spread(std::span<Number> values, MPI_Datatype type, int root, MPI_Comm handle) {
  const CollectiveCall call("MPI_Bcast");
  for_each_part(static_cast<std::int64_t>(values.size()), most_at_once,
                [&](std::int64_t first, int count) {
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

Communicator::Communicator(MPI_Comm original) : Communicator(duplicate(original), Adopt{}) {}

Communicator::Communicator(MPI_Comm owned, Adopt) : handle_(owned) {
  check(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN));
  check(MPI_Comm_rank(handle_, &rank_));
  check(MPI_Comm_size(handle_, &size_));
}

Communicator::~Communicator() {
  // freeing is collective: while an exception unwinds, the other ranks may never come here
  if (handle_ != MPI_COMM_NULL && std::uncaught_exceptions() == 0) MPI_Comm_free(&handle_);
}

Communicator::Communicator(Communicator&& other) noexcept
    : handle_(std::exchange(other.handle_, MPI_COMM_NULL)),
      rank_(other.rank_),
      size_(other.size_) {}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(rank_, other.rank_);
  std::swap(size_, other.size_);
  return *this;
}

void Communicator::barrier() const {
  const CollectiveCall call("MPI_Barrier");
  check(MPI_Barrier(handle_));
}

void Communicator::sum(std::span<std::int64_t> values) const {
  reduce(values, MPI_INT64_T, MPI_SUM, handle_);
}
void Communicator::sum(std::span<std::uint64_t> values) const {
  reduce(values, MPI_UINT64_T, MPI_SUM, handle_);
}
void Communicator::max(std::span<double> values) const {
  reduce(values, MPI_DOUBLE, MPI_MAX, handle_);
}
void Communicator::min(std::span<double> values) const {
  reduce(values, MPI_DOUBLE, MPI_MIN, handle_);
}
void Communicator::max(std::span<std::int64_t> values) const {
  reduce(values, MPI_INT64_T, MPI_MAX, handle_);
}
void Communicator::min(std::span<std::int64_t> values) const {
  reduce(values, MPI_INT64_T, MPI_MIN, handle_);
}

std::int64_t Communicator::sum(std::int64_t value) const {
  sum(std::span(&value, 1));
  return value;
}

double Communicator::max(double value) const {
  max(std::span(&value, 1));
  return value;
}

double Communicator::min(double value) const {
  min(std::span(&value, 1));
  return value;
}

std::int64_t Communicator::max_of_integers(std::int64_t value) const {
  max(std::span(&value, 1));
  return value;
}

std::int64_t Communicator::min_of_integers(std::int64_t value) const {
  min(std::span(&value, 1));
  return value;
}

std::string Communicator::broadcast(std::string text, int root) const {
  const CollectiveCall call("MPI_Bcast");
  auto length = static_cast<std::int64_t>(text.size());
  check(MPI_Bcast(&length, 1, MPI_INT64_T, root, handle_));
  text.resize(static_cast<std::size_t>(length));
  for_each_part(length, most_at_once, [&](std::int64_t first, int count) {
    check(MPI_Bcast(text.data() + first, count, MPI_CHAR, root, handle_));
  });
  return text;
}

void Communicator::broadcast(std::span<double> values, int root) const {
  spread(values, MPI_DOUBLE, root, handle_);
}
void Communicator::broadcast(std::span<std::int64_t> values, int root) const {
  spread(values, MPI_INT64_T, root, handle_);
}

std::vector<std::string> Communicator::gather(const std::string& text) const {
  const CollectiveCall call("MPI_Allgatherv");
  return gather_in_parts(*this, text, most_at_once);
}

std::vector<double> Communicator::gather(double value) const {
  return gather_numbers(value, MPI_DOUBLE, *this);
}
std::vector<int> Communicator::gather(int value) const {
  return gather_numbers(value, MPI_INT, *this);
}

Communicator Communicator::node() const {
  const CollectiveCall call("MPI_Comm_split_type");
  MPI_Comm shared = MPI_COMM_NULL;
  check(MPI_Comm_split_type(handle_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &shared));
  return {shared, Adopt{}};
}

}  // namespace halotherm::comm
