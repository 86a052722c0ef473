// SPDX-License-Identifier: GPL-2.0
/* Tables of metrics: their texts to the byte, the way between two processes, and their limits. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/lib/metrics/metric_names.h"
#include "src/lib/metrics/metrics_page.h"
#include "src/lib/metrics/metrics_wire.h"
#include "src/run/tool.h"
#include "tests/unit/unit.h"

Suite *suite_metrics(void);

static const struct metric_about calls = {
	.name = "sonde_syscount_calls", .unit = "", .help = "calls that\nreturned \"\\\"",
	.type = METRIC_COUNTER, .scale = 1, .n_labels = 2, .labels = { "syscall", "state" },
}, busy = {
	.name = "sonde_busy_seconds", .unit = "seconds", .help = "time", .type = METRIC_COUNTER,
	.scale = 1e-6,
}, up = {
	.name = "sonde_tool_up", .unit = "", .help = "up", .type = METRIC_GAUGE, .scale = 1,
}, sizes = {
	.name = "sonde_size_bytes", .unit = "bytes", .help = "sizes", .type = METRIC_HISTOGRAM,
	.scale = 1048576, .sums = true, .n_labels = 1, .labels = { "disk" },
};

/* Adds to a series with these values of labels, of which each ends with a NUL. */
static struct metric_series *add(struct metrics *m, const struct metric_about *about,
				 const char *values, double value)
{
	struct metric_family *f = metrics_family(m, about);
	struct metric_labels l;
	struct metric_series *s;

	l.n = 0;
	for (unsigned int i = 0; i < about->n_labels; i++) {
		metric_label(&l, values, strlen(values));
		values += strlen(values) + 1;
	}
	s = metric_series(f, &l, 1);
	ck_assert_ptr_nonnull(s);
	s->value += value;
	if (s->buckets)
		s->buckets[metric_bucket(value)]++;
	return s;
}

static void fill(struct metrics *m)
{
	add(m, &calls, "read\0R", 3);
	add(m, &calls, "open\"\n\\\0", 1e15);
	add(m, &calls, "read\0R", 4);
	add(m, &busy, "", 1500000);
	add(m, &busy, "", 1);
	add(m, &up, "", 0);
	add(m, &sizes, "vda", 0);
	add(m, &sizes, "vda", 3);
	add(m, &sizes, "vda", 4000);
}

#define BUCKETS \
	"sonde_size_bytes_bucket{disk=\"vda\",le=\"1048576.0\"} 1\n" \
	"sonde_size_bytes_bucket{disk=\"vda\",le=\"2097152.0\"} 1\n" \
	"sonde_size_bytes_bucket{disk=\"vda\",le=\"4194304.0\"} 2\n" \
	"sonde_size_bytes_bucket{disk=\"vda\",le=\"8388608.0\"} 2\n" \
	"sonde_size_bytes_bucket{disk=\"vda\",le=\"16777216.0\"} 2\n" \
	"sonde_size_bytes_bucket{disk=\"vda\",le=\"33554432.0\"} 2\n" \
	"sonde_size_bytes_bucket{disk=\"vda\",le=\"67108864.0\"} 2\n" \
	"sonde_size_bytes_bucket{disk=\"vda\",le=\"134217728.0\"} 2\n" \
	"sonde_size_bytes_bucket{disk=\"vda\",le=\"268435456.0\"} 2\n" \
	"sonde_size_bytes_bucket{disk=\"vda\",le=\"536870912.0\"} 2\n" \
	"sonde_size_bytes_bucket{disk=\"vda\",le=\"1073741824.0\"} 2\n" \
	"sonde_size_bytes_bucket{disk=\"vda\",le=\"+Inf\"} 3\n" \
	"sonde_size_bytes_sum{disk=\"vda\"} 4197449728\n" \
	"sonde_size_bytes_count{disk=\"vda\"} 3\n"

