/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROGRAM_ROWS_H
#define SONDE_PROGRAM_ROWS_H

#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/replay_run.h"

#define V3_10	"3.10"
#define V4_19	"4.19"
#define V6_1	"6.1"
#define V7_2	"7.2"

/*
 * Whole tools over records: the kernel's events (backends/replay/replay.h has the notation), and
 * the exact text that the tool prints.
 */
struct program_row {
	const char *what, *command, *records, *prints;
	const struct output_format *format;
	uint64_t lost, late, unpaired, strings, untimed;
	const char *kernel;	/* NULL: 6.1 */
	const char *without;
	uint32_t child;		/* of --exec */
	int64_t dev, pid;	/* the value of an option that differs on each machine */
	bool begins;		/* `prints` is only the beginning of the text */
	uint64_t switches;	/* switches that were not recorded */
	uint64_t returns;	/* returns that were missed */
	uint64_t unreturned;	/* calls without a return */
	uint64_t stopped;	/* the end of the run; 0: sleeping threads do not count */
	const struct program_set *set;	/* programs on hooks of the test; NULL: the tool's */
};

#define TEXT(WHAT, COMMAND, RECORDS, PRINTS, ...)	{ WHAT, COMMAND, RECORDS, PRINTS, \
							  OUTPUT_TEXT, \
	__VA_ARGS__ }
#define JSON(WHAT, COMMAND, RECORDS, PRINTS, ...)	{ WHAT, COMMAND, RECORDS, PRINTS, \
							  OUTPUT_JSON, \
	__VA_ARGS__ }
#define ON(KERNEL)	.kernel = (KERNEL)

#define X10(S)	S S S S S S S S S S


/*
 * Makes the row's kernel, and reads a command line for it, which may have more options than the
 * row's. trial_end() frees. Returns -1 and sets t->err if the tool refuses it.
 */
int program_row_start(struct trial *t, const struct program_row *row, const char *command);
/* Runs a row, and compares. */
void program_row_shows(const struct program_row *row);

/*
 * helpers/filtered.c: runs a row's command again with each filter of its tool, asking for what none
 * of the records is of. It must print what it prints without these records, or refuse the filter.
 */
void program_row_filters(const struct program_row *row);

/* The suite of a file with a table TOOL_rows for each TOOL(TOOL) of a list. */
#define ROWS_TEST(TOOL) \
	START_TEST(TOOL##_shows) { program_row_shows(&TOOL##_rows[_i]); } END_TEST \
	START_TEST(TOOL##_filters) { program_row_filters(&TOOL##_rows[_i]); } END_TEST
#define ROWS_ADD(TOOL) \
	add_tests(s, #TOOL, TOOL##_shows, COUNT_OF(TOOL##_rows)); \
	add_tests(s, #TOOL "_filters", TOOL##_filters, COUNT_OF(TOOL##_rows));
#define PROGRAM_SUITE(NAME, TOOLS) \
	TOOLS(ROWS_TEST) \
	Suite *suite_##NAME(void); \
	Suite *suite_##NAME(void) \
	{ \
		Suite *s = suite_create(#NAME); \
		\
		TOOLS(ROWS_ADD) \
		return s; \
	}

#endif
