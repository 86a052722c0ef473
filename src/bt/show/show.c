// SPDX-License-Identifier: GPL-2.0
/* Texts and values, and the lines that orders of the script make of them. */
#include "src/bt/show/show_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/language/types/members.h"
#include "src/lib/output/records.h"

/* ---- texts ---- */

struct text bt_text_in(const char *s, size_t n)
{
	return (struct text){ .s = s, .length = (uint32_t)n };
}

struct text bt_word(const char *s)
{
	return bt_text_in(s, strlen(s));
}

/* A line of bpftrace's own JSON, which begins with its type. */
struct json_line {
	struct jsonw w;			/* w.to is NULL: there is no memory */
	char *text;
	size_t size;
};

static bool line_begin(struct json_line *l, const char *type)
{
	*l = (struct json_line){ .w.spaced = true };
	l->w.to = open_memstream(&l->text, &l->size);
	if (!l->w.to)
		return false;
	jsonw_open(&l->w, NULL, '{');
	jsonw_text(&l->w, "type", type);
	return true;
}

static void line_end(struct output *o, struct json_line *l)
{
	jsonw_end(&l->w);
	if (!fclose(l->w.to))
		output_picture(o, l->text, l->size);
	free(l->text);
}

/* {"type": "printf", "data": "text"}; what is JSON already has no quotes. */
static void show_json(struct output *o, const char *type, const char *s, size_t n, bool is_json)
{
	struct json_line l;

	if (!line_begin(&l, type))
		return;
	jsonw_name(&l.w, "data");
	if (is_json)
		fwrite(s, 1, n, l.w.to);
	else
		jsonw_bytes(&l.w, NULL, s, n);
	line_end(o, &l);
}

void bt_show_count(struct output *o, const char *type, const char *what, uint64_t n)
{
	struct json_line l;

	if (!line_begin(&l, type))
		return;
	jsonw_unsigned(&l.w, "count", n);
	jsonw_open(&l.w, "data", '{');
	jsonw_unsigned(&l.w, what, n);
	jsonw_close(&l.w, '}');
	line_end(o, &l);
}

bool bt_shows_json(const struct output *o, const struct bt *b)
{
	return b->json && output_for_people(o);
}

void bt_show_text(struct output *o, const struct bt *b, const char *type, const char *s, size_t n)
{
	const struct bt_line line = {
		.type = bt_word(type), .text = bt_text_in(s, n),
		.low = NOTHING, .high = NOTHING, .count = NOTHING,
	};

	if (bt_shows_json(o, b))
		show_json(o, type, s, n, false);
	else if (output_for_people(o))
		output_picture(o, s, n);
	else
		output_row(o, &line);
}

void bt_put_number(FILE *to, const struct bt_shape *shape, uint64_t bits)
{
	assert(shape->kind == BT_NUMBER);
	if (shape->number.is_bool && !shape->number.is_pointer)
		fputs(bits ? "true" : "false", to);
	else
		fprintf(to, shape->number.is_pointer ? "0x%" PRIx64 : shape->number.is_signed ?
			"%" PRId64 : "%" PRIu64, bits);
}

struct text bt_kept_text(const char *bytes, const struct bt_shape *shape)
{
	assert(shape->kind == BT_TEXT);
	return shape->text.block ? bt_text_in(bytes, shape->size) :
	       read_text(bytes, shape->size, shape->text.shown, shape->size);
}

/* The name of a probe or function. NULL: it is the address of a function, of ksym(). */
static const struct bt_name *named(const struct bt *b, const struct bt_shown *v)
{
	const uint64_t number = v->bits - (v->shape.kind == BT_FUNCTION ? BT_FUNCTIONS : 0);

	return number < b->n_names ? &b->names[number] : NULL;
}

static struct text name_of(const struct bt *b, const struct bt_shown *v)
{
	const struct bt_name *name = named(b, v);

	return bt_word(!name ? "?" : v->shape.kind == BT_PROBE ? name->probe : name->function);
}

struct text bt_shown_text(const struct bt *b, const struct bt_shown *v)
{
	return v->shape.kind == BT_TEXT || v->shape.kind == BT_STACK ? v->text : name_of(b, v);
}

