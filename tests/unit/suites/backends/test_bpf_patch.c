// SPDX-License-Identifier: GPL-2.0
/*
 * What of the bpf engine needs no kernel: patching of map numbers, the verifier's log, CPU lists,
 * names, the order of records, and the reading of a ring buffer (one made here, in the layout the
 * kernel shows).
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/bpf/bpf_load.h"
#include "backends/bpf/bpf_order.h"
#include "backends/bpf/bpf_ringbuf.h"
#include "compat/base/bpf.h"
#include "compat/base/cpus.h"
#include "tests/unit/unit.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* --- patching --- */

#define LD_IMM64(DST, SRC, LOW, HIGH) \
	{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = (DST), .src_reg = (SRC), .imm = (LOW) }, \
		{ .imm = (HIGH) }
#define MAP_REF(DST, NUMBER) LD_IMM64(DST, BPF_PSEUDO_MAP_FD, NUMBER, 0)
#define RETURN { .code = BPF_JMP | BPF_EXIT }
#define HALF { .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_FD }

static const int map_fds[] = { 70, -1, 72 };

static const struct {
	const char *what;
	unsigned int n;
	struct bpf_insn code[8];
	int result;
	int imm[8];		/* of each instruction, patched */
} patches[] = {
	{ "nothing to patch", 1, { RETURN }, 0, { 0 } },
	{ "first and last map", 5, { MAP_REF(1, 0), MAP_REF(2, 2), RETURN }, 0,
	  { 70, 0, 72, 0, 0 } },
	{ "the value of a map", 3, { LD_IMM64(1, BPF_OF_MAP_VALUE, 2, 0), RETURN }, 0,
	  { 72, 0, 0 } },
	{ "a constant is no map", 3, { LD_IMM64(1, 0, 2, 5), RETURN }, 0, { 2, 5, 0 } },
	/* Were the second half looked at, its imm would be taken for a map. */
	{ "second half of a constant", 4, { LD_IMM64(1, 0, 7, 1), MAP_REF(1, 0) }, 0,
	  { 7, 1, 70, 0 } },
	{ "a map not made", 3, { MAP_REF(1, 1), RETURN }, -1, { 0 } },
	{ "a map beyond the last", 3, { MAP_REF(1, 3), RETURN }, -1, { 0 } },
	{ "a negative map", 3, { MAP_REF(1, -1), RETURN }, -1, { 0 } },
	{ "half a constant", 2, { RETURN, HALF }, -1, { 0 } },
};

START_TEST(patch)
{
	struct lowered code = { .insns = (struct bpf_insn *)patches[_i].code, .n = patches[_i].n };
	struct bpf_insn out[8];
	struct error err = { "" };

	memset(out, 0, sizeof(out));
	ck_assert_msg(bpf_patch(out, &code, map_fds, LENGTH(map_fds), &err) == patches[_i].result,
		      "%s",
		      patches[_i].what);
	ck_assert_int_eq(!err.text[0], !patches[_i].result);
	for (unsigned int i = 0; !patches[_i].result && i < code.n; i++) {
		ck_assert_int_eq(out[i].imm, patches[_i].imm[i]);
		out[i].imm = code.insns[i].imm;
		ck_assert_mem_eq(&out[i], &code.insns[i], sizeof(out[i]));
	}
}
END_TEST

/* --- the verifier's log --- */

static const struct {
	const char *log, *essence;
} logs[] = {
	{ "", NULL },
	{ "\n\n", NULL },
	{ "0: (79) r0 = *(u64 *)(r1 +0)\ninvalid bpf_context access off=0 size=8\n"
	  "processed 1 insns (limit 1000000) max_states_per_insn 0 total_states 0\n",
	  "invalid bpf_context access off=0 size=8" },
	{ "0: (b7) r0 = 0\nR1 type=inv expected=fp", "R1 type=inv expected=fp" },
	{ "back-edge from insn 3 to 1\nverification time 31 usec\nstack depth 0\nprocessed 4 "
	  "insns\n", "stack depth 0" },
	{ "unreachable insn 4\nverification time 31 usec\nprocessed 0 insns\n",
	  "unreachable insn 4" },
	{ "processed 0 insns\n", NULL },
};

