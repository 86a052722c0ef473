// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_flame SECONDS [SEED]: gives the reader of folded stacks lines nobody would write, and looks
 * at the pictures: values add up, and nothing of a name is markup. Meant for a build with ASan and
 * UBSan: whatever it finds ends the process. The same seed makes the same lines.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compat/base/error.h"
#include "src/lib/flame/folded.h"
#include "src/lib/flame/tree.h"
#include "tests/fuzz/random.h"

#define SIZE 4096

struct fuzz {
	uint64_t state;
	char bytes[SIZE];
	size_t n;
	uint64_t files, stacks, broken;
};

static uint64_t next(struct fuzz *f)
{
	return random_next(&f->state);
}

static uint64_t below(struct fuzz *f, uint64_t n)
{
	return next(f) % n;
}

static void make(struct fuzz *f)
{
	static const char *const parts[] = {
		";", ";", ";", " ", "\n", "\n", "\n", " 1\n", " 2.5\n", " 18446744073709551615\n",
		" 9e9\n", "a", "b", "main", "_[k]", "_[j]", "_[w]", "[unknown]", "[x.so]", "<", ">",
		"&", "\"", "'", "]]>", "<script>", "</title>", "\x1b", "\xff", "\xc3\xa9",
		"\xe2\x80\xae", "\xf0\x9f\x98\x80", "\t", "\r", "\\", "(", " (", ".", "0",
	};
	uint64_t wanted = 1 + below(f, SIZE - 64);

	for (f->n = 0; f->n < wanted;) {
		const char *part = parts[below(f, sizeof(parts) / sizeof(parts[0]))];
		size_t length = strlen(part), copies = below(f, 64) ? 1 : 1 + below(f, 2000);

		if (!below(f, 16)) {
			f->bytes[f->n++] = (char)next(f);
			continue;
		}
		for (; copies && f->n + length < SIZE; copies--, f->n += length)
			memcpy(f->bytes + f->n, part, length);
		if (copies)
			break;
	}
}

/* Elements and entities are sonde's own, and there is one script. */
static void look_at(const char *s)
{
	static const char *const known[] = {
		"<svg ", "</svg>", "<title>", "</title>", "<style>", "</style>", "<path ", "<text ",
		"</text>", "<g>", "<g class=\"f", "</g>", "<rect ", "<script><![CDATA[",
		"&amp;", "&lt;", "&gt;", "&quot;",
	};
	static const char last[] = "]]></script>\n</svg>\n";
	const char *end = strstr(s, "<script>");
	size_t i;

	if (!end || strcmp(s + strlen(s) - strlen(last), last) || strstr(end + 1, "<script>"))
		abort();
	for (; s < end; s++) {
		if ((unsigned char)*s < 0x20 && *s != '\n')
			abort();
		if (*s != '<' && *s != '&')
			continue;
		for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (!strncmp(s, known[i], strlen(known[i])))
				break;
		if (i == sizeof(known) / sizeof(known[0]))
			abort();
	}
}

static void give(struct fuzz *f)
{
	static const char *const units[] = { "samples", "<us>", "\"&\x1b" };
	const struct folded_how how = { !below(f, 4), !below(f, 4) };
	struct flame_look look = {
		.title = f->bytes, .unit = units[below(f, 3)], .old = below(f, 2) ? f->bytes : NULL,
		.note = f->bytes, .width = 400 + (unsigned int)below(f, 1000),
		.narrowest = (double)below(f, 50) / 10, .narrowest_is_share = below(f, 2),
		.inverted = below(f, 2),
	};
	struct flame *flame = flame_new();
	struct folded_lines lines;
	uint64_t total = 0;
	char *s = NULL;
	size_t size;
	FILE *out;

	f->bytes[f->n] = '\0';
	for (enum flame_side side = 0; side < FLAME_SIDES; side++) {
		FILE *file = fmemopen(f->bytes, f->n, "r");

		folded_read(file, flame, side, &how, &lines, NULL);
		fclose(file);
		f->stacks += lines.stacks;
		f->broken += lines.broken;
		if (below(f, 2))
			make(f);
		f->bytes[f->n] = '\0';
	}
	out = open_memstream(&s, &size);
	if (flame_svg(out, flame, &look, NULL))
		exit(2);
	fclose(out);
	look_at(s);
	for (uint32_t i = 0; i < flame->n_nodes; i++)
		total += flame->nodes[i].self[FLAME_NEW];
	if (total != flame_total(flame, FLAME_NEW) || flame->nodes[0].total != total)
		abort();
	free(s);
	flame_free(flame);
	f->files++;
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
	static struct fuzz f;
	uint64_t seconds = argc > 1 ? strtoull(argv[1], NULL, 10) : 10,
		end = now_ms() + 1000 * seconds;

	f.state = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
	printf("fuzz_flame: seed %" PRIu64 "\n", f.state);
	while (now_ms() < end) {
		make(&f);
		give(&f);
	}
	printf("fuzz_flame: %" PRIu64 " files, %" PRIu64 " stacks, %" PRIu64 " broken lines\n",
	       f.files, f.stacks, f.broken);
	return 0;
}
