/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LINKS_H
#define SONDE_LINKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* The links by which kinds of events attach BPF programs: the engine bpf has one such list. */
struct bpf_links {
	pid_t process;		/* whose user functions are probed; ANY_TASK: all processes */
	FILE *verbose;		/* NULL: silent */
	unsigned int n;
	struct bpf_kept_link {
		int fd;
		bool tells;	/* the kernel counts its missed hits */
	} *list;
};

/*
 * Keeps a link; `tells`: see above. Closes the link, returns -1 and sets errno if there is no
 * memory.
 */
int bpf_links_hold(struct bpf_links *l, int link, bool tells);
/*
 * Runs the program on a tracepoint; NULL: on what it was loaded for. Returns -1 and sets errno on
 * failure.
 */
int bpf_links_open(struct bpf_links *l, int program, const char *tracepoint);
/* The same for struct event_ops: on what the program was loaded for. */
struct event;
int bpf_links_typed(struct bpf_links *l, struct event *event, int program);
/*
 * Adds the hits that the links missed. `kernel_tells`: the kernel has FEATURE_BPF_MISSED. Returns
 * false if a link's count is unavailable.
 */
bool bpf_links_missed(const struct bpf_links *l, bool kernel_tells, uint64_t *missed);
void bpf_links_close(struct bpf_links *l);

#endif