START_TEST(essence)
{
	int length = -1;
	const char *got = bpf_log_essence(logs[_i].log, &length);

	if (!logs[_i].essence) {
		ck_assert_ptr_null(got);
		return;
	}
	ck_assert_ptr_nonnull(got);
	ck_assert_int_eq(length, (int)strlen(logs[_i].essence));
	ck_assert(!strncmp(got, logs[_i].essence, (size_t)length));
}
END_TEST

/* --- lists of CPUs, names --- */

static const struct {
	const char *list;
	unsigned int count, limit;
} cpu_lists[] = {
	{ NULL, 0, 0 },
	{ "", 0, 0 },
	{ "\n", 0, 0 },
	{ "0\n", 1, 1 },
	{ "0-1\n", 2, 2 },
	{ "0-3,5,8-11\n", 9, 12 },
	{ "2,0\n", 2, 3 },
	{ "0-65535", 65536, 65536 },
	{ "0-3,99999999999", 4, 4 },
	{ "3-1\n", 0, 0 },
	{ "0,x", 1, 1 },
};

START_TEST(cpus)
{
	ck_assert_uint_eq(cpu_list_count(cpu_lists[_i].list), cpu_lists[_i].count);
	ck_assert_uint_eq(cpu_list_limit(cpu_lists[_i].list), cpu_lists[_i].limit);
}
END_TEST

static const struct {
	const char *text, *name;
} names[] = {
	{ "", "" },
	{ ".state", "_state" },
	{ "open.enter", "open_enter" },
	{ "a-name of more than fifteen", "a_name_of_more_" },
	{ "\xc3\xa9", "__" },
};

START_TEST(name)
{
	static const char zeros[BPF_OBJ_NAME_LEN];
	char got[BPF_OBJ_NAME_LEN];
	size_t n = strlen(names[_i].name);

	memset(got, 'x', sizeof(got));
	bpf_kernel_name(got, names[_i].text);
	ck_assert_str_eq(got, names[_i].name);
	ck_assert_mem_eq(got + n, zeros, sizeof(got) - n);	/* the kernel wants the rest zero */
}
END_TEST

/* --- order --- */

#define MOST 4096

struct got {
	unsigned int n;
	uint64_t times[MOST], tags[MOST];
};

struct record {
	uint64_t time, tag;
	char rest[5];
};

#define RECORD_SIZE 21		/* not a multiple of anything */
#define OUTPUTS 3

static void take_record(void *arg, unsigned int output, const void *record, uint32_t size)
{
	struct got *g = arg;
	struct record r;

	ck_assert_uint_eq(size, RECORD_SIZE);
	memcpy(&r, record, RECORD_SIZE);
	ck_assert_uint_eq(output, r.tag % OUTPUTS);
	ck_assert_mem_eq(r.rest, "rest", 5);
	ck_assert_uint_lt(g->n, MOST);
	g->times[g->n] = r.time;
	g->tags[g->n++] = r.tag;
}

static void push(struct bpf_order *o, uint64_t time, uint64_t tag)
{
	struct record r = { time, tag, "rest" };

	ck_assert_int_eq(bpf_order_push(o, tag % OUTPUTS, &r, RECORD_SIZE), 0);
}

static const struct {
	const char *what;
	unsigned int n, done;
	/* tags: indexes into times, in the order expected */
	uint64_t until, times[8], tags[8];
} orders[] = {
	{ "none", 0, 0, 9, { 0 }, { 0 } },
	{ "in order", 3, 3, 9, { 1, 2, 3 }, { 0, 1, 2 } },
	{ "reversed", 4, 4, 9, { 4, 3, 2, 1 }, { 3, 2, 1, 0 } },
	{ "two CPUs", 6, 6, 9, { 1, 4, 6, 2, 3, 5 }, { 0, 3, 4, 1, 5, 2 } },
	{ "three CPUs", 6, 6, 9, { 5, 6, 3, 4, 1, 2 }, { 4, 5, 2, 3, 0, 1 } },
	{ "one time keeps the order of coming", 5, 5, 9, { 2, 2, 1, 1, 2 }, { 2, 3, 0, 1, 4 } },
	{ "up to and with a time", 4, 2, 3, { 1, 4, 3, 5 }, { 0, 2 } },
	{ "all too young", 3, 0, 0, { 1, 2, 3 }, { 0 } },
	{ "the largest time", 2, 2, UINT64_MAX, { UINT64_MAX, 0 }, { 1, 0 } },
};

