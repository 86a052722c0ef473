// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_event SECONDS [SEED]: gives the texts of events records that are not what their formats say,
 * and what reads expressions some that no kernel has; libtraceevent's own parser is not for those.
 * Meant for a build with ASan and UBSan: whatever it finds ends the process. The same seed makes
 * the same.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/language/event_text/event_text.h"
#include "tests/fuzz/random.h"

#define SIZE 8192
#define RECORDS 40

#define FORMAT \
	"name: event\nID: 300\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" \
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n" \
	"\tfield:long state;\toffset:24;\tsize:8;\tsigned:1;\n" \
	"\tfield:int n;\toffset:32;\tsize:4;\tsigned:1;\n" \
	"\tfield:__data_loc char[] name;\toffset:36;\tsize:4;\tsigned:0;\n" \
	"\tfield:__data_loc u8[] buf;\toffset:40;\tsize:4;\tsigned:0;\n" \
	"\tfield:__rel_loc char[] rel;\toffset:44;\tsize:4;\tsigned:0;\n" \
	"\tfield:unsigned long args[4];\toffset:48;\tsize:32;\tsigned:0;\n" \
	"\tfield:__u8 a4[4];\toffset:80;\tsize:4;\tsigned:0;\n" \
	"\tfield:__u8 a16[16];\toffset:84;\tsize:16;\tsigned:0;\n" \
	"\tfield:__u8 mac[6];\toffset:100;\tsize:6;\tsigned:0;\n" \
	"\tfield:u16 port;\toffset:106;\tsize:2;\tsigned:0;\n" \
	"\tfield:__u8 sock[28];\toffset:108;\tsize:28;\tsigned:0;\n" \
	"\tfield:const char * text;\toffset:136;\tsize:8;\tsigned:0;\n" \
	"\tfield:__data_loc cpumask_t mask;\toffset:144;\tsize:4;\tsigned:0;\n" \
	"\nprint fmt: "

static const char *const prints[] = {
	"\"comm=%s state=%s%s\", REC->comm, (REC->state & ((1 << 8) - 1)) ? __print_flags("
	"REC->state & ((1 << 8) - 1), \"|\", { 0x1, \"S\" }, { 0x2, \"D\" }) : \"R\", "
	"REC->state & (1 << 8) ? \"+\" : \"\"",
	"\"%ld (%lx, %lx) %d\", REC->state, REC->args[0], REC->args[3], REC->n",
	"\"%s %s %s\", __get_str(name), __print_symbolic(REC->n, { 0, \"a\" }, { -1, \"b\" }), "
	"REC->text",
	"\"%s\", __print_hex(__get_dynamic_array(buf), __get_dynamic_array_len(buf))",
	"\"%s\", __print_hex(REC->a16, REC->n)",
	"\"%s\", __print_array(__get_dynamic_array(buf), REC->n, 4)",
	"\"%s\", __print_array(__get_dynamic_array(buf), __get_dynamic_array_len(buf) / 8, 8)",
	"\"%pI4 %pI6c %pM %pU %pISpc\", REC->a4, REC->a16, REC->mac, REC->a16, REC->sock",
	"\"%*ph %.*s\", REC->n, __get_dynamic_array(buf), REC->n, __get_str(name)",
	"\"%d %u %d\", REC->n / 3, REC->n % REC->port, REC->n / REC->port",
	"\"%pS %ps %p %px %d\", (void *)REC->state, (void *)REC->state, REC->text, REC->text, "
	"((u32 *)__get_dynamic_array(buf))[REC->n]",
	"\"%s %s %c\", __get_rel_str(rel), __get_bitmask(mask), REC->mac[0]",
	"\"%d\", (REC->n + 1) * (REC->port - 2) >> (REC->n & 3 | 4)",
};

struct fuzz {
	uint64_t state;
	char dir[64], text[2 * SIZE];
	uint64_t formats, damaged, printed, records;
};

static uint64_t below(struct fuzz *f, uint64_t n)
{
	return random_next(&f->state) % n;
}

