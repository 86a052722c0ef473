// SPDX-License-Identifier: GPL-2.0
#include "compat/resolve/identity.h"

#include <assert.h>
#include <stddef.h>

#include "compat/base/text.h"
#include "compat/events/fetch.h"
#include "compat/kinds/kinds.h"
#include "compat/types/offsets.h"

static const char no_user_ids[] = "the ring buffers carry no user ids";

static const char no_namespaces[] = "the ring buffers do not tell namespaces";
static const char no_current_task[] =
	"BPF programs of this kernel are not told the current task's struct (4.8)";

static const char no_places[] =
	"neither type information (BTF) nor a look at processes of sonde's own tells where this "
	"kernel keeps a task's namespaces";

static const struct identity rows[] = {
	[IDENTITY_TIME] = { "time", INPUT_NUMBER, 8 },		/* ns, CLOCK_MONOTONIC */
	[IDENTITY_CPU] = { "cpu", INPUT_NUMBER, 4 },
	[IDENTITY_PID_TGID] = {
		"pid_tgid", INPUT_NUMBER, 8, .of_task = true, .of_process = true,
	},
	[IDENTITY_TID] = { "tid", INPUT_NUMBER, 4, .of_task = true },
	[IDENTITY_TGID] = { "tgid", INPUT_NUMBER, 4, .of_task = true, .of_process = true },
	[IDENTITY_UID] = { "uid", INPUT_NUMBER, 4, .of_task = true, .no_ring = no_user_ids },
	[IDENTITY_GID] = { "gid", INPUT_NUMBER, 4, .of_task = true, .no_ring = no_user_ids },
	[IDENTITY_COMM] = { "comm", INPUT_BYTES, 16, .of_task = true, .of_process = true },
	[IDENTITY_IP] = { "ip", INPUT_NUMBER, 8, .of_function = true },
	[IDENTITY_CGROUP] = {
		"cgroup", INPUT_NUMBER, 8, .of_task = true,
		.bpf = FEATURE_BPF_CGROUP,
		.no_ring = "the ring buffers do not tell the control group",
		.no_bpf = "BPF programs of this kernel are not told the control group (4.18)",
	},
	/* the process; --by-cgroup: what tells its control group (src/toolkit/groups/groups.h) */
	[IDENTITY_WHOSE] = {
		"whose", INPUT_NUMBER, 8, .of_task = true, .of_process = true,
	},
	/* A task that ends gives up its namespaces before its last switch: then the number is 0. */
	[IDENTITY_MNTNS] = {
		"mntns", INPUT_NUMBER, 4, .of_task = true,
		.bpf = FEATURE_BPF_TASK, .no_ring = no_namespaces, .no_bpf = no_current_task,
		.no_members = no_places,
		.current = "mntns=+{mnt_namespace.ns.inum}(+{nsproxy.mnt_ns}"
			   "(+{task_struct.nsproxy}($current))):u32",
	},
	/*
	 * The namespace that the task is in. nsproxy.pid_ns_for_children may be another namespace.
	 */
	[IDENTITY_PIDNS] = {
		"pidns", INPUT_NUMBER, 4, .of_task = true,
		.bpf = FEATURE_BPF_TASK, .no_ring = no_namespaces, .no_bpf = no_current_task,
		.no_members = no_places,
		.current = "pidns=+{pid_namespace.ns.inum}(+{pid.numbers}"
			   "(+{task_struct.thread_pid}($current))):u32",
		.index = "pid.level",
	},
	/* The process that made the task, or that took it over. */
	[IDENTITY_PPID] = {
		"ppid", INPUT_NUMBER, 4, .of_task = true, .bpf = FEATURE_BPF_TASK,
		.no_ring = "the ring buffers do not tell a task's parent",
		.no_bpf = no_current_task,
		.no_members = "neither type information (BTF) nor a look at processes of "
			      "sonde's own tells where this kernel keeps a task's parent",
		.current = "ppid=+{task_struct.tgid}(+{task_struct.real_parent}($current)):u32",
	},
	[IDENTITY_FUNCTION] = { "function", INPUT_NUMBER, 8, .numbered = true },
	/* The stack is of the context, whatever task is current. */
	[IDENTITY_KERNEL_STACK] = { "kernel_stack", INPUT_STACK, 0, .bpf = FEATURE_BPF_STACK },
	[IDENTITY_USER_STACK] = {
		"user_stack", INPUT_STACK, 0, .of_task = true, .bpf = FEATURE_BPF_STACK,
	},
};

