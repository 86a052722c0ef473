// SPDX-License-Identifier: GPL-2.0
/*
 * Heat maps: how slots become rows and counts become colours, what is kept of a long run, and the
 * pictures to the byte.
 */
#include <stdlib.h>
#include <string.h>

#include "src/lib/output/heatmap.h"
#include "src/lib/output/terminal.h"
#include "tests/unit/unit.h"

Suite *suite_heatmap(void);

#define SECOND 1000000000LL
#define EPOCH (1700000000 * SECOND)	/* 2023-11-14 22:13:20 UTC */

static const struct {
	unsigned int first, last, max;
	unsigned int sub, powers, row, n;
} folds[] = {
	{ 0, 495, 496, 8, 1, 0, 496 },
	{ 0, 495, 495, 4, 1, 0, 252 },		/* 4 values below 4, 62 powers of two from there */
	{ 0, 495, 251, 2, 1, 0, 128 },
	{ 0, 495, 127, 1, 1, 0, 65 },		/* 0, and 64 powers of two */
	{ 0, 495, 64, 1, 2, 0, 33 },
	{ 0, 495, 32, 1, 3, 0, 22 },
	{ 0, 495, 1, 1, 65, 0, 1 },
	{ 16, 31, 16, 8, 1, 16, 16 },		/* 16 to 63 */
	{ 16, 31, 8, 4, 1, 12, 8 },
	{ 16, 31, 2, 1, 1, 5, 2 },
	{ 40, 40, 1, 8, 1, 40, 1 },
};

START_TEST(folds_until_it_fits)
{
	struct heatmap_rows r = heatmap_fold(folds[_i].first, folds[_i].last, folds[_i].max);

	ck_assert_uint_eq(r.sub, folds[_i].sub);
	ck_assert_uint_eq(r.powers, folds[_i].powers);
	ck_assert_uint_eq(r.first, folds[_i].row);
	ck_assert_uint_eq(r.n, folds[_i].n);
}
END_TEST

static const struct {
	unsigned int most, powers, n;
} steps[] = {
	{ 96, 1, 50 }, { 50, 1, 50 }, { 49, 2, 25 }, { 24, 5, 10 }, { 9, 10, 5 }, { 1, 50, 1 },
};

/* Where within a second: rows of as many slots each, from 0 to 999 ms. */
START_TEST(steps_of_a_second)
{
	const struct heatmap m = { .slots = 50, .step = 20 };
	struct heatmap_rows r = heatmap_rows_of(&m, 0, "msecs", steps[_i].most);
	struct heatmap_mark marks[HEATMAP_MARKS];

	ck_assert_uint_eq(r.powers, steps[_i].powers);
	ck_assert_uint_eq(r.first, 0);
	ck_assert_uint_eq(r.n, steps[_i].n);
	ck_assert_uint_eq(heatmap_row_low(&r, 0), 0);
	ck_assert_uint_eq(heatmap_row_high(&r, r.n - 1), 999);
	ck_assert_uint_eq(heatmap_row(&r, 49), r.n - 1);
	for (unsigned int row = 1; row < r.n; row++)
		ck_assert_uint_eq(heatmap_row_low(&r, row), heatmap_row_high(&r, row - 1) + 1);
	ck_assert_uint_ge(heatmap_marks(&r, "msecs", 1, marks), 1);
	ck_assert_str_eq(marks[0].label, "0");
	if (r.n < 10)
		return;
	ck_assert_uint_eq(heatmap_marks(&r, "msecs", 1, marks), 10);
	ck_assert_str_eq(marks[9].label, "900ms");
	ck_assert_uint_eq(marks[9].row, r.n * 9 / 10);
}
END_TEST

/*
 * Rows follow each other without a gap, each slot lies in one row as a whole, and is the slot of
 * its values.
 */
