// SPDX-License-Identifier: GPL-2.0
/* Columns beside a tool's own: where they are, and what they are asked for. */
#include <stdlib.h>
#include <string.h>

#include "src/lib/output/records.h"
#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/memory_output.h"
#include "tests/unit/unit.h"

Suite *suite_beside(void);

struct record {
	uint64_t time;
	uint64_t pid_tgid;
};

RECORD_LAYOUT(record,
	FIELD_OF(record, time, TIME),
	FIELD_AS(record, pid_tgid, "pid", TGID));

/* A tool's row: its record is elsewhere. */
struct row {
	const struct record *record;
	int64_t size;
};

static const struct part parts[] = {
	{ &record_layout, offsetof(struct row, record), .pointer = true }, { },
};

static const struct column columns[] = {
	{ "SIZE", "size", COLUMN_INTEGER, -4, offsetof(struct row, size), .role = IS_COUNT },
	{ "PID", "pid", COLUMN_INTEGER, -4, .field = "pid" },
	{ "N", "n", COLUMN_INTEGER, 0, offsetof(struct row, size), .role = IS_COUNT },
	{ }
};

/* People and machines have different columns, and the tool's of the task is not shown. */
static const struct column split[] = {
	{ "SIZE", "size", COLUMN_INTEGER, -4, offsetof(struct row, size), .role = IS_COUNT },
	{ "COMM", "", COLUMN_INTEGER, 0, offsetof(struct row, size), .role = IS_COUNT,
	  .readers = FOR_PEOPLE },
	{ "PID", "pid", COLUMN_INTEGER, 0, .field = "pid", .readers = FOR_MACHINES },
	{ }
};

/* Of a row without a column of the task they come first. */
static const struct column bare[] = {
	{ "SIZE", "size", COLUMN_INTEGER, -4, offsetof(struct row, size), .role = IS_COUNT },
	{ "PID", "pid", COLUMN_INTEGER, 0, .field = "pid", .readers = FOR_MACHINES },
	{ }
};

static const struct column beside[] = {
	{ "WHOSE", "whose", COLUMN_TEXT, -8 },
	{ "PATH", "path", COLUMN_TEXT, 0, .readers = FOR_MACHINES },
	{ "OTHER", "other", COLUMN_TEXT, 0, .option = "other" },
	{ }
};

static struct text text(void *arg, const struct column *c, const struct output_actor *actor,
			bool people)
{
	static char said[64];

	ck_assert_str_eq(arg, "x");
	if (actor->pid == NOTHING)
		return (struct text){ };
	snprintf(said, sizeof(said), "%s\n%lld@%llu%s", c == beside ? "w" : "p",
		 (long long)actor->pid, (unsigned long long)actor->time, people ? "" : "!");
	return text_of(said, strlen(said));
}

static bool shown(void *arg, const char *option)
{
	(void)arg;
	return !strcmp(option, "x");
}

static const struct {
	const struct output_format *format;
	const struct column *columns;
	const char *expected;
} rows[] = {
	{ OUTPUT_TEXT, columns,
	  "SIZE WHOSE    PID  N\n"
	  "3    w\\n7@50  7    3\n"
	  "3    -        -    3\n" },
	{ OUTPUT_CSV, columns,
	  "SIZE,WHOSE,PATH,PID,N\n"
	  "3,w\\n7@50!,p\\n7@50!,7,3\n"
	  "3,,,,3\n" },
	{ OUTPUT_JSON, columns,
	  "{\"size\":3,\"whose\":\"w\\n7@50!\",\"path\":\"p\\n7@50!\",\"pid\":7,\"n\":3}\n"
	  "{\"size\":3,\"whose\":null,\"path\":null,\"pid\":null,\"n\":3}\n" },
	{ OUTPUT_TEXT, split,
	  "SIZE WHOSE    COMM\n"
	  "3    w\\n7@50  3\n"
	  "3    -        3\n" },
	{ OUTPUT_TEXT, bare,
	  "WHOSE    SIZE\n"
	  "w\\n7@50  3\n"
	  "-        3\n" },
	{ OUTPUT_JSON, split,
	  "{\"size\":3,\"whose\":\"w\\n7@50!\",\"path\":\"p\\n7@50!\",\"pid\":7}\n"
	  "{\"size\":3,\"whose\":null,\"path\":null,\"pid\":null}\n" },
};

START_TEST(tables)
{
	const struct output_source source = {
		.columns = rows[_i].columns, .parts = parts, .shown = shown, .arg = (void *)"x",
		.beside = { beside, text },
	};
	const struct record known = { 50, 7ULL << 32 | 8 }, unknown = { 60, UINT64_MAX };
	size_t size;
	char *s = NULL;
	FILE *file = open_memstream(&s, &size);
	struct output *o = output_new(file, rows[_i].format, &source);

	ck_assert_ptr_nonnull(o);
	output_header(o);
	output_row(o, &(struct row){ &known, 3 });
	output_row(o, &(struct row){ &unknown, 3 });
	check_output(o, file, &s, rows[_i].expected);
}
END_TEST

Suite *suite_beside(void)
{
	Suite *s = suite_create("beside");

	add_tests(s, "tables", tables, COUNT_OF(rows));
	return s;
}
