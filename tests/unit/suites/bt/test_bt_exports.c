// SPDX-License-Identifier: GPL-2.0
/* Maps of scripts as metrics: which there are, their names and labels, and exact values. */
#include <stdlib.h>
#include <string.h>

#include "src/lib/metrics/metrics_listener.h"
#include "src/lib/metrics/metrics_page.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

Suite *suite_bt_exports(void);

#define CALL(TIME, A0) #TIME " 0 7 p:vfs_read a0=" #A0 "\n"
#define HIT(TIME) #TIME " 0 7 p:vfs_read\n"
#define ADD(NAME, VALUE) "sonde_bt" NAME " " #VALUE "\n"

/* `page`: its samples; of buckets those where the count rises, and of them `le`. */
static const struct {
	const char *script, *records, *page;
} rows[] = {
	{ "k:vfs_read{@=count();@calls[comm,arg0]=count()}",
	  "1 0 7 p:vfs_read a1=3\n2 0 7 p:vfs_read a1=3\n3 0 7 p:vfs_read a1=4\n",
	  ADD("_total", 3) ADD("_calls_total{comm=\"cat\",arg0=\"3\"}", 2)
	  ADD("_calls_total{comm=\"cat\",arg0=\"4\"}", 1) },
	/* what the script clears, zeros or deletes has been counted */
	{ "k:vfs_read{@[arg0]=count();if(arg0==3){clear(@)}if(arg0==5){zero(@)}}",
	  CALL(1, 2) CALL(2, 3) CALL(3, 2) CALL(4, 5) CALL(5, 2),
	  ADD("_total{arg0=\"2\"}", 3) ADD("_total{arg0=\"3\"}", 1) ADD("_total{arg0=\"5\"}", 1) },
	{ "k:vfs_read{@h=hist((uint64)arg0);@b=count();if(arg0==3){clear(@h)}}"
	  "END{clear(@h)}",
	  CALL(1, 3) CALL(2, 3) CALL(3, 1024),
	  ADD("_h_bucket{le=\"4.0\"}", 2) ADD("_h_bucket{le=\"2048.0\"}", 3)
	  ADD("_b_total", 3) },
	/* units by the end of the name; the number of values has none */
	{ "k:vfs_read{@wait_us=sum((uint64)arg0);@read_bytes=avg((uint64)arg0);@Kb=max(arg0)}",
	  CALL(1, 3) CALL(2, 5),
	  ADD("_wait_seconds_total", 8e-06) ADD("_read_bytes_total", 8)
	  ADD("_read_count_total", 2) ADD("_kb", 5) },
	{ "k:vfs_read{@usecs=hist((uint64)arg0)}", CALL(1, 0) CALL(2, 100) CALL(3, 134217728),
	  ADD("_seconds_bucket{le=\"1e-06\"}", 1) ADD("_seconds_bucket{le=\"0.000128\"}", 2)
	  ADD("_seconds_bucket{le=\"+Inf\"}", 3) },
	/* what may fall is a gauge: signed sums, which arg0 is */
	{ "k:vfs_read{@s=sum(arg0);@m=min(arg0);@v=arg0;@n++;@c_total=sum((uint64)arg0)}",
	  CALL(1, 3) CALL(2, 18446744073709551611),
	  ADD("_s", -2) ADD("_m", -5) ADD("_v", -5) ADD("_n", 2)
	  ADD("_c_total", 1.84467440737096e+19) },
	{ "k:vfs_read{@h=hist(arg0)}", CALL(1, 18446744073709551611) CALL(2, 0),
	  ADD("_h_bucket{le=\"1.0\"}", 2) },
	/* memory of the script, values that are emptied, texts, stacks, bounds: left out */
	{ "k:vfs_read{@t[tid]=nsecs;@r=count();@u=arg0;delete(@t[tid]);@w=@u;@m=max(arg0);@x=comm;"
	  "@k[kstack]=count();@l=lhist(arg0,0,9,1);clear(@m)}",
	  "1 0 7 p:vfs_read a2=3 kernel_stack=0xa\n",
	  ADD("_r_total", 1) ADD("_w", 3) },
	/* labels: of plain names only, the same in all statements, once */
	{ "k:vfs_read{$x=arg0;@a[arg0+1,comm,comm]=count();"
	  "@b[$x,str(arg0),(uint8)arg0,func]=count();"
	  "if(arg0==1){@c[comm]=count()}else{@c[str(arg1)]=count()}}", "1 0 7 p:vfs_read a0=3\n",
	  ADD("_a_total{key0=\"4\",comm=\"cat\",key2=\"cat\"}", 1)
	  ADD("_b_total{x=\"3\",key2=\"3\",func=\"vfs_read\"}", 1)
	  ADD("_c_total", 1) },
	/* two maps whose metrics would have one name: the first one stays */
	{ "k:vfs_read{@A=count();@a=count();@b_ns=sum((uint64)arg0);@b_us=sum((uint64)arg0)}",
	  CALL(1, 3), ADD("_a_total", 1) ADD("_b_seconds_total", 3e-09) },
	/* sonde's own events count, too; printing counts nothing */
	{ "BEGIN{@b=count();@b=count();printf(\"x\")}k:vfs_read{@b=count();print(@b)}", HIT(1),
	  ADD("_b_total", 3) },
	/* a map that the script reads keeps what it has */
	{ "k:vfs_read{@b=count()}END{@seen=(uint64)@b}", HIT(1) HIT(2),
	  ADD("_b_total", 2) ADD("_seen", 2) },
};