const struct identity *identity_row(enum identity_id id)
{
	assert(id < sizeof(rows) / sizeof(rows[0]) && rows[id].name);
	return &rows[id];
}

const struct identity *identity_named(const char *wanted)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (input_named(wanted, rows[i].name))
			return &rows[i];
	return NULL;
}

/* Without get_stackid programs walk the frames. They need all registers for that. */
static const char *not_walked(const struct identity *id, struct kernel *k, enum event_kind kind)
{
	const struct event_traits *on = event_traits(kind);

	if (!on->registers || !kernel_arch(k)->fp)
		return "this kernel has no BPF maps of stacks (since 4.6)";
	if (on->user)
		return NULL;
	if (id == &rows[IDENTITY_USER_STACK])
		return "this kernel has no BPF maps of stacks (since 4.6), and a program in the "
		       "kernel does not have the registers of user space";
	return kernel_has(k, FEATURE_FRAME_POINTERS) ? NULL :
	       "this kernel has no BPF maps of stacks (since 4.6), and is not known to keep frame "
	       "pointers";
}

static bool is_known(struct kernel *k, const char *member)
{
	struct error why;
	int32_t offset;

	return !*member || !kernel_offset(k, member, &offset, &why);
}

/* Returns true if all members are known that lead from the current task to the input. */
static bool is_placed(const struct identity *id, struct kernel *k)
{
	const char *text = id->current;
	struct error why;
	struct fetch f;

	if (fetch_next(&text, &f, &why) != 1 || (id->index && !is_known(k, id->index)))
		return false;
	for (unsigned int i = 0; i < f.derefs; i++)
		if (!is_known(k, f.deref[i].member))
			return false;
	return true;
}

const char *identity_missing(const struct identity *id, struct kernel *k, enum target target,
			     enum event_kind kind)
{
	/* A sample is taken in an interrupt, where the walk never waits. */
	if (id == &rows[IDENTITY_USER_STACK] && !event_traits(kind)->timed &&
	    !kernel_has(k, FEATURE_USER_WALK))
		return "this kernel may hang when it walks a stack of user space (user-walk in "
		       "`sonde features -v`); option -K of some tools leaves out these stacks";
	if (target == TARGET_RING)
		return id->no_ring;
	if (!id->bpf || kernel_has(k, id->bpf))
		return id->current && !is_placed(id, k) ? id->no_members : NULL;
	return id->no_bpf ? id->no_bpf : not_walked(id, k, kind);
}

struct input *identity_add(struct layout *l, const struct identity *id)
{
	struct input *in = layout_add(l);

	assert(id >= rows && id < rows + sizeof(rows) / sizeof(rows[0]));
	if (!in)
		return NULL;
	text_all(in->name, sizeof(in->name), "%s", id->name);
	in->kind = id->kind;
	in->place = PLACE_IDENTITY;
	in->identity = (uint8_t)(id - rows);
	in->size = id->size;
	return in;
}

bool layout_of_task(const struct layout *l)
{
	for (unsigned int i = 0; i < l->n_inputs; i++)
		if (l->inputs[i].place == PLACE_IDENTITY && rows[l->inputs[i].identity].of_task)
			return true;
	return false;
}

bool layout_of_process(const struct layout *l)
{
	for (unsigned int i = 0; i < l->n_inputs; i++)
		if (l->inputs[i].place == PLACE_IDENTITY && rows[l->inputs[i].identity].of_process)
			return true;
	return false;
}

bool layout_wants(const struct layout *l, enum identity_id id)
{
	for (unsigned int i = 0; i < l->n_inputs; i++)
		if (l->inputs[i].place == PLACE_IDENTITY && l->inputs[i].identity == id)
			return true;
	return false;
}

bool layout_wants_stack(const struct layout *l)
{
	return layout_wants(l, IDENTITY_KERNEL_STACK) || layout_wants(l, IDENTITY_USER_STACK);
}
