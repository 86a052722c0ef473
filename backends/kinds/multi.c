// SPDX-License-Identifier: GPL-2.0
/*
 * Many functions at once, by links of BPF programs. The kernel refuses a whole link for one
 * function that it can't trace. Then each half of the functions is tried, until this function is
 * alone.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "backends/kinds/kinds.h"
#include "backends/kinds/links.h"
#include "compat/base/bpf.h"
#include "compat/base/perf_event.h"
#include "compat/base/text.h"
#include "compat/binaries/binaries.h"
#include "compat/kinds/many.h"

#define ENOTSUPP 524		/* only the kernel defines it: an instruction can't be probed */
#define REFUSED_MOST 64		/* refused functions of an event, before the event fails */

static void title(const struct event *e, char *text, unsigned int size)
{
	text_cut(text, size, "%s of %u functions%s%s", event_traits(e->kind)->title, e->many->n,
		 e->binary ? " in " : "", e->binary ? e->binary->path : "");
}

static int link_part(const struct bpf_links *l, const struct event *event, int program,
		     unsigned int from, unsigned int n)
{
	struct bpf_functions part = {
		.file = event->binary ? event->binary->file : NULL,
		.addresses = event->many->addresses + from,
		.cookies = event->many->numbers + from,
		.n = n, .returns = event_traits(event->kind)->returns,
		.process = event->binary && l->process != ANY_TASK ? (uint32_t)l->process : 0,
	};
	int link = bpf_link_functions(program, &part);

	if (link != -ESRCH || !part.process)
		return link;
	part.process = 0;		/* the process's main thread has ended */
	return bpf_link_functions(program, &part);
}

/* Returns true if the error may be of one function. All other errors are of the whole link. */
static bool of_a_function(int error)
{
	return error == -EINVAL || error == -ENOENT || error == -ESRCH || error == -EBUSY ||
	       error == -EADDRNOTAVAIL || error == -EILSEQ || error == -EOPNOTSUPP ||
	       error == -ENOTSUPP;
}

static int attach_part(struct bpf_links *l, struct event *event, int program, unsigned int from,
		       unsigned int n)
{
	int link = link_part(l, event, program, from, n), result;

	if (link >= 0)
		return bpf_links_hold(l, link, event_ops(event)->missed == MISSED_LINK);
	if (!of_a_function(link) || event->refused == REFUSED_MOST) {
		errno = -link;
		return -1;
	}
	if (n == 1) {
		event->refused++;
		if (l->verbose)
			fprintf(l->verbose, "bpf: %s can't be probed: %s\n",
				event->many->names[from], link == -ENOTSUPP ?
				"its first instruction can't be" : strerror(-link));
		return 0;
	}
	result = attach_part(l, event, program, from, n / 2);
	return result ? result : attach_part(l, event, program, from + n / 2, n - n / 2);
}

static int attach(struct bpf_links *l, struct event *event, int program)
{
	event->refused = 0;
	if (attach_part(l, event, program, 0, event->many->n))
		return -1;
	if (event->refused < event->many->n)
		return 0;
	errno = EINVAL;
	return -1;
}

#define MULTI_OPS(TYPE, MISSED) { \
	.title = title, \
	.program = BPF_PROG_TYPE_KPROBE, \
	.attach_type = (TYPE), \
	.way = BPF_WAY_LINK, \
	.link = attach, \
	.missed = (MISSED), \
}

const struct event_ops kmulti_ops = MULTI_OPS(BPF_ATTACH_KPROBES, MISSED_LINK);
const struct event_ops kretmulti_ops = MULTI_OPS(BPF_ATTACH_KPROBES, MISSED_LINK);
const struct event_ops umulti_ops = MULTI_OPS(BPF_ATTACH_UPROBES, MISSED_NONE);
const struct event_ops uretmulti_ops = MULTI_OPS(BPF_ATTACH_UPROBES, MISSED_UNTOLD);
