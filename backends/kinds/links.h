/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LINKS_H
#define SONDE_LINKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* The links by which kinds of events attach BPF programs: the engine bpf has one such list. */
struct bpf_links {
	pid_t process;		/* whose functions of user space are probed; ANY_TASK: all */
	FILE *verbose;		/* NULL: nothing is said */
	unsigned int n;
	struct bpf_kept_link {
		int fd;
		bool tells;	/* how many hits it missed, if the kernel does */
	} *list;
};

/* Keeps a link. -1 and errno: out of memory; the link is closed. `tells`: see above. */
int bpf_links_hold(struct bpf_links *l, int link, bool tells);
/*
 * Adds the hits that the links missed. False: a link should tell, and does not. `kernel_tells`: the
 * kernel has FEATURE_BPF_MISSED.
 */
bool bpf_links_missed(const struct bpf_links *l, bool kernel_tells, uint64_t *missed);
/* Closes all links: their programs are detached. */
void bpf_links_close(struct bpf_links *l);

#endif
