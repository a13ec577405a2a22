// SPDX-License-Identifier: MIT
/* Stands in for NVIDIA's nvml.h while scripts/build-cuda-mpi compiles UCX 1.13 with a toolkit that has none (installed in parts, or by
   pip). Only what UCX 1.13 uses, with the layout and the numbers of NVML's stable interface. Nothing of it is installed; at run time
   the functions are those of the driver's libnvidia-ml.so.1. */
#pragma once

#define NVML_SUCCESS 0
#define NVML_VALUE_TYPE_UNSIGNED_INT 1
#define NVML_FI_DEV_NVLINK_LINK_COUNT 91

typedef int nvmlReturn_t;
typedef struct nvmlDevice *nvmlDevice_t;

typedef struct {
  unsigned fieldId, scopeId;
  long long timestamp, latencyUsec;
  int valueType;
  nvmlReturn_t nvmlReturn;
  union {
    double dVal;
    unsigned uiVal;
    unsigned long long ullVal;
  } value;
} nvmlFieldValue_t;

typedef struct {
  char busIdLegacy[16];
  unsigned domain, bus, device, pciDeviceId, pciSubSystemId;
  char busId[32];
} nvmlPciInfo_t;

#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetNvLinkRemotePciInfo nvmlDeviceGetNvLinkRemotePciInfo_v2

nvmlReturn_t nvmlInit(void);
nvmlReturn_t nvmlShutdown(void);
const char *nvmlErrorString(nvmlReturn_t result);
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values);
nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo(nvmlDevice_t device, unsigned link, nvmlPciInfo_t *pci);
