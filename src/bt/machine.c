// SPDX-License-Identifier: GPL-2.0
/* Values of the machine: rand, numaid, jiffies; addresses of the kernel's symbols. */
#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "compat/kernel/kallsyms.h"
#include "src/bt/parse.h"
#include "src/lang/types/types.h"

/* The register of the depth = what the helper returns. */
static void call(struct code *c, int depth, int32_t helper)
{
	CODE(c, RAW(BPF_JMP | BPF_CALL, 0, 0, 0, helper));
	CODE(c, BPF_MOV64_REG(code_register(depth), R0));
}

static int make_call(struct node *n, const struct function *f)
{
	n->kind = NODE_CALL;
	n->function = f;
	n->type = c_integer(8, false);
	n->type.align = 4;
	return 1;
}

/* ---- rand ---- */

static void emit_random(struct code *c, const struct node *n, int depth, const char *fault)
{
	(void)n;
	(void)fault;
	call(c, depth, BPF_FUNC_get_prandom_u32);
}

static uint64_t random_here(void)
{
	uint32_t value = 0;

	while (getrandom(&value, sizeof(value), 0) != sizeof(value))
		;
	return value;
}

static const struct function random_number = {
	.name = "rand", .infer = bt_bound, .emit = emit_random, .here = random_here,
};

int bt_bind_random(struct binder *b, struct node *n)
{
	(void)b;
	return make_call(n, &random_number);
}

/* ---- numaid ---- */

static void emit_node(struct code *c, const struct node *n, int depth, const char *fault)
{
	(void)n;
	(void)fault;
	call(c, depth, BPF_FUNC_get_numa_node_id);
}

static uint64_t node_here(void)
{
	unsigned int node = 0;

	syscall(SYS_getcpu, NULL, &node, NULL);
	return node;
}

static const struct function node_number = {
	.name = "numaid", .infer = bt_bound, .emit = emit_node, .here = node_here,
};

int bt_bind_numa_node(struct binder *b, struct node *n)
{
	const char *nodes = kernel_text(bt_of(b->t)->script.kernel,
					"/sys/devices/system/node/online");

	/* A kernel without nodes of memory has one. */
	if (!nodes || !strcmp(nodes, "0\n") || !strcmp(nodes, "0")) {
		make_number(n, 0, c_integer(8, false));
		return 1;
	}
	note_bpf(b, n, "only BPF programs are told the node of memory");
	return make_call(n, &node_number);
}

/* ---- symbols, jiffies ---- */

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
		return WRONG(b, n, "the kernel has no symbol `%s`: /proc/kallsyms has them all",
			     name);
	return *to ? 0 : WRONG(b, n, "the kernel hides addresses: /proc/sys/kernel/kptr_restrict "
			       "says from whom");
}

/* The kernel's own counter, read where it is. */
int bt_bind_jiffies(struct binder *b, struct node *n)
{
	const struct c_type type = c_integer(8, false);
	struct node *address;
	uint64_t where;

	if (bt_symbol_address(b, n, "jiffies_64", &where))
		return -1;
	address = number_node(b, n->at, where, c_integer(b->s->kernel_word, false));
	if (!address)
		return fail(b->err, "out of memory");
	address->type.kernel = (uint8_t)b->s->kernel_word;
	return read_memory(b, n, address, &type, b->s->n_inputs) ? -1 : 1;
}