START_TEST(rows_have_no_gaps)
{
	for (unsigned int max = 1; max <= HIST_SLOTS; max++) {
		struct heatmap_rows r = heatmap_fold(0, HIST_SLOTS - 1, max);

		ck_assert_uint_eq(heatmap_row_low(&r, 0), 0);
		ck_assert_uint_eq(heatmap_row_high(&r, r.n - 1), UINT64_MAX);
		for (unsigned int row = 1; row < r.n; row++)
			ck_assert_uint_eq(heatmap_row_low(&r, row),
					  heatmap_row_high(&r, row - 1) + 1);
		for (unsigned int slot = 0; slot < HIST_SLOTS; slot++) {
			unsigned int row = heatmap_row(&r, slot);

			ck_assert_uint_ge(hist_slot_low(slot), heatmap_row_low(&r, row));
			ck_assert_uint_le(hist_slot_high(slot), heatmap_row_high(&r, row));
			ck_assert_uint_eq(heatmap_slot(hist_slot_low(slot)), slot);
			ck_assert_uint_eq(heatmap_slot(hist_slot_high(slot)), slot);
		}
	}
}
END_TEST

static const struct {
	enum heatmap_series series;
	uint64_t largest, count;
	unsigned int n, level;
} scales[] = {
	{ SERIES_1_2_5, 0, 0, 1, 0 }, { SERIES_1_2_5, 0, 1, 1, 1 }, { SERIES_1_2_5, 1, 1, 1, 1 },
	{ SERIES_1_2_5, 2, 2, 2, 2 }, { SERIES_1_2_5, 4, 4, 2, 2 }, { SERIES_1_2_5, 5, 5, 3, 3 },
	{ SERIES_1_2_5, 9, 9, 3, 3 }, { SERIES_1_2_5, 10, 10, 4, 4 },
	{ SERIES_1_2_5, 1000000, 1, 19, 1 },
	{ SERIES_1_2_5, 1000000, 499999, 19, 17 }, { SERIES_1_2_5, 1000000, 500000, 19, 18 },
	{ SERIES_1_2_5, UINT64_MAX, UINT64_MAX, 58, 58 },
	{ SERIES_1_3, 10000, 2, 9, 1 }, { SERIES_1_3, 10000, 3, 9, 2 },
	{ SERIES_1_3, 10000, 9999, 9, 8 },
	{ SERIES_1_3, 10000, 10000, 9, 9 }, { SERIES_1_3, 10000, UINT64_MAX, 9, 9 },
};

START_TEST(levels)
{
	struct heatmap_scale s;

	heatmap_scale(&s, scales[_i].series, scales[_i].largest);
	ck_assert_uint_eq(s.n, scales[_i].n);
	ck_assert_uint_eq(heatmap_level(&s, scales[_i].count), scales[_i].level);
}
END_TEST

static const struct {
	uint64_t value;
	const char *unit, *label;
} labels[] = {
	{ 0, "usecs", "0" }, { 0, "", "0" }, { 1, "usecs", "1us" }, { 500, "usecs", "500us" },
	{ 1000, "usecs", "1ms" },
	{ 20000000, "usecs", "20s" }, { 1000000000, "usecs", "1ks" }, { 5, "nsecs", "5ns" },
	{ 10, "msecs", "10ms" },
	{ 2000, "msecs", "2s" }, { 7, "secs", "7s" }, { 1024, "usecs", "1024us" },
	{ 200, "", "200" },
	{ 50000, "", "50k" }, { 1000000, "Kbytes", "1M" },
	{ 10000000000000000000ULL, "secs", "10Es" },
};

START_TEST(labelled)
{
	char s[16];

	heatmap_label(s, sizeof(s), labels[_i].value, labels[_i].unit);
	ck_assert_str_eq(s, labels[_i].label);
}
END_TEST

/* Labels of all marks, from below. */
static void marks_of(char *s, const struct heatmap_rows *r, double spacing)
{
	struct heatmap_mark marks[HEATMAP_MARKS];
	unsigned int n = heatmap_marks(r, "usecs", spacing, marks);

	*s = '\0';
	for (unsigned int row = 0; row < r->n; row++)
		for (unsigned int i = 0; i < n; i++)
			if (marks[i].row == row) {
				ck_assert_uint_ge(marks[i].value,
						  heatmap_row_low(r, r->first + row));
				ck_assert_uint_le(marks[i].value,
						  heatmap_row_high(r, r->first + row));
				sprintf(s + strlen(s), "%s%s@%u", *s ? " " : "",
					marks[i].label, row);
			}
}

