// SPDX-License-Identifier: GPL-2.0
/*
 * Charts of processes: which have rows, what they did, gaps, what is left out when there is much or
 * something was lost, and a small picture to the byte.
 */
#include <stdlib.h>
#include <string.h>

#include "src/lib/chart/model.h"
#include "tests/unit/unit.h"

Suite *suite_chart(void);

#define MS 1000000ULL
#define AT(ms) ((ms) * MS)

/* A boot of 100 ms: init makes sh, which makes ls, which waits for a disk. */
static const struct chart_event boot[] = {
	{ .what = CHART_NAMED, .tid = 1, .process = 1, .comm = "swapper/0" },
	{ .what = CHART_NAMED, .tid = 2, .process = 2, .comm = "kthreadd" },
	{ .time = AT(1000), .what = CHART_SWITCH, .cpu = 0, .tid = 0, .other = 1 },
	{ .time = AT(1000), .what = CHART_RUNS, .tid = 1, .comm = "init" },
	{ .time = AT(1010), .what = CHART_MADE, .tid = 50, .other = 1, .process = 50 },
	{ .time = AT(1011), .what = CHART_MADE, .tid = 51, .other = 2, .comm = "kworker" },
	{ .time = AT(1020), .what = CHART_SWITCH, .cpu = 0, .tid = 1, .other = 50 },
	{ .time = AT(1020), .what = CHART_RUNS, .tid = 50, .comm = "s<h" },
	{ .time = AT(1025), .what = CHART_MADE, .tid = 52, .other = 50, .process = 52 },
	{ .time = AT(1026), .what = CHART_MADE, .tid = 53, .other = 52, .process = 52 },
	{ .time = AT(1030), .what = CHART_SWITCH, .cpu = 0, .tid = 50, .other = 52 },
	{ .time = AT(1040), .what = CHART_SWITCH, .cpu = 0, .tid = 52, .other = 0, .flag = true },
	{ .time = AT(1059), .what = CHART_DISK, .bytes = 4096 },
	{ .time = AT(1060), .what = CHART_SWITCH, .cpu = 0, .tid = 0, .other = 52 },
	{ .time = AT(1070), .what = CHART_SWITCH, .cpu = 0, .tid = 52, .other = 53 },
	{ .time = AT(1080), .what = CHART_ENDED, .tid = 52 },
	{ .time = AT(1080), .what = CHART_SWITCH, .cpu = 0, .tid = 53, .other = 1 },
	{ .time = AT(1100), .what = CHART_ENDED, .tid = 50 },
};

static struct chart *make(const struct chart_event *events, size_t n)
{
	struct chart *c = chart_new();

	ck_assert_ptr_nonnull(c);
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(chart_add(c, &events[i]), 0);
	chart_end(c);
	return c;
}

static struct chart *make_boot(void)
{
	return make(boot, sizeof(boot) / sizeof(boot[0]));
}

static const struct {
	const char *name;
	uint32_t pid, depth;
	unsigned int begin, end, run, wait;	/* ms; end 0: it lives */
} shown[] = {
	{ "init", 1, 0, 1000, 0, 40, 0 },
	{ "s<h", 50, 1, 1010, 1100, 10, 0 },
	{ "s<h", 52, 2, 1025, 1080, 30, 20 },
};

/* A thread is a part of its process; one of the kernel has no row. */
START_TEST(rows)
{
	struct chart *c = make_boot();
	struct chart_rows rows;

	ck_assert_int_eq(chart_rows(c, 100, &rows), 0);
	ck_assert_uint_eq(rows.n, sizeof(shown) / sizeof(shown[0]));
	ck_assert_uint_eq(rows.hidden, 2);
	for (uint32_t i = 0; i < rows.n; i++) {
		const struct chart_process *p = &c->list[rows.list[i].process];

		ck_assert_str_eq(p->comm, shown[i].name);
		ck_assert_uint_eq(p->pid, shown[i].pid);
		ck_assert_uint_eq(rows.list[i].depth, shown[i].depth);
		ck_assert_uint_eq(p->begin, AT(shown[i].begin));
		ck_assert_uint_eq(p->end, AT(shown[i].end));
		ck_assert_uint_eq(p->run, AT(shown[i].run));
		ck_assert_uint_eq(p->wait, AT(shown[i].wait));
	}
	ck_assert_uint_eq(c->gaps[0].from, AT(1040));
	ck_assert_uint_eq(c->gaps[0].to, AT(1060));
	ck_assert_uint_eq(c->gap_sum, AT(20));
	ck_assert_uint_eq(c->run, AT(80));
	free(rows.list);
	chart_free(c);
}
END_TEST

