// SPDX-License-Identifier: GPL-2.0
#include "backends/kinds/links.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/bpf.h"

int bpf_links_hold(struct bpf_links *l, int link, bool tells)
{
	if (array_room(&l->list, l->n, sizeof(*l->list))) {
		close(link);
		errno = ENOMEM;
		return -1;
	}
	l->list[l->n++] = (struct bpf_kept_link){ link, tells };
	return 0;
}

int bpf_links_open(struct bpf_links *l, int program, const char *tracepoint)
{
	int link = bpf_raw_open(program, tracepoint);

	if (link >= 0)
		return bpf_links_hold(l, link, false);
	errno = -link;
	return -1;
}

int bpf_links_typed(struct bpf_links *l, struct event *event, int program)
{
	(void)event;
	return bpf_links_open(l, program, NULL);
}

bool bpf_links_missed(const struct bpf_links *l, bool kernel_tells, uint64_t *missed)
{
	for (unsigned int i = 0; i < l->n; i++)
		if (l->list[i].tells && (!kernel_tells ||
					 bpf_link_missed(l->list[i].fd, missed)))
			return false;
	return true;
}

void bpf_links_close(struct bpf_links *l)
{
	for (unsigned int i = 0; i < l->n; i++)
		close(l->list[i].fd);
	free(l->list);
}