START_TEST(marked)
{
	struct heatmap_rows fine = heatmap_fold(0, 87, 96), coarse = heatmap_fold(0, 87, 14);
	char s[512];

	marks_of(s, &fine, 4);
	ck_assert_str_eq(s, "1us@1 5us@5 10us@10 20us@18 50us@28 100us@36 200us@44 500us@55 1ms@63 "
			    "2ms@71 5ms@81");
	marks_of(s, &coarse, 1);
	ck_assert_str_eq(s, "0@0 1us@1 2us@2 5us@3 10us@4 20us@5 50us@6 100us@7 200us@8 500us@9 "
			    "1ms@10 2ms@11 5ms@13");
	marks_of(s, &coarse, 6);
	ck_assert_str_eq(s, "1us@1 1ms@10");
}
END_TEST

static void add(struct heatmap *m, const char *disk, uint64_t value, uint64_t count)
{
	struct hist_section section = { "disk", { .s = disk, .length = disk ? strlen(disk) : 0 },
					false };
	struct hist h = { 0 };

	h.slots[heatmap_slot(value)] = count;
	heatmap_add(m, "usecs", disk ? &section : NULL, &h);
}

/* The second-long column behind those there are. */
static void end(struct heatmap *m, int64_t second, uint64_t lost)
{
	heatmap_end_column(m, &(struct heatmap_column){ EPOCH + second * SECOND,
							EPOCH + (second + 1) * SECOND, lost });
}

static uint64_t column_total(const struct heatmap *m, unsigned int c)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < m->n_groups; i++) {
		uint64_t counts = 0;

		for (unsigned int slot = 0; slot < m->groups[i].cells[c].n; slot++)
			counts += m->groups[i].cells[c].counts[slot];
		ck_assert_uint_eq(counts, m->groups[i].cells[c].total);
		sum += counts;
	}
	return sum;
}

/* However long the run: all columns are of the same length but the last, and nothing is lost. */
START_TEST(merges)
{
	for (unsigned int n = 1; n <= 70; n++) {
		struct heatmap *m = heatmap_new("test", 8, true);
		uint64_t total = 0, lost = 0;

		for (unsigned int i = 0; i < n; i++) {
			add(m, i % 3 ? "a" : "b", i * i, i + 1);
			end(m, i, i % 5 == 0);
		}
		ck_assert_uint_le(m->n_columns, 8);
		ck_assert_uint_eq(m->n_columns, (n + m->span - 1) / m->span);
		for (unsigned int c = 0; c < m->n_columns; c++) {
			ck_assert_int_eq(m->columns[c].start,
					 EPOCH + (int64_t)c * m->span * SECOND);
			ck_assert_int_eq(m->columns[c].end,
					 EPOCH + (c + 1 < m->n_columns ? (int64_t)(c + 1) *
						  m->span : n) * SECOND);
			total += column_total(m, c);
			lost += m->columns[c].lost;
		}
		ck_assert_uint_eq(total, n * (n + 1) / 2);
		ck_assert_uint_eq(total, m->total);
		ck_assert_uint_eq(lost, (n + 4) / 5);
		ck_assert_uint_eq(lost, m->lost);
		ck_assert(!m->failed);
		heatmap_free(m);
	}
}
END_TEST

START_TEST(scrolls)
{
	struct heatmap *m = heatmap_new("test", 8, false);

	for (unsigned int i = 0; i < 20; i++) {
		add(m, i % 2 ? "a" : "b", i, i + 1);
		end(m, i, 0);
	}
	ck_assert_uint_eq(m->n_columns, 8);
	ck_assert_uint_eq(m->dropped, 12);
	for (unsigned int c = 0; c < 8; c++) {
		ck_assert_int_eq(m->columns[c].start, EPOCH + (12 + c) * SECOND);
		ck_assert_uint_eq(column_total(m, c), 13 + c);
	}
	ck_assert_uint_eq(m->total, 210);
	heatmap_free(m);
}
END_TEST

/*
 * Groups beyond those that have maps are one; what is counted in another unit is not added to it.
 */
