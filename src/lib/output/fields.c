// SPDX-License-Identifier: GPL-2.0
/* Columns that name a field: bytes of a record, a key or a value become the value that is shown. */
#include <math.h>

#include "insns/path.h"
#include "src/lib/output/records.h"
#include "src/lib/output/writer.h"

/* False: it is not known. */
static bool number(const struct record_field *f, const void *record, uint64_t *v)
{
	*v = field_number(f, record);
	if (f->type == FIELD_TGID) {
		*v >>= 32;
		return *v != UINT32_MAX;
	}
	if (f->type == FIELD_TID)
		*v = (uint32_t)*v;
	if (f->type == FIELD_VERSION)
		*v = *v == AF_INET6 ? 6 : 4;
	return !f->has_unknown || *v != f->unknown;
}

static void read_integer(struct output *o, const struct cell *c, const void *record,
			 union value *to)
{
	uint64_t v, divisor = c->column->divisor ? c->column->divisor : 1;

	(void)o;
	if (!c->known || !number(c->field, record, &v))
		to->integer = NOTHING;
	else
		to->integer = c->field->type == FIELD_SIGNED ?
			(int64_t)v / (int64_t)divisor : (int64_t)(v / divisor);
}

static void read_real(struct output *o, const struct cell *c, const void *record, union value *to)
{
	double divisor = c->column->divisor ? c->column->divisor : 1;
	uint64_t v;

	(void)o;
	if (!c->known || !number(c->field, record, &v))
		to->real = NAN;
	else
		to->real = (c->field->type == FIELD_SIGNED ? (double)(int64_t)v : (double)v) /
			   divisor;
}

static void read_since_start(struct output *o, const struct cell *c, const void *record,
			     union value *to)
{
	to->integer = o->source.since_start(o->source.arg, field_number(c->field, record));
}

static void read_wall_clock(struct output *o, const struct cell *c, const void *record,
			    union value *to)
{
	to->integer = o->source.wall_clock(o->source.arg, field_number(c->field, record));
}

static void read_name(struct output *o, const struct cell *c, const void *record, union value *to)
{
	const struct record_field *f = c->field;
	uint64_t v;

	(void)o;
	to->text = (struct text){ };
	if (c->known && number(f, record, &v) && v < f->n_names && f->names[v])
		to->text = text_of(f->names[v], strlen(f->names[v]));
}

static void read_chars(struct output *o, const struct cell *c, const void *record, union value *to)
{
	(void)o;
	to->text = c->known ? text_of((const char *)record + c->field->offset, c->field->size) :
			      (struct text){ };
}

static void read_comm(struct output *o, const struct cell *c, const void *record, union value *to)
{
	(void)o;
	to->text = c->known ? comm_text((const char *)record + c->field->offset) : (struct text){ };
}

static void read_path(struct output *o, const struct cell *c, const void *record, union value *to)
{
	const char *at = (const char *)record + c->field->offset;
	int64_t length;

	(void)o;
	memcpy(&length, at, sizeof(length));
	to->text = (struct text){ };
	if (c->known)
		to->text = read_text(at + offsetof(struct path_name, path), length, PATH_SHOWN,
				     PATH_READ);
}

static void read_address(struct output *o, const struct cell *c, const void *record,
			 union value *to)
{
	const struct record_field *f = c->field, family = {
		.type = FIELD_UNSIGNED, .offset = f->family, .size = f->family_size,
	};
	const uint8_t *bytes = (const uint8_t *)record + f->offset;
	uint16_t v = (uint16_t)(f->type == FIELD_MAPPED ? 0 : field_number(&family, record));

	(void)o;
	if (f->type == FIELD_MAPPED)
		to->address = net_end(bytes);
	else if (f->type == FIELD_END)
		to->address = net_address(v, bytes);
	else if (v == AF_INET6 && !c->known)
		to->address = (struct address){ };
	else
		to->address = address_of(v, bytes);
}

#define F(TYPE) (1U << FIELD_##TYPE)
#define C(TYPE) (1U << COLUMN_##TYPE)

/* How fields of these types become columns of those. */
static const struct {
	unsigned int fields, columns;
	cell_reader read;
} readers[] = {
	{ F(UNSIGNED) | F(SIGNED) | F(TGID) | F(TID) | F(VERSION),
	  C(INTEGER) | C(OCTAL) | C(SECONDS), read_integer },
	{ F(UNSIGNED) | F(SIGNED), C(REAL), read_real },
	{ F(UNSIGNED) | F(SIGNED), C(TEXT), read_name },
	{ F(TIME), C(SECONDS), read_since_start },
	{ F(TIME), C(CLOCK) | C(UTC), read_wall_clock },
	{ F(COMM), C(TEXT), read_comm },
	{ F(CHARS), C(TEXT), read_chars },
	{ F(PATH), C(TEXT), read_path },
	{ F(ADDRESS) | F(END) | F(MAPPED), C(ADDRESS), read_address },
};

/* NULL: such a field can't be shown as such a column. */
static cell_reader reader_of(const struct record_field *f, const struct column *c)
{
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		if (readers[i].fields & 1U << f->type && readers[i].columns & 1U << c->type)
			return readers[i].read;
	return NULL;
}

bool cell_find(struct cell *cell, const struct output_source *source)
{
	const struct column *c = cell->column;

	if (!c->field)
		return true;
	for (const struct part *p = source->parts; p && p->layout; p++) {
		const struct record_field *f = layout_field(p->layout, c->field);

		cell->read = f ? reader_of(f, c) : NULL;
		if (!cell->read)
			continue;
		cell->field = f;
		cell->part = p;
		cell->known = !f->input || !source->known || source->known(source->arg, f->input);
		return true;
	}
	return false;
}
