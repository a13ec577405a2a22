// SPDX-License-Identifier: MIT
// The ceiling, three ways: what a kernel gets with 8-byte and with 16-byte accesses, and the memory
// system's own copy. The argument is what is copied [MiB]; bytes/s count it read and written.
#include "tests/performance/timed.hpp"

namespace halotherm::test {

namespace {

struct alignas(16) Line {
  double values[2];
};

template <class Value>
using Array = Kokkos::View<Value*, comm::Memory>;

template <class Value>
struct Copy {
  const Value* source;
  Value* target;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const { target[n] = source[n]; }
};

template <class Value>
struct CopyKernel {
  void operator()(const comm::Space& space, const Array<Value>& source,
                  const Array<Value>& target) const {
    using Policy = Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for("copy", Policy(space, 0, static_cast<std::int64_t>(source.size())),
                         Copy<Value>{source.data(), target.data()});
  }
};

struct DeepCopy {
  void operator()(const comm::Space& space, const Array<double>& source,
                  const Array<double>& target) const {
    Kokkos::deep_copy(space, target, source);
  }
};

template <class Value, class Work>
void copy(benchmark::State& state) {
  const comm::Space space;
  const std::int64_t bytes = state.range(0) << 20;
  const auto count = static_cast<std::size_t>(bytes) / sizeof(Value);
  const Array<Value> source("source", count);
  const Array<Value> target("target", count);
  const std::int64_t batch = (std::int64_t{1} << 30) / bytes;
  time_batches(state, space, batch, [&] { Work{}(space, source, target); });
  state.SetBytesProcessed(state.iterations() * batch * 2 * bytes);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("MiB")->Arg(16)->Arg(128)->Arg(1024)->UseManualTime()->Unit(
      benchmark::kMillisecond);
}

BENCHMARK(copy<double, CopyKernel<double>>)->Name("copy/8_bytes")->Apply(sizes);
BENCHMARK(copy<Line, CopyKernel<Line>>)->Name("copy/16_bytes")->Apply(sizes);
BENCHMARK(copy<double, DeepCopy>)->Name("copy/deep_copy")->Apply(sizes);

}  // namespace

}  // namespace halotherm::test