START_TEST(many_groups)
{
	struct heatmap *m = heatmap_new("test", 8, true);
	struct hist h = { .slots = { 1 } };
	char name[16];

	add(m, NULL, 1, 0);
	ck_assert_uint_eq(m->n_groups, 0);
	for (unsigned int i = 0; i < 100; i++) {
		sprintf(name, "d%u", i);
		add(m, name, i, 1);
	}
	end(m, 0, 0);
	ck_assert_uint_eq(m->n_groups, HEATMAP_GROUPS + 1);
	ck_assert_str_eq(m->groups[0].name, "disk = d0");
	ck_assert_str_eq(m->groups[HEATMAP_GROUPS].name, "all others");
	ck_assert_uint_eq(m->groups[HEATMAP_GROUPS].cells[0].total, 100 - HEATMAP_GROUPS);
	ck_assert_uint_eq(column_total(m, 0), 100);
	ck_assert(!m->failed);
	heatmap_add(m, "msecs", NULL, &h);
	ck_assert(m->failed);
	heatmap_free(m);
}
END_TEST

/* Three seconds: nothing, something, and something of which a part was lost. */
static struct heatmap *tiny(const char *a, const char *b)
{
	struct heatmap *m = heatmap_new("test", 8, true);

	ck_assert_ptr_nonnull(m);
	end(m, 0, 0);
	add(m, a, 3, 1);
	add(m, a, 100, 12);
	end(m, 1, 0);
	add(m, a, 100, 7);
	add(m, a, 103, 1);
	add(m, b, 90000, 2);
	end(m, 2, 4);
	return m;
}

enum picture { PRINTED, SVG, DRAWN, LIVE };

static char *picture(const struct heatmap *m, enum picture picture, const struct heatmap_look *look)
{
	struct heatmap_lines lines = { 0 };
	char *s = NULL;
	size_t size;
	FILE *file = open_memstream(&s, &size);

	if (picture == PRINTED)
		heatmap_print(file, m, look->width, &lines);
	else if (picture == SVG)
		heatmap_svg(file, m);
	else
		heatmap_draw(file, m, look, picture == LIVE);
	fclose(file);
	return s;
}

static void check_picture(struct heatmap *m, enum picture p, const struct heatmap_look *look,
			  const char *expected)
{
	char *s = picture(m, p, look);

	ck_assert_str_eq(s, expected);
	free(s);
	heatmap_free(m);
}

START_TEST(printed)
{
	const struct heatmap_look look = { .width = 60 };

	check_picture(tiny(NULL, NULL), PRINTED, &look,
		"count:  . 1  : 3  - 10  = 30  + 100  * 300  # 1k  % 3k  @ 10k\n"
		"            1us      1ms       1s      >\n"
		"22:13:22  |       :         .           | 10\n"
		"           ! lost 4\n");
	check_picture(tiny("a", "b"), PRINTED, &look,
		"count:  . 1  : 3  - 10  = 30  + 100  * 300  # 1k  % 3k  @ 10k\n"
		"            1us      1ms       1s      >\n"
		"22:13:22  |       :                     | 8  disk = a\n"
		"22:13:22  |                 .           | 2  disk = b\n"
		"           ! lost 4\n");
}
END_TEST

