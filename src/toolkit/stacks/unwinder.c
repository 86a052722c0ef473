// SPDX-License-Identifier: GPL-2.0
/*
 * From perf's copies of a thread's registers and stack to its functions. With --unwind dwarf all
 * functions are found. Otherwise only the newest function's caller is read, because frame pointers
 * may skip it.
 */
#include <string.h>
#include <sys/utsname.h>

#include "compat/arch/arch.h"
#include "compat/base/clock.h"
#include "insns/stack_mark.h"
#include "src/lib/unwind/walk.h"
#include "src/run/options/common.h"
#include "src/toolkit/stacks/stacks_internal.h"

#define FOLLOW_NS 1000000		/* least time between two reads of the side band */
#define COPY_BYTES 16384		/* of a stack; perf's records have room for 64 KB */
#define SIGNED_BITS 48			/* of an address; higher bits may be a signature */
#define TOP_BYTES 8			/* of a stack: the smallest copy that perf makes */

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

/* The running kernel's machine; NULL: unknown. */
static const struct arch *machine_of_kernel(void)
{
	struct utsname name;

	return uname(&name) ? NULL : arch_by_name(name.machine);
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
	const struct arch *const *a = arches, *arch;
	unsigned int n;

	while ((*a)->unwind.all != r->unwinder.registers)
		a++;
	arch = *a;
	if (!stacks_of(r) || (copy->narrow && arch->word == 8))
		return 0;
	for (unsigned int i = 0; i < 64; i++) {
		int8_t number;

		if (!(arch->unwind.all & 1ULL << i))
			continue;
		number = arch->unwind.numbers[i];
		memcpy(number < 0 ? &from.ip : &from.registers[number], at, 8);
		from.known |= number < 0 ? 0 : 1ULL << number;
		at += 8;
	}
	follow(r);
	asked.symbols = stacks_of(r)->symbols;
	n = unwind_walk(arch, &from, find, &asked, addresses, most);
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
	const struct arch *arch = machine_of_kernel();
	const bool known = arch && arch->unwind.all, all = stacks_unwound(r);

	(void)state;
	if (all && !known)
		return fail(err, "--unwind dwarf is for x86 and ARM only");
	if (all && !run_ids_are_procs(r))
		return fail(err, "--unwind dwarf: mappings of processes are unknown in this pid "
				 "namespace\nrun sonde on the host");
	if (!all && (!known || !arch->unwind.caller || !stacks_wanted(r) ||
		     !run_ids_are_procs(r) || !kernel_has(r->kernel, FEATURE_USER_REGISTERS)))
		return 0;
	r->unwinder = (struct unwinder){
		.arg = r, .walk = all ? walk : tell_caller, .between = !all,
		.registers = all ? arch->unwind.all : arch->unwind.caller,
		.stack = all ? COPY_BYTES : TOP_BYTES,
	};
	return 0;
}
