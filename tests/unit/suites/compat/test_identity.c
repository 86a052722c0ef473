// SPDX-License-Identifier: GPL-2.0
/* Inputs that every hook has: which function was hit, on all kernels we know. */
#include <string.h>

#include "compat/kinds/find.h"
#include "compat/resolve/identity.h"
#include "compat/resolve/resolve.h"
#include "insns/lower/disasm.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/rows/lower_rows.h"
#include "tests/unit/unit.h"

Suite *suite_identity(void);

static const char *const kernels[] = {
	"3.10", "4.1", "4.4", "4.9", "4.12", "4.19", "5.10", "6.1", "6.12", "7.2",
};

/* `ip` of each kind of probe: the first instruction that reads it, or why there is none. */
static const struct {
	struct probe probe;
	enum target target;
	const char *code, *why;
} rows[] = {
	{ { PROBE_KPROBE, .name = "vfs_read", .inputs = "" }, TARGET_BPF,
	  "r3 = *(u64 *)(r1 +128)", NULL },
	{ { PROBE_KPROBE, .name = "vfs_read", .inputs = "x=$arg1" }, TARGET_RING,
	  "r6 = *(u64 *)record[8]", NULL },
	{ { PROBE_KRETPROBE, .name = "vfs_read", .inputs = "" }, TARGET_BPF,
	  NULL, "vfs_read does not tell BPF programs ip" },
	{ { PROBE_KRETPROBE, .name = "vfs_read", .inputs = "" }, TARGET_RING,
	  "r6 = *(u64 *)record[8]", NULL },
	{ { PROBE_TRACEPOINT, .name = "sched:sched_switch", .inputs = "" }, TARGET_BPF,
	  NULL, "sched:sched_switch is not on a function, for ip" },
	{ { PROBE_TRACEPOINT, .name = "sched:sched_switch", .inputs = "" }, TARGET_RING,
	  NULL, "sched:sched_switch is not on a function, for ip" },
	{ { PROBE_UPROBE, .name = "libc:getaddrinfo", .inputs = "" }, TARGET_BPF,
	  "r3 = *(u64 *)(r1 +128)", NULL },
	{ { PROBE_URETPROBE, .name = "libc:getaddrinfo", .inputs = "" }, TARGET_RING,
	  "r6 = *(u64 *)record[8]", NULL },
};

/* The kernels on which a kind of engine has probes of a kind at all. */
static bool has_probe(struct kernel *k, int row)
{
	enum event_kind kind = probe_finder(&rows[row].probe)->event;

	if (rows[row].target == TARGET_RING)
		return kind != EVENT_URETPROBE || kernel_has(k, FEATURE_UPROBE_FETCH);
	return kernel_has(k, kind == EVENT_TRACEPOINT ? FEATURE_BPF_TRACEPOINT :
			  kind == EVENT_UPROBE ? FEATURE_BPF_UPROBE : FEATURE_BPF_KPROBE);
}

static void reads_it(struct kernel *k, int i, const struct event *e)
{
	const struct lower_row row = {
		.layout = e->layout, .kind = e->kind, .program = { FIELD(R6, "ip"), EXIT },
	};
	struct error err = { };
	struct lowered l;
	char text[96];

	ck_assert_msg(!lower_it(k, rows[i].target, &row, &l, &err), "%s", err.text);
	disasm(&l.insns[0], text, sizeof(text));
	ck_assert_str_eq(text, rows[i].code);
	lowered_free(&l);
}

static void address_of(struct kernel *k, int i, const char *name)
{
	const struct alternative alternative = { .probes = &rows[i].probe, .n_probes = 1 };
	const struct hook hook = { "test.hook", .alternatives = &alternative, .n_alternatives = 1 };
	struct wanted_input input = { name, INPUT_NUMBER };
	const struct demand demand = { .hook = &hook, .n_inputs = 1, .inputs = &input };
	struct resolution r;
	struct error err = { };
	int result = resolve(k, rows[i].target, &demand, 1, &r, &err);

	if (rows[i].code) {
		ck_assert_msg(!result, "%s", err.text);
		reads_it(k, i, r.events[0].event);
	} else if (input_optional(name)) {
		ck_assert_msg(!result, "%s", err.text);
		ck_assert(resolution_lacks(&r, "test.hook.ip"));
	} else {
		ck_assert(result);
		ck_assert_msg(strstr(err.text, rows[i].why) != NULL, "%s", err.text);
	}
	resolution_free(&r);
}

START_TEST(function)
{
	for (int i = 0; i < COUNT_OF(kernels); i++) {
		struct kernel *k = trial_kernel(kernels[i]);

		if (has_probe(k, _i)) {
			address_of(k, _i, "ip");
			address_of(k, _i, "ip?");
		}
		kernel_free(k);
	}
}
END_TEST

Suite *suite_identity(void)
{
	Suite *s = suite_create("identity");

	add_tests(s, "function", function, COUNT_OF(rows));
	return s;
}
