// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/readers/xz.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * A decoder for https://tukaani.org/xz/xz-file-format.txt and the LZMA specification. It is small,
 * because all unpacked bytes stay in memory and are the dictionary. liblzma would add 64 KB to
 * sonde.
 */
#define STATES 12
#define POSITIONS 16			/* 1 << pb, at most */
#define LENGTH_MIN 2
#define DISTANCE_SLOTS 64
#define FULL_DISTANCES 128
#define ALIGN 16
#define LITERALS (0x300 << 4)		/* lc + lp is 4 at most */
#define HALF 1024

struct lengths {
	uint16_t choice, choice2;
	uint16_t low[POSITIONS][8], middle[POSITIONS][8], high[256];
};

struct probabilities {			/* all members are uint16_t, and begin as HALF */
	uint16_t match[STATES][POSITIONS], rep[STATES], rep0[STATES], rep1[STATES], rep2[STATES];
	uint16_t rep0_long[STATES][POSITIONS];
	uint16_t slot[4][DISTANCE_SLOTS], special[FULL_DISTANCES], align[ALIGN];
	struct lengths match_length, rep_length;
	uint16_t literal[LITERALS];
};

struct lzma {
	const uint8_t *in, *end;	/* of the chunk */
	bool broken;
	uint32_t range, code;
	uint8_t *out;
	size_t n, room, most;
	size_t start;			/* of the dictionary: matches don't reach before it */
	unsigned int lc, lp, pb, state;
	uint32_t rep[4];
	struct probabilities p;
};

/* ---- the range coder ---- */

static uint8_t next_byte(struct lzma *z)
{
	if (z->in < z->end)
		return *z->in++;
	z->broken = true;
	return 0;
}

static void normalize(struct lzma *z)
{
	if (z->range < 1u << 24) {
		z->range <<= 8;
		z->code = z->code << 8 | next_byte(z);
	}
}

static unsigned int get_bit(struct lzma *z, uint16_t *probability)
{
	uint32_t bound;

	normalize(z);
	bound = (z->range >> 11) * *probability;
	if (z->code < bound) {
		z->range = bound;
		*probability += (2048 - *probability) >> 5;
		return 0;
	}
	z->range -= bound;
	z->code -= bound;
	*probability -= *probability >> 5;
	return 1;
}

static unsigned int get_tree(struct lzma *z, uint16_t *tree, unsigned int bits)
{
	unsigned int at = 1;

	for (unsigned int i = 0; i < bits; i++)
		at = at << 1 | get_bit(z, &tree[at]);
	return at - (1u << bits);
}

static uint32_t get_reverse(struct lzma *z, uint16_t *tree, unsigned int bits)
{
	unsigned int at = 1;
	uint32_t value = 0;

	for (unsigned int i = 0; i < bits; i++) {
		unsigned int bit = get_bit(z, &tree[at]);

		at = at << 1 | bit;
		value |= bit << i;
	}
	return value;
}

static uint32_t get_direct(struct lzma *z, unsigned int bits)
{
	uint32_t value = 0;

	while (bits--) {
		normalize(z);
		z->range >>= 1;
		value <<= 1;
		if (z->code >= z->range) {
			z->code -= z->range;
			value |= 1;
		}
	}
	return value;
}

/* ---- LZMA ---- */

static bool put_byte(struct lzma *z, uint8_t byte)
{
	if (z->n == z->room) {
		size_t room = z->room ? 2 * z->room : 65536;
		uint8_t *grown;

		room = room < z->most ? room : z->most;
		grown = room > z->n ? realloc(z->out, room) : NULL;
		if (!grown) {
			z->broken = true;
			return false;
		}
		z->out = grown;
		z->room = room;
	}
	z->out[z->n++] = byte;
	return true;
}

static uint8_t byte_before(const struct lzma *z, uint32_t distance)
{
	return distance < z->n - z->start ? z->out[z->n - 1 - distance] : 0;
}

