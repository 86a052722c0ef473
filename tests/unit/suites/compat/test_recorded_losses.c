// SPDX-License-Identifier: GPL-2.0
/* What perf.data tells of lost records: each of them counts once. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/recordings/zstd.h"
#include "tests/unit/helpers/perf_file.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_recorded_losses(void);

#define USUAL (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW | \
	       PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD)

/* The ids of the last form are 1000, 1001: its records are those of 1001. */
static const struct perf_form forms[] = {
	{ "no ids", true, .sample_type = USUAL, .attrs = 1 },
	{ "ids", true, .sample_type = USUAL | PERF_SAMPLE_IDENTIFIER, .attrs = 2 },
	{ "ids between", true, .sample_type = USUAL | PERF_SAMPLE_ID, .attrs = 2 },
	{ "foreign ids", true, true, .sample_type = USUAL | PERF_SAMPLE_IDENTIFIER, .attrs = 2 },
};

enum { INDEX = 69, BY_A_FILTER = 1 << 15, HEAD = 8 };

struct note {
	uint32_t type;
	uint16_t misc;
	uint64_t id, n;		/* an index: its CPU */
	uint64_t time;
};

static size_t put_head(struct perf_file *f, const struct note *note)
{
	perf_file_put_u32(f, note->type);
	perf_file_put_u16(f, note->misc);
	perf_file_put_u16(f, 0);
	return f->size - HEAD;
}

static void put_note(struct perf_file *f, const struct note *note)
{
	const uint64_t type = f->form->sample_type;
	const size_t begin = put_head(f, note);
	size_t end;

	if (note->type == INDEX) {
		perf_file_put_u64(f, 1);
		perf_file_put_u64(f, note->id);
		perf_file_put_u64(f, 0);
		perf_file_put_u64(f, note->n);
		perf_file_put_u64(f, UINT64_MAX);
	} else {
		perf_file_put_u64(f, note->n);
		perf_file_put_u64(f, 0);		/* of no task */
		perf_file_put_u64(f, note->time);
		if (type & PERF_SAMPLE_ID)
			perf_file_put_u64(f, note->id);
		perf_file_put_u64(f, 0);		/* CPU 0, whichever it was */
		if (type & PERF_SAMPLE_IDENTIFIER)
			perf_file_put_u64(f, note->id);
	}
	end = f->size;
	f->size = begin + HEAD - sizeof(uint16_t);
	perf_file_put_u16(f, (uint16_t)(end - begin));
	f->size = end;
}

#define LOST_SAMPLES PERF_RECORD_LOST_SAMPLES
#define CPU_1 { INDEX, .id = 1000, .n = 1 }, { INDEX, .id = 1001, .n = 1 }
#define ANY_CPU { INDEX, .id = 1000, .n = UINT64_MAX }, { INDEX, .id = 1001, .n = 4711 }

/* The file tells of 3 that were lost on CPU 1 up to 130. Its CPUs' last records: 120 and 140. */
static const struct {
	struct note notes[4];
	const char *no_ids, *ids;
} rows[] = {
	{ { CPU_1, { LOST_SAMPLES, .id = 1001, .n = 3 } }, "", "" },
	{ { CPU_1, { LOST_SAMPLES, .id = 1000, .n = 1 }, { LOST_SAMPLES, .id = 1001, .n = 2 } },
	  "", "" },
	{ { CPU_1, { LOST_SAMPLES, .id = 1001, .n = 2 } }, "", "" },
	{ { CPU_1, { LOST_SAMPLES, .id = 1000, .n = 4 }, { LOST_SAMPLES, .id = 1001, .n = 1 } },
	  "lost 2 from 120 to 140 on 0\n", "lost 2 from 140 to 140 on 1\n" },
	{ { ANY_CPU, { LOST_SAMPLES, .id = 1001, .n = 5 } },
	  "lost 2 from 120 to 140 on 0\n", "lost 2 from 120 to 140 on 0\n" },
	{ { CPU_1, { LOST_SAMPLES, BY_A_FILTER, .id = 1001, .n = 9 } }, "", "" },
	{ { CPU_1, { LOST_SAMPLES, .id = 1001, .n = 5, .time = 150 } },
	  "lost 5 from 120 to 150 on 0\n", "lost 5 from 120 to 150 on 0\n" },
};

START_TEST(each_loss_counts_once)
{
	for (unsigned int i = 0; i < COUNT_OF(forms); i++) {
		const bool ids = forms[i].attrs > 1;
		char *path, *text, wanted[2048];
		struct perf_file f;

		perf_file_make(&f, &forms[i]);
		for (unsigned int j = 0; j < COUNT_OF(rows[_i].notes); j++)
			if (rows[_i].notes[j].type)
				put_note(&f, &rows[_i].notes[j]);
		path = perf_file_write(&f, f.size);
		text = perf_file_read(path);
		snprintf(wanted, sizeof(wanted), "%s%s", perf_file_plain,
			 ids ? rows[_i].ids : rows[_i].no_ids);
		ck_assert_msg(!strcmp(text, wanted), "%s:\n%s", forms[i].name, text);
		unlink(path);
		free(path);
		free(text);
		perf_file_free(&f);
	}
}
END_TEST

/* perf does not compress what it writes at the end. */
START_TEST(many_records_behind_compressed_ones_are_read)
{
	static const struct perf_form form = {
		"compressed", true, .sample_type = USUAL, .attrs = 1, .compressed = 81,
	};
	static const struct note note = { LOST_SAMPLES, BY_A_FILTER, .n = 1 };
	struct perf_file f;
	char *path, *text;

	if (!zstd_there())
		return;
	perf_file_make(&f, &form);
	for (unsigned int i = 0; i < 100; i++)
		put_note(&f, &note);
	path = perf_file_write(&f, f.size);
	text = perf_file_read(path);
	ck_assert_str_eq(text, perf_file_plain);
	unlink(path);
	free(path);
	free(text);
	perf_file_free(&f);
}
END_TEST

Suite *suite_recorded_losses(void)
{
	Suite *s = suite_create("recorded_losses");
	TCase *t = tcase_create("recorded_losses");

	tcase_add_test(t, many_records_behind_compressed_ones_are_read);
	tcase_add_loop_test(t, each_loss_counts_once, 0, COUNT_OF(rows));
	suite_add_tcase(s, t);
	return s;
}
