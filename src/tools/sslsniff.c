// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/sslsniff.h"

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/binaries/binaries.h"
#include "src/run/tools.h"

#define PENDING	64

/* A call of which some pieces of the text have come. */
struct pending {
	uint64_t pid_tgid;	/* 0: free */
	uint32_t n;		/* bytes so far */
	char text[SSLSNIFF_MOST];
};

struct state {
	uint32_t most;		/* bytes of a text that are shown */
	struct pending pending[PENDING];
	unsigned int next;	/* gives way */
};

struct row {
	const struct sslsniff_record *record;
	struct text function, data;
	int64_t uid;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "FUNC", "func", COLUMN_TEXT, -12, AT(function), .span = SPAN_NAME,
	  .help = "READ/RECV, WRITE/SEND or HANDSHAKE" },
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -12, .field = "time", .digits = 6,
	  .help = "seconds since the first line" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of the task" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .help = "process id" },
	{ "UID", "uid", COLUMN_INTEGER, -7, AT(uid), .option = "extra", .help = "user id" },
	{ "TID", "tid", COLUMN_INTEGER, -7, .field = "tid", .option = "extra",
	  .help = "thread id" },
	{ "CALL", "call", COLUMN_TEXT, 0, .field = "call", .readers = FOR_MACHINES,
	  .help = "the function, in JSON and CSV" },
	{ "LEN", "len", COLUMN_INTEGER, -6, .field = "bytes", .unit = IN_BYTES,
	  .help = "bytes of text, -: none, or not known" },
	{ "RET", "ret", COLUMN_INTEGER, -6, .field = "ret", .option = "failed",
	  .help = "result of the function" },
	{ "LAT(ms)", "lat_ms", COLUMN_REAL, 0, .field = "latency", .divisor = 1000000,
	  .span = SPAN_LENGTH, .digits = 3, .option = "times",
	  .help = "milliseconds that the call took" },
	{ "DATA", "data", COLUMN_TEXT, 0, AT(data), .option = "data", .readers = FOR_MACHINES,
	  .help = "the text, in JSON and CSV" },
	{ }
};

static const struct part parts[] = {
	{ &sslsniff_record_layout, AT(record), .pointer = true },
	{ }
};

/* Kinds of libraries. */
enum { OPENSSL, GNUTLS, NSS, KINDS };

/* What the functions below read of the options. */
struct sslsniff_options {
	bool hexdump, data, latency, max_buffer_size_given, without[KINDS];
	int64_t max_buffer_size;
	const char *extra_lib;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct sslsniff_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct sslsniff_options, MEMBER)

static const struct option options[] = {
	{ 0, "data", "show the text", OPTION_FLAG, TO(data) },
	{ 0, "hexdump", "show the text as hexadecimal numbers", OPTION_FLAG, TO(hexdump) },
	{ 0, "max-buffer-size", "bytes of a text that are shown", OPTION_NUMBER, "N", 1,
	  SSLSNIFF_MOST, SSLSNIFF_MOST, TO(max_buffer_size), GIVEN(max_buffer_size_given) },
	{ 0, "handshake", "also show handshakes", OPTION_FLAG },
	{ 0, "failed", "also show calls that fail, or have to wait; with RET", OPTION_FLAG },
	{ 'p', "pid" },
	{ 'u', "uid" },
	{ 'c', "name" },
	{ 'x', "extra", "show user and thread", OPTION_FLAG },
	{ 'l', "latency", "show the time that calls took, beside texts too", OPTION_FLAG,
	  TO(latency) },
	{ 'o', "no-openssl", "not OpenSSL", OPTION_FLAG, TO(without[OPENSSL]) },
	{ 'g', "no-gnutls", "not GnuTLS", OPTION_FLAG, TO(without[GNUTLS]) },
	{ 'n', "no-nss", "not NSS", OPTION_FLAG, TO(without[NSS]) },
	{ 0, "extra-lib", "also this file, which has a library's functions; repeatable",
	  OPTION_TEXT, "LIB:PATH,...", .joins = ',', TO(extra_lib) },
	{ }
};

static const struct example examples[] = {
	{ "sonde sslsniff", "bytes sent and received over TLS" },
	{ "sonde sslsniff --data -p 181", "the text of one process" },
	{ }
};