/* Short lives are counted at the next row above, as many as it takes. */
START_TEST(merges)
{
	struct chart *c = make_boot();
	struct chart_rows rows;

	ck_assert_int_eq(chart_rows(c, 1, &rows), 0);
	ck_assert_uint_eq(rows.n, 1);
	ck_assert_uint_eq(rows.merged, 2);
	ck_assert_uint_eq(rows.list[0].merged, 2);
	ck_assert_uint_gt(rows.shortest, AT(55));
	free(rows.list);
	chart_free(c);
}
END_TEST

static double sum(const struct bins *b, enum bin_of what)
{
	double all = 0;

	for (uint32_t i = 0; i < b->n; i++)
		all += bins_at(b, b->first + i, what);
	return all;
}

/* Bins become wider, and have the same sum: an hour behind the first 100 ms. */
START_TEST(grows)
{
	const struct chart_event late = { .time = AT(3600000), .what = CHART_LOST, .cpu = 9 };
	struct chart *c = chart_new();

	for (size_t i = 0; i < sizeof(boot) / sizeof(boot[0]); i++)
		ck_assert_int_eq(chart_add(c, &boot[i]), 0);
	ck_assert_int_eq(chart_add(c, &late), 0);
	chart_end(c);
	ck_assert_uint_lt((c->now - c->start) >> c->shift, BINS);
	ck_assert_double_eq_tol(sum(&c->list[3].bins, BIN_RUN), 10e6, 1e3);
	ck_assert_double_eq_tol(sum(&c->disk, BIN_RUN), 4096, 1);
	for (uint32_t i = 0; i < c->n; i++)
		ck_assert_uint_le(c->list[i].bins.n, BINS);
	chart_free(c);
}
END_TEST

/* What a CPU did, and when a task woke, is unknown where events were lost. */
START_TEST(loses)
{
	const struct chart_event events[] = {
		{ .time = AT(10), .what = CHART_SWITCH, .tid = 0, .other = 7, .comm = "a" },
		{ .time = AT(20), .what = CHART_SWITCH, .tid = 7, .other = 0, .flag = true },
		{ .time = AT(30), .what = CHART_LOST },
		{ .time = AT(40), .what = CHART_SWITCH, .tid = 8, .other = 7 },
		{ .time = AT(50), .what = CHART_SWITCH, .tid = 7, .other = 0 },
		{ .time = AT(60), .what = CHART_SWITCH, .tid = 0, .other = 7 },
	};
	struct chart *c = make(events, sizeof(events) / sizeof(events[0]));

	ck_assert_uint_eq(c->n, 2);
	ck_assert_uint_eq(c->list[1].run, AT(20));
	ck_assert_uint_eq(c->list[1].wait, 0);
	ck_assert_uint_eq(c->gap_sum, AT(10));
	ck_assert_uint_eq(c->gaps[0].from, AT(50));
	ck_assert_uint_eq(c->losses, 1);
	chart_free(c);
}
END_TEST

/* A recording of some tasks has no switches to them: what ran before them is unknown. */
START_TEST(partial)
{
	const struct chart_event events[] = {
		{ .time = AT(10), .what = CHART_SWITCH, .tid = 7, .other = 8, .comm = "a" },
		{ .time = AT(50), .what = CHART_SWITCH, .tid = 7, .other = 0 },
		{ .time = AT(60), .what = CHART_SWITCH, .tid = 7, .other = 8 },
		{ .time = AT(70), .what = CHART_SWITCH, .tid = 8, .other = 0 },
	};
	struct chart *c = make(events, sizeof(events) / sizeof(events[0]));

	ck_assert(c->partial);
	ck_assert_uint_eq(c->list[1].run, AT(10));
	ck_assert_uint_eq(c->gap_sum, 0);
	chart_free(c);
}
END_TEST

