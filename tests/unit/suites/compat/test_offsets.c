// SPDX-License-Identifier: GPL-2.0
/*
 * Members of structs: where in dumps of memory they are found, how the hook table names them, what
 * they lower to.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/events/fetch.h"
#include "compat/types/member.h"
#include "compat/types/offsets.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

Suite *suite_offsets(void);

/* Finding */

enum { ABSENT = -1 };

static const struct member
	number = { "s.m", OBJECT_FILE, DUMP_FILE, KNOWN_POSITION, 8, 128 },
	pointer = { "s.p", OBJECT_FILE, DUMP_FILE, KNOWN_POSITION, 0, 128 },
	small = { "s.w", OBJECT_FILE, DUMP_FILE, KNOWN_POSITION, 4, 64 },
	first = { "s.a", OBJECT_FILE, DUMP_FILE, KNOWN_POSITION, 4, 128, .pair = 1 },
	unique = { "s.u", OBJECT_FILE, DUMP_FILE, KNOWN_POSITION, 8, 128, .first = true },
	second = { "s.b", OBJECT_FILE, DUMP_FILE, KNOWN_POSITION, 4, 128, .pair = 2 },
	behind = { "s.e", OBJECT_FILE, DUMP_FILE, KNOWN_POSITION, 8, 128, .first = true,
		   .from = 64 },
	mode = { "s.f", OBJECT_FILE, DUMP_FILE, KNOWN_MODE, 4, 128, .mask = 0x1f },
	status = { "s.g", OBJECT_FILE, DUMP_FILE, KNOWN_MODE, 4, 128, .mask = 0x2, .rest = true };

/* Where the value is in the two dumps of 160 bytes, and where it is said to be. */
static const struct {
	const struct member *member;
	const char *arch;
	int at[2][4];			/* offset + 1; 0: no more */
	int32_t offset;
	const char *why;
} finds[] = {
	{ &number, "x86_64", { { 41 }, { 41 } }, 40 },
	{ &number, "x86_64", { { 1 }, { 1 } }, 0 },
	{ &number, "x86_64", { { 121 }, { 121 } }, 120 },
	/* 64-bit numbers are at any 4 bytes there */
	{ &number, "i686", { { 45 }, { 45 } }, 44 },
	{ &number, "x86_64", { { 41, 81 }, { 41 } }, 40 },	/* by chance in one of them */
	{ &number, "x86_64", { { 41, 81 }, { 41, 97 } }, 40 },
	{ &number, "x86_64", { { 41, 81 }, { 41, 81 } }, ABSENT, "more than one place: 40, 80" },
	/* the next of its kind was the same before */
	{ &unique, "x86_64", { { 41, 81 }, { 41, 81 } }, 40 },
	{ &unique, "x86_64", { { 41, 81 }, { 49, 81 } }, 80 },
	{ &unique, "x86_64", { { 41, 129 }, { 129 } }, ABSENT, "nowhere" },
	{ &number, "x86_64", { { 41 }, { 49 } }, ABSENT, "nowhere" },
	{ &number, "x86_64", { { 41 }, { 0 } }, ABSENT, "nowhere" },
	/* behind what the struct can be */
	{ &number, "x86_64", { { 129 }, { 129 } }, ABSENT, "nowhere" },
	{ &number, "x86_64", { { 125 }, { 125 } }, ABSENT, "nowhere" },
	{ &number, "x86_64", { { 43 }, { 43 } }, ABSENT, "nowhere" },	/* not aligned */
	{ &small, "x86_64", { { 61 }, { 61 } }, 60 },
	{ &small, "x86_64", { { 65 }, { 65 } }, ABSENT, "nowhere" },
	{ &pointer, "x86_64", { { 17 }, { 17 } }, 16 },
	{ &pointer, "armv7l", { { 21 }, { 21 } }, 20 },
	{ &first, "x86_64", { { 41, 45 }, { 41, 45 } }, 40 },
	{ &second, "x86_64", { { 41, 45 }, { 41, 45 } }, 44 },
	/* it is elsewhere, too, but alone */
	{ &first, "x86_64", { { 41, 45, 81 }, { 41, 45, 81 } }, 40 },
	{ &first, "x86_64", { { 41 }, { 41 } }, ABSENT, "nowhere" },
	{ &second, "x86_64", { { 41, 45, 81, 85 }, { 41, 45, 81, 85 } }, ABSENT,
	  "more than one place: 40, 80" },
	{ &first, "x86_64", { { 41, 45, 49 }, { 41, 45, 49 } }, ABSENT,
	  "more than one place: 40, 44" },
	{ &behind, "x86_64", { { 41, 81, 97 }, { 41, 81, 97 } }, 80 },
	{ &behind, "x86_64", { { 41 }, { 41 } }, ABSENT, "nowhere" },
};

