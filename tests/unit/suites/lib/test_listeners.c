// SPDX-License-Identifier: GPL-2.0
/* Listeners: all hear the same, or in turns what people and machines see in different ways. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "src/lib/options/options_rows.h"
#include "src/lib/output/heatmap.h"
#include "src/lib/output/listener.h"
#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/memory_output.h"
#include "tests/unit/unit.h"

Suite *suite_listeners(void);

struct row {
	int64_t pid, long_pid;
	double share;
	struct text comm;
};

static const struct column columns[] = {
	{ "PID", "pid", COLUMN_INTEGER, 5, offsetof(struct row, pid) },
	{ "LONG", "long_pid", COLUMN_INTEGER, 5, offsetof(struct row, long_pid),
	  .role = IS_IDENTITY, .readers = FOR_MACHINES },
	{ "SHARE", "share", COLUMN_REAL, 0, offsetof(struct row, share), .digits = 1,
	  .unit = IN_RATIO, .option = "shares", .readers = FOR_ASKED },
	{ "COMM", "comm", COLUMN_TEXT, 0, offsetof(struct row, comm) },
	{ }
};

static const struct row rows[] = {
	{ 7, 70000, 0.5, { .s = "cat", .length = 3 } },
	{ NOTHING, 1, 2, { } },
};

static const struct output_member members[] = { { "kernel", { .s = "6.1", .length = 3 } } };

/* Two columns of heat maps: one of histograms, and one that has counts of its own. */
static void show_maps(struct output *o)
{
	struct heatmap map = { .tool = "profile", .slots = 3, .step = 20 };
	const struct heatmap_column columns[] = { { 0, 1000000000, 0 },
						  { 1000000000, 2000000000, 6 } };
	const uint64_t counts[] = { 5, 0, 7 };

	output_map(o, &map, false);
	output_map_column(o, &columns[0], NULL, NULL);
	output_map_column(o, &columns[1], "msecs", counts);
	output_map(o, NULL, false);
}

/* Everything that a tool may print. */
static void show(struct output *o)
{
	static const struct stack_frame frames[] = { { FRAME_KERNEL, "vfs_read", "kernel", 1, 0 } };
	static const struct stack_value values[] = { { "samples", 5 } };
	static const struct stack_style style;
	const struct hist_section section = { "disk", { .s = "sda", .length = 3 } };
	const struct stack_shown stack = {
		.name = "profile", .comm = { .s = "cat", .length = 3 }, .pid = 7,
		.clock_ns = NOTHING, .kernel = frames, .n_kernel = 1, .values = values,
		.n_values = 1, .style = &style,
	};
	const struct output_end end = { .tool = "swapin", .engine = "bpf", .seen = 3, .lost = 2 };
	const uint64_t counts[] = { 1, 0, 4 };
	struct hist h = { .slots[3] = 9 };

	output_line(o, "Tracing %s", "...");
	output_header(o);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		output_row(o, &rows[i]);
	output_hist(o, "latency", "usecs", &section, NOTHING, &h, NULL);
	output_linear(o, "length", "tasks", NULL, NOTHING, counts, 3, 0, 1);
	show_maps(o);
	output_stack(o, &stack);
	output_frames(o, &stack);
	output_picture(o, "picture\n", 8);
	output_members(o, "machine", members, 1);
	output_end(o, &end);
}

static char *alone(const struct output_format *format)
{
	struct output *o;
	FILE *file;
	char *s;

	o = memory_output(&s, &file, format, columns, NULL);
	show(o);
	ck_assert_int_eq(output_flush(o), 0);
	output_free(o);
	fclose(file);
	return s;
}

static const struct output_format *const pairs[][2] = {
	{ OUTPUT_TEXT, OUTPUT_JSON }, { OUTPUT_CSV, OUTPUT_JSON }, { OUTPUT_JSON, OUTPUT_JSON },
	{ OUTPUT_TEXT, OUTPUT_CSV },
};

/* The file has what the format alone prints, and so has the screen; a picture is the screen's. */
START_TEST(same_as_alone)
{
	char *wanted[2], *got[2], *picture;
	struct output *o[2];
	FILE *files[2];

	for (int i = 0; i < 2; i++) {
		wanted[i] = alone(pairs[_i][i]);
		o[i] = memory_output(&got[i], &files[i], pairs[_i][i], columns, NULL);
	}
	picture = strstr(wanted[1], "picture\n");
	ck_assert_ptr_nonnull(picture);
	memmove(picture, picture + 8, strlen(picture + 8) + 1);
	output_listen(o[0], o[1]);
	show(o[0]);
	ck_assert_int_eq(output_flush(o[0]), 0);
	output_free(o[0]);
	for (int i = 0; i < 2; i++) {
		fclose(files[i]);
		ck_assert_str_eq(got[i], wanted[i]);
		free(got[i]);
		free(wanted[i]);
	}
}
END_TEST

/* ---- a listener that writes nothing: it hears values, not text ---- */