static const char *const texts[] = {
	[METRICS_TEXT] =
	"# TYPE sonde_syscount_calls_total counter\n"
	"# HELP sonde_syscount_calls_total calls that\\nreturned \"\\\\\"\n"
	"sonde_syscount_calls_total{syscall=\"read\",state=\"R\"} 7\n"
	"sonde_syscount_calls_total{syscall=\"open\\\"\\\\n\\\\\\\\\"} 1000000000000000\n"
	"# TYPE sonde_busy_seconds_total counter\n"
	"# HELP sonde_busy_seconds_total time\n"
	"sonde_busy_seconds_total 1.500001\n"
	"# TYPE sonde_tool_up gauge\n# HELP sonde_tool_up up\nsonde_tool_up 0\n"
	"# TYPE sonde_size_bytes histogram\n# HELP sonde_size_bytes sizes\n" BUCKETS,
	[METRICS_OPEN] =
	"# TYPE sonde_syscount_calls counter\n"
	"# HELP sonde_syscount_calls calls that\\nreturned \\\"\\\\\\\"\n"
	"sonde_syscount_calls_total{syscall=\"read\",state=\"R\"} 7\n"
	"sonde_syscount_calls_total{syscall=\"open\\\"\\\\n\\\\\\\\\"} 1000000000000000\n"
	"# TYPE sonde_busy_seconds counter\n# UNIT sonde_busy_seconds seconds\n"
	"# HELP sonde_busy_seconds time\n"
	"sonde_busy_seconds_total 1.500001\n"
	"# TYPE sonde_tool_up gauge\n# HELP sonde_tool_up up\nsonde_tool_up 0\n"
	"# TYPE sonde_size_bytes histogram\n# UNIT sonde_size_bytes bytes\n"
	"# HELP sonde_size_bytes sizes\n" BUCKETS
	"# EOF\n",
};

static void shows(struct metrics *m, enum metrics_form form, const char *text)
{
	struct strbuf page = { };

	metrics_page(m, form, &page);
	ck_assert_str_eq(page.s ? page.s : "", text);
	free(page.s);
}

START_TEST(as_text)
{
	struct metrics m = { };

	fill(&m);
	shows(&m, (enum metrics_form)_i, texts[_i]);
	metrics_free(&m);
}
END_TEST

/* What arrives twice counts twice; what was sent is sent once. */
START_TEST(between_processes)
{
	struct metrics from = { }, to = { };
	struct metrics_receiver *receiver = calloc(1, sizeof(*receiver));
	struct metrics_sender sender = { };
	uint8_t message[METRICS_MESSAGE];
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	sender.to = pair[0];
	fill(&from);
	for (unsigned int i = 0; i < 2; i++) {
		ck_assert_int_eq(metrics_send(&from, &sender), 0);
		for (ssize_t n; (n = recv(pair[1], message, sizeof(message), MSG_DONTWAIT)) > 0;)
			ck_assert_int_eq(metrics_receive(&to, receiver, message, (size_t)n, 1), 0);
	}
	shows(&from, METRICS_TEXT, "");
	shows(&to, METRICS_TEXT, texts[METRICS_TEXT]);
	/* an exporter that begins anew is told what the families are */
	metrics_free(&to);
	*receiver = (struct metrics_receiver){ };
	metrics_receiver_begin(&pair[1], 1);
	fill(&from);
	ck_assert_int_eq(metrics_send(&from, &sender), 0);
	for (ssize_t n; (n = recv(pair[1], message, sizeof(message), MSG_DONTWAIT)) > 0;)
		ck_assert_int_eq(metrics_receive(&to, receiver, message, (size_t)n, 1), 0);
	shows(&to, METRICS_TEXT, texts[METRICS_TEXT]);
	close(pair[1]);
	add(&from, &up, "", 1);
	ck_assert_int_eq(metrics_send(&from, &sender), -1);
	close(pair[0]);
	metrics_free(&from);
	metrics_free(&to);
	free(receiver);
}
END_TEST

