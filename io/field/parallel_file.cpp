// SPDX-License-Identifier: MIT
#include "io/field/parallel_file.hpp"

#include "comm/mpi/error.hpp"
#include "comm/system/activity.hpp"
#include "comm/system/stopwatch.hpp"
#include "io/distribution/field_block.hpp"
#include "io/files/durable_file.hpp"
#include "io/hdf5/error.hpp"

#include <fcntl.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace halotherm::io {

namespace {

using hdf5::checked;

constexpr std::int64_t most_before_values = std::int64_t{1}
                                            << 20;  ///< they begin at the first MiB or before
constexpr std::int64_t most_bytes_at_once = std::int64_t{256} << 20;

/// What the MPI library made of the hints.
comm::FileHints hints_of(const hdf5::File& file) {
  void* handle = nullptr;
  checked(H5Fget_vfd_handle(file.get(), H5P_DEFAULT, &handle), "cannot find the MPI file");
  return comm::hints_of(*static_cast<MPI_File*>(handle));
}

/// The calls of one write_collectively, in the order in which all ranks make them.
template <class Real>
class Writing {
 public:
  Writing(const comm::Communicator& io, const SharedField& field, const comm::Box& block,
          std::span<const Real> values, const WriteProgress& progress)
      : io_(io),
        field_(field),
        block_(block),
        values_(values),
        progress_(progress),
        layout_{partial_path(field.path), 0, 0} {}

  ParallelFile run(const comm::FileHints& hints);

 private:
  void agree(const std::function<void()>& work);
  void prepare();
  void create(const comm::FileHints& hints);
  void describe();
  void reserve();
  void write_values();
  void flush();
  void close();
  std::string write_piece(const Piece& piece, const hdf5::PropertyList& together);

  const comm::Communicator& io_;
  const SharedField& field_;
  comm::Box block_;
  std::span<const Real> values_;
  const WriteProgress& progress_;
  FileLayout layout_;
  hdf5::File file_;
  hdf5::Dataset dataset_;
};

template <class Real>
ParallelFile Writing<Real>::run(const comm::FileHints& hints) {
  prepare();
  try {
    create(hints);
    reserve();
    describe();
    progress_.made();
    const comm::Stopwatch stopwatch;
    write_values();
    flush();
    ParallelFile written{layout_, io_.max(stopwatch.seconds()), hints_of(file_)};
    close();
    return written;
  } catch (const comm::Error&) {
    // closing writes what could not be written, and would hang where it fails on some ranks only
    dataset_.abandon();
    file_.abandon();
    throw;
  }
}

/// Failures of HDF5 get the file's name.
template <class Real>
void Writing<Real>::agree(const std::function<void()>& work) {
  comm::agree(io_, [&] {
    try {
      work();
    } catch (const hdf5::CallError& error) {
      const auto failure = writing_failed(layout_.partial, error);
      progress_.failed(failure);
      throw failure;
    } catch (const comm::Error& failure) {
      progress_.failed(failure);
      throw;
    }
  });
  comm::note_progress();
}

/// What ranks can find out without MPI-IO: that there is space for the description, and that all
/// nodes see the same folder.
template <class Real>
void Writing<Real>::prepare() {
  agree([&] {
    if (static_cast<std::int64_t>(values_.size()) != block_.size()) {
      throw comm::Error(comm::ExitCode::internal, "cannot write the block " + to_string(block_) +
                                                      " with " + std::to_string(values_.size()) +
                                                      " values (it has other cells) report this");
    }
    if (io_.is_root()) reserve_new_file(layout_.partial, field_.description_bytes);
  });
  const auto node = io_.node();
  agree([&] {
    if (node.is_root())
      check_visible(FileDescriptor(layout_.partial, O_RDONLY), layout_.partial,
                    field_.description_bytes);
  });
  if (io_.is_root()) remove_file(layout_.partial);
}

template <class Real>
void Writing<Real>::create(const comm::FileHints& hints) {
  const comm::HintSet info(hints);
  agree([&] {
    const auto access = new_file_access();
    checked(H5Pset_fapl_mpio(access.get(), io_.handle(), info.handle()), "cannot set up a file");
    checked(H5Pset_all_coll_metadata_ops(access.get(), true), "cannot set up a file");
    checked(H5Pset_coll_metadata_write(access.get(), true), "cannot set up a file");
    file_ = hdf5::File(create_file(layout_.partial, access));
  });
}

/// A full disk is found here, before anything is in the file, so that the file can be closed. HDF5
/// cuts off what is too much.
template <class Real>
void Writing<Real>::reserve() {
  const comm::Box grid{{0, 0, 0}, field_.axes.extent};
  const auto enough = field_.description_bytes + most_before_values +
                      grid.size() * static_cast<std::int64_t>(sizeof(Real));
  try {
    agree([&] {
      if (io_.is_root()) reserve_space(layout_.partial, enough);
    });
  } catch (const comm::CollectiveError&) {
    file_.close();
    throw;
  }
}

template <class Real>
void Writing<Real>::describe() {
  agree([&] {
    dataset_ = describe_in<Real>(file_, field_, io_.is_root());
    checked(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL),
            "cannot flush");  // the file has its final size from now on
    layout_.values_begin = begin_of_values(dataset_);
  });
  agree([&] {
    if (io_.is_root())
      layout_.bytes = static_cast<std::int64_t>(std::filesystem::file_size(layout_.partial));
  });
  layout_.bytes = static_cast<std::int64_t>(io_.max(static_cast<double>(layout_.bytes)));
}

