// SPDX-License-Identifier: GPL-2.0
/* Values of the machine: rand, numaid, jiffies; addresses of the kernel's symbols. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "compat/base/clock.h"
#include "compat/kernel/kallsyms.h"
#include "insns/lower/helpers.h"
#include "src/bt/bind/bind.h"
#include "src/language/types/types.h"
#include "src/run/tool.h"

/* The register of the depth = what the helper with the number `value` returns. */
static void emit_helper(struct code *c, const struct node *n, int depth, const char *fault)
{
	(void)fault;
	CODE(c, RAW(BPF_JMP | BPF_CALL, 0, 0, 0, (int32_t)n->value));
	CODE(c, BPF_MOV64_REG(code_register(depth), R0));
}

#define TOLD(NAME) { .name = NAME, .infer = bt_bound, .emit = emit_helper }

/* n is told by the helper; `width`: bytes of its type, 0 if it has 64 bits. */
static int make_call(struct node *n, const struct function *f, uint64_t helper, uint8_t width)
{
	n->kind = NODE_CALL;
	n->function = f;
	n->value = helper;
	n->type = c_integer(8, false);
	n->type.width = width;
	return 1;
}

/* ---- rand, numaid ---- */

int bt_bind_random(struct binder *b, struct node *n)
{
	static const struct function f = TOLD("rand");

	(void)b;
	return make_call(n, &f, BPF_FUNC_get_prandom_u32, 4);
}

int bt_bind_numa_node(struct binder *b, struct node *n)
{
	static const struct function f = TOLD("numaid");
	const char *nodes = kernel_text(bt_of(b->t)->script.kernel,
					"/sys/devices/system/node/online");

	/* A kernel without nodes of memory has one. */
	if (!nodes || !strcmp(nodes, "0\n") || !strcmp(nodes, "0")) {
		make_number(n, 0, c_integer(8, false));
		return 1;
	}
	note_bpf(b, n, "only BPF programs are told the node of memory");
	return make_call(n, &f, BPF_FUNC_get_numa_node_id, 4);
}

/* ---- clocks ---- */

/* A clock that programs are told by a helper. */
static const struct told_clock {
	struct function function;
	int32_t helper;
	const char *missing;
} boot_clock = {
	TOLD("boot"), BPF_FUNC_ktime_get_boot_ns,
	"BPF programs of this kernel are not told CLOCK_BOOTTIME (since 5.8): take nsecs",
}, tai_clock = {
	TOLD("tai"), BPF_FUNC_ktime_get_tai_ns,
	"BPF programs of this kernel are not told CLOCK_TAI (since 6.1): take nsecs(sw_tai)",
};

static int bind_clock(struct binder *b, struct node *n, const struct told_clock *clock)
{
	if (bt_of(b->t)->now->when == BT_KERNEL &&
	    !helper_in(bt_of(b->t)->script.kernel, clock->helper))
		return WRONG(b, n, "%s", clock->missing);
	note_bpf(b, n, "only BPF programs are told other clocks than CLOCK_MONOTONIC");
	return make_call(n, &clock->function, clock->helper, 0);
}

int bt_bind_boot(struct binder *b, struct node *n)
{
	return bind_clock(b, n, &boot_clock);
}

int bt_bind_tai(struct binder *b, struct node *n)
{
	return bind_clock(b, n, &tai_clock);
}

/* CLOCK_MONOTONIC, and what CLOCK_TAI was ahead of it when the script was read. */
int bt_bind_sw_tai(struct binder *b, struct node *n)
{
	const struct c_type type = c_integer(8, false);
	struct node *now = new_node(b, NODE_NAME, n->at),
		    *ahead = number_node(b, n->at, (uint64_t)clock_ns(CLOCK_TAI) - monotonic_ns(),
					 type);

	if (!now || !ahead || bind_identity(b, now, "time", 8))
		return -1;
	make_binary(n, '+', now, ahead, type);
	return 1;
}

/* ---- ids ---- */

int bt_bind_own_ids(struct binder *b, struct node *n)
{
	const struct bt *bt = bt_of(b->t);

	if (bt->run && !run_ids_are_procs(bt->run))
		return WRONG(b, n, "sonde runs in a namespace of process ids of its own, and ids "
			     "of events are those of the first: take pid(init), tid(init)");
	if (bind_identity(b, n, *name_of(b, n) == 'p' ? "tgid" : "tid", 8))
		return -1;
	n->type.width = 4;
	return 1;
}

/* ---- symbols, jiffies ---- */

/* Every kernel has an init_task, but not every one lists its variables. */
static int no_symbol(struct binder *b, const struct node *n, const char *name)
{
	uint64_t any;

	if (kallsyms_find("init_task", &any) > 0)
		return WRONG(b, n, "the kernel has no symbol `%s`: /proc/kallsyms has them all",
			     name);
	return WRONG(b, n, "where the kernel has `%s` is unknown: its /proc/kallsyms lists "
		     "functions, and no variables (CONFIG_KALLSYMS_ALL)", name);
}

int bt_symbol_address(struct binder *b, const struct node *n, const char *name, uint64_t *to)
{
	int found;

	if (!kernel_live(bt_of(b->t)->script.kernel))
		return WRONG(b, n, "addresses of the kernel are of this machine's only, and the "
			     "script is for a snapshot");
	*to = 0;
	found = kallsyms_find(name, to);
	if (found < 0)
		return WRONG(b, n, "/proc/kallsyms can't be read: %s", strerror(errno));
	if (!found)
		return no_symbol(b, n, name);
	return *to ? 0 : WRONG(b, n, "the kernel hides addresses "
			       "(/proc/sys/kernel/kptr_restrict)");
}

/* The kernel's own counter: by a helper, or read where it is. */
int bt_bind_jiffies(struct binder *b, struct node *n)
{
	static const struct function f = TOLD("jiffies");
	const struct c_type type = c_integer(8, false);
	struct node *address;
	uint64_t where;

	if (bt_of(b->t)->now->when == BT_KERNEL &&
	    helper_in(bt_of(b->t)->script.kernel, BPF_FUNC_jiffies64)) {
		note_bpf(b, n, "only BPF programs are told the kernel's jiffies");
		return make_call(n, &f, BPF_FUNC_jiffies64, 0);
	}
	if (bt_symbol_address(b, n, "jiffies_64", &where))
		return -1;
	address = number_node(b, n->at, where, c_integer(b->s->kernel_word, false));
	if (!address)
		return -1;
	address->type.kernel = (uint8_t)b->s->kernel_word;
	return read_memory(b, n, address, &type, b->s->needs.n_inputs) ? -1 : 1;
}
