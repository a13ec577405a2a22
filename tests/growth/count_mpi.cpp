// SPDX-License-Identifier: MIT
// Preloaded into the program, counts its MPI calls by MPI's profiling interface, and writes them at
// the end of MPI as one line of JSON to COUNT_FOLDER/RANK.mpi.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

namespace {

std::mutex mutex;  // threads may call MPI, too
std::map<std::string, long> calls;
long long gathered = 0;                  // bytes that this rank received from all by gathering
std::map<MPI_Request, int> receiver_of;  // of persistent sends
int most_sends = 0;                      // that were started together to one rank

void count(const char* name) {
  const std::lock_guard alone(mutex);
  ++calls[name];
}

long long bytes_of(long long elements, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return elements * size;
}

void add_gathered(long long bytes) {
  const std::lock_guard alone(mutex);
  gathered += bytes;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

}  // namespace

#define COUNTED(NAME, PARAMETERS, ARGUMENTS) \
  int MPI_##NAME PARAMETERS {                \
    count(#NAME);                            \
    return PMPI_##NAME ARGUMENTS;            \
  }

extern "C" {
COUNTED(Allreduce, (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
        (in, out, n, type, op, comm))
COUNTED(Reduce,
        (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
        (in, out, n, type, op, root, comm))
COUNTED(Bcast, (void* data, int n, MPI_Datatype type, int root, MPI_Comm comm),
        (data, n, type, root, comm))
COUNTED(Barrier, (MPI_Comm comm), (comm))
COUNTED(Iallreduce,
        (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
         MPI_Request* request),
        (in, out, n, type, op, comm, request))
COUNTED(Comm_dup, (MPI_Comm comm, MPI_Comm* copy), (comm, copy))
COUNTED(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* part), (comm, color, key, part))
COUNTED(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part),
        (comm, type, key, info, part))
COUNTED(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* part),
        (comm, group, tag, part))

int MPI_Allgather(const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype other,
                  MPI_Comm comm) {
  count("Allgather");
  add_gathered(bytes_of(static_cast<long long>(m) * size_of(comm), other));
  return PMPI_Allgather(in, n, type, out, m, other, comm);
}
int MPI_Allgatherv(const void* in, int n, MPI_Datatype type, void* out, const int* counts,
                   const int* starts, MPI_Datatype other, MPI_Comm comm) {
  count("Allgatherv");
  long long elements = 0;
  for (int rank = 0; rank < size_of(comm); ++rank) elements += counts[rank];
  add_gathered(bytes_of(elements, other));
  return PMPI_Allgatherv(in, n, type, out, counts, starts, other, comm);
}
int MPI_Gather(const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype other,
               int root, MPI_Comm comm) {
  count("Gather");
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  if (rank == root) add_gathered(bytes_of(static_cast<long long>(m) * size_of(comm), other));
  return PMPI_Gather(in, n, type, out, m, other, root, comm);
}

int MPI_Send_init(const void* data, int n, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  const int code = PMPI_Send_init(data, n, type, rank, tag, comm, request);
  const std::lock_guard alone(mutex);
  ++calls["Send_init"];
  receiver_of[*request] = rank;
  return code;
}
int MPI_Startall(int n, MPI_Request requests[]) {
  {
    const std::lock_guard alone(mutex);
    std::map<int, int> sends;
    for (int r = 0; r < n; ++r) {
      if (const auto found = receiver_of.find(requests[r]); found != receiver_of.end())
        most_sends = std::max(most_sends, ++sends[found->second]);
    }
  }
  return PMPI_Startall(n, requests);
}
int MPI_Request_free(MPI_Request* request) {
  {
    const std::lock_guard alone(mutex);
    receiver_of.erase(*request);
  }
  return PMPI_Request_free(request);
}

int MPI_Finalize() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (const char* folder = std::getenv("COUNT_FOLDER")) {
    const auto path = std::string(folder) + "/" + std::to_string(rank) + ".mpi";
    if (std::FILE* file = std::fopen(path.c_str(), "w")) {
      std::fprintf(file, "{\"gathered\": %lld, \"most_sends\": %d", gathered, most_sends);
      for (const auto& [name, times] : calls)
        std::fprintf(file, ", \"%s\": %ld", name.c_str(), times);
      std::fprintf(file, "}\n");
      std::fclose(file);
    }
  }
  return PMPI_Finalize();
}
}