START_TEST(order)
{
	struct bpf_order *o = bpf_order_new();
	struct got g = { 0 };

	for (unsigned int i = 0; i < orders[_i].n; i++)
		push(o, orders[_i].times[i], i);
	ck_assert_msg(bpf_order_run(o, orders[_i].until, take_record, &g) == orders[_i].done, "%s",
		      orders[_i].what);
	ck_assert_uint_eq(g.n, orders[_i].done);
	for (unsigned int i = 0; i < g.n; i++)
		ck_assert_uint_eq(g.tags[i], orders[_i].tags[i]);
	/* What stays is handed over later, and nothing twice. */
	ck_assert_uint_eq(bpf_order_run(o, UINT64_MAX, take_record, &g),
			  orders[_i].n - orders[_i].done);
	for (unsigned int i = 1; i < g.n; i++)
		ck_assert_uint_le(g.times[i - 1], g.times[i]);
	ck_assert_uint_eq(bpf_order_bytes(o), 0);
	ck_assert_uint_eq(bpf_order_late(o), 0);
	bpf_order_free(o);
}
END_TEST

/*
 * Rounds of reading two CPUs whose records come up to 20 late: with a delay of 20 the whole is in
 * order.
 */
START_TEST(order_of_rounds)
{
	struct bpf_order *o = bpf_order_new();
	struct got *g = calloc(1, sizeof(*g));
	uint64_t now = 100, tag = 0;
	unsigned int seed = 1;

	for (unsigned int round = 0; round < 40; round++, now += 50) {
		for (unsigned int i = 0; i < 100; i++) {
			seed = seed * 1103515245 + 12345;
			push(o, now + i % 50 - seed / 65536 % 20, tag++);
		}
		bpf_order_run(o, now + 50 - 20 - 1, take_record, g);
	}
	bpf_order_run(o, UINT64_MAX, take_record, g);
	ck_assert_uint_eq(g->n, tag);
	for (unsigned int i = 1; i < g->n; i++)
		ck_assert(g->times[i - 1] < g->times[i] ||
			  (g->times[i - 1] == g->times[i] && g->tags[i - 1] < g->tags[i]));
	ck_assert_uint_eq(bpf_order_late(o), 0);
	push(o, 1, tag);
	ck_assert_uint_eq(bpf_order_run(o, UINT64_MAX, take_record, g), 1);
	ck_assert_uint_eq(bpf_order_late(o), 1);
	free(g);
	bpf_order_free(o);
}
END_TEST

static void count_record(void *arg, unsigned int output, const void *record, uint32_t size)
{
	uint64_t *bytes = arg;

	(void)output;
	(void)record;
	*bytes += size;
}

/* What a burst needs is given back after some quiet rounds, while records wait and come. */
START_TEST(order_after_a_burst)
{
	struct bpf_order *o = bpf_order_new();
	const struct mallinfo2 before = mallinfo2();
	struct mallinfo2 after;
	uint64_t bytes = 0, time = 0;

	for (unsigned int i = 0; i < 100000; i++)
		push(o, ++time, i);
	bpf_order_run(o, time, count_record, &bytes);
	for (unsigned int round = 0; round < 130; round++) {
		push(o, ++time, round);
		push(o, ++time, round);
		bpf_order_run(o, time - 1, count_record, &bytes);
	}
	after = mallinfo2();
	ck_assert_uint_le(after.uordblks + after.hblkhd,
			  before.uordblks + before.hblkhd + 100000);
	bpf_order_run(o, time, count_record, &bytes);
	ck_assert_uint_eq(bytes, (100000 + 2 * 130) * RECORD_SIZE);
	ck_assert_uint_eq(bpf_order_late(o), 0);
	bpf_order_free(o);
}
END_TEST

/* --- a ring buffer --- */

#define RING 4096U

struct fake_ring {
	int fd;
	uint8_t *pages;		/* consumer, producer, data, data again */
	size_t page;
	struct bpf_ringbuf *ring;
};

