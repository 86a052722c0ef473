/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_OBJECTS_H
#define SONDE_BPF_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/* BPF programs, maps and links that the kernel has, whoever made them, and who holds them. */
enum bpf_kind { BPF_KIND_PROGRAM, BPF_KIND_MAP, BPF_KIND_LINK, BPF_KINDS };

struct bpf_object {
	enum bpf_kind kind;
	uint32_t id, type;		/* type: the kernel's number */
	char name[16];			/* not NUL-terminated if it is full; empty: none (4.15) */
	uint32_t uid;			/* program: user that loaded it */
	uint64_t run_ns, runs;		/* program: while statistics are on (5.1) */
	uint32_t key_size, value_size, entries;	/* map */
	uint32_t program;		/* link: the id of its program */
	bool has_memory;
	uint64_t memory;		/* bytes that the kernel charges for it */
};

/* A process that has an object open. A perf event or a link holds its program. */
struct bpf_holder {
	enum bpf_kind kind;
	uint32_t id;			/* 0: unknown */
	uint32_t pid;
	uint32_t fd;
	const char *event;		/* type of a perf event: "kprobe"; NULL: another thing */
};

/*
 * All objects of a kind, ordered by id. The caller frees *objects. Returns their number; -1 and
 * sets err if the kernel does not tell: programs and maps since 4.13, links since 5.8.
 */
int bpf_objects(enum bpf_kind kind, struct bpf_object **objects, struct error *err);
/*
 * The objects that processes have open, a row for each descriptor. The caller frees *holders.
 * `denied`: the number of processes that this user may not look into. Returns the number of rows;
 * -1 and sets err if /proc can't be read.
 */
int bpf_holders(struct bpf_holder **holders, unsigned int *denied, struct error *err);

/*
 * Writes where a perf event with a program is: FUNCTION+0x10, FILE:0x10, the name of a tracepoint,
 * an address. Empty: it is gone, or the kernel does not tell.
 */
void bpf_event_place(const struct bpf_holder *h, char *place, size_t size);

/* The name of a type; NULL if it is newer than sonde. */
const char *bpf_type_name(enum bpf_kind kind, uint32_t type);

/*
 * Makes the kernel count runs and times of programs until the descriptor is closed (5.8). Returns
 * -1 if it was told to by the sysctl kernel.bpf_stats_enabled (5.1); -2 and sets err if it does not
 * count.
 */
int bpf_statistics(struct error *err);

#endif