/* Times that go back, tasks without end, and a CPU that there can't be. */
START_TEST(hostile)
{
	const struct chart_event odd[] = {
		{ .time = UINT64_MAX, .what = CHART_SWITCH, .cpu = 1, .tid = 5, .other = 6 },
		{ .time = 1, .what = CHART_SWITCH, .cpu = 1, .tid = 6, .other = 5, .flag = true },
		{ .time = 5, .what = CHART_SWITCH, .cpu = UINT32_MAX, .tid = 1, .other = 2 },
		{ .time = 6, .what = CHART_MADE, .tid = 5, .other = 5, .process = 5 },
		{ .time = 7, .what = CHART_ENDED, .tid = 5 },
	};
	struct chart *c = make(odd, sizeof(odd) / sizeof(odd[0]));
	struct chart_rows rows;

	ck_assert(chart_is_empty(c));
	chart_free(c);
	c = chart_new();
	for (uint32_t i = 1; i < CHART_PROCESSES + 100; i++) {
		const struct chart_event e = {
			.time = i, .what = CHART_MADE, .tid = i, .other = i - 1, .process = i,
		};

		ck_assert_int_eq(chart_add(c, &e), 0);
	}
	chart_end(c);
	ck_assert_uint_eq(c->n, CHART_PROCESSES);
	ck_assert_uint_eq(c->more, 100);
	ck_assert_int_eq(chart_rows(c, 250, &rows), 0);
	ck_assert_uint_le(rows.n, 250);
	free(rows.list);
	chart_free(c);
}
END_TEST