/* Takes all that has come from a sender. */
static void take(struct metrics *to, struct metrics_receiver *from, int socket)
{
	uint8_t message[METRICS_MESSAGE];

	for (ssize_t n; (n = recv(socket, message, sizeof(message), MSG_DONTWAIT)) > 0;)
		ck_assert_int_eq(metrics_receive(to, from, message, (size_t)n, 1), 0);
}

/* Of two tools one goes for good: its own families go with it, and its series of those of both. */
START_TEST(leaves)
{
	static const struct metric_about events = {
		.name = "sonde_events", .unit = "", .help = "events", .scale = 1, .n_labels = 1,
		.labels = { "tool" },
	}, limited = {
		.name = "sonde_series_limited", .unit = "", .help = "limited", .scale = 1,
		.n_labels = 1, .labels = { "family" },
	};
	struct metrics from[2] = { }, to = { };
	struct metrics_receiver *receivers = calloc(2, sizeof(*receivers));
	struct metrics_sender sender[2] = { };
	int pair[2][2];

	for (unsigned int i = 0; i < 2; i++) {
		ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair[i]), 0);
		sender[i].to = pair[i][0];
		receivers[i].user = 1ULL << (i ? 63 : 0);
		add(&from[i], i ? &sizes : &busy, i ? "sda" : "", 1);
		add(&from[i], &events, i ? "biolatency" : "syscount", 3);
		ck_assert_int_eq(metrics_send(&from[i], &sender[i]), 0);
		take(&to, &receivers[i], pair[i][1]);
	}
	add(&to, &limited, "sonde_size_bytes", 7);
	add(&to, &limited, "sonde_busy_seconds", 8);
	ck_assert(metrics_send_leave(sender[1].to, "biolatency"));
	take(&to, &receivers[1], pair[1][1]);
	shows(&to, METRICS_TEXT,
	      "# TYPE sonde_busy_seconds_total counter\n# HELP sonde_busy_seconds_total time\n"
	      "sonde_busy_seconds_total 1e-06\n"
	      "# TYPE sonde_events_total counter\n# HELP sonde_events_total events\n"
	      "sonde_events_total{tool=\"syscount\"} 3\n"
	      "# TYPE sonde_series_limited_total counter\n"
	      "# HELP sonde_series_limited_total limited\n"
	      "sonde_series_limited_total{family=\"sonde_busy_seconds\"} 8\n");
	/* another tool at that socket begins with other families */
	metrics_free(&from[1]);
	sender[1].told = 0;
	add(&from[1], &calls, "read\0", 5);
	ck_assert_int_eq(metrics_send(&from[1], &sender[1]), 0);
	take(&to, &receivers[1], pair[1][1]);
	ck_assert(metrics_send_leave(sender[0].to, "syscount"));
	take(&to, &receivers[0], pair[0][1]);
	ck_assert_uint_eq(to.n, 2);
	ck_assert_str_eq(to.families[0]->about.name, "sonde_series_limited");
	ck_assert_uint_eq(to.families[0]->series.index.n, 0);
	ck_assert_str_eq(to.families[1]->about.name, "sonde_syscount_calls");
	for (unsigned int i = 0; i < 2; i++) {
		close(pair[i][0]);
		close(pair[i][1]);
		metrics_free(&from[i]);
	}
	metrics_free(&to);
	free(receivers);
}
END_TEST