START_TEST(svg)
{
	check_picture(tiny(NULL, NULL), SVG, NULL,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"508\" height=\"528\" "
		"viewBox=\"0 0 508 528\" "
		"shape-rendering=\"crispEdges\">\n"
		"<style>text{font-family:sans-serif;font-size:12px;fill:#222}"
		".h{font-size:15px;font-weight:bold}.r{text-anchor:end}"
		".g{stroke:#ddd;stroke-width:1}.f{fill:none;stroke:#444;stroke-width:1}"
		".x{fill:#06c}.c1{fill:#ffeda0}.c2{fill:#fb7e37}.c3{fill:#aa0624}"
		".c4{fill:#280010}</style>\n"
		"<path fill=\"#fff\" d=\"M0 0h508v528h-508z\"/>\n"
		"<text class=\"h\" x=\"64\" y=\"24\">test</text>\n"
		"<text x=\"64\" y=\"44\">2023-11-14 22:13:20 to 2023-11-14 22:13:23, 23 counted, 4 "
		"lost</text>\n"
		"<g transform=\"translate(64,58)\">\n"
		"<path class=\"g\" d=\"M-4 378.0H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"382.0\">1us</text>\n"
		"<path class=\"g\" d=\"M-4 169.1H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"173.1\">1ms</text>\n"
		"<path class=\"g\" d=\"M-4 330.0H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"334.0\">10us</text>\n"
		"<path class=\"g\" d=\"M-4 250.5H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"254.5\">100us</text>\n"
		"<path class=\"g\" d=\"M-4 90.7H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"94.7\">10ms</text>\n"
		"<path class=\"g\" d=\"M-4 11.4H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"15.4\">100ms</text>\n"
		"<path class=\"g\" d=\"M-4 354.0H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"358.0\">5us</text>\n"
		"<path class=\"g\" d=\"M-4 274.5H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"278.5\">50us</text>\n"
		"<path class=\"g\" d=\"M-4 193.1H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"197.1\">500us</text>\n"
		"<path class=\"g\" d=\"M-4 114.7H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"118.7\">5ms</text>\n"
		"<path class=\"g\" d=\"M-4 35.4H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"39.4\">50ms</text>\n"
		"<path class=\"g\" d=\"M-4 306.0H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"310.0\">20us</text>\n"
		"<path class=\"g\" d=\"M-4 226.5H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"230.5\">200us</text>\n"
		"<path class=\"g\" d=\"M-4 145.1H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"149.1\">2ms</text>\n"
		"<path class=\"g\" d=\"M-4 66.7H252\"/><text class=\"r\" x=\"-7\" "
		"y=\"70.7\">20ms</text>\n"
		"<g transform=\"translate(84)\">\n"
		"<path class=\"c1\" d=\"M0 360h84v6h-84z\"><title>22:13:21-22:13:22, 3 usecs: "
		"1</title></path>\n"
		"<path class=\"c4\" d=\"M0 246h84v6h-84z\"><title>22:13:21-22:13:22, 96-111 usecs: "
		"12</title></path>\n"
		"</g>\n"
		"<g transform=\"translate(168)\">\n"
		"<path class=\"c3\" d=\"M0 246h84v6h-84z\"><title>22:13:22-22:13:23, 96-111 usecs: "
		"8</title></path>\n"
		"<path class=\"c2\" d=\"M0 12h84v6h-84z\"><title>22:13:22-22:13:23, 81920-98303 "
		"usecs: 2</title>"
		"</path>\n"
		"</g>\n"
		"<path class=\"f\" d=\"M0 0V384H252\"/>\n"
		"<path class=\"f\" d=\"M0 384v5\"/><text x=\"0\" y=\"408\">22:13:20</text>\n"
		"<path class=\"f\" d=\"M84 384v5\"/><text x=\"84\" y=\"408\">22:13:21</text>\n"
		"<path class=\"f\" d=\"M168 384v5\"/><text x=\"168\" y=\"408\">22:13:22</text>\n"
		"<path class=\"x\" d=\"M210.5 386l4 8h-8z\"><title>22:13:22-22:13:23: lost "
		"4</title></path>\n"
		"</g>\n"
		"<path class=\"c1\" d=\"M64 476h32v12h-32z\"/><text x=\"64\" y=\"502\">1</text>\n"
		"<path class=\"c2\" d=\"M96 476h32v12h-32z\"/><text x=\"96\" y=\"502\">2</text>\n"
		"<path class=\"c3\" d=\"M128 476h32v12h-32z\"/><text x=\"128\" y=\"502\">5</text>\n"
		"<path class=\"c4\" d=\"M160 476h32v12h-32z\"/><text x=\"160\" "
		"y=\"502\">10</text>\n"
		"<text x=\"200\" y=\"502\">count, from</text>\n"
		"<path class=\"x\" d=\"M68 510l4 8h-8z\"/><text x=\"78\" y=\"519\">"
		"events were lost: there were more</text>\n"
		"</svg>\n");
}
END_TEST

/* Names may hold anything. */
START_TEST(svg_escapes)
{
	struct heatmap *m = heatmap_new("test", 8, true);
	char *s;

	add(m, "<\"&\x1b'\xff>", 1, 1);
	end(m, 0, 0);
	s = picture(m, SVG, NULL);
	ck_assert_ptr_nonnull(strstr(s, ">disk = &lt;&quot;&amp;\\x1b'\\xff&gt; (1)</text>"));
	free(s);
	heatmap_free(m);
}
END_TEST