/* Machines escape by themselves, and the script's own texts are printed as they are. */
static void put_text(FILE *to, const struct text *t, bool escape)
{
	if (escape && t->s)
		escape_text(to, t->s, t->length);
	else if (t->s)
		fwrite(t->s, 1, t->length, to);
	if (t->cut)
		fputs("..", to);
}

static void put_shown(FILE *to, const struct bt *b, const struct bt_shown *v, bool people)
{
	char *s = NULL;
	size_t n = 0;
	FILE *text = open_memstream(&s, &n);

	if (!text)
		return;
	bt_put_shown(text, b, v);
	if (!fclose(text))
		put_text(to, &(struct text){ .s = s, .length = (uint32_t)n }, people);
	free(s);
}

/* A number of an enum has a name. */
static void put_enumerator(FILE *to, const struct bt *b, const struct bt_shown *v)
{
	const struct bt_shape *s = &v->shape;
	size_t n;
	const char *name = types_enumerator(b->script.types, s->number.enum_source,
					    s->number.enum_id, v->bits, &n);

	if (name)
		fwrite(name, 1, n, to);
	else
		bt_put_number(to, s, v->bits);
}

void bt_put_value(FILE *to, const struct bt *b, const struct bt_shown *v, bool people)
{
	struct text t;

	if (v->shape.kind == BT_NUMBER) {
		put_enumerator(to, b, v);
		return;
	}
	if (v->shape.kind == BT_SHOWN) {
		put_shown(to, b, v, people);
		return;
	}
	if (v->shape.kind == BT_FUNCTION && !named(b, v)) {
		const struct bt_shown address = {
			.shape = { .kind = BT_SHOWN, .shown.show = BT_SHOW_KSYM }, .bits = v->bits,
		};

		put_shown(to, b, &address, people);
		return;
	}
	if (bt_block_of(&v->shape) == BT_BYTES) {
		bt_put_bytes(to, b, v, people, false);
		return;
	}
	if (bt_block_of(&v->shape)) {
		bt_put_block(to, bt_block_of(&v->shape), v->text.s, 'r');
		return;
	}
	t = bt_shown_text(b, v);
	/* The text of a stack has lines, and its names are escaped. */
	put_text(to, &t, people && v->shape.kind != BT_STACK &&
		 (v->shape.kind != BT_TEXT || v->shape.text.foreign));
}

void bt_put_values(FILE *to, const struct bt *b, const struct bt_shown *values, unsigned int n,
		   bool people)
{
	for (unsigned int i = 0; i < n; i++) {
		fputs(i ? ", " : "", to);
		bt_put_around(to, values[i].shape.before, BT_AROUND_TEXT);
		bt_put_value(to, b, &values[i], people);
		bt_put_around(to, values[i].shape.behind, BT_AROUND_TEXT);
	}
}

/* %s: a value of any shape; %r: a buffer. */
static void put_unpadded(FILE *to, const struct conversion *c, const struct bt *b,
			 const struct bt_shown *v, bool people)
{
	if (c->letter == 's')
		bt_put_value(to, b, v, people);
	else
		bt_put_block(to, BT_BUFFER, v->text.s, c->letter);
}

static void put_padded(FILE *to, const struct conversion *c, const struct bt *b,
		       const struct bt_shown *v, bool people)
{
	char *s = NULL;
	size_t n = 0;
	FILE *text;
	int columns;

	if (c->width <= 0 && c->precision < 0) {
		put_unpadded(to, c, b, v, people);
		return;
	}
	text = open_memstream(&s, &n);
	if (!text)
		return;
	put_unpadded(text, c, b, v, people);
	if (fclose(text)) {
		free(s);
		return;
	}
	if (c->precision >= 0 && (size_t)c->precision < n)
		n = (size_t)c->precision;
	columns = (int)escape_width(s, n);
	if (!strchr(c->flags, '-'))
		fprintf(to, "%*s", columns < c->width ? c->width - columns : 0, "");
	fwrite(s, 1, n, to);
	if (strchr(c->flags, '-'))
		fprintf(to, "%*s", columns < c->width ? c->width - columns : 0, "");
	free(s);
}

