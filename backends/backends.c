// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "backends/backend.h"

const struct backend *const backends[] = { &backend_bpf, &backend_perf, &backend_ftrace, NULL };
