// SPDX-License-Identifier: GPL-2.0
/* Reads the section with the probes: see recorded_probes.h. Anybody may have written it. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/scan.h"
#include "compat/base/strbuf.h"
#include "compat/recordings/recorded_side.h"

#define ENTRIES_MOST 65536		/* of each kind of lines */

struct reading {
	struct recording *r;
	struct recorded_side *side;
	struct strbuf offsets;
	char *at;			/* in the line that is read */
	bool wrong, full;
};

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A NUL would end the word: it is not put back. */
void recorded_word_back(char *word)
{
	char *to = word;

	for (; *word; word++) {
		const int high = *word == '%' ? hex_digit(word[1]) : -1;
		const int low = high < 0 ? -1 : hex_digit(word[2]);

		if (low >= 0 && (high || low)) {
			*to++ = (char)(high << 4 | low);
			word += 2;
		} else {
			*to++ = *word;
		}
	}
	*to = '\0';
}

/* The rest of the line; "": there is none. */
static const char *rest(struct reading *g)
{
	return g->at;
}

/* The next word; a missing one is wrong. */
static const char *word(struct reading *g)
{
	char *begin = g->at;
	const size_t n = strcspn(begin, " ");

	g->wrong |= !n;
	g->at += n;
	if (*g->at)
		*g->at++ = '\0';
	recorded_word_back(begin);
	return begin;
}

static uint64_t number(struct reading *g, uint64_t most)
{
	const char *at = word(g);
	uint64_t value = 0;

	g->wrong |= !scan_number(&at, most, &value) || *at;
	return value;
}

/* Room for one more entry of an array. Returns false if there is none. */
static bool room(struct reading *g, void *array, unsigned int n, size_t size)
{
	if (!g->wrong && n < ENTRIES_MOST && !array_room(array, n, size))
		return true;
	g->full |= !g->wrong;
	return false;
}

static void read_feature(struct reading *g)
{
	const char *name = word(g), *answer = word(g);

	/* Another version of sonde may know others. */
	for (enum feature f = 0; f < FEATURES; f++)
		if (!g->wrong && !strcmp(feature_name(f), name)) {
			g->side->known[f] = true;
			g->side->has[f] = !strcmp(answer, "yes");
		}
}

static void read_function(struct reading *g)
{
	const char *symbol = word(g);

	if (room(g, &g->side->functions, g->side->n_functions, sizeof(*g->side->functions)))
		g->side->functions[g->side->n_functions++] = symbol;
}

static void read_offset(struct reading *g)
{
	strbuf_addf(&g->offsets, "%s\n", rest(g));
}

static void read_binary(struct reading *g)
{
	struct recorded_binary b = { };

	b.abi = (unsigned int)number(g, ARCH_ABIS - 1);
	b.build_id = word(g);
	b.path = word(g);
	if (room(g, &g->side->binaries, g->side->n_binaries, sizeof(b)))
		g->side->binaries[g->side->n_binaries++] = b;
}

static void read_place(struct reading *g)
{
	struct recorded_place p = { .binary = (unsigned int)number(g, ENTRIES_MOST) };

	p.address = number(g, UINT64_MAX);
	p.semaphore = number(g, UINT64_MAX);
	p.name = word(g);
	p.symbol = word(g);
	p.arguments = *g->at == '=' ? g->at + 1 : NULL;
	g->wrong |= p.binary >= g->side->n_binaries;
	if (room(g, &g->side->places, g->side->n_places, sizeof(p)))
		g->side->places[g->side->n_places++] = p;
}

static void read_device(struct reading *g, bool partition)
{
	const char *at = word(g);
	struct recorded_disk d = { .partition = partition };

	g->wrong |= !scan_device(&at, &d.number) || *at;
	d.name = word(g);
	if (room(g, &g->side->disks, g->side->n_disks, sizeof(d)))
		g->side->disks[g->side->n_disks++] = d;
}