/* The command line and the host are above it, whatever is in them; what has no room is cut. */
START_TEST(svg_titles)
{
	struct heatmap *m = heatmap_new("test", 8, true);
	char *s;

	m->command = "sonde test --exec a<b>\x1b[31m and so many words that they can't all be "
		     "above a picture";
	m->host = "h&st";
	add(m, "a", 1, 1);
	end(m, 0, 0);
	s = picture(m, SVG, NULL);
	ck_assert_ptr_nonnull(strstr(s, "\n<title>sonde test --exec a&lt;b&gt;\\x1b[31m and so "
					"many words that they can't all be "
				     "above a picture</title>\n"));
	ck_assert_ptr_nonnull(strstr(s, ">sonde test --exec a&lt;b&gt;\\x1b[31m and so many "
					"wor...</text>"));
	ck_assert_ptr_nonnull(strstr(s, ">h&amp;st, 20"));
	free(s);
	heatmap_free(m);
}
END_TEST

/* No time of day sticks out of the picture. */
START_TEST(svg_times_fit)
{
	struct heatmap *m = heatmap_new("test", 80, true);
	unsigned int width, x;
	char *s;

	for (int i = 0; i < 39; i++) {
		add(m, "a", 1, 1);
		end(m, i, 0);
	}
	s = picture(m, SVG, NULL);
	ck_assert_int_eq(sscanf(strstr(s, "width=\""), "width=\"%u\"", &width), 1);
	for (char *at = s; (at = strstr(at, "v5\"/><text x=\"")); at++)
		if (sscanf(at, "v5\"/><text x=\"%u\"", &x) == 1)
			ck_assert_uint_le(64 + x + 56, width);
	free(s);
	heatmap_free(m);
}
END_TEST

START_TEST(drawn)
{
	const struct heatmap_look colours = { .width = 30, .height = 8, .colours = COLOURS_256,
					      .blocks = true };
	const struct heatmap_look spaces = { .width = 30, .height = 8, .colours = COLOURS_TRUE };

	check_picture(tiny(NULL, NULL), DRAWN, &colours,
		"test  ! lost 4  22:13:23\n"
		"   10ms \033[48;5;16m  \033[38;5;196m\342\226\200\033[m\n"
		"        \033[48;5;16m "
		"\033[48;5;231m\033[38;5;16m\342\226\200\033[48;5;226m\342\226\200\033[m\n"
		"    1us \033[48;5;16m \033[48;5;52m\033[38;5;16m\342\226\200\033[48;5;16m \033[m\n"
		"       +|-!\n"
		"        22:13:20\n"
		"  count \033[48;5;52m  \033[m1 \033[48;5;196m  \033[m2 \033[48;5;226m  \033[m5 "
		"\033[48;5;231m  "
		"\033[m10\n");
	check_picture(tiny(NULL, NULL), LIVE, &spaces,
		"\033[Htest  ! lost 4  22:13:23\033[K\r\n"
		"        \033[48;2;0;0;0m  \033[48;2;220;40;28m \033[48;2;0;0;0m                   "
		"\033[m\033[K\r\n"
		"   10ms \033[48;2;0;0;0m                      \033[m\033[K\r\n"
		"        \033[48;2;0;0;0m \033[48;2;255;255;240m \033[48;2;253;180;60m "
		"\033[48;2;0;0;0m           "
		"        \033[m\033[K\r\n"
		"    1us \033[48;2;0;0;0m \033[48;2;88;0;28m \033[48;2;0;0;0m                    "
		"\033[m\033[K\r\n"
		"       +|-!\033[K\r\n"
		"        22:13:20\033[K\r\n"
		"  count \033[48;2;88;0;28m  \033[m1 \033[48;2;220;40;28m  \033[m2 "
		"\033[48;2;253;180;60m  \033[m5 "
		"\033[48;2;255;255;240m  \033[m10\033[K\033[J");
}
END_TEST

/*
 * No line is longer than the window, there are no more lines than it has, and the last one does not
 * scroll it.
 */
