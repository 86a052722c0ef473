// SPDX-License-Identifier: GPL-2.0
/*
 * llcstat: a process goes through more memory than a cache holds, in steps that miss it. How often
 * depends on the CPU; but it can't be never, and no more than a use or a few for each step.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "src/commands/selftest/selftest.h"

#define BYTES (48U << 20)
#define STEP 4096			/* a page: nothing that was read before is of use */
#define ROUNDS 40

static int work(struct work *w)
{
	volatile char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return not_here(w, "there is no memory of %u MB", BYTES >> 20);
	for (int i = 0; i < ROUNDS; i++)
		for (size_t at = (size_t)i * 64; at < BYTES; at += STEP)
			memory[at]++;
	munmap((void *)memory, BYTES);
	return 0;
}

static void check(struct found *f)
{
	const int64_t steps = (int64_t)ROUNDS * (BYTES / STEP);
	int64_t uses = 0;

	found_sum(f, "references", &uses);
	found_between(f, "references", 1, uses, 200 * steps);
}

static const char *const options[] = { "-c", "1000", "--pid", "%pid", "3600", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .work = work, .check = check },
	{ }
};

SELFTEST(llcstat, parts);