static void read_disk(struct reading *g)
{
	read_device(g, false);
}

static void read_partition(struct reading *g)
{
	read_device(g, true);
}

static int event_number(const struct recording *r, const char *name)
{
	for (unsigned int i = 0; i < r->n_events; i++)
		if (r->events[i].name && !strcmp(r->events[i].name, name))
			return (int)i;
	return -1;
}

static void read_probe(struct reading *g)
{
	const char *kind = word(g), *binary;
	struct recorded_probe p = { .kind = N_EVENT_KINDS, .binary = -1 };

	for (enum event_kind k = 0; k < N_EVENT_KINDS; k++)
		if (recorded_kind(k) && !strcmp(recorded_kind(k), kind))
			p.kind = (uint8_t)k;
	p.event = word(g);
	p.group = (uint32_t)number(g, UINT32_MAX);
	p.address = number(g, UINT64_MAX);
	binary = word(g);
	p.function = word(g);
	p.fetch = rest(g);
	if (strcmp(binary, "-")) {
		uint64_t value;

		g->wrong |= !scan_number(&binary, ENTRIES_MOST, &value) || *binary ||
			    value >= g->side->n_binaries;
		p.binary = g->wrong ? -1 : (int)value;
	}
	/* Another version of sonde may know other kinds. */
	if (p.kind == N_EVENT_KINDS)
		return;
	p.number = event_number(g->r, p.event);
	if (room(g, &g->side->probes, g->side->n_probes, sizeof(p)))
		g->side->probes[g->side->n_probes++] = p;
}

static const struct {
	const char *word;
	void (*read)(struct reading *g);
} lines[] = {
	{ "feature ", read_feature }, { "function ", read_function }, { "offset ", read_offset },
	{ "binary ", read_binary }, { "place ", read_place }, { "probe ", read_probe },
	{ "disk ", read_disk }, { "partition ", read_partition },
};

static void read_line(struct reading *g, char *line)
{
	for (unsigned int i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		const size_t n = strlen(lines[i].word);

		if (strncmp(line, lines[i].word, n))
			continue;
		g->at = line + n;
		lines[i].read(g);
	}
}

static int read_lines(struct reading *g, struct error *err)
{
	char *line = g->side->text + strlen(PROBES_HEAD);

	while (*line && !g->wrong && !g->full) {
		const size_t n = strcspn(line, "\n");

		/* The last line may be cut, and a name without its end is another name. */
		if (!line[n])
			return recording_fails(g->r, "its list of probes is cut short", err);
		line[n] = '\0';
		read_line(g, line);
		line += n + 1;
	}
	if (g->wrong)
		return recording_fails(g->r, "its list of probes can't be read", err);
	if (g->full || g->offsets.cut)
		return fail(err, "%s has too many probes, or memory ran out", g->r->bytes.path);
	/* Without probes nothing is resolved: nothing was asked of the kernel. */
	if (!g->side->n_probes)
		return 0;
	return recording_fact(g->r, "offsets", g->offsets.s ? g->offsets.s : "", g->offsets.n) ?
	       fail(err, "out of memory") : 0;
}

int recorded_probes_read(struct recording *r, const void *text, size_t n, struct error *err)
{
	struct reading g = { .r = r };
	int result;

	/* A section is padded by NULs; a second one is nobody's. */
	n = strnlen(text, n);
	if (r->side || !n)
		return 0;
	if (n < strlen(PROBES_HEAD) || memcmp(text, PROBES_HEAD, strlen(PROBES_HEAD)))
		return fail(err, "the probes of %s are those of another version of sonde: read it "
				 "with the sonde that recorded it", r->bytes.path);
	r->side = g.side = calloc(1, sizeof(*g.side));
	if (!g.side || !(g.side->text = strndup(text, n)))
		return fail(err, "out of memory");
	result = read_lines(&g, err);
	free(g.offsets.s);
	return result;
}