/* An exporter that does not read: nothing is lost, and all comes when it reads again. */
START_TEST(full_socket)
{
	struct metrics from = { }, to = { };
	struct metrics_receiver *receiver = calloc(1, sizeof(*receiver));
	struct metrics_sender sender = { };
	uint8_t message[METRICS_MESSAGE];
	const struct metric_series *s;
	double sum = 0;
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	sender.to = pair[0];
	for (unsigned int i = 0; i < 3000; i++) {
		char disk[16];

		snprintf(disk, sizeof(disk), "d%u", i % 400);
		add(&from, &sizes, disk, 1);
		if (i % 400 == 399)
			ck_assert_int_eq(metrics_send(&from, &sender), 0);
	}
	for (unsigned int i = 0; i < 3; i++) {
		for (ssize_t n; (n = recv(pair[1], message, sizeof(message), MSG_DONTWAIT)) > 0;)
			ck_assert_int_eq(metrics_receive(&to, receiver, message, (size_t)n, 1), 0);
		ck_assert_int_eq(metrics_send(&from, &sender), 0);
	}
	for (uint32_t at = 0; (s = hash_next(&to.families[0]->series, &at));)
		sum += s->value;
	ck_assert(sum == 3000);
	close(pair[0]);
	close(pair[1]);
	metrics_free(&from);
	metrics_free(&to);
	free(receiver);
}
END_TEST

/* A message that is cut, or of which a byte is another one, does no harm. */
START_TEST(damaged)
{
	struct metrics from = { };
	struct metrics_sender sender = { };
	uint8_t message[METRICS_MESSAGE];
	ssize_t n;
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	sender.to = pair[0];
	fill(&from);
	ck_assert_int_eq(metrics_send(&from, &sender), 0);
	/* families and series are two messages: here they are one behind the other */
	n = recv(pair[1], message, sizeof(message), 0);
	n += recv(pair[1], message + n, sizeof(message) - (size_t)n, 0);
	for (ssize_t i = 0; i < n; i++) {
		struct metrics to = { };
		struct metrics_receiver *receiver = calloc(1, sizeof(*receiver));
		uint8_t *copy = malloc((size_t)n);

		memcpy(copy, message, (size_t)n);
		metrics_receive(&to, receiver, copy, (size_t)i, 1);
		for (unsigned int bit = 0; bit < 8; bit++) {
			copy[i] = (uint8_t)(message[i] ^ 1U << bit);
			metrics_receive(&to, receiver, copy, (size_t)n, 1);
		}
		metrics_free(&to);
		free(receiver);
		free(copy);
	}
	close(pair[0]);
	close(pair[1]);
	metrics_free(&from);
}
END_TEST

/* Values of labels without an end: one series has them all, and no value is lost. */
START_TEST(limit)
{
	struct metrics m = { };
	struct metric_family *f = metrics_family(&m, &sizes);
	const struct metric_series *s;
	double sum = 0, others = 0;

	for (unsigned int i = 0; i < 2 * METRICS_SERIES; i++) {
		char disk[16];

		snprintf(disk, sizeof(disk), "d%u", i);
		add(&m, &sizes, disk, 1);
	}
	for (uint32_t at = 0; (s = hash_next(&f->series, &at));) {
		sum += s->value;
		if (!strcmp(metric_value_of(f, s, 0), METRICS_OTHERS))
			others = s->value;
	}
	ck_assert_uint_eq(f->series.index.n, METRICS_SERIES + 1);
	ck_assert_uint_eq(f->others, METRICS_SERIES);
	ck_assert(sum == 2 * METRICS_SERIES && others == METRICS_SERIES);
	metrics_free(&m);
}
END_TEST

/* Of gauges no series has the value of another one. */
START_TEST(limit_of_gauges)
{
	struct metric_about about = up;
	struct metrics m = { };
	struct metric_family *f;
	const struct metric_series *s;

	about.n_labels = 1;
	about.labels[0] = "key0";
	f = metrics_family(&m, &about);
	for (unsigned int i = 0; i < METRICS_SERIES + 3; i++) {
		struct metric_labels l;
		char key[16];

		l.n = 0;
		metric_label(&l, key, (size_t)snprintf(key, sizeof(key), "k%u", i));
		ck_assert_int_eq(metric_series(f, &l, 1) != NULL, i < METRICS_SERIES);
	}
	for (uint32_t at = 0; (s = hash_next(&f->series, &at));)
		ck_assert_str_ne(metric_value_of(f, s, 0), METRICS_OTHERS);
	ck_assert_uint_eq(f->series.index.n, METRICS_SERIES);
	ck_assert_uint_eq(f->others, 3);
	metrics_free(&m);
}
END_TEST