static void fake_new(struct fake_ring *f, unsigned int word)
{
	f->page = (size_t)sysconf(_SC_PAGESIZE);
	f->fd = memfd_create("ring", MFD_CLOEXEC);
	ck_assert_int_ge(f->fd, 0);
	ck_assert_int_eq(ftruncate(f->fd, (off_t)(2 * f->page + 2 * RING)), 0);
	f->pages = mmap(NULL, 2 * f->page + 2 * RING, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, 0);
	ck_assert_ptr_ne(f->pages, MAP_FAILED);
	f->ring = bpf_ringbuf_map(f->fd, RING, word, NULL);
	ck_assert_ptr_nonnull(f->ring);
}

static void fake_free(struct fake_ring *f)
{
	bpf_ringbuf_unmap(f->ring);
	munmap(f->pages, 2 * f->page + 2 * RING);
	close(f->fd);
}

static void fake_bytes(struct fake_ring *f, uint64_t position, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		size_t at = (position + i) % RING;

		f->pages[2 * f->page + at] = f->pages[2 * f->page + RING +
						      at] = ((const uint8_t *)bytes)[i];
	}
}

/* A record of `size` bytes, each the low byte of its position; the position behind it. */
static uint64_t fake_record(struct fake_ring *f, uint64_t position, uint32_t size, uint32_t flags)
{
	uint32_t header[2] = { size | flags, 0 };
	uint8_t bytes[512];

	memset(bytes, (int)(position & 255), sizeof(bytes));
	fake_bytes(f, position, header, sizeof(header));
	fake_bytes(f, position + sizeof(header), bytes, size);
	return position + ((sizeof(header) + size + 7) & ~7ULL);
}

struct sizes {
	unsigned int n;
	uint32_t size[1024];
	uint8_t first[1024], last[1024];
};

static void take_size(void *arg, const void *record, uint32_t size)
{
	struct sizes *s = arg;

	ck_assert_uint_lt(s->n, LENGTH(s->size));
	s->first[s->n] = ((const uint8_t *)record)[0];
	s->last[s->n] = ((const uint8_t *)record)[size - 1];
	s->size[s->n++] = size;
}

START_TEST(ringbuf_flags)
{
	struct fake_ring f;
	struct sizes s = { 0 };
	uint64_t end, busy_at;
	bool busy = false;

	fake_new(&f, 8);
	end = fake_record(&f, 0, 24, 0);
	end = fake_record(&f, end, 100, BPF_RINGBUF_DISCARD_BIT);
	end = busy_at = fake_record(&f, end, 9, 0);
	end = fake_record(&f, end, 40, BPF_RINGBUF_BUSY_BIT);
	end = fake_record(&f, end, 16, 0);
	memcpy(f.pages + f.page, &end, sizeof(end));
	ck_assert_int_eq(bpf_ringbuf_read(f.ring, take_size, &s, &busy), 2);
	ck_assert(busy);
	ck_assert_uint_eq(s.n, 2);
	ck_assert_uint_eq(s.size[0], 24);
	ck_assert_uint_eq(s.size[1], 9);
	ck_assert_mem_eq(f.pages, &busy_at, sizeof(busy_at));	/* only that much was given back */
	fake_record(&f, busy_at, 40, 0);
	busy = false;
	ck_assert_int_eq(bpf_ringbuf_read(f.ring, take_size, &s, &busy), 2);
	ck_assert(!busy);
	ck_assert_uint_eq(s.size[2], 40);
	ck_assert_uint_eq(s.size[3], 16);
	ck_assert_mem_eq(f.pages, &end, sizeof(end));
	ck_assert_int_eq(bpf_ringbuf_read(f.ring, take_size, &s, &busy), 0);
	fake_free(&f);
}
END_TEST

/*
 * Many times around: records that straddle the end, and for kernels of 32 bits positions that wrap.
 */
