/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_NAMES_H
#define SONDE_BPF_NAMES_H

/*
 * Names of the numbers in the lists of the text "bpf-check": exactly the numbers that sonde tries.
 * The lists end with NULL.
 */
struct bpf_name {
	unsigned int number;
	const char *name;
};
extern const struct bpf_name bpf_map_types[], bpf_program_types[], bpf_helpers[];

#endif