/* A few tokens more, fewer, or others. */
static void damage(struct fuzz *f, char *print, size_t size)
{
	static const char *const parts[] = {
		"(", ")", ",", "REC->n", "REC->name", "REC->nothing", "%", "%s", "%d", "%p", "\"",
		"{", "}", "[", "]", "0", "-1", "1 <<", "&", "|", "/ 0", "* ", "? ", ":", "(u32)",
		"__get_str(", "__print_flags(", "__print_hex(", "__get_dynamic_array(", "%*", "\\",
		"REC->buf", "sizeof(", "->", "__print_array(", "\xff", " ", "==", "->args[9]",
	};

	for (uint64_t n = below(f, 6); n; n--) {
		const char *part = parts[below(f, sizeof(parts) / sizeof(parts[0]))];
		const size_t length = strlen(print), more = strlen(part);
		const size_t at = below(f, length + 1), cut = below(f, 2) ? below(f, 6) : 0;
		const size_t end = at + cut < length ? at + cut : length;

		if (length + more + 1 >= size)
			return;
		memmove(print + at + more, print + end, length - end + 1);
		memcpy(print + at, part, more);
	}
}

static void put(const struct fuzz *f, const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", f->dir, name);
	file = fopen(path, "we");
	if (!file || fputs(text, file) < 0 || fclose(file)) {
		perror(path);
		exit(1);
	}
}

static void records(struct fuzz *f, struct event_text *e)
{
	for (unsigned int i = 0; i < RECORDS; i++) {
		const size_t size = below(f, 4) ? 148 + below(f, 200) : below(f, 400);
		uint8_t *record = malloc(size + 1);	/* ASan knows where it ends */
		size_t length = 0;
		const char *text;

		for (size_t j = 0; j < size; j++)
			record[j] = below(f, 3) ? 0 : (uint8_t)below(f, 256);
		if (size > 148 && below(f, 8)) {
			record[0] = 300 & 0xff;
			record[1] = 300 >> 8;
			for (unsigned int at = 36; at <= 44; at += 4) {
				record[at] = (uint8_t)(at == 44 ? 100 : 148);
				record[at + 1] = 0;
				record[at + 2] = (uint8_t)below(f, size - 148);
				record[at + 3] = 0;
			}
			memset(record + 144, 0, 4);
		}
		text = event_text(e, record, size, &length);
		f->printed += length && text[0];
		f->records++;
		free(record);
	}
}

static void one(struct fuzz *f)
{
	char print[SIZE];
	struct event_texts *texts;
	struct event_text *e;
	struct kernel *k;

	snprintf(print, sizeof(print), "%s",
		 prints[below(f, sizeof(prints) / sizeof(prints[0]))]);
	if (below(f, 64)) {
		damage(f, print, sizeof(print));
		free(print_fmt_plain(print, 8, NULL));
		f->damaged++;
		return;
	}
	snprintf(f->text, sizeof(f->text), FORMAT "%s\n", print);
	put(f, "formats/s/event/format", f->text);
	k = kernel_snapshot(f->dir, NULL);
	texts = k ? event_texts_new(k, NULL, NULL) : NULL;
	e = texts ? event_text_find(texts, "s", "event") : NULL;
	if (e) {
		f->formats += !event_text_why_fields(e);
		records(f, e);
	}
	event_texts_free(texts);
	kernel_free(k);
}

int main(int argc, char **argv)
{
	struct fuzz f = { .state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1 };
	const uint64_t end = monotonic_ns() +
		(argc > 1 ? strtoull(argv[1], NULL, 0) : 10) * 1000000000ULL;
	static const char *const folders[] = { "formats", "formats/s", "formats/s/event" };
	char path[128];

	strcpy(f.dir, "/tmp/sonde-fuzz.XXXXXX");
	if (!mkdtemp(f.dir))
		return 1;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", f.dir, folders[i]);
		mkdir(path, 0700);
	}
	put(&f, "uname", "Linux box 6.1.0 #1 SMP x86_64 GNU/Linux\n");
	put(&f, "tracefs-path", "/sys/kernel/tracing\n");
	while (monotonic_ns() < end)
		one(&f);
	snprintf(path, sizeof(path), "rm -rf %s", f.dir);
	if (system(path))
		return 1;
	printf("%" PRIu64 " records, %" PRIu64 " with text; %" PRIu64 " formats could be printed; %"
	       PRIu64 " damaged ones\n", f.records, f.printed, f.formats, f.damaged);
	return f.printed && f.formats ? 0 : 1;
}
