// SPDX-License-Identifier: MIT
// Linked into sanitized programs only. MPI libraries leak a little in the modules that they load;
// once a module is unloaded, its leaks have no name any more and cannot be suppressed
// (tests/support/leaks.supp). So nothing is unloaded.
extern "C" int dlclose(void* /*module*/) {
  return 0;
}