static const char chart_picture[] =
	"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1280\" height=\"387\" viewBox="
	"\"0 0 1280 387\">\n"
	"<title>a &amp; b</title>\n"
	"<style>text{font:11px sans-serif;fill:#222}.h{font:bold 15px sans-serif}.c{text-"
	"anchor:middle}.r{text-anchor:end}.p{fill:#777}.g{stroke:#e6e6e6}.l{fill:#dfe5ee}"
	".u{fill:#3574c4}.w{fill:#e0533f}.i{fill:#2f9e6e}.o{fill:#d99021}g:hover .l{fill:"
	"#c8d2e2}</style>\n"
	"<path fill=\"#fff\" d=\"M0 0h1280v387h-1280z\"/>\n"
	"<text class=\"h\" x=\"14\" y=\"26\">a &amp; b</text>\n"
	"<text x=\"14\" y=\"42\">0.100 s, 2 new processes; 1 CPU ran 80 % of the time</te"
	"xt>\n"
	"<text x=\"14\" y=\"58\">not shown: 2 threads of the kernel and processes of befo"
	"re; they ran 0.000 s</text>\n"
	"<path class=\"g\" d=\"M244 108V363\"/><text class=\"c\" x=\"244\" y=\"104\">1 s<"
	"/text><text class=\"c\" x=\"244\" y=\"377\">1 s</text>\n"
	"<path class=\"g\" d=\"M344.6 108V363\"/><text class=\"c\" x=\"344.6\" y=\"104\">"
	"1.01 s</text><text class=\"c\" x=\"344.6\" y=\"377\">1.01 s</text>\n"
	"<path class=\"g\" d=\"M445.2 108V363\"/><text class=\"c\" x=\"445.2\" y=\"104\">"
	"1.02 s</text><text class=\"c\" x=\"445.2\" y=\"377\">1.02 s</text>\n"
	"<path class=\"g\" d=\"M545.8 108V363\"/><text class=\"c\" x=\"545.8\" y=\"104\">"
	"1.03 s</text><text class=\"c\" x=\"545.8\" y=\"377\">1.03 s</text>\n"
	"<path class=\"g\" d=\"M646.4 108V363\"/><text class=\"c\" x=\"646.4\" y=\"104\">"
	"1.04 s</text><text class=\"c\" x=\"646.4\" y=\"377\">1.04 s</text>\n"
	"<path class=\"g\" d=\"M747 108V363\"/><text class=\"c\" x=\"747\" y=\"104\">1.05"
	" s</text><text class=\"c\" x=\"747\" y=\"377\">1.05 s</text>\n"
	"<path class=\"g\" d=\"M847.6 108V363\"/><text class=\"c\" x=\"847.6\" y=\"104\">"
	"1.06 s</text><text class=\"c\" x=\"847.6\" y=\"377\">1.06 s</text>\n"
	"<path class=\"g\" d=\"M948.2 108V363\"/><text class=\"c\" x=\"948.2\" y=\"104\">"
	"1.07 s</text><text class=\"c\" x=\"948.2\" y=\"377\">1.07 s</text>\n"
	"<path class=\"g\" d=\"M1048.8 108V363\"/><text class=\"c\" x=\"1048.8\" y=\"104"
	"\">1.08 s</text><text class=\"c\" x=\"1048.8\" y=\"377\">1.08 s</text>\n"
	"<path class=\"g\" d=\"M1149.4 108V363\"/><text class=\"c\" x=\"1149.4\" y=\"104"
	"\">1.09 s</text><text class=\"c\" x=\"1149.4\" y=\"377\">1.09 s</text>\n"
	"<path class=\"g\" d=\"M1250 108V363\"/><text class=\"c\" x=\"1250\" y=\"104\">1."
	"1 s</text><text class=\"c\" x=\"1250\" y=\"377\">1.1 s</text>\n"
	"<path class=\"u\" d=\"M244 72h11v11h-11z\"/><text x=\"260\" y=\"82\">runs</text>"
	"\n"
	"<path class=\"w\" d=\"M302 72h11v11h-11z\"/><text x=\"318\" y=\"82\">waits unint"
	"erruptibly, mostly for a disk</text>\n"
	"<path class=\"l\" d=\"M576 72h11v11h-11z\"/><text x=\"592\" y=\"82\">sleeps, or "
	"waits for a CPU</text>\n"
	"<g><title>init (1): 0.100 s, ran 0.040 s, waited 0.000 s</title><text x=\"14\" y"
	"=\"122\">init<tspan class=\"p\" dx=\"4\">1</tspan></text><path class=\"l\" d=\"M"
	"244 113h1006v11h-1006z\"/><path class=\"u\" d=\"M244 124h200.4v-11h-200.4zM444.4"
	" 124h1.3v-6h-1.3zM1048.3 124h1.4v-7h-1.4zM1049.7 124h199.1v-11h-199.1zM1248.8 12"
	"4h1.2v-10h-1.2z\"/></g>\n"
	"<g><title>s&lt;h (50) of init (1), from 1.010 s, to 1.100 s: 0.090 s, ran 0.010 "
	"s, waited 0.000 s</title><text x=\"22\" y=\"137\">s&lt;h<tspan class=\"p\" dx=\""
	"4\">50</tspan></text><path class=\"l\" d=\"M344.6 128h905.4v11h-905.4z\"/><path "
	"class=\"u\" d=\"M444.4 139h1.3v-5h-1.3zM445.7 139h98.9v-11h-98.9zM544.6 139h1.4v"
	"-10h-1.4z\"/></g>\n"
	"<g><title>s&lt;h (52) of s&lt;h (50), from 1.025 s, to 1.080 s: 0.055 s, ran 0.0"
	"30 s, waited 0.020 s</title><text x=\"30\" y=\"152\">s&lt;h<tspan class=\"p\" dx"
	"=\"4\">52</tspan></text><path class=\"l\" d=\"M495.5 143h553.3v11h-553.3z\"/><pa"
	"th class=\"u\" d=\"M544.6 154h1.4v-1h-1.4zM546 154h100.2v-11h-100.2zM646.2 154h1"
	".3v-2h-1.3zM846.6 154h1.3v-3h-1.3zM847.9 154h200.4v-11h-200.4zM1048.3 154h1.4v-4"
	"h-1.4z\"/><path class=\"w\" d=\"M646.2 152h1.3v-7h-1.3zM647.5 154h199.1v-11h-199"
	".1zM846.6 151h1.3v-6h-1.3z\"/><text class=\"p\" x=\"1052.8\" y=\"152\">55 ms</te"
	"xt></g>\n"
	"<path class=\"u\" d=\"M244 165h11v11h-11z\"/><text x=\"260\" y=\"175\">CPUs run<"
	"/text>\n"
	"<path class=\"w\" d=\"M326 165h11v11h-11z\"/><text x=\"342\" y=\"175\">CPUs are "
	"idle while processes wait for disks</text>\n"
	"<path class=\"g\" fill=\"none\" d=\"M244 187h1006v70h-1006z\"/><text class=\"r\""
	" x=\"238\" y=\"196\">100 %</text>\n"
	"<text class=\"r\" x=\"238\" y=\"257\">0</text>\n"
	"<path class=\"u\" d=\"M244 257h402.2v-70h-402.2zM646.2 257h1.3v-12h-1.3zM846.6 2"
	"57h1.3v-17h-1.3zM847.9 257h400.9v-70h-400.9zM1248.8 257h1.2v-66h-1.2z\"/><path c"
	"lass=\"w\" d=\"M646.2 245h1.3v-48h-1.3zM647.5 257h199.1v-70h-199.1zM846.6 240h1."
	"3v-40h-1.3z\"/>\n"
	"<path class=\"i\" d=\"M244 265h11v11h-11z\"/><text x=\"260\" y=\"275\">disks rea"
	"d</text>\n"
	"<path class=\"o\" d=\"M338 265h11v11h-11z\"/><text x=\"354\" y=\"275\">disks wri"
	"te</text>\n"
	"<path class=\"g\" fill=\"none\" d=\"M244 287h1006v70h-1006z\"/><text class=\"r\""
	" x=\"238\" y=\"296\">31.2 MB/s</text>\n"
	"<text class=\"r\" x=\"238\" y=\"357\">0</text>\n"
	"<path class=\"i\" d=\"M837.4 357h1.3v-70h-1.3z\"/>\n"
	"</svg>\n";