static struct heard {
	int64_t pids, longs;
	double shares;
	unsigned int rows, missing, names;
	uint64_t hist, linear, stack, lost, members, map, map_lost;
	int64_t map_ns;
	unsigned int identities, values, ratios;
	char section[8], unit[8];
	unsigned int kept;		/* of the listener's own state */
} heard;

static int hear_begin(struct output *o)
{
	o->state = calloc(1, sizeof(heard.kept));
	for (unsigned int i = 0; i < o->n_cells; i++) {
		heard.identities += o->cells[i].role == IS_IDENTITY;
		heard.values += o->cells[i].role == IS_VALUE;
		heard.ratios += o->cells[i].unit == IN_RATIO;
	}
	return 0;
}

static void hear_row(struct output *o, const void *row)
{
	heard.rows++;
	++*(unsigned int *)o->state;
	for (unsigned int i = 0; i < o->n_cells; i++) {
		const struct column *c = o->cells[i].column;
		union value room, value = { };
		const void *at = cell_value(o, &o->cells[i], row, &room);

		memcpy(&value, at, c->type == COLUMN_TEXT ? sizeof(value.text) :
		       sizeof(value.integer));
		if (c->type == COLUMN_REAL)
			heard.shares += value.real;
		else if (c->type == COLUMN_TEXT)
			heard.names += value.text.length;
		else if (value.integer == NOTHING)
			heard.missing++;
		else
			*(strcmp(c->name, "pid") ? &heard.longs : &heard.pids) += value.integer;
	}
}

static void hear_hist(struct output *o, const struct histogram *h)
{
	(void)o;
	for (unsigned int i = 0; i < h->n; i++)
		*(h->linear ? &heard.linear : &heard.hist) += h->counts[i] * histogram_low(h, i);
	if (h->section)
		memcpy(heard.section, h->section->value.s, h->section->value.length);
	strcpy(heard.unit, h->unit);
}

static void hear_map(struct output *o, const struct heatmap_column *c, const struct histogram *h)
{
	(void)o;
	ck_assert_str_eq(h->name, "profile");
	for (unsigned int i = 0; i < h->n; i++)
		heard.map += h->counts[i] * histogram_low(h, i);
	heard.map_lost += c->lost;
	heard.map_ns += c->end - c->start;
}

static void hear_stack(struct output *o, const struct stack_shown *s)
{
	(void)o;
	heard.stack += s->values[0].value * s->n_kernel;
}

static void hear_end(struct output *o, const struct output_end *end)
{
	heard.lost = end->lost;
	heard.kept = *(unsigned int *)o->state;
}

static void hear_members(struct output *o, const char *name, const struct output_member *list,
			 unsigned int n)
{
	(void)o;
	(void)name;
	(void)list;
	heard.members += n;
}

static const struct output_listener counter = {
	.begin = hear_begin, .row = hear_row, .hist = hear_hist, .map = hear_map,
	.stack = hear_stack, .end = hear_end, .members = hear_members,
};
static const struct output_listener nothing = { };
static const struct output_format counted = { .writer = &counter, .objects = true },
				  ignored = { .writer = &nothing, .objects = true };

START_TEST(values)
{
	const struct output_source source = { .columns = columns, .shown = shown_if_same };
	struct output *o, *listener, *deaf = output_new(NULL, &ignored, &source);
	FILE *file;
	char *s;

	heard = (struct heard){ };
	listener = output_new(NULL, &counted, &source);
	o = memory_output(&s, &file, OUTPUT_TEXT, columns, NULL);
	output_listen(o, deaf);
	output_listen(o, listener);
	show(o);
	ck_assert_int_eq(output_flush(o), 0);
	output_free(o);
	fclose(file);
	free(s);
	ck_assert_uint_eq(heard.rows, 2);
	ck_assert_uint_eq(heard.kept, 2);
	ck_assert_int_eq(heard.pids, 7);
	ck_assert_uint_eq(heard.missing, 1);
	ck_assert_int_eq(heard.longs, 70001);
	ck_assert_uint_eq(heard.names, 3);
	/* machines have the column without its option */
	ck_assert(heard.shares > 2.4 && heard.shares < 2.6);
	ck_assert_uint_eq(heard.hist, 27);
	ck_assert_uint_eq(heard.linear, 8);
	ck_assert_uint_eq(heard.identities, 3);
	ck_assert_uint_eq(heard.values, 1);
	ck_assert_uint_eq(heard.ratios, 1);
	ck_assert_uint_eq(heard.map, 7 * 40);
	ck_assert_uint_eq(heard.map_lost, 6);
	ck_assert_int_eq(heard.map_ns, 2000000000);
	ck_assert_uint_eq(heard.stack, 5);
	ck_assert_uint_eq(heard.members, 1);
	ck_assert_uint_eq(heard.lost, 2);
	ck_assert_str_eq(heard.section, "sda");
	ck_assert_str_eq(heard.unit, "tasks");
}
END_TEST