/* Numbers of which some bits are known: those in two objects' structs of 160 bytes, else 0x11. */
static const struct {
	const struct member *member;
	uint32_t known[2];
	struct { int at; uint32_t values[2]; } words[3];
	int32_t offset;
	const char *why;
} bits[] = {
	/* the others differ as they like */
	{ &mode, { 0x1d, 0x1f }, { { 68, { 0x4a801d, 0x4f801f } } }, 68 },
	{ &mode, { 0x1d, 0x1f }, { { 68, { 0x1d, 0x1d } } }, ABSENT, "nowhere" },
	/* f_flags */
	{ &mode, { 0x1d, 0x1f }, { { 68, { 0x3d, 0x5f } }, { 24, { 0x8002, 0x8000 } } }, 68 },
	{ &mode, { 0x1d, 0x1f }, { { 68, { 0x1d, 0x1f } }, { 24, { 0x1d, 0x1f } } }, ABSENT,
	  "more than one place: 24, 68" },
	{ &status, { 0, 2 }, { { 16, { 0, 2 } } }, 16 },
	{ &status, { 0, 2 }, { { 16, { 5, 7 } } }, 16 },
	{ &status, { 0, 2 }, { { 16, { 5, 6 } } }, ABSENT, "nowhere" },
	{ &status, { 0, 2 }, { { 16, { 0, 2 } }, { 40, { 7, 3 } }, { 44, { 1, 2 } } }, 16 },
	{ &status, { 0, 2 }, { { 16, { 0, 2 } }, { 40, { 8, 10 } } }, ABSENT,
	  "more than one place: 16, 40" },
};

START_TEST(found_by_bits)
{
	static const char *const machines[] = { "x86_64", "s390x" };

	for (int machine = 0; machine < 2; machine++) {
		const struct arch *a = arch_by_name(machines[machine]);
		struct specimen s[2] = { };
		struct error err = { };
		uint8_t dumps[2][160];

		for (int i = 0; i < 2; i++) {
			memset(dumps[i], 0x11, sizeof(dumps[i]));
			s[i].dumps[DUMP_FILE] = (struct memory){ 0x1000, 160, dumps[i] };
			for (int j = 0; j < 3 && bits[_i].words[j].at; j++) {
				specimen_know_number(&s[i], a, KNOWN_MODE,
						   bits[_i].words[j].values[i], 4);
				memcpy(dumps[i] + bits[_i].words[j].at,
				       s[i].known[KNOWN_MODE].bytes, 4);
			}
			specimen_know_number(&s[i], a, KNOWN_MODE, bits[_i].known[i], 4);
		}
		ck_assert_int_eq(find_member(bits[_i].member, a, s, &err), bits[_i].offset);
		ck_assert_msg(!bits[_i].why || strstr(err.text, bits[_i].why), "%s", err.text);
	}
}
END_TEST

static void place(struct specimen *s, uint8_t dump[160], const struct arch *a,
		  const struct member *m, const int at[4],
		  uint64_t value)
{
	unsigned int size = m->size ? m->size : a->word;

	memset(dump, 0x11, 160);
	s->dumps[DUMP_FILE] = (struct memory){ 0x1000, 160, dump };
	specimen_know_number(s, a, KNOWN_POSITION, value, size);
	for (int i = 0; i < 4 && at[i]; i++)
		memcpy(dump + at[i] - 1, s->known[KNOWN_POSITION].bytes, size);
}

START_TEST(found_in_dumps)
{
	const struct arch *a = arch_by_name(finds[_i].arch);
	struct specimen s[2] = { };
	struct error err = { };
	uint8_t dumps[2][160];

	place(&s[0], dumps[0], a, finds[_i].member, finds[_i].at[0], 0x123456789);
	place(&s[1], dumps[1], a, finds[_i].member, finds[_i].at[1], 0x987654321);
	ck_assert_int_eq(find_member(finds[_i].member, a, s, &err), finds[_i].offset);
	ck_assert_msg(!finds[_i].why || strstr(err.text, finds[_i].why), "%s", err.text);
}
END_TEST