/// As many calls on every rank: those with less to write write nothing, and those that failed go
/// on.
template <class Real>
void Writing<Real>::write_values() {
  const auto mine = pieces(block_, most_bytes_at_once / static_cast<std::int64_t>(sizeof(Real)));
  const auto rounds = static_cast<std::size_t>(io_.max(static_cast<double>(mine.size())));
  agree([&] {
    const hdf5::PropertyList together(
        checked(H5Pcreate(H5P_DATASET_XFER), "cannot set up a transfer"));
    checked(H5Pset_dxpl_mpio(together.get(), H5FD_MPIO_COLLECTIVE), "cannot set up a transfer");
    std::string reason;
    for (std::size_t n = 0; n < rounds; ++n) {
      const auto failure = write_piece(n < mine.size() ? mine[n] : Piece{}, together);
      if (reason.empty() && !failure.empty())
        progress_.failed(writing_failed(layout_.partial, hdf5::CallError("cannot write", failure)));
      if (reason.empty()) reason = failure;
    }
    if (!reason.empty()) throw hdf5::CallError("cannot write", reason);
  });
}

/// Why it failed; nothing if it did not.
template <class Real>
std::string Writing<Real>::write_piece(const Piece& piece, const hdf5::PropertyList& together) {
  const auto file_space = hdf5::file_selection(field_.axes, piece.box);
  const auto memory_space = hdf5::memory_row(piece.box.size());
  const auto result = H5Dwrite(dataset_.get(), hdf5::native_type<Real>(), memory_space.get(),
                               file_space.get(), together.get(), values_.data() + piece.offset);
  comm::note_progress();
  return result < 0 ? hdf5::last_error() : "";
}

template <class Real>
void Writing<Real>::flush() {
  agree([&] { checked(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "cannot flush"); });
}

template <class Real>
void Writing<Real>::close() {
  agree([&] {
    checked(dataset_.close(), "cannot close");
    checked(file_.close(), "cannot close");
  });
}

}  // namespace

template <class Real>
ParallelFile write_collectively(const comm::Communicator& io, const SharedField& field,
                                const comm::Box& block, std::span<const Real> values,
                                const comm::FileHints& hints, const WriteProgress& progress) {
  const hdf5::QuietErrors quiet;
  return Writing<Real>(io, field, block, values, progress).run(hints);
}

template ParallelFile write_collectively(const comm::Communicator&, const SharedField&,
                                         const comm::Box&, std::span<const float>,
                                         const comm::FileHints&, const WriteProgress&);
template ParallelFile write_collectively(const comm::Communicator&, const SharedField&,
                                         const comm::Box&, std::span<const double>,
                                         const comm::FileHints&, const WriteProgress&);

}  // namespace halotherm::io
