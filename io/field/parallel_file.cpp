// SPDX-License-Identifier: MIT
#include "io/field/parallel_file.hpp"

#include "comm/system/activity.hpp"
#include "io/distribution/field_block.hpp"
#include "io/files/durable_file.hpp"
#include "io/hdf5/library.hpp"
#include "io/text/number_text.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace halotherm::io {

namespace {

using hdf5::checked;

constexpr std::int64_t most_before_values = 1 << 20;  ///< they begin at the first MiB or before
/// Size of a transfer: HDF5 and MPI have limits of 2 GiB, and larger buffers gain nothing.
constexpr std::int64_t most_bytes_at_once = 256 << 20;

/// The calls of one write_collectively, in the order in which all ranks make them.
template <class Real>
class CollectiveWrite {
 public:
  CollectiveWrite(const comm::Communicator& io, const SharedField& field, const comm::Box& block,
                  std::span<const Real> values, WriteProgress& progress)
      : io_(io),
        field_(field),
        block_(block),
        values_(values),
        progress_(progress),
        layout_{partial_path(field.path), 0, {}} {}

  ParallelFile run(const comm::FileHints& hints) {
    check_folder();
    try {
      create(hints);
      reserve();
      describe();
      progress_.set_made();
      const comm::Stopwatch watch;
      write_values();
      agree([&] { checked(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "cannot flush"); });
      ParallelFile written{layout_, io_.max(watch.seconds()), hints_in_use()};
      agree([&] {
        for (auto& dataset : datasets_) checked(dataset.close(), "cannot close");
        checked(file_.close(), "cannot close");
      });
      return written;
    } catch (const comm::Error&) {
      // closing would write what could not be written, and hang where that fails on some ranks only
      for (auto& dataset : datasets_) dataset.abandon();
      file_.abandon();
      throw;
    }
  }

 private:
  /// Adds the file's name to failures of HDF5.
  void agree(const std::function<void()>& work) {
    comm::agree(io_, [&] {
      try {
        work();
      } catch (const hdf5::CallError& error) {
        const auto failure = writing_failed(layout_.partial, error);
        progress_.set_failed(failure);
        throw failure;
      } catch (const comm::Error& failure) {
        progress_.set_failed(failure);
        throw;
      }
    });
    comm::note_progress();
  }

  /// Checks without MPI-IO that there is space for the description and that all nodes see the same
  /// folder.
  void check_folder() {
    agree([&] {
      if (io_.is_root()) reserve_new_file(layout_.partial, field_.description_bytes);
    });
    const auto& node = io_.node();
    agree([&] {
      if (node.is_root())
        check_visible(FileDescriptor(layout_.partial, O_RDONLY), layout_.partial,
                      field_.description_bytes);
    });
    if (io_.is_root()) remove_file(layout_.partial);
  }

  void create(const comm::FileHints& hints) {
    const comm::HintSet info(hints);
    agree([&] {
      const auto access = new_file_access();
      checked(H5Pset_fapl_mpio(access.get(), io_.handle(), info.handle()), "cannot set up a file");
      checked(H5Pset_all_coll_metadata_ops(access.get(), true), "cannot set up a file");
      checked(H5Pset_coll_metadata_write(access.get(), true), "cannot set up a file");
      file_ = hdf5::File(create_file(layout_.partial, access));
    });
  }

  /// Finds a full disk before anything is in the file, so that the file can be closed. HDF5
  /// truncates what is reserved in excess.
  void reserve() {
    const comm::Box grid{{0, 0, 0}, field_.axes.extent};
    const auto fields = static_cast<std::int64_t>(field_.fields.size());
    const auto enough =
        field_.description_bytes +
        fields * (most_before_values + grid.size() * static_cast<std::int64_t>(sizeof(Real)));
    try {
      agree([&] {
        if (io_.is_root()) reserve_space(layout_.partial, enough);
      });
    } catch (const comm::CollectiveError&) {
      file_.close();
      throw;
    }
  }

  void describe() {
    agree([&] {
      datasets_ = describe_in<Real>(file_, field_, io_.is_root());
      // the file has its final size from now on
      checked(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "cannot flush");
      layout_.values_begin = begin_of_values(datasets_);
    });
    agree([&] {
      if (io_.is_root())
        layout_.bytes = static_cast<std::int64_t>(std::filesystem::file_size(layout_.partial));
    });
    layout_.bytes = io_.max(layout_.bytes);
  }

