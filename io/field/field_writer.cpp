// SPDX-License-Identifier: MIT
#include "io/field/field_writer.hpp"

#include "comm/system/activity.hpp"
#include "comm/system/host_cpus.hpp"
#include "io/field/background_write.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace halotherm::io {

namespace {

/// A few, whose checksums keep up with a fast disk; one where ranks have few CPUs, which the
/// computation needs.
int threads_of_a_rank(const comm::Communicator& communicator) {
  const auto cpus = static_cast<int>(comm::usable_cpus().size()) / communicator.node().size();
  return std::clamp(cpus / 4, 1, 4);
}

WriterRole role_of(const comm::Communicator& communicator) {
  const auto& nodes = communicator.nodes();
  const int rank = communicator.rank();
  return {rank_to_verify(nodes, rank), nodes[static_cast<std::size_t>(rank)] == rank};
}

}  // namespace

template <class Real>
FieldWriter<Real>::FieldWriter(const comm::Communicator& communicator, WriteSettings settings)
    : communicator_(communicator.handle()),
      io_(communicator.handle()),
      settings_(std::move(settings)),
      role_(role_of(communicator)) {
  if (settings_.threads == 0) settings_.threads = threads_of_a_rank(communicator);
}

template <class Real>
FieldWriter<Real>::~FieldWriter() = default;

template <class Real>
void FieldWriter<Real>::start(SharedField field, Redistribution<Real>& redistribution,
                              Values values) {
  writes_.push_back(std::make_unique<BackgroundWrite<Real>>(
      communicator_, io_, std::move(field), redistribution, std::move(values), role_, settings_));
}

template <class Real>
void FieldWriter<Real>::poll() {
  for (auto& write : writes_) {
    if (!write->poll()) return;
  }
}

template <class Real>
bool FieldWriter<Real>::idle() const {
  return std::ranges::all_of(writes_, [](const auto& write) { return write->ended(); });
}

template <class Real>
std::string FieldWriter<Real>::state() const {
  std::string text;
  for (const auto& write : writes_) text += (text.empty() ? "" : ", ") + write->state();
  return text;
}

template <class Real>
std::vector<WriteOutcome> FieldWriter<Real>::collect() {
  std::vector<WriteOutcome> outcomes;
  {
    const comm::Activity activity("waiting for files: ", [this] {
      return comm::Waiting(state(), {}, std::ranges::any_of(writes_, [](const auto& write) {
                             return write->waits_for_others();
                           }));
    });
    for (poll(); !idle(); poll()) std::this_thread::sleep_for(std::chrono::microseconds(100));
    for (auto& write : writes_) outcomes.push_back(write->outcome());
  }
  writes_.clear();
  return outcomes;
}

template <class Real>
WrittenFile write_shared_field(const comm::Communicator& communicator, SharedField field,
                               const comm::Box& block, std::span<const Real> values,
                               const WriteSettings& settings) {
  Redistribution<Real> redistribution(
      domains_to_write(field.axes.extent, sizeof(Real), communicator.size()),
      gather_blocks(communicator, block), communicator.rank());
  FieldWriter<Real> writer(communicator, settings);
  writer.start(std::move(field), redistribution, [values] { return values; });
  const auto outcome = writer.collect().front();
  if (outcome.failure) throw comm::CollectiveError(*outcome.failure);
  return outcome.file;
}

template class FieldWriter<float>;
template class FieldWriter<double>;
template WrittenFile write_shared_field(const comm::Communicator&, SharedField, const comm::Box&,
                                        std::span<const float>, const WriteSettings&);
template WrittenFile write_shared_field(const comm::Communicator&, SharedField, const comm::Box&,
                                        std::span<const double>, const WriteSettings&);

}  // namespace halotherm::io