static void put_format(FILE *to, const struct bt *b, const struct bt_order *order,
		       const struct bt_shown *values, bool people)
{
	const struct format_text *f = &order->text.format;
	char text[FORMAT_NUMBER];
	size_t from = 0;

	for (unsigned int i = 0; i < f->n; i++) {
		const struct conversion *c = &f->list[i];

		fwrite(f->text + from, 1, c->end - from, to);
		from = c->end;
		if (format_is_text(c))
			put_padded(to, c, b, &values[i], people);
		else
			fwrite(text, 1, (size_t)format_number(c, values[i].bits, text), to);
	}
	fwrite(f->text + from, 1, f->length - from, to);
}

char *bt_order_text(const struct bt *b, const struct bt_order *order,
		    const struct bt_shown *values, bool people, size_t *n)
{
	char *s = NULL;
	FILE *to = open_memstream(&s, n);

	if (!to)
		return NULL;
	put_format(to, b, order, values, people);
	if (!fclose(to))
		return s;
	free(s);
	return NULL;
}

static void json_value(FILE *to, const struct bt *b, const struct bt_shown *v)
{
	struct bt_shape shape = v->shape;
	char *text = NULL;
	size_t n;
	FILE *value;

	if (bt_block_of(&shape) == BT_BYTES) {
		bt_put_bytes(to, b, v, false, true);
		return;
	}
	value = open_memstream(&text, &n);
	if (!value)
		return;
	/* Machines read numbers as numbers: no names of enums, no hexadecimal addresses. */
	if (shape.kind == BT_NUMBER) {
		shape.number.is_pointer = false;
		bt_put_number(value, &shape, v->bits);
	} else {
		bt_put_value(value, b, v, false);
	}
	if (!fclose(value) && shape.kind == BT_NUMBER)
		fwrite(text, 1, n, to);
	else
		escape_json(to, text, n);
	free(text);
}

void bt_json_values(FILE *to, const struct bt *b, const struct bt_shown *values, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		const char *before = values[i].shape.before;

		fputs(!i ? "" : before && !strchr("({", *before) ? ", " : ",", to);
		bt_put_around(to, before, BT_AROUND_JSON);
		json_value(to, b, &values[i]);
		bt_put_around(to, values[i].shape.behind, BT_AROUND_JSON);
	}
}

static FILE *text_begin(struct bt_text *t)
{
	if (t->to)
		rewind(t->to);
	else
		t->to = open_memstream(&t->s, &t->n);
	return t->to;
}

/* Returns -1 if there was no memory for it. */
static int text_end(struct bt_text *t)
{
	long n = fflush(t->to) || ferror(t->to) ? -1 : ftell(t->to);

	if (n < 0) {
		bt_text_free(t);
		return -1;
	}
	t->n = (size_t)n;
	return 0;
}

void bt_text_free(struct bt_text *t)
{
	if (t->to)
		fclose(t->to);
	free(t->s);
	*t = (struct bt_text){ };
}

static void show_order(struct output *o, const struct bt *b, const struct bt_order *order,
		       const struct bt_shown *values, struct bt_text *line)
{
	const bool json = bt_shows_json(o, b), people = output_for_people(o) && !json,
		   format = order->kind == BT_PRINTF;
	FILE *to = text_begin(line);

	if (!to)
		return;
	if (format)
		put_format(to, b, order, values, people);
	else if (json)
		bt_json_values(to, b, values, order->n);
	else
		bt_put_values(to, b, values, order->n, people);
	if (!format && people)
		fputc('\n', to);
	if (text_end(line))
		return;
	if (json && !format)
		show_json(o, "value", line->s, line->n, true);
	else
		bt_show_text(o, b, format ? "printf" : "value", line->s, line->n);
}

void bt_show_order(struct output *o, const struct bt *b, const struct bt_order *order,
		   const struct bt_shown *values, struct bt_text *line)
{
	for (unsigned int turn = 0; output_turn(o, &turn);)
		show_order(o, b, order, values, line);
}