static const struct {
	const char *name, *library;
	const char *functions[7];
} kinds[KINDS] = {
	[OPENSSL] = { "openssl", "ssl", { "SSL_read", "SSL_write", "SSL_read_ex", "SSL_write_ex",
					  "SSL_do_handshake" } },
	[GNUTLS] = { "gnutls", "gnutls", { "gnutls_record_recv", "gnutls_record_send",
					   "gnutls_handshake" } },
	[NSS] = { "nss", "nspr", { "PR_Read", "PR_Write", "PR_Recv", "PR_Send" } },
};

/* One word of --extra-lib: a kind of library, a colon and a path. */
static int add_library(struct run *r, const char *word, size_t n, struct error *err)
{
	for (unsigned int i = 0; i < KINDS; i++) {
		size_t head = strlen(kinds[i].name);
		struct error why;
		char path[4096];

		if (n <= head || word[head] != ':' || memcmp(word, kinds[i].name, head))
			continue;
		if (n - head - 1 >= sizeof(path))
			break;
		text_all(path, sizeof(path), "%.*s", (int)(n - head - 1), word + head + 1);
		if (!kernel_binary(run_kernel(r), kinds[i].library, path, kinds[i].functions, &why))
			return 0;
		run_unfit(r);
		return fail_with(err, why.number, "sslsniff: %s", why.text);
	}
	return fail(err, "sslsniff: --extra-lib: `%.*s` names no library: it takes openssl:PATH, "
		    "gnutls:PATH or nss:PATH", (int)n, word);
}

/* Sets how many bytes of a text are shown. */
static int wanted_bytes(struct run *r, struct error *err)
{
	const struct sslsniff_options *o = run_asked(r);
	struct state *s = run_state(r);
	const bool loops = kernel_has(run_kernel(r), FEATURE_BPF_BACK);

	s->most = (uint32_t)o->max_buffer_size;
	if (!loops && s->most > SSLSNIFF_FEW) {
		if (o->max_buffer_size_given)
			return fail(err, "sslsniff: --max-buffer-size: this kernel's BPF programs "
				    "have no loops (since 5.3): ask for %u bytes or less",
				    SSLSNIFF_FEW);
		s->most = SSLSNIFF_FEW;
	}
	run_constant(r, "most", s->most);
	return 0;
}

static int prepare(struct run *r, struct error *err)
{
	const struct sslsniff_options *o = run_asked(r);
	const char *list = o->extra_lib;
	unsigned int off = 0;

	while (list && *list) {
		size_t n = strcspn(list, ",");

		if (add_library(r, list, n, err))
			return -1;
		list += n + (list[n] == ',');
	}
	for (unsigned int i = 0; i < KINDS; i++) {
		if (!o->without[i])
			continue;
		off++;
		if (run_binaries(r, kinds[i].library, "", NULL, err))
			return -1;
	}
	if (off == KINDS && !o->extra_lib)
		return fail(err, "sslsniff: --no-openssl, --no-gnutls and --no-nss leave nothing "
			    "to trace: leave out one of them");
	if (o->hexdump)
		run_constant(r, "data", 1);
	run_constant(r, "sizes", !o->data && !o->hexdump);
	run_constant(r, "times", o->latency || (!o->data && !o->hexdump));
	if (wanted_bytes(r, err))
		return -1;
	run_constant(r, "user_space", 1);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	(void)err;
	run_note(r, "programs with TLS of their own are not seen: Go, Rust, static copies of a "
		 "library (--extra-lib), TLS in the kernel");
	return 0;
}

static struct text function_of(uint32_t call)
{
	const char *name = call >= SSLSNIFF_HANDSHAKE ? "HANDSHAKE" :
			   call & 1 ? "WRITE/SEND" : "READ/RECV";

	return text_of(name, strlen(name));
}

static struct pending *pending_of(struct state *s, const struct sslsniff_record *rec)
{
	struct pending *p;

	for (unsigned int i = 0; i < PENDING; i++)
		if (s->pending[i].pid_tgid == rec->pid_tgid)
			return &s->pending[i];
	p = &s->pending[s->next++ % PENDING];
	*p = (struct pending){ .pid_tgid = rec->pid_tgid };
	return p;
}