/* Series of what comes and goes are dropped; others stay. */
START_TEST(passing)
{
	static const struct metric_about passes = {
		.name = "a", .unit = "", .help = "", .scale = 1, .n_labels = 1,
		.labels = { "container" }, .passing = true,
	};
	struct metrics m = { };

	add(&m, &passes, "old", 1)->seen = 10;
	add(&m, &passes, "new", 1)->seen = 20;
	add(&m, &busy, "", 1)->seen = 10;
	metrics_drop(&m, 20);
	shows(&m, METRICS_TEXT,
	      "# TYPE a_total counter\n# HELP a_total \na_total{container=\"new\"} 1\n"
	      "# TYPE sonde_busy_seconds_total counter\n# HELP sonde_busy_seconds_total time\n"
	      "sonde_busy_seconds_total 1e-06\n");
	metrics_free(&m);
}
END_TEST

/* Two of a name that can't be added up: told, and not mixed. */
START_TEST(differing)
{
	struct metric_about other = busy;
	struct metrics m = { };

	ck_assert_ptr_nonnull(metrics_family(&m, &busy));
	other.n_labels = 1;
	other.labels[0] = "disk";
	ck_assert_ptr_null(metrics_family(&m, &other));
	ck_assert(m.differs && !m.failed);
	metrics_free(&m);
}
END_TEST

static const struct {
	const char *value;
	size_t n;			/* 0: up to its NUL */
	const char *label;
} values[] = {
	{ "sda", 0, "sda" }, { "", 0, "" }, { "a\tb\033[m", 0, "a\\tb\\x1b[m" },
	{ "a\0b", 3, "a\\x00b" }, { "\xff\xfe", 0, "\\xff\\xfe" },
	{ "\xc3\xa9t\xc3\xa9", 0, "\xc3\xa9t\xc3\xa9" },
	{ "\\", 0, "\\\\" },
};

START_TEST(hostile_values)
{
	struct metric_labels l;

	l.n = 0;
	metric_label(&l, values[_i].value,
		     values[_i].n ? values[_i].n : strlen(values[_i].value));
	ck_assert_str_eq(l.key, values[_i].label);
	ck_assert_uint_eq(l.n, strlen(l.key) + 1);
}
END_TEST

/* The longest: all labels have as many bytes as they may, and characters are whole. */
START_TEST(long_values)
{
	static const char e[] = "x\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9";
	char value[1000], control[1000];
	struct metric_labels l;

	for (size_t i = 0; i < sizeof(value); i++)
		value[i] = e[i % (sizeof(e) - 1)];
	memset(control, 1, sizeof(control));
	l.n = 0;
	for (unsigned int i = 0; i < METRIC_LABELS; i++) {
		metric_label(&l, i % 2 ? control : value, sizeof(value));
		ck_assert_uint_le(l.n, (i + 1) * (METRIC_VALUE + 1));
	}
	ck_assert_uint_ge(strlen(l.key), METRIC_VALUE - 1);
	ck_assert_int_ne(l.key[strlen(l.key) - 1] & 0xc0, 0xc0);
}
END_TEST

static const struct {
	const char *tool, *what, *unit, *name;
} names[] = {
	{ "biosnoop", "lat_ms", "seconds", "sonde_biosnoop_lat_seconds" },
	{ "biolatency", "latency", "seconds", "sonde_biolatency_seconds" },
	{ "syscount", "count", "", "sonde_syscount" },
	{ "syscount", "total_us", "seconds", "sonde_syscount_seconds" },
	{ "biotop", "kbytes", "bytes", "sonde_biotop_bytes" },
	{ "tcptop", "rx_bytes", "bytes", "sonde_tcptop_rx_bytes" },
	{ "cachestat", "hits", "pages", "sonde_cachestat_hits_pages" },
	{ "vfsstat", "reads", "", "sonde_vfsstat_reads" },
	{ "dcstat", "bytes", "bytes", "sonde_dcstat_bytes" },
	{ "x", "A-b/C", "", "sonde_x_a_b_c" },
};

