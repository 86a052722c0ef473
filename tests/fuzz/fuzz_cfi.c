// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_cfi SECONDS [SEED]: gives the reader of .eh_frame what no compiler wrote: those of this
 * program and its libraries, with bytes changed, lengths made larger, and cut; and that of
 * .ARM.exidx. Meant for a build
 * with ASan and UBSan: whatever it finds ends the process. A section that takes more than a second
 * of CPU time is an error, too. The same seed makes the same sections.
 */
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/lib/unwind/cfi.h"
#include "src/lib/unwind/exidx.h"
#include "tests/fuzz/random.h"

#define SIZE		(64 << 10)	/* of a section, at most */
#define SEEDS		8
#define CHANGES		12
#define TOO_LONG_MS	1000

struct fuzz {
	uint64_t state;
	uint8_t *seeds[SEEDS];
	size_t sizes[SEEDS];
	unsigned int n_seeds;
	uint64_t sections, rows, slowest_ms;
};

static uint64_t next(struct fuzz *f)
{
	return random_next(&f->state);
}

/* The table's head says where the section is: a difference of 4 bytes, from where it is written. */
static int add_seed(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct fuzz *f = arg;

	(void)size;
	for (unsigned int i = 0; i < info->dlpi_phnum && f->n_seeds < SEEDS; i++) {
		const uint8_t *head = (const uint8_t *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		const uint8_t *section, *at;
		int32_t difference;
		uint32_t length;

		if (info->dlpi_phdr[i].p_type != PT_GNU_EH_FRAME || head[1] != 0x1b)
			continue;
		memcpy(&difference, head + 4, sizeof(difference));
		section = at = head + 4 + difference;
		for (;;) {
			memcpy(&length, at, sizeof(length));
			if (!length || length > SIZE - (size_t)(at - section) - 4)
				break;
			at += length + 4;
		}
		f->sizes[f->n_seeds] = (size_t)(at - section);
		f->seeds[f->n_seeds] = malloc(f->sizes[f->n_seeds] + 1);
		if (!f->seeds[f->n_seeds])
			exit(2);
		memcpy(f->seeds[f->n_seeds], section, f->sizes[f->n_seeds]);
		f->n_seeds += f->sizes[f->n_seeds] > 0;
	}
	return 0;
}

static int64_t position(const void *arg, uint64_t address)
{
	(void)arg;
	return (int64_t)(address & 0xffffff);
}

static uint64_t now_ms(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void give(struct fuzz *f)
{
	static const uint8_t edges[] = { 0, 1, 0x7f, 0x80, 0xff, 0x0f, 0x10, 0x16, 0x40, 0xc0 };
	const unsigned int which = (unsigned int)(next(f) % f->n_seeds);
	size_t size = next(f) % 4 ? f->sizes[which] : next(f) % f->sizes[which] + 1;
	uint64_t begin = now_ms(CLOCK_PROCESS_CPUTIME_ID), took;
	struct cfi_source s = { .word = next(f) & 1 ? 8 : 4, .fp = 6, .sp = 7,
				.position = position, .address = next(f) };
	struct unwind_maker m = { };
	struct error err = { };
	uint8_t *bytes = malloc(size);

	if (!bytes)
		exit(2);
	memcpy(bytes, f->seeds[which], size);
	for (uint64_t i = next(f) % CHANGES; i; i--)
		bytes[next(f) % size] = next(f) & 1 ? edges[next(f) % sizeof(edges)] :
						       (uint8_t)next(f);
	s.bytes = bytes;
	s.size = size;
	cfi_rows(&s, &m, &err);
	unwind_sort(&m);
	for (uint32_t i = 1; i < m.n; i++)
		if (m.rows[i].at <= m.rows[i - 1].at)
			abort();
	f->sections++;
	f->rows += m.n;
	unwind_maker_free(&m);
	free(bytes);
	took = now_ms(CLOCK_PROCESS_CPUTIME_ID) - begin;
	f->slowest_ms = took > f->slowest_ms ? took : f->slowest_ms;
}

/*
 * The tables of 32-bit ARM, whichever machine this is: an index of entries that are likely, and a
 * table of any words.
 */
static void give_arm(struct fuzz *f)
{
	const size_t n = 8 * (next(f) % 64), m = 4 * (next(f) % 64);
	uint8_t *index = malloc(n + !n), *table = malloc(m + !m);
	const struct exidx_source s = {
		.index = { index, n, 0x8000 }, .table = { table, m, 0x9000 },
		.big_endian = next(f) & 1, .entry = (uint32_t)next(f), .position = position,
	};
	struct unwind_maker made = { };
	struct error err = { };

	if (!index || !table)
		exit(2);
	for (size_t i = 0; i < n; i += 4) {
		const uint32_t at = 0x8000 + (uint32_t)i, any = (uint32_t)next(f);
		const uint32_t word = i % 8 == 0 ? any & 0x7fffffff : any & 3 ?
			(0x9000 + (any >> 2) % (uint32_t)(m + 8) - at) & 0x7fffffff :
			0x80000000 | any >> 8;

		memcpy(index + i, &word, sizeof(word));
	}
	for (size_t i = 0; i < m; i++)
		table[i] = i % 4 == 3 && next(f) & 1 ? 0x81 : (uint8_t)next(f);
	exidx_rows(&s, &made, &err);
	unwind_sort(&made);
	f->sections++;
	f->rows += made.n;
	unwind_maker_free(&made);
	free(index);
	free(table);
}

int main(int argc, char **argv)
{
	static struct fuzz f;
	uint64_t seconds = argc > 1 ? strtoull(argv[1], NULL, 10) : 10,
		end = now_ms(CLOCK_MONOTONIC) + 1000 * seconds;

	f.state = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
	printf("fuzz_cfi: seed %" PRIu64 "\n", f.state);
	dl_iterate_phdr(add_seed, &f);
	if (!f.n_seeds)
		return 2;
	do {
		give(&f);
		give_arm(&f);
	} while (now_ms(CLOCK_MONOTONIC) < end && f.slowest_ms <= TOO_LONG_MS);
	printf("fuzz_cfi: %" PRIu64 " sections, %" PRIu64 " rows, %" PRIu64 " ms at most\n",
	       f.sections, f.rows, f.slowest_ms);
	for (unsigned int i = 0; i < f.n_seeds; i++)
		free(f.seeds[i]);
	return f.slowest_ms > TOO_LONG_MS;
}