START_TEST(nothing_known)
{
	const struct arch *a = arch_by_name("x86_64");
	const int at[4] = { 41 };
	struct specimen s[2] = { };
	uint8_t dumps[2][160];

	place(&s[0], dumps[0], a, &number, at, 5);
	place(&s[1], dumps[1], a, &number, at, 6);
	s[1].known[KNOWN_POSITION].size = 0;
	ck_assert_int_eq(find_member(&number, a, s, NULL), -1);
	s[1].known[KNOWN_POSITION].size = 8;
	ck_assert_int_eq(find_member(&number, a, s, NULL), 40);
	s[0].dumps[DUMP_FILE].size = 0;
	ck_assert_int_eq(find_member(&number, a, s, NULL), -1);
}
END_TEST

/*
 * Where the two addresses of an IPv6 socket are in its struct of 3072 bytes, and what is found. To
 * 3.12 the local one is there twice, side by side, and both are behind all else; since then they
 * are at the beginning, and the address that the socket was bound to is still behind.
 */
static const struct {
	int local[3], remote[2];		/* 0: no more */
	struct { const char *path; int32_t offset; } found[4];
} sockets[] = {
	{ { 1900, 1916 }, { 1932 }, {
		{ "tcp6_sock.inet6.saddr", 1900 }, { "tcp6_sock.inet6.daddr", 1932 },
		{ "sock_common.skc_v6_rcv_saddr", ABSENT },
		{ "sock_common.skc_v6_daddr", ABSENT } } },
	{ { 72, 1900 }, { 56 }, {
		{ "tcp6_sock.inet6.saddr", 1900 }, { "tcp6_sock.inet6.daddr", ABSENT },
		{ "sock_common.skc_v6_rcv_saddr", 72 }, { "sock_common.skc_v6_daddr", 56 } } },
};

static const struct member *member_named(const char *path)
{
	for (const struct member *m = members; m->path; m++)
		if (!strcmp(m->path, path))
			return m;
	return NULL;
}

START_TEST(addresses_of_sockets)
{
	const struct arch *a = arch_by_name("x86_64");
	struct specimen s[2] = { };
	uint8_t dumps[2][3072];

	for (int i = 0; i < 2; i++) {
		const uint8_t local[16] = { 0xfd, 1, [15] = (uint8_t)(1 + i) };
		const uint8_t remote[16] = { 0xfd, 2, [15] = (uint8_t)(5 + i) };

		memset(dumps[i], 0x11, sizeof(dumps[i]));
		s[i].dumps[DUMP_SOCK] = (struct memory){ 0x1000, sizeof(dumps[i]), dumps[i] };
		specimen_know(&s[i], KNOWN_LOCAL, local, 16);
		specimen_know(&s[i], KNOWN_REMOTE, remote, 16);
		for (int j = 0; j < 3 && sockets[_i].local[j]; j++)
			memcpy(dumps[i] + sockets[_i].local[j], local, 16);
		for (int j = 0; j < 2 && sockets[_i].remote[j]; j++)
			memcpy(dumps[i] + sockets[_i].remote[j], remote, 16);
	}
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(find_member(member_named(sockets[_i].found[i].path), a, s, NULL),
				 sockets[_i].found[i].offset);
}
END_TEST

/* The mode of a file is not taken for that of the next one, 192 or 256 bytes behind it. */
START_TEST(modes_of_files)
{
	static const int next[] = { 192, 256 };
	const struct arch *a = arch_by_name("x86_64");
	struct specimen s[2] = { };
	uint8_t dumps[2][512];

	for (int i = 0; i < 2; i++) {
		memset(dumps[i], 0, sizeof(dumps[i]));
		s[i].dumps[DUMP_FILE] = (struct memory){ 0x1000, sizeof(dumps[i]), dumps[i] };
		specimen_know_number(&s[i], a, KNOWN_MODE, i ? 0x1f : 0x1d, 4);
		memcpy(dumps[i] + 68, s[i].known[KNOWN_MODE].bytes, 4);
		memcpy(dumps[i] + 68 + next[_i], s[i].known[KNOWN_MODE].bytes, 4);
	}
	ck_assert_int_eq(find_member(member_named("file.f_mode"), a, s, NULL), 68);
}
END_TEST