static const struct {
	const struct output_format *formats[2];		/* the second may be NULL */
	bool people[2];					/* whose turns come; both: two turns */
	const char *screen, *file;
} turns[] = {
	{ { OUTPUT_TEXT, OUTPUT_JSON }, { true, true }, "people\n",
	  "{\"pid\":7,\"long_pid\":70000,\"share\":0.5,\"comm\":\"cat\"}\n" },
	{ { OUTPUT_TEXT, NULL }, { true, false }, "people\n", "" },
	{ { OUTPUT_JSON, OUTPUT_JSON }, { false, true },
	  "{\"pid\":7,\"long_pid\":70000,\"share\":0.5,\"comm\":\"cat\"}\n",
	  "{\"pid\":7,\"long_pid\":70000,\"share\":0.5,\"comm\":\"cat\"}\n" },
};

START_TEST(turn_by_turn)
{
	struct output *o[2];
	FILE *files[2];
	char *got[2];
	bool came[2] = { };
	int n = 0;

	for (int i = 0; i < 2; i++)
		o[i] = memory_output(&got[i], &files[i], turns[_i].formats[i] ?
				     turns[_i].formats[i] : OUTPUT_JSON, columns, NULL);
	if (turns[_i].formats[1])
		output_listen(o[0], o[1]);
	ck_assert(output_for_people(o[0]) == turns[_i].people[0]);
	ck_assert(output_for_machines(o[0]) == turns[_i].people[1]);
	for (unsigned int turn = 0; output_turn(o[0], &turn); n++) {
		const bool people = output_for_people(o[0]);

		ck_assert(people != output_for_machines(o[0]));
		came[!people] = true;
		if (people)
			output_picture(o[0], "people\n", 7);
		else
			output_row(o[0], &rows[0]);
	}
	ck_assert(came[0] == turns[_i].people[0] && came[1] == turns[_i].people[1]);
	ck_assert_int_eq(n, came[0] + came[1]);
	ck_assert(output_for_people(o[0]) == turns[_i].people[0]);
	if (!turns[_i].formats[1])
		output_free(o[1]);
	ck_assert_int_eq(output_flush(o[0]), 0);
	output_free(o[0]);
	for (int i = 0; i < 2; i++) {
		fclose(files[i]);
		ck_assert_str_eq(got[i], i ? turns[_i].file : turns[_i].screen);
		free(got[i]);
	}
}
END_TEST

/* The common row of an option says who listens, also if the tool adds a letter to it. */
START_TEST(of_options)
{
	static const struct option_listener counts = { &counted, NULL };
	static const struct common_option common[] = {
		{ GROUP_OUTPUT, { .name = "count", .type = OPTION_FLAG, .help = "count" },
		  .listener = &counts },
		{ GROUP_OUTPUT, { .name = "other", .type = OPTION_FLAG, .help = "another" } },
		{ }
	};
	static const struct option own[] = { { 'c', "count" }, { } },
				   another[] = { { 'c', "count", "what the tool means" }, { } };
	const struct option *const tables[] = { NULL, own, another };

	for (int i = 0; i < 3; i++) {
		const struct option_source source = { .name = "x", .own = tables[i],
						      .common = common };
		unsigned int n;
		struct option_row *rows = option_rows(&source, &n);

		ck_assert_uint_eq(n, 2);
		ck_assert_str_eq(rows[0].option.name, "count");
		ck_assert_ptr_eq(rows[0].listener, i < 2 ? &counts : NULL);
		ck_assert_ptr_null(rows[1].listener);
		free(rows);
	}
}
END_TEST

/* What a listener can't write is no error of the screen's. */
START_TEST(broken)
{
	FILE *full = fopen("/dev/full", "we"), *file;
	const struct output_source source = { .columns = columns, .shown = shown_if_same };
	struct output *o;
	char *s;

	ck_assert_ptr_nonnull(full);
	o = memory_output(&s, &file, OUTPUT_CSV, columns, NULL);
	output_listen(o, output_new(full, OUTPUT_JSON, &source));
	for (int i = 0; i < 1000; i++)
		output_row(o, &rows[0]);
	ck_assert_int_eq(output_flush(o), 0);
	ck_assert_int_eq(output_flush(o), 0);
	output_free(o);
	fclose(file);
	fclose(full);
	ck_assert_uint_eq(strlen(s), 1000 * strlen("7,70000,0.5,cat\n"));
	free(s);
}
END_TEST

Suite *suite_listeners(void)
{
	Suite *s = suite_create("listeners");

	add_tests(s, "same as alone", same_as_alone, sizeof(pairs) / sizeof(pairs[0]));
	add_tests(s, "values", values, 1);
	add_tests(s, "turns", turn_by_turn, sizeof(turns) / sizeof(turns[0]));
	add_tests(s, "of options", of_options, 1);
	add_tests(s, "broken", broken, 1);
	return s;
}
