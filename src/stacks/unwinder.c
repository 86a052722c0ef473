// SPDX-License-Identifier: GPL-2.0
/*
 * From perf's copies of a thread's registers and stack to its functions. With --unwind dwarf all
 * functions are found. Otherwise only the newest function's caller is read, because frame pointers
 * may skip it.
 */
#include <string.h>
#include <sys/utsname.h>

#include "compat/base/clock.h"
#include "compat/kernel/arch.h"
#include "insns/stack_mark.h"
#include "src/lib/unwind/walk.h"
#include "src/options/common.h"
#include "src/stacks/stacks_internal.h"

#define FOLLOW_NS 1000000		/* least time between two reads of the side band */
#define COPY_BYTES 16384		/* of a stack; perf's records have room for 64 KB */
#define SIGNED_BITS 48			/* of an address; higher bits may be a signature */
#define TOP_BYTES 8			/* of a stack: the smallest copy that perf makes */

/* DWARF's number of each register, by perf's number; -1: the instruction's address. */
static const int8_t x86_64[] = {
	[0] = 0, [1] = 3, [2] = 2, [3] = 1, [4] = 4, [5] = 5, [6] = 6, [7] = 7, [8] = -1,
	[16] = 8, [17] = 9, [18] = 10, [19] = 11, [20] = 12, [21] = 13, [22] = 14, [23] = 15,
};
static const int8_t aarch64[] = { [29] = 29, [30] = 30, [31] = 31, [32] = -1 };
static const int8_t x86_32[] = { 0, 3, 1, 2, 6, 7, 5, 4, -1 };
static const int8_t arm[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -1 };

static const struct {
	const char *machine;
	/*
	 * Bits of perf's registers. mask: all that are copied. one: the register copied to find a
	 * caller only, which is the link register, or any if return addresses are on the stack; 0:
	 * the caller is not read, because tables do not tell when the register has it.
	 */
	uint64_t mask, one;
	const int8_t *numbers;
	struct unwind_machine walk;
} machines[] = {
	{ "x86_64", 0xff01ff, 0x80, x86_64,
	  { .fp = 6, .sp = 7, .link = -1, .bits = 56, .word = 8 } },
	{ "aarch64", 0x1e0000000, 0x40000000, aarch64,
	  { .fp = 29, .sp = 31, .link = 30, .bits = 48, .word = 8 } },
	{ "i686", 0x1ff, 0x80, x86_32,
	  { .fp = 5, .sp = 4, .link = -1, .bits = 32, .word = 4 } },
	{ "armv7l", 0xffff, 0, arm, { .fp = 7, .sp = 13, .link = 14, .bits = 32, .word = 4,
				   .other = 11, .thumb = true } },
};

struct asked {
	struct symbols *symbols;
	uint32_t pid;
	uint64_t time;
	bool unknown;		/* what is mapped at the last address that was asked for */
};

static const struct unwind_row *find(void *arg, uint64_t address)
{
	struct asked *a = arg;
	const struct unwind_row *row = symbols_unwind(a->symbols, a->pid, a->time, address);

	a->unknown = !row && symbols_lost(a->symbols, a->pid, a->time, address);
	return !row && symbols_no_code(a->symbols, a->pid, a->time, address) ? &unwind_no_code :
		row;
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

/* The side band has the mappings from before a sample. They are read when they are needed. */
static void follow(struct run *r)
{
	struct stacks *s = stacks_of(r);
	uint64_t now = monotonic_ns();

	if (now - s->followed < FOLLOW_NS)
		return;
	stacks_learn(r);
	s->followed = now;
}

static unsigned int walk(void *arg, const struct user_copy *copy, uint64_t *addresses,
			 unsigned int most)
{
	struct unwind_state from = { .stack = copy->stack, .size = copy->size };
	const uint8_t *at = copy->registers;
	struct run *r = arg;
	struct asked asked = { .pid = copy->pid, .time = copy->time };
	unsigned int which = 0, n;

	while (machines[which].mask != r->unwinder.registers)
		which++;
	if (!stacks_of(r) || (copy->narrow && machines[which].walk.word == 8))
		return 0;
	for (unsigned int i = 0; i < 64; i++) {
		int8_t number;

		if (!(machines[which].mask & 1ULL << i))
			continue;
		number = machines[which].numbers[i];
		memcpy(number < 0 ? &from.ip : &from.registers[number], at, 8);
		from.known |= number < 0 ? 0 : 1ULL << number;
		at += 8;
	}
	follow(r);
	asked.symbols = stacks_of(r)->symbols;
	n = unwind_walk(&machines[which].walk, &from, find, &asked, addresses, most);
	if (n && addresses[n - 1] == STACK_MARK(NO_TABLE) && asked.unknown)
		addresses[n - 1] = STACK_MARK(NO_MAPPING);
	return n;
}

/*
 * Reads what may be the address of the newest function's caller. Samples wait meanwhile, so no file
 * is read here: whether it is the caller is decided when it is named. An address outside of code is
 * left out here, because it would only make more different stacks.
 */
static unsigned int tell_caller(void *arg, const struct user_copy *copy, uint64_t *addresses,
				unsigned int most)
{
	struct run *r = arg;
	const struct arch *arch = kernel_arch(r->kernel);
	const struct stacks *s = stacks_of(r);
	uint64_t caller = 0;

	if (!s || copy->narrow == (arch->word == 8) || copy->size < arch->word || most < 2)
		return 0;
	if (arch->link.name)
		memcpy(&caller, copy->registers, sizeof(caller));
	else
		memcpy(&caller, copy->stack, arch->word);
	if (arch->signed_returns)
		caller &= (1ULL << SIGNED_BITS) - 1;
	follow(r);
	if (!symbols_code(s->symbols, copy->pid, copy->time, caller - 1))
		return 0;
	addresses[0] = STACK_MARK(TOLD);
	addresses[1] = caller;
	return 2;
}

bool stacks_unwound(const struct run *r)
{
	const char *how = common_of(r->options)->unwind;

	return how && !strcmp(how, "dwarf");
}

void stacks_request(const struct run *r, struct plan_request *request)
{
	request->unwound = stacks_unwound(r);
}

int stacks_open(struct run *r, void **state, struct error *err)
{
	const unsigned int which = machine_of_kernel();
	const bool known = which < sizeof(machines) / sizeof(machines[0]);
	const bool all = stacks_unwound(r);

	(void)state;
	if (all && !known)
		return fail(err, "--unwind dwarf is for x86 and ARM only");
	if (all && !run_ids_are_procs(r))
		return fail(err, "--unwind dwarf: mappings of processes are unknown in this pid "
				 "namespace\nrun sonde on the host");
	if (!all && (!known || !machines[which].one || !stacks_wanted(r) ||
		     !run_ids_are_procs(r) || !kernel_has(r->kernel, FEATURE_USER_REGISTERS)))
		return 0;
	r->unwinder = (struct unwinder){
		.arg = r, .walk = all ? walk : tell_caller, .between = !all,
		.registers = all ? machines[which].mask : machines[which].one,
		.stack = all ? COPY_BYTES : TOP_BYTES,
	};
	return 0;
}