/* The first word of two tasks of arm64: a filter is all that must differ. */
static const struct {
	uint32_t flags[2];
	int32_t offset;
} tasks[] = {
	{ { 0, 1 << 11 }, 0 },
	{ { 1 << 3, 1 << 11 | 1 << 1 }, 0 },
	{ { 0, 0 }, ABSENT },			/* no filters on this kernel */
	{ { 1 << 11, 1 << 11 }, ABSENT },	/* sonde has one itself */
	{ { 1, 1 }, ABSENT },			/* before 4.10: the state of a task */
	{ { 0, 1 << 11 | 1 << 22 }, ABSENT },	/* a task of 32 bits: not this one */
};

START_TEST(flags_of_tasks)
{
	const struct arch *a = arch_by_name("aarch64");
	struct specimen s[2] = { };
	uint8_t dumps[2][64];

	for (int i = 0; i < 2; i++) {
		memset(dumps[i], 0, sizeof(dumps[i]));
		for (int j = 0; j < 4; j++)
			dumps[i][j] = (uint8_t)(tasks[_i].flags[i] >> 8 * j);
		s[i].dumps[DUMP_TASK] = (struct memory){ 0x1000, sizeof(dumps[i]), dumps[i] };
		specimen_know_number(&s[i], a, KNOWN_TASK_FLAGS, i ? 1 << 11 : 0, 4);
	}
	ck_assert_int_eq(find_member(member_named("task_struct.thread_info.flags"), a, s, NULL),
			 tasks[_i].offset);
}
END_TEST

/* As this kernel has it in memory, whatever machine we are. */
START_TEST(byte_orders)
{
	const struct arch little = { .word = 8 }, big = { .word = 4, .big_endian = true };
	struct specimen s = { };
	uint8_t bytes[8] = { 0xff, 0xff, 0x88, 0x00, 0x12, 0x34, 0x56, 0x78 };
	const struct memory m = { 0, 8, bytes };

	specimen_know_number(&s, &little, KNOWN_TGID, 0x1234, 4);
	ck_assert_mem_eq(s.known[KNOWN_TGID].bytes, "\x34\x12\0\0", 4);
	specimen_know_number(&s, &big, KNOWN_TGID, 0x1234, 4);
	ck_assert_mem_eq(s.known[KNOWN_TGID].bytes, "\0\0\x12\x34", 4);
	ck_assert_uint_eq(memory_pointer(&m, &big, 4), 0x12345678);
	ck_assert_uint_eq(memory_pointer(&m, &big, 6), 0);
	ck_assert(memory_has(&m, &big, 0x12345678, 4));
	ck_assert(!memory_has(&m, &little, 0x12345678, 4));
}
END_TEST

/* What is beside an object at `base`: the address of another one, or some number. */
static const struct {
	const char *arch;
	uint64_t base, value;
	bool is;
} addresses[] = {
	{ "x86_64", 0xffff888000001000, 0xffff888012345678, true },
	{ "x86_64", 0xffff888000001000, 0xffff9fff12345678, true },
	{ "x86_64", 0xffff888000001000, 0xffffc90012345678, true },
	{ "x86_64", 0xffff888000001000, 0xffff888012345674, false },	/* not aligned */
	/* no address at all on this machine */
	{ "x86_64", 0xffff888000001000, 0xffff788012345678, false },
	{ "x86_64", 0xffff888000001000, 0xff11000012345678, false },
	/* but one with five levels of pages */
	{ "x86_64", 0xff11000000001000, 0xff11000012345678, true },
	/* what is built into the kernel; not an error's number */
	{ "x86_64", 0xff11000000001000, 0xffffffff82345678, true },
	{ "x86_64", 0xff11000000001000, 0xfffffffffffffff0, false },
	{ "x86_64", 0xffff888000001000, 0x1234567812345678, false },
	{ "x86_64", 0xffff888000001000, 0x00007f0012345678, false },	/* of user space */
	{ "x86_64", 0xffff888000001000, UINT64_MAX, false },
	{ "x86_64", 0xffff888000001000, 0, false },
	{ "aarch64", 0xffff000000001000, 0xffff000012345678, true },
	{ "aarch64", 0xffff000000001000, 0xffff800012345678, false },	/* built in */
	{ "riscv64", 0xffffffd800001000, 0xffffffd812345678, true },
	{ "i686", 0xc0001000, 0xc1234564, true },
	{ "i686", 0xc0001000, 0xc1234562, false },
	{ "i686", 0xc0001000, 0x40, false },
	{ "i686", 0xc0001000, 0, false },
	{ "i686", 0xc0001000, UINT32_MAX, false },
};