START_TEST(named)
{
	const struct metric_unit unit = { names[_i].unit, 1 };
	char name[128];

	metric_name(names[_i].tool, names[_i].what, &unit, name, sizeof(name));
	ck_assert_str_eq(name, names[_i].name);
}
END_TEST

/* A bucket counts what is up to its bound: 2^i. */
START_TEST(buckets)
{
	static const struct {
		double value;
		unsigned int bucket;
	} rows[] = {
		{ 0, 0 }, { 0.5, 0 }, { 1, 0 }, { 1.9, 1 }, { 2, 1 }, { 3, 2 }, { 4, 2 },
		{ 1023, 10 }, { 1024, 10 }, { 1024.5, 11 }, { 1e300, METRIC_BUCKETS - 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_uint_eq(metric_bucket(rows[i].value), rows[i].bucket);
}
END_TEST

/* A number of a base unit is the one nearest to what people write. */
START_TEST(scaled)
{
	static const struct {
		double scale, value, is;
	} rows[] = {
		{ 1e-9, 1024, 1.024e-6 }, { 1e-9, 1LL << 37, 137.438953472 }, { 1e-6, 3, 3e-6 },
		{ 1e-6, 8, 8e-6 }, { 1e-3, 7, 0.007 }, { 1, 5, 5 }, { 512, 3, 1536 },
		{ 0.512, 10, 5.12 }, { 0.75, 4, 3 }, { 1e-300, 1e300, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct metric_about a = { .scale = rows[i].scale };

		ck_assert_msg(metric_scaled(&a, rows[i].value) == rows[i].is,
			      "%.17g * %.17g is %.17g", rows[i].scale, rows[i].value,
			      metric_scaled(&a, rows[i].value));
	}
}
END_TEST

/* Bytes as text: "0a 03 ...". */
static void in_hex(const char *bytes, size_t n, struct strbuf *to)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addf(to, "%s%02x", i ? " " : "", (uint8_t)bytes[i]);
}

#define HEX_NAME "0a 03 61 5f 62 12 01 68 18 04"	/* a_b, help h, histogram */
#define HEX_REAL(TOP, NEXT) " 00 00 00 00 00 00 " NEXT " " TOP
#define HEX_BUCKET(N, TOP, NEXT) " 1a 0b 08 " N " 11" HEX_REAL(TOP, NEXT)

/* Each byte of a histogram, native and not. */
START_TEST(protobuf_bytes)
{
	struct metric_about a = {
		.name = "a_b", .unit = "", .help = "h", .type = METRIC_HISTOGRAM, .scale = 1 << 20,
		.sums = true,
	};
	struct metrics m = { };
	struct strbuf page = { }, hex = { };

	add(&m, &a, "", 0);
	add(&m, &a, "", 1);
	add(&m, &a, "", 3);
	add(&m, &a, "", 4);
	add(&m, &a, "", 9);
	metrics_page(&m, METRICS_PROTOBUF, &page);
	in_hex(page.s, page.n, &hex);
	ck_assert_str_eq(hex.s,
			 "4b " HEX_NAME " 22 3f 3a 3d 08 05 11" HEX_REAL("41", "71")
			 HEX_BUCKET("02", "41", "30") " 1a 0b 08 05 11" HEX_REAL("7f", "f0")
			 " 28 00 31" HEX_REAL("41", "30") " 38 02 62 04 08 2c 10 03"
			 /* 2 up to 4, none up to 8, 1 up to 16 */
			 " 6a 03 04 03 02");
	free(page.s);
	free(hex.s);
	metrics_free(&m);
}
END_TEST

/* Adds a word to a sorted text of words, unless it is there. */
static void add_sorted(char *words, size_t size, const char *word)
{
	const size_t n = strlen(words), length = strlen(word);
	char *at = words;

	while (*at) {
		const size_t other = strcspn(at, " ");
		const int order = strncmp(at, word, other);

		if (!order && other == length)
			return;
		if (order > 0 || (!order && other > length))
			break;
		at += other + 1;
	}
	ck_assert_uint_lt(n + length + 2, size);
	memmove(at + length + 1, at, strlen(at) + 1);
	memcpy(at, word, length);
	at[length] = ' ';
}

/* All columns of all tools that are labels without being asked for: each was thought about. */
START_TEST(labels_of_tools)
{
	char found[4096] = "";

	for (const struct tool *const *t = tools; *t; t++)
		for (const struct column *c = (*t)->columns; c && c->head; c++)
			if ((column_role(c) == IS_IDENTITY || column_role(c) == IS_LABEL) &&
			    !(*t)->list && metric_label_wanted(c->name, NULL))
				add_sorted(found, sizeof(found), c->name);
	ck_assert_str_eq(found,
			 "cache call cap cgroup device direction disk errno error flags fs func "
			 "function hardirq kind newstate oldstate proto reason signal softirq "
			 "spec state syscall type ");
}
END_TEST

/* All quantities of all tools whose values are not added up. */
START_TEST(levels_of_tools)
{
	char found[4096] = "", name[128];
	struct metric_unit unit;

	for (const struct tool *const *t = tools; *t; t++)
		for (const struct column *c = (*t)->columns; c && c->head; c++) {
			if ((*t)->list || !*c->name || column_adds(c) ||
			    !(column_role(c) == IS_COUNT ||
			      metric_unit_of(column_unit(c), &unit)))
				continue;
			snprintf(name, sizeof(name), "%s.%s", (*t)->name, c->name);
			add_sorted(found, sizeof(found), name);
		}
	ck_assert_str_eq(found,
			 "bindsnoop.backlog biosnoop.sector biotop.avg_ms btrfsslower.offset "
			 "cachestat.buffers_mb cachestat.cached_mb compactsnoop.free_pages "
			 "compactsnoop.high_pages compactsnoop.low_pages compactsnoop.min_pages "
			 "ext4slower.offset f2fsslower.offset fsslower.offset futexctn.avg_us "
			 "futexctn.max_us kvmexit.avg_us kvmexit.max_us lockstat.avg_us "
			 "lockstat.max_us nettop.avg_size nfsslower.offset oomkill.pages "
			 "schedlat.avg_ms schedlat.max_ms slabratetop.size systrace.avg_ms "
			 "systrace.max_ms systrace.min_ms wqlat.run_avg_us wqlat.run_max_us "
			 "wqlat.wait_avg_us wqlat.wait_max_us xfsslower.offset zfsslower.offset ");
}
END_TEST

Suite *suite_metrics(void)
{
	Suite *s = suite_create("metrics");
	TCase *t = tcase_create("metrics");

	tcase_add_loop_test(t, as_text, 0, 2);
	tcase_add_test(t, between_processes);
	tcase_add_test(t, leaves);
	tcase_add_test(t, full_socket);
	tcase_add_test(t, damaged);
	tcase_add_test(t, limit);
	tcase_add_test(t, limit_of_gauges);
	tcase_add_test(t, passing);
	tcase_add_test(t, differing);
	tcase_add_loop_test(t, hostile_values, 0, sizeof(values) / sizeof(values[0]));
	tcase_add_test(t, long_values);
	tcase_add_loop_test(t, named, 0, sizeof(names) / sizeof(names[0]));
	tcase_add_test(t, buckets);
	tcase_add_test(t, scaled);
	tcase_add_test(t, protobuf_bytes);
	tcase_add_test(t, labels_of_tools);
	tcase_add_test(t, levels_of_tools);
	suite_add_tcase(s, t);
	return s;
}
