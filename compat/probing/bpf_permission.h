/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_PERMISSION_H
#define SONDE_BPF_PERMISSION_H

struct kernel;

/* Likely causes if bpf(2) failed with EPERM, and what to do: the end of an error message. */
const char *bpf_not_permitted(struct kernel *k);

#endif