START_TEST(pointers)
{
	const struct arch *a = arch_by_name(addresses[_i].arch);
	uint8_t bytes[16] = { };
	struct memory m = { addresses[_i].base, 16, bytes };

	for (unsigned int i = 0; i < a->word; i++)
		bytes[8 + i] = (uint8_t)(addresses[_i].value >> 8 * i);
	ck_assert_uint_eq(memory_pointer(&m, a, 8), addresses[_i].is ? addresses[_i].value : 0);
	ck_assert_uint_eq(memory_pointer(&m, a, 16 - a->word / 2), 0);	/* the half of one */
}
END_TEST

/* A text need not be aligned, and may be among the kernel's own. */
START_TEST(addresses_of_texts)
{
	static const struct { const char *arch; uint64_t base, value; bool is; } rows[] = {
		{ "x86_64", 0xffff888000001000, 0xffff888012345673, true },
		{ "x86_64", 0xff11000000001000, 0xffffffff82345671, true },
		{ "x86_64", 0xffff888000001000, 0xffff788012345678, false },
		{ "aarch64", 0xffff000000001000, 0xffff800012345671, true },
		{ "aarch64", 0xffff000000001000, 0x00007f0012345671, false },
		{ "i686", 0xc0001000, 0xc1234561, true },
		{ "i686", 0xc0001000, 0x40, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct arch *a = arch_by_name(rows[i].arch);
		uint8_t bytes[8] = { };
		struct memory m = { rows[i].base, 8, bytes };

		for (unsigned int j = 0; j < a->word; j++)
			bytes[j] = (uint8_t)(rows[i].value >> 8 * j);
		ck_assert_uint_eq(text_pointer(&m, a, 0), rows[i].is ? rows[i].value : 0);
	}
}
END_TEST

START_TEST(texts_of_dentries)
{
	const struct arch *a = arch_by_name("x86_64");
	uint8_t bytes[128] = { };
	struct memory m = { 0xffff888000001000, 128, bytes };
	uint64_t name = m.base + 56;

	strcpy((char *)bytes + 56, "memfd:name");
	ck_assert_uint_eq(memory_own_text(&m, a, "memfd:name"), 0);	/* nothing points to it */
	memcpy(bytes + 40, &name, 8);
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		return;
	ck_assert_uint_eq(memory_own_text(&m, a, "memfd:name"), name);
	ck_assert_uint_eq(memory_own_text(&m, a, "memfd:nam"), 0);
	ck_assert_uint_eq(memory_own_text(&m, a, "memfd:name2"), 0);
	m.base += 8;
	ck_assert_uint_eq(memory_own_text(&m, a, "memfd:name"), 0);
	strcpy((char *)bytes + 117, "memfd:name");			/* at the very end */
	m.base -= 8;
	name = m.base + 117;
	memcpy(bytes, &name, 8);
	ck_assert_uint_eq(memory_own_text(&m, a, "memfd:name"), m.base + 56);
	m.size = 0;
	ck_assert_uint_eq(memory_own_text(&m, a, "memfd:name"), 0);
}
END_TEST

/* The table itself. */
START_TEST(members_of_the_table)
{
	for (const struct member *m = members; m->path; m++) {
		ck_assert_msg(m->object != OBJECT_NONE && m->window && m->size <= 16,
			      "%s", m->path);
		for (const struct member *other = members; other < m; other++)
			ck_assert_str_ne(other->path, m->path);
	}
}
END_TEST

/* Notation */

static const struct {
	/* members of the two innermost dereferences; NULL: wrong */
	const char *text, *inner, *outer;
} notations[] = {
	{ "pos=+{file.f_pos}($arg1):s64", "file.f_pos", "" },
	{ "name=+0(+{dentry.d_name.name}(+{file.f_path.dentry}($arg1))):string",
	  "file.f_path.dentry",
	  "dentry.d_name.name" },
	{ "a=+8(+{sk.__x_1}($arg2)):c16", "sk.__x_1", "" },
	{ "a=+{file}($arg1)", NULL }, { "a=+{}($arg1)", NULL }, { "a=+{.f}($arg1)", NULL },
	{ "a=+{f.}($arg1)", NULL },
	{ "a=+{f..g}($arg1)", NULL }, { "a=+{f.g($arg1)", NULL }, { "a=+{f.g}$arg1", NULL },
	{ "a=+{f-g.h}($arg1)", NULL },
	{ "a=+{f.g}4($arg1)", NULL },
	{ "a=+{a_struct_of_a_name_that.is_too_long_for_any_kernel_}($arg1)", NULL },
};

START_TEST(notation)
{
	const char *text = notations[_i].text;
	struct fetch f;
	int n = fetch_next(&text, &f, NULL);

	if (!notations[_i].inner) {
		ck_assert_int_eq(n, -1);
		return;
	}
	ck_assert_int_eq(n, 1);
	ck_assert_str_eq(f.deref[0].member, notations[_i].inner);
	ck_assert_str_eq(f.deref[1].member, notations[_i].outer);
}
END_TEST

/* On a kernel */

START_TEST(offsets_of_a_snapshot)
{
	struct kernel *k = trial_kernel("6.1");
	const struct offset *o = kernel_member(k, "sock_common.skc_v6_daddr");
	struct error err = { };
	int32_t value = 0;
	char *why;

	ck_assert_int_eq(o->origin, OFFSET_BTF);
	ck_assert_int_eq(kernel_offset(k, "sock_common.skc_v6_daddr", &value, &err), 0);
	ck_assert_int_eq(value, 56);
	ck_assert_ptr_eq(kernel_member(k, "sock_common.skc_v6_daddr"), o);
	why = offsets_unknown(k);
	ck_assert_str_eq(why, "");
	free(why);
	ck_assert_int_eq(kernel_offset(k, "file.f_nothing", &value, &err), -1);
	ck_assert_str_eq(err.text,
			 "offset of file.f_nothing is not known: the snapshot does not tell");
	why = offsets_unknown(k);
	ck_assert_str_eq(why,
			 "offset of file.f_nothing is not known: the snapshot does not tell\n");
	free(why);
	kernel_free(k);
	k = trial_kernel("6.1");
	ck_assert_int_eq(kernel_without(k, "btf", NULL), 0);
	ck_assert_int_eq(kernel_offset(k, "sock_common.skc_v6_daddr", &value, &err), -1);
	kernel_free(k);
}
END_TEST

/*
 * A line may end after any word, and hold anything: what is said of an offset is of its own line.
 */
START_TEST(offsets_of_damaged_snapshots)
{
	static const struct {
		const char *line, *reason;
	} rows[] = {
		{ "file.f_pos unknown", "the snapshot gives no reason" },
		{ "file.f_pos unknown\nfile.f_flags btf 8\n", "the snapshot gives no reason" },
		{ "file.f_pos unknown \nfile.f_flags btf 8\n", "the snapshot gives no reason" },
		{ "file.f_pos unknown x\n", "x" },
		{ "file.f_pos  unknown\n", "the snapshot gives no reason" },
		{ "file.f_pos \nunknown\n", "the snapshot does not tell" },
		{ "file.f_pos btf\n", "the snapshot does not tell" },
		{ "file.f_pos", "the snapshot does not tell" },
	};
	struct error err = { };
	char *dir = temporary(), wanted[128];
	struct kernel *k;
	int32_t value;

	write_text(dir, "uname", "Linux h 6.1.0 #1 SMP x86_64 GNU/Linux\n");
	write_text(dir, "offsets", rows[_i].line);
	k = kernel_snapshot(dir, &err);
	ck_assert_msg(k != NULL, "%s", err.text);
	ck_assert_int_eq(kernel_offset(k, "file.f_pos", &value, &err), -1);
	snprintf(wanted, sizeof(wanted), "offset of file.f_pos is not known: %s", rows[_i].reason);
	ck_assert_str_eq(err.text, wanted);
	kernel_free(k);
	remove_all(dir);
}
END_TEST

/* A number is a number: the same in a probe's definition and in a chain of reads. */
START_TEST(lowered_alike)
{
	struct kernel *k = trial_kernel("6.1");
	const struct input *in;
	struct trial t;
	bool bpf = _i;

	ck_assert_int_eq(kernel_without(k, "tracepoint:sock:inet_sock_set_state", NULL), 0);
	ck_assert_msg(!trial_start(&t, "tcpconnect", k), "%s", t.err.text);
	ck_assert_msg(!trial_plan(&t, bpf ? TARGET_BPF : TARGET_RING), "%s", t.err.text);
	in = event_input(t.run.plan.plan.attachments[0].event, "daddr6");
	ck_assert_ptr_nonnull(in);
	if (bpf)
		ck_assert_int_eq(in->value, 56);
	else
		ck_assert_ptr_nonnull(strstr(t.run.plan.plan.attachments[0].event->layout->fetch,
					     "daddr6=+56($arg1):x64[2]"));
	trial_end(&t);
}
END_TEST

/* The snapshot of 3.10 beside offsets that were found there. */
static struct kernel *kernel_3_10(const char *dir)
{
	DIR *files = opendir(KERNELS "/3.10");
	struct error err = { };
	struct dirent *file;
	struct kernel *k;

	ck_assert_ptr_nonnull(files);
	while ((file = readdir(files))) {
		char from[1024], to[1024];

		if (file->d_name[0] == '.')
			continue;
		snprintf(from, sizeof(from), "%s/3.10/%s", KERNELS, file->d_name);
		ck_assert_ptr_nonnull(realpath(from, to));
		snprintf(from, sizeof(from), "%s/%s", dir, file->d_name);
		ck_assert_int_eq(symlink(to, from), 0);
	}
	closedir(files);
	write_text(dir, "offsets", "tcp6_sock.inet6.saddr found 1900\n"
		   "tcp6_sock.inet6.daddr found 1932\n");
	k = kernel_snapshot(dir, &err);
	ck_assert_msg(k != NULL, "%s", err.text);
	return k;
}

/* The tools that show addresses read them there. */
static const struct {
	const char *command, *local, *remote;
} old_sockets[] = {
	{ "tcpconnect", "saddr6", "daddr6" }, { "tcpconnlat", "saddr6", "daddr6" },
	{ "tcpaccept", "saddr6", "daddr6" }, { "tcpstates", "saddr6", "daddr6" },
	{ "tcplife", "saddr6", "daddr6" }, { "tcpretrans", "laddr6", "raddr6" },
};

START_TEST(addresses_on_3_10)
{
	char *dir = temporary();
	unsigned int found = 0;
	struct trial t;

	ck_assert_msg(!trial_start(&t, old_sockets[_i].command, kernel_3_10(dir)), "%s",
		      t.err.text);
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	for (unsigned int i = 0; i < t.run.plan.plan.n_attachments; i++) {
		const struct event *e = t.run.plan.plan.attachments[i].event;

		if (!event_input(e, old_sockets[_i].local))
			continue;
		found++;
		ck_assert_ptr_nonnull(event_input(e, old_sockets[_i].remote));
		ck_assert_msg(strstr(e->layout->fetch, "=+1900(") &&
			      strstr(e->layout->fetch, "=+1932("), "%s: %s",
			      old_sockets[_i].command, e->layout->fetch);
	}
	ck_assert_msg(found, "%s shows no IPv6 addresses", old_sockets[_i].command);
	trial_end(&t);
	remove_all(dir);
}
END_TEST

Suite *suite_offsets(void)
{
	Suite *s = suite_create("offsets");
	TCase *t = tcase_create("offsets");

	tcase_add_loop_test(t, found_in_dumps, 0, COUNT_OF(finds));
	tcase_add_loop_test(t, found_by_bits, 0, COUNT_OF(bits));
	tcase_add_test(t, nothing_known);
	tcase_add_loop_test(t, addresses_of_sockets, 0, COUNT_OF(sockets));
	tcase_add_loop_test(t, modes_of_files, 0, 2);
	tcase_add_loop_test(t, flags_of_tasks, 0, COUNT_OF(tasks));
	tcase_add_test(t, byte_orders);
	tcase_add_loop_test(t, pointers, 0, COUNT_OF(addresses));
	tcase_add_test(t, addresses_of_texts);
	tcase_add_test(t, texts_of_dentries);
	tcase_add_test(t, members_of_the_table);
	tcase_add_loop_test(t, notation, 0, COUNT_OF(notations));
	tcase_add_test(t, offsets_of_a_snapshot);
	tcase_add_loop_test(t, offsets_of_damaged_snapshots, 0, 8);
	tcase_add_loop_test(t, lowered_alike, 0, 2);
	tcase_add_loop_test(t, addresses_on_3_10, 0, COUNT_OF(old_sockets));
	suite_add_tcase(s, t);
	return s;
}