static void get_literal(struct lzma *z)
{
	const unsigned int low = (unsigned int)(z->n - z->start) & ((1u << z->lp) - 1);
	const unsigned int before = byte_before(z, 0) >> (8 - z->lc);
	uint16_t *tree = z->p.literal + 0x300 * ((low << z->lc) + before);
	unsigned int symbol = 1;

	if (z->state >= 7) {
		unsigned int match = byte_before(z, z->rep[0]);

		do {
			unsigned int expected = match >> 7 & 1, bit;

			match <<= 1;
			bit = get_bit(z, &tree[((1 + expected) << 8) + symbol]);
			symbol = symbol << 1 | bit;
			if (bit != expected)
				break;
		} while (symbol < 0x100);
	}
	while (symbol < 0x100)
		symbol = symbol << 1 | get_bit(z, &tree[symbol]);
	put_byte(z, (uint8_t)symbol);
	z->state = z->state < 4 ? 0 : z->state < 10 ? z->state - 3 : z->state - 6;
}

static uint32_t get_length(struct lzma *z, struct lengths *l, unsigned int position)
{
	if (!get_bit(z, &l->choice))
		return LENGTH_MIN + get_tree(z, l->low[position], 3);
	if (!get_bit(z, &l->choice2))
		return LENGTH_MIN + 8 + get_tree(z, l->middle[position], 3);
	return LENGTH_MIN + 16 + get_tree(z, l->high, 8);
}

static uint32_t get_distance(struct lzma *z, uint32_t length)
{
	const unsigned int by_length = length - LENGTH_MIN < 4 ? length - LENGTH_MIN : 3;
	const unsigned int slot = get_tree(z, z->p.slot[by_length], 6);
	const unsigned int bits = (slot >> 1) - 1;
	uint32_t distance;

	if (slot < 4)
		return slot;
	distance = (2 | (slot & 1)) << bits;
	/* the trees of all slots are in one array, each at its distance - slot */
	if (slot < 14)
		return distance + get_reverse(z, z->p.special + distance - slot, bits);
	distance += get_direct(z, bits - 4) << 4;
	return distance + get_reverse(z, z->p.align, 4);
}

static void copy(struct lzma *z, uint32_t length)
{
	if (z->rep[0] >= z->n - z->start) {
		z->broken = true;
		return;
	}
	while (length-- && put_byte(z, byte_before(z, z->rep[0])))
		;
}

static void use_rep(struct lzma *z, unsigned int number)
{
	const uint32_t distance = z->rep[number];

	memmove(z->rep + 1, z->rep, number * sizeof(*z->rep));
	z->rep[0] = distance;
}

static void get_match(struct lzma *z, unsigned int position)
{
	uint32_t length = get_length(z, &z->p.match_length, position);

	memmove(z->rep + 1, z->rep, 3 * sizeof(*z->rep));
	z->rep[0] = get_distance(z, length);
	z->state = z->state < 7 ? 7 : 10;
	copy(z, length);
}

static void get_repeated(struct lzma *z, unsigned int position)
{
	uint16_t *state_rep1 = &z->p.rep1[z->state];

	if (!get_bit(z, &z->p.rep0[z->state])) {
		if (!get_bit(z, &z->p.rep0_long[z->state][position])) {
			z->state = z->state < 7 ? 9 : 11;
			copy(z, 1);
			return;
		}
	} else if (!get_bit(z, state_rep1)) {
		use_rep(z, 1);
	} else {
		use_rep(z, 2 + get_bit(z, &z->p.rep2[z->state]));
	}
	z->state = z->state < 7 ? 8 : 11;
	copy(z, get_length(z, &z->p.rep_length, position));
}

static void reset_state(struct lzma *z)
{
	uint16_t *p = (uint16_t *)&z->p;

	for (size_t i = 0; i < sizeof(z->p) / sizeof(*p); i++)
		p[i] = HALF;
	memset(z->rep, 0, sizeof(z->rep));
	z->state = 0;
}

/* Unpacks a chunk of n bytes, which becomes `size` bytes. */
static bool get_chunk(struct lzma *z, const uint8_t *in, size_t n, size_t size)
{
	const size_t end = z->n + size;

	z->in = in;
	z->end = in + n;
	z->range = UINT32_MAX;
	next_byte(z);
	z->code = 0;
	for (int i = 0; i < 4; i++)
		z->code = z->code << 8 | next_byte(z);
	while (z->n < end && !z->broken) {
		unsigned int position = (unsigned int)(z->n - z->start) & ((1u << z->pb) - 1);

		if (!get_bit(z, &z->p.match[z->state][position]))
			get_literal(z);
		else if (!get_bit(z, &z->p.rep[z->state]))
			get_match(z, position);
		else
			get_repeated(z, position);
	}
	return !z->broken && z->n == end;
}