  /// Makes the same number of calls on every rank: ranks that have less to write, write nothing,
  /// and ranks that failed go on.
  void write_values() {
    const auto boxes = comm::contiguous_parts(
        block_, most_bytes_at_once / static_cast<std::int64_t>(sizeof(Real)));
    const auto rounds = io_.max(static_cast<std::int64_t>(boxes.size()));
    agree([&] {
      const hdf5::PropertyList together(
          checked(H5Pcreate(H5P_DATASET_XFER), "cannot set up a transfer"));
      checked(H5Pset_dxpl_mpio(together.get(), H5FD_MPIO_COLLECTIVE), "cannot set up a transfer");
      std::string reason;
      const Real* values = values_.data();
      for (const auto& dataset : datasets_) {
        for (std::size_t n = 0; n < static_cast<std::size_t>(rounds); ++n) {
          const auto box = n < boxes.size() ? boxes[n] : comm::Box{};
          const auto failure = write_box(dataset, box, values, together);
          values += box.size();
          if (!reason.empty() || failure.empty()) continue;
          reason = failure;
          progress_.set_failed(
              writing_failed(layout_.partial, hdf5::CallError("cannot write", reason)));
        }
      }
      if (!reason.empty()) throw hdf5::CallError("cannot write", reason);
    });
  }

  /// Writes the box's values. Returns the reason of a failure, else an empty text.
  std::string write_box(const hdf5::Dataset& dataset, const comm::Box& box, const Real* values,
                        const hdf5::PropertyList& together) {
    const auto file_space = hdf5::file_selection(field_.axes, box);
    const auto memory_space = hdf5::memory_row(box.size());
    const auto result = H5Dwrite(dataset.get(), hdf5::native_type<Real>(), memory_space.get(),
                                 file_space.get(), together.get(), values);
    comm::note_progress();
    return result < 0 ? hdf5::last_error() : "";
  }

  /// The hints that the MPI library follows.
  comm::FileHints hints_in_use() const {
    void* handle = nullptr;
    checked(H5Fget_vfd_handle(file_.get(), H5P_DEFAULT, &handle), "cannot find the MPI file");
    return comm::hints_of(*static_cast<MPI_File*>(handle));
  }

  const comm::Communicator& io_;
  const SharedField& field_;
  comm::Box block_;
  std::span<const Real> values_;
  WriteProgress& progress_;
  FileLayout layout_;
  hdf5::File file_;
  std::vector<hdf5::Dataset> datasets_;
};

}  // namespace

void WriteProgress::set_failed(const comm::Error& error) {
  if (has_failed_) return;
  failure_ = error;
  since_failure_ = {};
  has_failed_ = true;
}

std::optional<comm::Error> WriteProgress::stall(bool is_root, double limit,
                                                const std::filesystem::path& file) const {
  const std::string advice =
      "set output.writer: background, which goes on where the disk of one rank fails";
  if (has_failed_ && since_failure_.seconds() > limit) {
    auto text = failure_->text();
    text.reason += "; other ranks are still in MPI-IO after " + to_text(limit) +
                   " s and cannot be called back, so the job ends here";
    text.remedy += ", or " + advice;
    return comm::Error(failure_->code(), text);
  }
  if (is_root && !has_failed_ && !made_ && since_start_.seconds() > 2 * limit)
    return comm::Error(comm::ExitCode::input_output,
                       {"cannot make '" + file.string() + "'",
                        "ranks are still in MPI-IO after " + to_text(2 * limit) +
                            " s, one may have failed there, so the job ends here",
                        advice});
  return std::nullopt;
}

template <class Real>
ParallelFile write_collectively(const comm::Communicator& io, const SharedField& field,
                                const comm::Box& block, std::span<const Real> values,
                                const comm::FileHints& hints, WriteProgress& progress) {
  const hdf5::QuietErrors quiet;
  return CollectiveWrite<Real>(io, field, block, values, progress).run(hints);
}

template ParallelFile write_collectively(const comm::Communicator&, const SharedField&,
                                         const comm::Box&, std::span<const float>,
                                         const comm::FileHints&, WriteProgress&);
template ParallelFile write_collectively(const comm::Communicator&, const SharedField&,
                                         const comm::Box&, std::span<const double>,
                                         const comm::FileHints&, WriteProgress&);

}  // namespace halotherm::io
