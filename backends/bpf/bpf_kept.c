// SPDX-License-Identifier: GPL-2.0
#include "backends/bpf/bpf_kept.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "compat/base/array.h"
#include "compat/base/clock.h"

int bpf_kept_add(struct bpf_kept *k, int event, int program)
{
	if (array_room(&k->list, k->n, sizeof(*k->list)))
		return -1;
	k->list[k->n++] = (struct kept_program){ event, program };
	return 0;
}

/* The kernel refuses a program (EEXIST) while this program, or another tracer's, is attached. */
static bool put_back(const struct bpf_kept *k)
{
	bool removed = false;

	for (unsigned int i = 0; i < k->n; i++)
		removed |= !ioctl(k->list[i].event, PERF_EVENT_IOC_SET_BPF, k->list[i].program);
	return removed;
}

void bpf_kept_start(struct bpf_kept *k)
{
	put_back(k);
	k->looked = monotonic_ns();
}

void bpf_kept_look(struct bpf_kept *k)
{
	const uint64_t before = k->looked;

	if (!k->n)
		return;
	k->looked = monotonic_ns();
	if (put_back(k))
		k->removed += k->looked - before;
}

void bpf_kept_free(struct bpf_kept *k)
{
	free(k->list);
}