/* ---- LZMA2 ---- */

static bool set_properties(struct lzma *z, uint8_t byte)
{
	z->lc = byte % 9;
	z->lp = byte / 9 % 5;
	z->pb = byte / 45;
	return byte < 225 && z->lc + z->lp <= 4;
}

static bool get_plain(struct lzma *z, const uint8_t *in, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!put_byte(z, in[i]))
			return false;
	return true;
}

static size_t number16(const uint8_t *p)
{
	return (size_t)p[0] << 8 | p[1];
}

/* Unpacks one chunk. Returns its packed bytes; 0: it is broken. */
static size_t get_control(struct lzma *z, const uint8_t *in, size_t n, bool *known)
{
	const uint8_t control = in[0];
	const size_t head = control < 0x80 ? 3 : control < 0xc0 ? 5 : 6;
	size_t packed, size;

	if (n < head || (control > 2 && control < 0x80))
		return 0;
	size = number16(in + 1) + 1;
	packed = size;
	if (control >= 0x80) {
		size += (size_t)(control & 31) << 16;
		packed = number16(in + 3) + 1;
	}
	if (packed > n - head || size > z->most - z->n)
		return 0;
	if (control == 1 || control >= 0xe0)
		z->start = z->n;
	if (control < 0x80)
		return get_plain(z, in + head, size) ? head + packed : 0;
	if (control >= 0xc0 && !(*known = set_properties(z, in[5])))
		return 0;
	if (control >= 0xa0)
		reset_state(z);
	return *known && get_chunk(z, in + head, packed, size) ? head + packed : 0;
}

/* Unpacks all chunks of a block. Returns their packed bytes; 0: one is broken. */
static size_t get_all(struct lzma *z, const uint8_t *in, size_t n)
{
	bool known = false;
	size_t at = 0;

	while (at < n && in[at]) {
		size_t took = get_control(z, in + at, n - at, &known);

		if (!took)
			return 0;
		at += took;
	}
	return at < n ? at + 1 : 0;
}

/* ---- .xz ---- */

#define STREAM_HEAD 12
#define FILTER_LZMA2 0x21

/* Bytes of the head of a block; 0: it has other filters than a single LZMA2. */
static size_t block_head(const uint8_t *p, size_t n)
{
	const size_t size = n ? ((size_t)p[0] + 1) * 4 : 0;
	size_t at = 2;

	/* the sizes of the block may be here: numbers of seven bits a byte */
	if (size < 8 || size > n || (p[1] & 0x3f))
		return 0;
	for (int i = 6; i < 8; i++) {
		if (!(p[1] >> i & 1))
			continue;
		while (at < size && (p[at] & 128))
			at++;
		at++;
	}
	return at + 2 < size && p[at] == FILTER_LZMA2 && p[at + 1] == 1 ? size : 0;
}

/* Unpacks the blocks up to the index. The index begins with 0, where a block has its size. */
static bool get_blocks(struct lzma *z, const uint8_t *in, size_t n, size_t check)
{
	size_t at = 0;

	while (at < n && in[at]) {
		const size_t head = block_head(in + at, n - at);
		const size_t took = head ? get_all(z, in + at + head, n - at - head) : 0;

		if (!took)
			return false;
		at += head + (took + 3) / 4 * 4 + check;
	}
	return at < n;
}

uint8_t *xz_unpack(const uint8_t *from, size_t n, size_t most, size_t *size)
{
	static const uint8_t magic[] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
	/* bytes of the checksum behind each block, by its kind */
	static const uint8_t checks[16] = { 0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32,
					    64, 64, 64 };
	struct lzma *z;
	uint8_t *out;

	if (n < STREAM_HEAD || memcmp(from, magic, sizeof(magic)))
		return NULL;
	z = calloc(1, sizeof(*z));
	if (!z)
		return NULL;
	z->most = most;
	if (!get_blocks(z, from + STREAM_HEAD, n - STREAM_HEAD, checks[from[7] & 15]) || !z->n) {
		free(z->out);
		z->out = NULL;
	}
	*size = z->n;
	out = z->out;
	free(z);
	return out;
}
