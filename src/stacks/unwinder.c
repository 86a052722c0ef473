// SPDX-License-Identifier: GPL-2.0
/*
 * From perf's copies of a thread's registers and stack to its functions: to all with --unwind
 * dwarf, else to those that frame pointers lead past.
 */
#include <string.h>
#include <sys/utsname.h>

#include "compat/base/clock.h"
#include "compat/kernel/arch.h"
#include "src/stacks/stacks_internal.h"
#include "src/unwind/walk.h"

#define FOLLOW_NS 1000000		/* what processes map is asked for as often as this */
#define COPY_BYTES 16384		/* of a stack; perf's records have room for 64 KB */
/* Functions that have no frame call few others: the C library's around system calls are 3. */
#define NEAR_BYTES 256
#define NEAR_MOST 8			/* callers */

/* perf's numbers of registers, in their order, and DWARF's; -1: the instruction's address. */
static const int8_t x86_64[] = {
	[0] = 0, [1] = 3, [2] = 2, [3] = 1, [4] = 4, [5] = 5, [6] = 6, [7] = 7, [8] = -1,
	[16] = 8, [17] = 9, [18] = 10, [19] = 11, [20] = 12, [21] = 13, [22] = 14, [23] = 15,
};
static const int8_t aarch64[] = { [29] = 29, [30] = 30, [31] = 31, [32] = -1 };
static const int8_t x86_32[] = { 0, 3, 1, 2, 6, 7, 5, 4, -1 };
static const int8_t arm[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -1 };

static const struct {
	const char *machine;
	/* of perf's registers; and those that tell a function without a frame, 0: tables do not */
	uint64_t mask, near;
	const int8_t *numbers;
	struct unwind_machine walk;
} machines[] = {
	{ "x86_64", 0xff01ff, 0x1c0, x86_64,
	  { .fp = 6, .sp = 7, .link = -1, .bits = 56, .word = 8 } },
	{ "aarch64", 0x1e0000000, 0x1e0000000, aarch64,
	  { .fp = 29, .sp = 31, .link = 30, .bits = 48, .word = 8 } },
	{ "i686", 0x1ff, 0x1c0, x86_32,
	  { .fp = 5, .sp = 4, .link = -1, .bits = 32, .word = 4 } },
	{ "armv7l", 0xffff, 0, arm, { .fp = 7, .sp = 13, .link = 14, .bits = 32, .word = 4,
				   .other = 11, .thumb = true } },
};

struct asked {
	struct symbols *symbols;
	uint32_t pid;
	uint64_t time;
};

static const struct unwind_row *find(void *arg, uint64_t address)
{
	const struct asked *a = arg;

	return symbols_unwind(a->symbols, a->pid, a->time, address);
}

static unsigned int machine_of_kernel(void)
{
	const struct arch *arch;
	struct utsname name;
	unsigned int i = 0;

	if (uname(&name))
		name.machine[0] = '\0';
	arch = arch_by_name(name.machine);
	while (i < sizeof(machines) / sizeof(machines[0]) &&
	       (!arch || strcmp(machines[i].machine, arch->name)))
		i++;
	return i;
}

/* What was mapped before a sample was taken was told before: it is read when it is needed. */
static void follow(struct run *r)
{
	uint64_t now = monotonic_ns();

	if (now - r->stacks->followed < FOLLOW_NS)
		return;
	stacks_learn(r);
	r->stacks->followed = now;
}

/* How many of the addresses are of code, up to the first that is not: tables may be wrong. */
static unsigned int code(const struct asked *a, const uint64_t *addresses, unsigned int n)
{
	unsigned int i = 0;

	while (i < n && symbols_code(a->symbols, a->pid, a->time, addresses[i] - 1))
		i++;
	return i;
}

static unsigned int walk(void *arg, const struct user_copy *copy, uint64_t *addresses,
			 unsigned int most)
{
	struct unwind_state from = { .stack = copy->stack, .size = copy->size };
	const uint8_t *at = copy->registers;
	struct run *r = arg;
	const struct unwinder *u = &r->unwinder;
	struct asked asked = { .pid = copy->pid, .time = copy->time };
	unsigned int which = 0;

	while ((u->between ? machines[which].near : machines[which].mask) != u->registers)
		which++;
	if (!r->stacks || (copy->narrow && machines[which].walk.word == 8))
		return 0;
	for (unsigned int i = 0; i < 64; i++) {
		int8_t number;

		if (!(u->registers & 1ULL << i))
			continue;
		number = machines[which].numbers[i];
		memcpy(number < 0 ? &from.ip : &from.registers[number], at, 8);
		from.known |= number < 0 ? 0 : 1ULL << number;
		at += 8;
	}
	follow(r);
	asked.symbols = r->stacks->symbols;
	if (!u->between)
		return unwind_walk(&machines[which].walk, &from, find, &asked, addresses, most);
	most = unwind_left_out(&machines[which].walk, &from, find, &asked, addresses,
			       most < NEAR_MOST ? most : NEAR_MOST);
	return code(&asked, addresses, most);
}

bool stacks_unwound(const struct run *r)
{
	const char *how = option_text(r->options, "unwind");

	return how && !strcmp(how, "dwarf");
}

int stacks_unwinder(struct run *r, struct error *err)
{
	const unsigned int which = machine_of_kernel();
	const bool known = which < sizeof(machines) / sizeof(machines[0]);
	const bool all = stacks_unwound(r);

	if (all && !known)
		return fail(err, "--unwind dwarf is for x86 and ARM only");
	if (all && !run_ids_are_procs(r))
		return fail(err, "--unwind dwarf: what processes have mapped is unknown in this "
				 "pid namespace\nrun sonde on the host");
	if (!all && (!known || !machines[which].near || !stacks_wanted(r) ||
		     !run_ids_are_procs(r) || !kernel_has(r->kernel, FEATURE_USER_REGISTERS)))
		return 0;
	r->unwinder = (struct unwinder){
		.arg = r, .walk = walk, .between = !all,
		.registers = all ? machines[which].mask : machines[which].near,
		.stack = all ? COPY_BYTES : NEAR_BYTES,
	};
	return 0;
}
