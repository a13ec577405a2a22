/* SPDX-License-Identifier: MIT
 * An HDF5 filter that leaves values as they are, and a file, named by $HALOTHERM_TEST_MARK, when the library loads it. */
#include <H5PLextern.h>
#include <stdio.h>
#include <stdlib.h>

static size_t keep(unsigned flags, size_t count, const unsigned values[], size_t bytes, size_t *size, void **buffer) {
  (void)flags, (void)count, (void)values, (void)size, (void)buffer;
  return bytes;
}

static const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, 32000, 1, 1, "leaves a mark", NULL, NULL, keep};

H5PL_type_t H5PLget_plugin_type(void) {
  return H5PL_TYPE_FILTER;
}

const void *H5PLget_plugin_info(void) {
  FILE *mark = fopen(getenv("HALOTHERM_TEST_MARK"), "w");
  if (mark != NULL) fclose(mark);
  return &filter;
}
