// SPDX-License-Identifier: GPL-2.0
/*
 * bpflist: programs and maps that a process has open: how many of each kind; then each of them with
 * what it is. Only the rows of this process are compared.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/bpf.h"
#include "src/commands/selftest/selftest.h"

static const struct bpf_map_shape shapes[] = {
	{ BPF_MAP_TYPE_HASH, 4, 8, 77, 0, "sonde_self_one" },
	{ BPF_MAP_TYPE_ARRAY, 4, 48, 5, 0, "sonde_self_two" },
	{ BPF_MAP_TYPE_HASH, 24, 4, 1000, 0, "sonde_self_last" },
};
static const char *const types[] = { "hash", "array", "hash" };
#define MAPS		((int)(sizeof(shapes) / sizeof(shapes[0])))
#define PROGRAMS	2

/* Returns true if it has the name. Kernels before 4.15 know no names. */
static bool make_map(const struct bpf_map_shape *shape, struct memlock *m, int *fd)
{
	struct bpf_map_shape nameless = *shape;

	*fd = bpf_map_make(shape, m);
	if (*fd >= 0)
		return true;
	nameless.name = NULL;
	*fd = bpf_map_make(&nameless, m);
	return false;
}

/* A program that lets no packet of a socket pass, if it is attached to one. */
static int load(struct memlock *m)
{
	static const struct bpf_insn returns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	static const struct bpf_code code = {
		.type = BPF_PROG_TYPE_SOCKET_FILTER, .insns = returns, .n = 2,
	};

	return bpf_code_load(&code, m);
}

struct state {
	bool named;
};

static int prepare(struct work *w)
{
	struct state *s = w->state;
	struct memlock m = { };
	int fd = 0;

	/* They stay open until this process is killed. */
	for (int i = 0; i < MAPS && fd >= 0; i++)
		s->named = make_map(&shapes[i], &m, &fd);
	if (fd < 0)
		return not_here(w, "can't make a BPF map: %s", strerror(-fd));
	for (int i = 0; i < PROGRAMS && fd >= 0; i++)
		fd = load(&m);
	return fd < 0 ? not_here(w, "can't load a BPF program: %s", strerror(-fd)) : 0;
}

static void want(struct work *w)
{
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
}

static void want_count(struct work *w, const char *type, int n)
{
	want(w);
	want_text(w, "type", type, strlen(type));
	want_integer(w, "count", n);
	want_end(w);
}

static int work(struct work *w)
{
	want_count(w, "prog", PROGRAMS);
	want_count(w, "map", MAPS);
	return 0;
}

static int work_maps(struct work *w)
{
	const struct state *s = w->state;

	for (int i = 0; i < MAPS; i++) {
		want(w);
		want_text(w, "type", types[i], strlen(types[i]));
		if (s->named)
			want_text(w, "name", shapes[i].name, strlen(shapes[i].name));
		want_integer(w, "key_bytes", shapes[i].key_size);
		want_integer(w, "value_bytes", shapes[i].value_size);
		want_integer(w, "entries", shapes[i].entries);
		want_integer(w, "others", 0);
		want_end(w);
	}
	return 0;
}

static int work_programs(struct work *w)
{
	for (int i = 0; i < PROGRAMS; i++) {
		want(w);
		want_text(w, "type", "socket_filter", 13);
		want_integer(w, "uid", getuid());
		want_integer(w, "others", 0);
		want_end(w);
	}
	return 0;
}

/* Others' rows are left out. */
static void check(struct found *f)
{
	const int64_t own = said_integer(f, "pid");
	size_t kept = 0;

	for (size_t i = 0; i < f->rows.n; i++) {
		struct json v;
		int64_t pid;

		if (json_member(f->rows.rows[i], "pid", &v) && json_integer(v, &pid) && pid == own)
			f->rows.rows[kept++] = f->rows.rows[i];
	}
	f->rows.n = kept;
	rows_compare(f);
}

static const char *const by_process[] = { NULL };
static const char *const maps[] = { "--maps", NULL };
static const char *const programs[] = { "--programs", NULL };

static const struct selftest_part parts[] = {
	{ "by process", by_process, NULL, prepare, work, check },
	{ "maps", maps, NULL, prepare, work_maps, check },
	{ "programs", programs, NULL, prepare, work_programs, check },
	{ }
};

SELFTEST(bpflist, parts, .state_size = sizeof(struct state), .lists = true);