/*
 * Adds a piece. Returns true if the text is complete, or ends here: a piece in between was lost, or
 * could not be read.
 */
static bool add_piece(struct pending *p, const struct sslsniff_record *rec, uint32_t most)
{
	uint32_t n = rec->length < 0 ? 0 : (uint32_t)rec->length;

	if (rec->from == 0)
		p->n = 0;
	if (rec->from != p->n || n > SSLSNIFF_PIECE || n > sizeof(p->text) - p->n)
		return true;
	memcpy(p->text + p->n, rec->data, n);
	p->n += n;
	return n < SSLSNIFF_PIECE || p->n >= most;
}

/*
 * Lines of a text, without the carriage returns at their ends. Rows never begin with blanks, so no
 * text looks like one.
 */
static void show_lines(struct output *o, const char *text, size_t n)
{
	char shown[2 + SSLSNIFF_MOST] = "  ";

	while (n) {
		const char *end = memchr(text, '\n', n);
		size_t line = end ? (size_t)(end - text) : n;
		bool returns = end && line && text[line - 1] == '\r';

		memcpy(shown + 2, text, line - returns);
		output_text(o, &(struct text){ .s = shown,
					       .length = (uint32_t)(line - returns) + 2 });
		text += line + (end != NULL);
		n -= line + (end != NULL);
	}
}

static void show_numbers(struct output *o, const uint8_t *text, size_t n)
{
	for (size_t at = 0; at < n; at += 16) {
		char room[16 * 3 + 1], letters[17] = "";
		struct strbuf numbers = strbuf_over(room, sizeof(room));

		for (size_t i = 0; i < 16 && at + i < n; i++) {
			uint8_t c = text[at + i];

			strbuf_addf(&numbers, "%02x ", c);
			letters[i] = c >= 0x20 && c < 0x7f ? (char)c : '.';
		}
		output_line(o, "  %04zx  %-48s %s", at, numbers.s, letters);
	}
}

static void show_text(struct run *r, const struct sslsniff_record *rec, const struct pending *p)
{
	const struct sslsniff_options *asked = run_asked(r);
	struct output *o = run_output(r);
	uint32_t all = rec->bytes > 0 ? (uint32_t)rec->bytes : 0;
	uint32_t lost = all > p->n ? all - p->n : 0;

	output_line(o, "----- DATA -----");
	if (asked->hexdump)
		show_numbers(o, (const uint8_t *)p->text, p->n);
	else
		show_lines(o, p->text, p->n);
	if (lost)
		output_line(o, "----- END DATA (TRUNCATED, %u bytes lost) -----", lost);
	else
		output_line(o, "----- END DATA -----");
}

static void called(struct run *r, const struct record *record)
{
	const struct sslsniff_record *rec = record->bytes;
	struct state *s = run_state(r);
	struct pending *p = NULL;
	struct row row;

	if (!run_wanted(r, rec))
		return;
	if (record->size >= sizeof(*rec)) {
		/* unknown: more than any number */
		uint32_t bytes = (uint32_t)rec->bytes;

		p = pending_of(s, rec);
		if (!add_piece(p, rec, bytes < s->most ? bytes : s->most))
			return;
	}
	row = (struct row){
		.record = rec,
		.function = function_of(rec->call),
		.uid = run_has_input(r, rec->call >= SSLSNIFF_HANDSHAKE ? "tls.shaken" :
				     p ? "tls.text" : "tls.return", "uid") ? rec->uid : NOTHING,
	};
	if (p)
		row.data = (struct text){ .s = p->text, .length = p->n,
					  .cut = rec->bytes > 0 && (uint32_t)rec->bytes > p->n };
	output_row(run_output(r), &row);
	if (p) {
		show_text(r, rec, p);
		p->pid_tgid = 0;
	}
}

/* support: bpf: full (4.6) | bpf: full (4.6) | perf, ftrace (3.14): [2] [11] [28] |
 *	    perf, ftrace (3.14): [2] [11] [28] */
TOOL(sslsniff, "network", "trace TLS: bytes sent and received, with --data the text",
	.shape = SHAPE_EVENTS,
	.programs = &sslsniff_programs,
	.options = options,
	.options_size = sizeof(struct sslsniff_options),
	.columns = columns,
	.parts = parts,
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.started = started,
	.record = called,
);
