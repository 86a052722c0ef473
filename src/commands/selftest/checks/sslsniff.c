// SPDX-License-Identifier: GPL-2.0
/* sslsniff: one row for each call of our own library that moves bytes, with their number. */
#include <string.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/library.h"
#include "src/commands/selftest/selftest.h"

static const char *const functions[] = {
	"SSL_read", "SSL_write", "gnutls_record_recv", "gnutls_record_send", NULL
};

struct state {
	void *base;
};

static int prepare(struct work *w)
{
	struct state *s = w->state;
	char path[WORK_PATH], lib[8 + WORK_PATH];

	s->base = work_library(w, "libssl.so.3", functions, path);
	if (!s->base)
		return -1;
	text_all(lib, sizeof(lib), "openssl:%s", path);
	say_text(w, "lib", lib);
	return 0;
}

/* What the functions return. */
static void *nothing(const char *text)
{
	(void)text;
	return NULL;
}

static void *few(const char *text)
{
	(void)text;
	return (void *)5;
}

static void *many(const char *text)
{
	(void)text;
	return (void *)70000;
}

static void call(struct work *w, const struct state *s, unsigned int function,
		 void *(*inner)(const char *))
{
	const char *func = function & 1 ? "WRITE/SEND" : "READ/RECV";
	const char *name = functions[function];

	library_at(s->base, function)("", inner);
	if (inner == nothing || function > 1)
		return;
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "func", func, strlen(func));
	want_text(w, "call", name, strlen(name));
	want_integer(w, "len", inner == few ? 5 : 70000);
	want_end(w);
}

static int work(struct work *w)
{
	for (unsigned int i = 0; functions[i]; i++) {
		call(w, w->state, i, few);
		call(w, w->state, i, nothing);
		call(w, w->state, i, many);
	}
	return 0;
}

static const char *const options[] = { "--extra-lib", "%lib", "--pid", "%pid", NULL };
static const char *const foreign[] = { "--extra-lib", "%lib", "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work },
	{ }
};

SELFTEST(sslsniff, parts, .state_size = sizeof(struct state));
