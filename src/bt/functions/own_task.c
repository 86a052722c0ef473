// SPDX-License-Identifier: GPL-2.0
/* Values of the task that runs BEGIN, END and interval, which is sonde's own. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"
#include "compat/probing/kcore.h"
#include "compat/tasks/cgroup.h"
#include "compat/types/offsets.h"
#include "src/bt/bind/bind.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"
#include "src/run/tool.h"

#define TASKS_MOST 1000000		/* a ring that changes is left sometime */

/* ---- curtask ---- */

/* The places that lead from a process to the next one. */
struct task_ring {
	uint64_t first;			/* init_task */
	int32_t tasks, tgid;		/* offsets */
};

static int find_ring(struct binder *b, const struct node *n, struct task_ring *ring)
{
	struct kernel *k = bt_of(b->t)->script.kernel;
	struct error why = { };

	if (bt_symbol_address(b, n, "init_task", &ring->first))
		return -1;
	if (kernel_offset(k, "task_struct.tasks", &ring->tasks, &why) ||
	    kernel_offset(k, "task_struct.tgid", &ring->tgid, &why))
		return WRONG(b, n, "sonde's own task is not found: %s", why.text);
	return 0;
}

/* All processes are in a ring; the address of sonde's becomes *to. */
static int find_task(struct binder *b, const struct node *n, uint64_t *to)
{
	const uint32_t pid = (uint32_t)getpid();
	struct task_ring ring;
	uint64_t next = 0;
	int error = 0;

	if (find_ring(b, n, &ring))
		return -1;
	*to = ring.first;
	for (unsigned int i = 0; i < TASKS_MOST && !error; i++) {
		uint32_t tgid = 0;

		error = kcore_read(*to + (uint64_t)ring.tgid, &tgid, sizeof(tgid));
		if (!error && tgid == pid)
			return 0;
		error = error ? error : kcore_read(*to + (uint64_t)ring.tasks, &next, sizeof(next));
		*to = next - (uint64_t)ring.tasks;
		if (*to == ring.first)
			break;
	}
	return WRONG(b, n, "sonde's own task is not found in the kernel's memory: %s",
		     error ? strerror(-error) : "it is not among the kernel's tasks");
}

int bt_bind_own_task(struct binder *b, struct node *n)
{
	struct c_type type = { .base = C_STRUCT, .tag = "task_struct" };
	struct bt *bt = bt_of(b->t);
	struct error why;

	if (bt->run && !run_ids_are_procs(bt->run))
		return WRONG(b, n, "sonde runs in a namespace of process ids of its own, and does "
			     "not find its task");
	if (!bt->own_task && find_task(b, n, &bt->own_task))
		return -1;
	if (types_complete(b->t->types, &type, false, &why) && b->wants_struct)
		return CAUSE(b, n, &why);
	type.pointers = 1;
	type.kernel = (uint8_t)b->s->kernel_word;
	make_number(n, bt->own_task, type);
	return 0;
}

/* ---- cgroup ---- */

int bt_bind_own_cgroup(struct binder *b, struct node *n)
{
	static const char *const mounts[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
	const int self = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char text[8192], path[8192];
	const char *below = self < 0 ? NULL : cgroup_of(self, 0, text, sizeof(text));
	uint64_t id = 0;

	if (self >= 0)
		close(self);
	for (unsigned int i = 0; below && !id && i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		struct cgroup c = { };
		struct error why = { };

		text_all(path, sizeof(path), "%s%.4096s", mounts[i], below);
		if (!cgroup_open(path, &c, &why) && !c.hierarchy)
			id = cgroup_id(c.fd, "");
		cgroup_close(&c);
	}
	if (!id)
		return WRONG(b, n, "sonde is in no control group of version 2 that is mounted: "
			     "cgroups of events are known in probes");
	make_number(n, id, c_integer(8, false));
	return 0;
}