START_TEST(ringbuf_wraps)
{
	static const unsigned int words[] = { 8, 4 };
	uint64_t position = 0;
	struct fake_ring f;

	fake_new(&f, words[_i]);
	for (unsigned int round = 0; round < 2000; round++) {
		uint64_t at[8], p = position;
		uint32_t narrow;
		const void *end = words[_i] == 4 ? (const void *)&narrow : &p;
		struct sizes s = { 0 };
		bool busy = false;

		for (unsigned int i = 0; i < LENGTH(at); i++) {
			at[i] = p;
			p = fake_record(&f, p, 1 + (round * 7 + i * 61) % 480, 0);
		}
		narrow = (uint32_t)p;
		memcpy(f.pages + f.page, end, words[_i]);
		ck_assert_int_eq(bpf_ringbuf_read(f.ring, take_size, &s, &busy), (int)LENGTH(at));
		for (unsigned int i = 0; i < LENGTH(at); i++) {
			ck_assert_uint_eq(s.size[i], 1 + (round * 7 + i * 61) % 480);
			ck_assert_uint_eq(s.first[i], at[i] & 255);
			ck_assert_uint_eq(s.last[i], at[i] & 255);
		}
		ck_assert_mem_eq(f.pages, end, words[_i]);
		position = p;
	}
	fake_free(&f);
}
END_TEST

/*
 * 4 GB of records through a ring whose positions have 32 bits: one discarded record takes a whole
 * ring at a time.
 */
START_TEST(ringbuf_position_wraps)
{
	struct fake_ring f;
	struct sizes s = { 0 };
	uint64_t position = 0;
	uint32_t end;
	bool busy = false;

	fake_new(&f, 4);
	while (position < (1ULL << 32) + 3 * RING) {
		uint32_t header[2] = { (RING - 8) | BPF_RINGBUF_DISCARD_BIT, 0 };

		fake_bytes(&f, position, header, sizeof(header));
		position += RING;
		end = (uint32_t)position;
		memcpy(f.pages + f.page, &end, sizeof(end));
		if (bpf_ringbuf_read(f.ring, take_size, &s, &busy) ||
		    memcmp(f.pages, &end, sizeof(end)))
			ck_abort_msg("lost at %llu", (unsigned long long)position);
	}
	end = (uint32_t)fake_record(&f, position, 24, 0);
	memcpy(f.pages + f.page, &end, sizeof(end));
	ck_assert_int_eq(bpf_ringbuf_read(f.ring, take_size, &s, &busy), 1);
	fake_free(&f);
}
END_TEST

static const uint32_t broken_lengths[] = { 17, RING, 0x3fffffff };

START_TEST(ringbuf_broken)
{
	struct fake_ring f;
	struct sizes s = { 0 };
	uint32_t header[2] = { broken_lengths[_i], 0 };
	uint64_t end = 24;	/* room for 16 bytes */
	bool busy = false;

	fake_new(&f, 8);
	fake_bytes(&f, 0, header, sizeof(header));
	memcpy(f.pages + f.page, &end, sizeof(end));
	ck_assert_int_eq(bpf_ringbuf_read(f.ring, take_size, &s, &busy), -1);
	ck_assert_uint_eq(s.n, 0);
	/* It goes on behind what could not be read. */
	end = fake_record(&f, end, 8, 0);
	memcpy(f.pages + f.page, &end, sizeof(end));
	ck_assert_int_eq(bpf_ringbuf_read(f.ring, take_size, &s, &busy), 1);
	fake_free(&f);
}
END_TEST

Suite *suite_bpf_patch(void)
{
	Suite *s = suite_create("bpf_patch");
	TCase *c = tcase_create("bpf_patch");

	tcase_add_loop_test(c, patch, 0, LENGTH(patches));
	tcase_add_loop_test(c, essence, 0, LENGTH(logs));
	tcase_add_loop_test(c, cpus, 0, LENGTH(cpu_lists));
	tcase_add_loop_test(c, name, 0, LENGTH(names));
	tcase_add_loop_test(c, order, 0, LENGTH(orders));
	tcase_add_test(c, order_of_rounds);
	tcase_add_test(c, order_after_a_burst);
	tcase_add_test(c, ringbuf_flags);
	tcase_add_loop_test(c, ringbuf_wraps, 0, 2);
	tcase_add_test(c, ringbuf_position_wraps);
	tcase_add_loop_test(c, ringbuf_broken, 0, LENGTH(broken_lengths));
	suite_add_tcase(s, c);
	return s;
}