static const char *const refused[] = {
	"k:vfs_read{printf(\"%d\",arg0)}", "k:vfs_read{@[kstack]=count()}",
	"k:vfs_read{@=nsecs;print(@)}END{$x=@;}",
};

/* Samples without those of buckets in which there is nothing more. */
static void shorten(const char *page, struct strbuf *to)
{
	const char *bucket, *count, *before = NULL;
	size_t n, length = 0;

	for (; *page; page += n + 1) {
		n = strcspn(page, "\n");
		if (*page == '#')
			continue;
		count = memrchr(page, ' ', n);
		bucket = memmem(page, n, "_bucket{", 8);
		if (!bucket)
			before = NULL;
		else if (before ? length == (size_t)(page + n - count) &&
			 !memcmp(before, count, length) : !strncmp(count, " 0\n", 3)) {
			continue;
		}
		if (bucket)
			before = count;
		length = (size_t)(page + n - count);
		strbuf_add(to, page, n + 1);
	}
}

static int export(const char *script, const char *records, struct metrics *to, struct error *err)
{
	struct trial *t = calloc(1, sizeof(*t));
	char command[1024];
	struct strbuf text = { };
	int result;

	snprintf(command, sizeof(command), "bt -e %s", script);
	strbuf_addf(&text, "task 7 5 cat\n%s", records);
	result = trial_start(t, command, trial_kernel("6.1"));
	ck_assert_msg(!result, "%s", t->err.text);
	t->run.metrics = to;
	result = trial_replay(t, text.s, &metrics_format);
	if (!result)
		result = t->run.tool->metrics(&t->run, &t->err);
	*err = t->err;
	trial_end(t);
	free(text.s);
	free(t);
	return result;
}

START_TEST(maps)
{
	struct metrics *m = calloc(1, sizeof(*m));
	struct strbuf page = { }, got = { };
	struct error err;

	ck_assert_msg(!export(rows[_i].script, rows[_i].records, m, &err), "%s: %s",
		      rows[_i].script, err.text);
	ck_assert(!m->differs && !m->failed);
	metrics_page(m, METRICS_TEXT, &page);
	shorten(page.s ? page.s : "", &got);
	ck_assert_str_eq(got.s ? got.s : "", rows[_i].page);
	free(page.s);
	free(got.s);
	metrics_free(m);
	free(m);
}
END_TEST

START_TEST(nothing)
{
	struct metrics *m = calloc(1, sizeof(*m));
	struct error err;

	ck_assert_int_eq(export(refused[_i], CALL(1, 3), m, &err), -1);
	ck_assert_msg(strstr(err.text, "no map of the script is a metric") != NULL, "%s", err.text);
	metrics_free(m);
	free(m);
}
END_TEST

/* A gauge of an entry that came early stays: later entries have none, wherever they are sorted. */
START_TEST(many_gauges)
{
	struct metrics *m = calloc(1, sizeof(*m));
	struct strbuf records = { };
	const struct metric_series *s;
	const struct metric_family *f;
	double sum = 0;
	struct error err;

	for (unsigned int i = 0; i < 2 * METRICS_SERIES; i++)
		strbuf_addf(&records, "%u 0 7 p:vfs_read a0=%u\n", i + 1, i);
	ck_assert_int_eq(export("k:vfs_read{@[arg0]=max(arg0);@c[arg0]=count()}", records.s, m,
				&err), 0);
	f = m->families[0];
	ck_assert_uint_eq(f->series.index.n, METRICS_SERIES);
	f = m->families[1];
	ck_assert_uint_eq(f->series.index.n, METRICS_SERIES + 1);
	for (uint32_t at = 0; (s = hash_next(&f->series, &at));)
		sum += s->value;
	ck_assert(sum == 2 * METRICS_SERIES);
	free(records.s);
	metrics_free(m);
	free(m);
}
END_TEST

Suite *suite_bt_exports(void)
{
	Suite *s = suite_create("bt_exports");

	add_tests(s, "maps", maps, COUNT_OF(rows));
	add_tests(s, "nothing", nothing, COUNT_OF(refused));
	add_tests(s, "many gauges", many_gauges, 1);
	return s;
}
