/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_PERMISSION_H
#define SONDE_BPF_PERMISSION_H

struct kernel;

/*
 * What a bpf(2) call refused with EPERM may mean, and what to do: text to end an error message
 * with.
 */
const char *bpf_not_permitted(struct kernel *k);

#endif
