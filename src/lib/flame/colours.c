// SPDX-License-Identifier: GPL-2.0
#include "src/lib/flame/colours.h"

struct ends {
	uint8_t from[3], to[3];
};

static const struct {
	const char *title;
	char letter;
	struct ends shades;
} kinds[FLAME_KINDS] = {
	[FLAME_USER] = { "user", 'u', { { 255, 228, 140 }, { 245, 184, 78 } } },
	[FLAME_LIBRARY] = { "library", 'l', { { 222, 205, 244 }, { 190, 162, 226 } } },
	[FLAME_JIT] = { "JIT", 'j', { { 200, 232, 170 }, { 150, 204, 116 } } },
	[FLAME_INLINED] = { "inlined", 'i', { { 176, 234, 226 }, { 116, 206, 196 } } },
	[FLAME_KERNEL] = { "kernel", 'k', { { 250, 168, 146 }, { 232, 120, 100 } } },
	[FLAME_OFF_CPU] = { "off-CPU", 'o', { { 190, 216, 248 }, { 136, 176, 234 } } },
	[FLAME_WAKER] = { "waker", 'w', { { 246, 202, 224 }, { 228, 156, 194 } } },
	[FLAME_MARK] = { "no code", 'm', { { 232, 232, 232 }, { 208, 208, 208 } } },
};

static const struct ends less = { { 238, 238, 238 }, { 92, 136, 240 } },
	more = { { 238, 238, 238 }, { 242, 96, 82 } };

const char *colours_title(enum flame_kind kind)
{
	return kinds[kind].title;
}

char colours_letter(enum flame_kind kind)
{
	return kinds[kind].letter;
}

unsigned int colours_shade(const char *name, size_t length)
{
	uint32_t h = 0x811c9dc5;

	for (size_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)name[i]) * 0x01000193;
	return (h >> 16 ^ h >> 8) % SHADES;
}

/* Step 0 is the first end, the last step the other. */
static void put_between(FILE *file, const struct ends *e, int step, int last)
{
	fputs("{fill:#", file);
	for (unsigned int i = 0; i < 3; i++)
		fprintf(file, "%02x",
			(unsigned int)(e->from[i] + (e->to[i] - e->from[i]) * step / last));
	fputc('}', file);
}

void colours_of_kind(FILE *file, enum flame_kind kind)
{
	for (int i = 0; i < SHADES; i++) {
		fprintf(file, ".%c%d", kinds[kind].letter, i);
		put_between(file, &kinds[kind].shades, i, SHADES - 1);
	}
}

void colours_level(FILE *file, int level)
{
	if (level)
		fprintf(file, "%c%d", level < 0 ? 'b' : 'r', level < 0 ? -level : level);
	else
		fputc('e', file);
}

void colours_of_difference(FILE *file)
{
	for (int level = -LEVELS; level <= LEVELS; level++) {
		fputc('.', file);
		colours_level(file, level);
		put_between(file, level < 0 ? &less : &more, level < 0 ? -level : level, LEVELS);
	}
}