START_TEST(fits_the_window)
{
	/* There are 300 columns, beside 8 for the axis. */
	static const unsigned int widths[] = { 1, 8, 23, 24, 25, 40, 61, 80, 120, 200, 307, 308,
					       309, 400 };

	for (unsigned int groups = 0; groups < 20; groups++) {
		struct heatmap *m = heatmap_new("test", 512, false);

		for (unsigned int c = 0; c < 300; c++) {
			for (unsigned int i = 0; i < groups; i++) {
				char name[64];

				sprintf(name, "a-disk-with-a-long-name-\u00fc-%u", i);
				add(m, name, (uint64_t)c * c * c << i, c * c);
			}
			end(m, c, c % 7 == 0);
		}
		for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++)
			for (unsigned int height = 1; height <= 200; height += height < 30 ? 1 :
			     40) {
				unsigned int width = widths[w];
				struct heatmap_look look = { width, height, COLOURS_256,
							     height % 2 };
				char *s = picture(m, LIVE, &look);
				unsigned int column = 0, widest = 0, lines = 1;

				for (const char *c = s; *c; c++) {
					if (*c == '\033') {
						c = strpbrk(c, "mHJK");
					} else if (*c == '\n' || *c == '\r') {
						lines += *c == '\n';
						column = 0;
					} else if ((*c & 0xc0) != 0x80) {
						widest = ++column > widest ? column : widest;
					}
				}
				ck_assert_uint_le(widest, width);
				ck_assert_uint_le(lines, height);
				free(s);
			}
		heatmap_free(m);
	}
}
END_TEST

static const struct {
	const char *term, *colorterm, *no_color;
	enum heatmap_colours colours;
} terminal_rows[] = {
	{ "xterm-256color", NULL, NULL, COLOURS_256 },
	{ "xterm-256color", "truecolor", NULL, COLOURS_TRUE },
	{ "xterm-256color", "24bit", "", COLOURS_TRUE },
	{ "xterm-256color", "truecolor", "1", COLOURS_NONE },
	{ "xterm", "yes", NULL, COLOURS_256 }, { "screen-bce", NULL, NULL, COLOURS_256 },
	{ "linux", NULL, NULL, COLOURS_256 }, { "stterm", NULL, NULL, COLOURS_NONE },
	{ "vt100", NULL, NULL, COLOURS_NONE }, { "dumb", "truecolor", NULL, COLOURS_NONE },
	{ "", NULL, NULL, COLOURS_NONE }, { NULL, "truecolor", NULL, COLOURS_NONE },
};

START_TEST(terminals)
{
	ck_assert_int_eq(terminal_colours(terminal_rows[_i].term, terminal_rows[_i].colorterm,
					  terminal_rows[_i].no_color), terminal_rows[_i].colours);
	ck_assert(terminal_utf8(NULL, NULL, "de_DE.UTF-8"));
	ck_assert(terminal_utf8("", "C.utf8", "C"));
	ck_assert(!terminal_utf8("C", "C.UTF-8", "C.UTF-8"));
	ck_assert(!terminal_utf8(NULL, NULL, NULL));
}
END_TEST

#define N(ARRAY) (int)(sizeof(ARRAY) / sizeof((ARRAY)[0]))

static void add_case(Suite *suite, const char *name, const TTest *test, int n)
{
	TCase *tcase = tcase_create(name);

	tcase_add_loop_test(tcase, test, 0, n);
	suite_add_tcase(suite, tcase);
}

Suite *suite_heatmap(void)
{
	Suite *suite = suite_create("heatmap");

	add_case(suite, "steps_of_a_second", steps_of_a_second, N(steps));
	add_case(suite, "folds_until_it_fits", folds_until_it_fits, N(folds));
	add_case(suite, "rows_have_no_gaps", rows_have_no_gaps, 1);
	add_case(suite, "levels", levels, N(scales));
	add_case(suite, "labelled", labelled, N(labels));
	add_case(suite, "marked", marked, 1);
	add_case(suite, "merges", merges, 1);
	add_case(suite, "scrolls", scrolls, 1);
	add_case(suite, "many_groups", many_groups, 1);
	add_case(suite, "printed", printed, 1);
	add_case(suite, "svg", svg, 1);
	add_case(suite, "svg_escapes", svg_escapes, 1);
	add_case(suite, "svg_titles", svg_titles, 1);
	add_case(suite, "svg_times_fit", svg_times_fit, 1);
	add_case(suite, "drawn", drawn, 1);
	add_case(suite, "fits_the_window", fits_the_window, 1);
	add_case(suite, "terminals", terminals, N(terminal_rows));
	return suite;
}