static const char chart_tables[] =
	"a & b\n"
	"0.100 s, 2 new processes; 1 CPU ran 80 % of the time\n"
	"\n"
	"LONGEST ENDED PROCESSES\n"
	"PID     COMM              BEGIN(s)     END(s)   LIFE(s)    CPU(s)   WAIT(s)\n"
	"50      s<h                  1.010      1.100     0.090     0.010     0.000\n"
	"52      s<h                  1.025      1.080     0.055     0.030     0.020\n"
	"\n"
	"MOST CPU\n"
	"PID     COMM              BEGIN(s)     END(s)   LIFE(s)    CPU(s)   WAIT(s)\n"
	"1       init                     -          -     0.100     0.040     0.000\n"
	"52      s<h                  1.025      1.080     0.055     0.030     0.020\n"
	"50      s<h                  1.010      1.100     0.090     0.010     0.000\n"
	"\n"
	"MOST UNINTERRUPTIBLE WAITS, MOSTLY FOR DISKS\n"
	"PID     COMM              BEGIN(s)     END(s)   LIFE(s)    CPU(s)   WAIT(s)\n"
	"52      s<h                  1.025      1.080     0.055     0.030     0.020\n"
	"\n"
	"NOTHING RAN, 0.020 s in all\n"
	"   FROM(s)    FOR(s) THEN RAN\n"
	"     1.040     0.020 s<h (52)\n";

static char *drawn(int (*draw)(FILE *file, const struct chart *c, const struct chart_look *look,
			       struct error *err))
{
	const struct chart_look look = { .title = "a & b", .switches = true, .disks = true };
	struct chart *c = make_boot();
	size_t n;
	char *text;
	FILE *file = open_memstream(&text, &n);

	ck_assert_int_eq(draw(file, c, &look, NULL), 0);
	fclose(file);
	chart_free(c);
	return text;
}

START_TEST(svg)
{
	char *text = drawn(chart_svg);

	ck_assert_str_eq(text, chart_picture);
	free(text);
}
END_TEST

START_TEST(print)
{
	char *text = drawn(chart_print);

	ck_assert_str_eq(text, chart_tables);
	free(text);
}
END_TEST

Suite *suite_chart(void)
{
	Suite *s = suite_create("chart");
	TCase *t = tcase_create("chart");

	tcase_add_test(t, rows);
	tcase_add_test(t, merges);
	tcase_add_test(t, grows);
	tcase_add_test(t, loses);
	tcase_add_test(t, partial);
	tcase_add_test(t, hostile);
	tcase_add_test(t, svg);
	tcase_add_test(t, print);
	suite_add_tcase(s, t);
	return s;
}
