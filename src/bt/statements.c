// SPDX-License-Identifier: GPL-2.0
/* Statements: conditions, assignments, steps; and blocks of them. */
#include <stdlib.h>
#include <string.h>

#include "src/bt/parse.h"
#include "src/bt/text/text.h"
#include "src/language/types/types.h"

struct bt_statement *bt_statement(struct parser *p, enum bt_kind kind)
{
	struct bt *b = bt_of(p->t);
	struct bt_statement *s = calloc(1, sizeof(*s));

	if (!s) {
		fail(p->err, "out of memory");
		return NULL;
	}
	s->kind = kind;
	s->at = p->now.at;
	s->probe = b->now;
	s->all = b->statements;
	return b->statements = s;
}

/* A number that the script does not write: of @x++. */
static struct node *step_of(struct parser *p, size_t at, int64_t by)
{
	struct node *n = parser_node(p, NODE_NUMBER, at);

	if (n) {
		n->value = (uint64_t)by;
		n->type = c_integer(8, true);
	}
	return n;
}

static struct node *operation(struct parser *p, size_t at, uint8_t op, struct node *left,
			      struct node *right)
{
	struct node *n = parser_node(p, NODE_BINARY, at);

	if (n) {
		n->op = op;
		n->a = left;
		n->b = right;
	}
	return n;
}

static bool is_step(const struct parser *p)
{
	return p->now.kind == TOKEN_OPERATOR && (p->now.op == BT_OP_INCREMENT ||
						 p->now.op == BT_OP_DECREMENT);
}

/* ---- variables ---- */

static int new_variable(struct parser *p, const char *name, size_t length, size_t at,
			uint16_t scope)
{
	struct bt_probe *now = bt_of(p->t)->now;

	if (length >= BT_NAME || now->n_variables == BT_VARIABLES)
		return NOT_AT(p, at, "an action has %d variables "
			      "at most, with names of up to %d letters", BT_VARIABLES, BT_NAME - 2);
	memcpy(now->variables[now->n_variables].name, name, length);
	now->variables[now->n_variables].shape.size = 8;
	now->variables[now->n_variables].scope = scope;
	now->variables[now->n_variables].declared.base = C_VOID;
	return (int)now->n_variables++;
}

/* The token is a variable's name. */
static struct node *variable_read(struct parser *p)
{
	struct node *n = parser_node(p, NODE_NAME, p->now.at);

	if (n)
		n->length = (uint16_t)p->now.length;
	return n;
}

/* The value that `OP= value`, `= value`, ++ or -- gives to what is read by `read`. */
static struct node *new_value(struct parser *p, struct node *read)
{
	const struct token op = p->now;
	const uint8_t assigns = bt_assigns(&op);
	struct node *value;

	if (parser_step(p))
		return NULL;
	if (op.op == BT_OP_INCREMENT || op.op == BT_OP_DECREMENT)
		return operation(p, op.at, op.op == BT_OP_INCREMENT ? '+' : '-', read,
				 step_of(p, op.at, 1));
	value = parser_expression(p);
	return value && assigns ? operation(p, op.at, assigns, read, value) : value;
}

/* The variable that `let` declares in this block. */
static int declared_here(struct parser *p, const char *name, size_t length, size_t at)
{
	const struct bt_probe *now = bt_of(p->t)->now;
	const uint16_t scope = now->scopes[now->n_scopes - 1];
	const int i = bt_variable(now, name, length);

	if (i < 0 || now->variables[i].scope != scope)
		return new_variable(p, name, length, at, scope);
	return !now->variables[i].assigned ? i :
	       NOT_AT(p, at, "this block has a %.*s already", (int)length, name);
}

/* Variable number i gets a value of this shape. */
static int gets(struct parser *p, int i, size_t at, const struct bt_shape *shape)
{
	struct bt_variable *v = i < 0 ? NULL : &bt_of(p->t)->now->variables[i];

	if (!v)
		return -1;
	v->assigned = true;
	v->sets += v->sets < 2;
	if (bt_shape_join(bt_of(p->t), &v->shape, shape))
		return i;
	return NOT_AT(p, at, "%s is %s here, and %s elsewhere", v->name, bt_kind_of(shape),
		      bt_kind_of(&v->shape));
}

int bt_declare(struct parser *p, const char *name, size_t length, size_t at,
	       const struct bt_shape *shape)
{
	const int i = bt_variable(bt_of(p->t)->now, name, length);

	return gets(p, i < 0 ? new_variable(p, name, length, at, 0) : i, at, shape);
}

int bt_declare_here(struct parser *p, const char *name, size_t length, size_t at,
		    const struct bt_shape *shape)
{
	const struct bt_probe *now = bt_of(p->t)->now;
	const uint16_t scope = now->scopes[now->n_scopes - 1];
	const int i = bt_variable(now, name, length);

	return gets(p, i < 0 || now->variables[i].scope != scope ?
		    new_variable(p, name, length, at, scope) : i, at, shape);
}

/* A number becomes one of the type that `let` gave the variable. */
static int as_declared(struct parser *p, struct bt_value *v, const char *name, size_t length)
{
	const struct bt_probe *now = bt_of(p->t)->now;
	struct binder b = bt_binder(p);
	const int i = bt_variable(now, name, length);
	const struct c_type *type = i < 0 ? NULL : &now->variables[i].declared;

	if (!type || type->base != C_INTEGER || type->pointers || v->shape.kind != BT_NUMBER)
		return 0;
	return convert(&b, &v->node, *type) || bt_shape_of(&b, v->node, &v->shape) ? -1 : 0;
}

/*
 * A variable whose one statement, before all that read it, gives it an argument's pointer to a
 * struct is read as that argument: its members are inputs of the probe then, which programs may
 * load themselves, and rings too can have (bind/memory.c).
 */
static void note_argument(const struct bt_probe *now, struct bt_variable *v, const struct node *n)
{
	const struct node *bottom = n;

	while (bottom->kind == NODE_CAST)
		bottom = bottom->a;
	if (v->once && now->when == BT_KERNEL && now->n_scopes == 1 &&
	    v->declared.base == C_VOID && n->type.pointers == 1 && n->type.base == C_STRUCT &&
	    bottom->kind == NODE_INPUT && !now->on->probe.scope.inputs[bottom->value].identity)
		v->is = n;
}

/* Binds the value, and settles what the variable holds. */
static int set_variable(struct parser *p, struct bt_statement **to, const char *name,
			size_t length)
{
	struct bt_statement *s = *to;
	struct bt_probe *now = bt_of(p->t)->now;
	struct binder b = bt_binder(p);
	struct bt_value v = { .node = s->value };
	int i;

	if (bt_is_whole(p, name, length, s->at) || bt_bind_value(&b, &v))
		return -1;
	if (v.shape.kind == BT_TUPLE) {
		*to = NULL;
		return bt_set_tuple(p, to, s->at, name, length, v.node);
	}
	if (bt_is_tuple(now, name, length))
		return NOT_AT(p, s->at, "%.*s is %s here, and a tuple elsewhere", (int)length, name,
			      bt_kind_of(&v.shape));
	if (bt_keep(p, &v) || as_declared(p, &v, name, length) || bt_widen(&b, &v))
		return -1;
	i = bt_declare(p, name, length, s->at, &v.shape);
	if (i < 0)
		return -1;
	s->value = v.node;
	s->variable = (unsigned int)i;
	note_argument(now, &now->variables[i], v.node);
	return bt_takes(p, &now->variables[i].pointer, v.node, now->variables[i].name);
}

/* The same for a variable that `let` declares; the value may still read one of an outer block. */
static int set_new(struct parser *p, struct bt_statement **to, const char *name, size_t length)
{
	struct binder b = bt_binder(p);
	struct bt_value v = { .node = (*to)->value };

	if (bt_bind_value(&b, &v))
		return -1;
	if (v.shape.kind != BT_TUPLE && declared_here(p, name, length, (*to)->at) < 0)
		return -1;
	(*to)->value = bt_inner_node(p, (*to)->at, NULL, v.node);
	return (*to)->value ? set_variable(p, to, name, length) : -1;
}

static int variable(struct parser *p, struct bt_statement **to)
{
	const char *name = parser_text(p);
	const size_t length = p->now.length;
	struct bt_statement *s = bt_statement(p, BT_SET);
	struct node *read = variable_read(p);

	if (!s || !read || parser_step(p))
		return -1;
	if (!parser_is(p, '=') && !bt_assigns(&p->now) && !is_step(p))
		return NOT_HERE(p, "a statement assigns to a variable: %.*s = VALUE", (int)length,
				name);
	s->value = new_value(p, read);
	*to = s;
	return s->value ? set_variable(p, to, name, length) : -1;
}

/* The value of typeof() is not read: its inputs are dropped. */
int bt_typeof(struct parser *p, struct c_type *type)
{
	const struct bt_probe *now = bt_of(p->t)->now;
	struct binder b = bt_binder(p);
	struct node *n;
	unsigned int before;
	bool follows;

	if (parser_step(p) || parser_expect(p, '('))
		return -1;
	if (parser_names_type(p))
		return parser_type(p, type) || parser_expect(p, ')') ? -1 : 0;
	before = b.s->n_inputs;
	follows = b.s->follows;
	n = parser_expression(p);
	if (!n || bind_node(&b, &n))
		return -1;
	b.s->n_inputs = before;
	b.s->follows = follows;
	*type = n->type;
	if (n->kind == NODE_SLOT && now->variables[n->op].declared.base != C_VOID)
		*type = now->variables[n->op].declared;
	return parser_expect(p, ')');
}

/* string, string[N], or a type of C. */
static int declared_type(struct parser *p, struct c_type *type)
{
	if (parser_is_word(p, "string")) {
		*type = (struct c_type){ .base = C_TEXT };
		if (parser_step(p) || !parser_is(p, '['))
			return parser_is(p, ';') || parser_is(p, '=') || parser_is(p, '}') ? 0 :
			       NOT_HERE(p, "';' is missing before this");
		return parser_step(p) || parser_step(p) || parser_expect(p, ']') ? -1 : 0;
	}
	return parser_names_type(p) ? parser_type(p, type) :
	       NOT_HERE(p, "no type is here that is known: let $NAME: uint32 = VALUE");
}

/* Gives the variable what its type tells. */
static int take_type(struct parser *p, struct bt_variable *v, size_t at, const struct c_type *type)
{
	struct bt_shape shape = { .kind = BT_NUMBER, .size = 8, .is_signed = c_signed(type),
				  .is_pointer = type->pointers, .width = type->size,
				  .is_bool = type->is_bool && !type->pointers };

	if (type->base == C_TEXT)
		shape = (struct bt_shape){ .kind = BT_TEXT, .size = 8, .shown = 8 };
	else if (!c_number(type))
		return NOT_AT(p, at, "a variable is declared as a number, a pointer or a string");
	if (!bt_shape_join(bt_of(p->t), &v->shape, &shape))
		return NOT_AT(p, at, "%s is %s here, and %s elsewhere", v->name,
			      bt_kind_of(&shape), bt_kind_of(&v->shape));
	v->declared = *type;
	if (type->pointers)
		v->pointer = *type;
	return 0;
}

/* What a variable has when its block begins again: 0, or an empty text. */
static int clear_again(struct parser *p, struct bt_statement **to, unsigned int variable)
{
	const bool text = bt_of(p->t)->now->variables[variable].shape.kind == BT_TEXT;
	struct bt_statement *s = bt_statement(p, BT_SET);
	struct node *n = s ? parser_node(p, text ? NODE_TEXT : NODE_NUMBER, p->now.at) : NULL;

	if (!n)
		return -1;
	n->type = text ? (struct c_type){ .base = C_TEXT } : c_integer(8, true);
	n->text = text ? strdup("") : NULL;
	s->value = n;
	s->variable = variable;
	*to = s;
	return text && !n->text ? fail(p->err, "out of memory") : 0;
}

/* let $x; let $x = VALUE; let $x: TYPE = VALUE. Variables begin as 0, or as an empty text. */
static int let(struct parser *p, struct bt_statement **to)
{
	struct bt_probe *now = bt_of(p->t)->now;
	const char *name;
	struct token token;
	struct bt_statement *s;
	struct c_type type;
	int i;

	if (parser_step(p))
		return -1;
	name = parser_text(p);
	token = p->now;
	if (p->now.kind != TOKEN_NAME || *name != '$')
		return NOT_HERE(p, "the name of a variable belongs here: let $NAME = VALUE");
	if (bt_is_whole(p, name, token.length, token.at) || parser_step(p))
		return -1;
	i = parser_is(p, '=') ? 0 : declared_here(p, name, token.length, token.at);
	if (i < 0)
		return -1;
	if (parser_is(p, ':') && (parser_step(p) || declared_type(p, &type) ||
				  take_type(p, &now->variables[i], token.at, &type)))
		return -1;
	if (!parser_is(p, '=')) {
		now->variables[i].assigned = true;
		return now->n_scopes > 1 ? clear_again(p, to, (unsigned int)i) : 0;
	}
	s = bt_statement(p, BT_SET);
	if (!s || parser_step(p))
		return -1;
	s->at = token.at;
	s->value = parser_expression(p);
	*to = s;
	return s->value ? set_new(p, to, name, token.length) : -1;
}

/* ---- maps ---- */

int bt_map_gets(struct parser *p, struct bt_statement *s, const struct bt_shape *shape, bool step)
{
	struct bt *b = bt_of(p->t);

	if (!bt_shape_join(b, &s->map->value, shape))
		return NOT_AT(p, s->at, "a value of %s is %s here, and %s elsewhere", s->map->name,
			      bt_kind_of(shape), bt_kind_of(&s->map->value));
	bt_map_changes(b, s->map);
	if (step && b->now->when != BT_KERNEL)
		s->map->stepped_at = s->at;
	return 0;
}

/* What is added to a pointer counts the elements that it points to, as in C. */
static int in_elements(struct binder *b, struct bt_statement *s)
{
	const struct c_type type = c_integer(8, true);
	const struct node pointer = { .at = s->value->at, .type = s->map->pointer };
	struct c_type element;
	unsigned int size;

	if (!pointer.type.pointers)
		return 0;
	if (pointed_type(b, &pointer, &element))
		return -1;
	size = element.base == C_VOID && !element.pointers ? 1 : c_size(&element, b->s->word);
	if (s->value->kind == NODE_NUMBER)
		s->value->value *= size;
	else
		s->value = binary_node(b, s->at, '*', s->value,
				       number_node(b, s->at, size, type), type);
	return s->value ? 0 : fail(b->err, "out of memory");
}

static int add_to_map(struct parser *p, struct bt_statement *s, bool minus)
{
	static const struct bt_shape number = { .kind = BT_NUMBER, .is_signed = true, .size = 8 };
	struct binder b = bt_binder(p);

	s->kind = BT_ADD;
	if (minus) {
		struct node *n = parser_node(p, NODE_UNARY, s->value->at);

		if (!n)
			return -1;
		n->op = '-';
		n->a = s->value;
		s->value = n;
	}
	if (bt_map_is(p, s->map, BT_VALUES, s->at) || bt_bind_number(p, &s->value) ||
	    in_elements(&b, s) || bt_bind_keys(&b, s->map, s->keys, s->at))
		return -1;
	return bt_map_gets(p, s, &number, true);
}

static int assign_to_map(struct parser *p, struct bt_statement *s, uint8_t op)
{
	struct binder b = bt_binder(p);
	struct bt_value v;
	struct node *read;

	if (op) {
		read = parser_node(p, NODE_CALL, s->at);
		if (!read)
			return -1;
		read->function = &bt_map_read;
		read->value = (uint64_t)(uintptr_t)s->map;
		read->b = s->keys;
		s->value = operation(p, s->at, op, read, s->value);
		if (!s->value)
			return -1;
	}
	v.node = s->value;
	if (bt_map_is(p, s->map, BT_VALUES, s->at) || bt_bind_value(&b, &v) ||
	    (!op && bt_bind_keys(&b, s->map, s->keys, s->at)))
		return -1;
	if (v.shape.kind == BT_TUPLE)
		return bt_store_tuple(p, s, v.node);
	if (bt_keep(p, &v) || bt_widen(&b, &v))
		return -1;
	s->value = v.node;
	return bt_map_gets(p, s, &v.shape, op) ? -1 :
	       bt_takes(p, &s->map->pointer, v.node, s->map->name);
}

/* @map[key] = VALUE, @map[key] = count(), @map[key]++ ... */
static int map(struct parser *p, struct bt_statement **to)
{
	struct bt_statement *s = bt_statement(p, BT_STORE);
	struct token op;
	bool is_aggregate;

	if (!s || bt_map(p, &s->map, &s->keys))
		return -1;
	*to = s;
	op = p->now;
	if (is_step(p)) {
		s->value = step_of(p, op.at, 1);
		return !s->value || parser_step(p) ? -1 :
		       add_to_map(p, s, op.op == BT_OP_DECREMENT);
	}
	if (!parser_is(p, '=') && !bt_assigns(&op))
		return NOT_HERE(p, "a statement changes a map: %s = VALUE, %s++, %s = count()",
				s->map->name, s->map->name, s->map->name);
	if (parser_step(p))
		return -1;
	if (parser_is(&(struct parser){ .t = p->t, .now = op }, '=')) {
		if (bt_aggregate(p, s, &is_aggregate))
			return -1;
		if (is_aggregate)
			return 0;
	}
	s->value = parser_expression(p);
	if (!s->value)
		return -1;
	return bt_assigns(&op) == '+' || bt_assigns(&op) == '-' ?
	       add_to_map(p, s, bt_assigns(&op) == '-') : assign_to_map(p, s, bt_assigns(&op));
}

/* ++@x, --$x: as behind the name. */
static int step_before(struct parser *p, struct bt_statement **to)
{
	const struct token op = p->now;
	struct bt_statement *s;
	struct node *read;
	const char *name;
	size_t length;

	if (parser_step(p))
		return -1;
	if (p->now.kind != TOKEN_NAME || !strchr("@$", *parser_text(p)))
		return NOT_HERE(p, "a variable or a map belongs here");
	s = bt_statement(p, BT_SET);
	if (!s)
		return -1;
	*to = s;
	if (*parser_text(p) == '@') {
		s->value = step_of(p, op.at, 1);
		return !s->value || bt_map(p, &s->map, &s->keys) ? -1 :
		       add_to_map(p, s, op.op == BT_OP_DECREMENT);
	}
	name = parser_text(p);
	length = p->now.length;
	read = variable_read(p);
	if (!read || parser_step(p))
		return -1;
	s->value = operation(p, op.at, op.op == BT_OP_INCREMENT ? '+' : '-', read,
			     step_of(p, op.at, 1));
	return s->value ? set_variable(p, to, name, length) : -1;
}

/* ---- blocks ---- */

int bt_if(struct parser *p, struct bt_statement **to)
{
	struct bt_statement *s = bt_statement(p, BT_IF);

	if (!s || parser_step(p))
		return -1;
	s->value = parser_expression(p);
	if (!s->value || bt_bind_number(p, &s->value) || bt_block(p, &s->then))
		return -1;
	*to = s;
	if (!parser_is_word(p, "else"))
		return 0;
	if (parser_step(p))
		return -1;
	return parser_is_word(p, "if") ? bt_if(p, &s->otherwise) :
	       bt_block(p, &s->otherwise);
}

/* A value whose statements or calls do something, or the value of a block; `_ = VALUE`. */
static int value(struct parser *p, struct bt_statement **to)
{
	struct binder b = bt_binder(p);
	struct bt_statement *s = bt_statement(p, BT_VALUE);
	const unsigned int before = b.s->n_inputs;
	struct bt_shape shape;

	if (!s)
		return -1;
	if (parser_is_word(p, "_") && (parser_step(p) || parser_expect(p, '=')))
		return -1;
	s->value = parser_expression(p);
	if (s->value && (parser_is(p, '=') || bt_assigns(&p->now)))
		return NOT_HERE(p, "only whole variables and entries of maps get values");
	if (!s->value || bind_node(&b, &s->value) || bt_side(&b, s->value, before) ||
	    bt_shape_of(&b, s->value, &shape))
		return -1;
	*to = s;
	return 0;
}

/* return; a value behind it is computed, and means nothing to anyone. */
static int leave(struct parser *p, struct bt_statement **to)
{
	if (parser_step(p))
		return -1;
	if (!parser_is(p, ';') && !parser_is(p, '}')) {
		if (value(p, to))
			return -1;
		to = &(*to)->next;
	}
	*to = bt_statement(p, BT_RETURN);
	return *to ? 0 : -1;
}

/* `ends`: a block ends it, so no semicolon follows. */
static const struct {
	const char *word;
	int (*read)(struct parser *p, struct bt_statement **to);
	bool ends;
} words[] = {
	{ "if", bt_if, true }, { "let", let, false }, { "return", leave, false },
	{ "unroll", bt_unroll, true }, { "while", bt_while, true }, { "for", bt_for, true },
	{ "break", bt_jump, false }, { "continue", bt_jump, false },
};

bool bt_behind_name(const struct parser *p, struct parser *to)
{
	unsigned int depth = 0;

	*to = *p;
	to->err = NULL;
	do {
		if (parser_step(to))
			return false;
		if (parser_is(to, ']') && !depth--)
			return true;
		depth += parser_is(to, '[');
	} while (to->now.kind != TOKEN_END && (depth || parser_is(to, ']')));
	return true;
}

/* The token is the name of a variable or map: does a statement change it? */
static bool is_changed(const struct parser *p)
{
	struct parser q;

	/* If it can't be read, the message comes later. */
	return !bt_behind_name(p, &q) || parser_is(&q, '=') || bt_assigns(&q.now) || is_step(&q) ||
	       q.now.kind == TOKEN_END;
}

static bool begins_value(const struct parser *p)
{
	return p->now.kind == TOKEN_NUMBER || p->now.kind == TOKEN_TEXT ||
	       (p->now.kind == TOKEN_OPERATOR && p->now.op < 128 && strchr("(!-~*&", p->now.op));
}

int bt_simple(struct parser *p, struct bt_statement **to)
{
	const char letter = p->now.kind == TOKEN_NAME ? *parser_text(p) : 0;

	if (is_step(p))
		return step_before(p, to);
	if (strchr("@$", letter) && letter && is_changed(p))
		return letter == '@' ? map(p, to) : variable(p, to);
	if (letter && bt_has_bracket(p) && !bt_is_function(p))
		return bt_call(p, to);
	if (letter || begins_value(p))
		return value(p, to);
	return NOT_HERE(p, p->now.kind == TOKEN_END ?
			    "the script ends where a statement or '}' belongs" :
			    "a statement belongs here");
}

/* *ends: a block ends it. */
static int any(struct parser *p, struct bt_statement **to, bool *ends)
{
	*ends = parser_is(p, '{');
	if (*ends)
		return bt_block(p, to);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (parser_is_word(p, words[i].word)) {
			*ends = words[i].ends;
			return words[i].read(p, to);
		}
	return bt_simple(p, to);
}

int bt_to_closing(struct parser *p, const char *within)
{
	unsigned int depth = 0;

	do {
		if (p->now.kind == TOKEN_END)
			return NOT_HERE(p, "'}' is missing: the script ends within a %s", within);
		depth += parser_is(p, '{');
		depth -= parser_is(p, '}') && depth;
		if (parser_is(p, '}') && !depth)
			return 0;
	} while (!parser_step(p));
	return -1;
}

int bt_block(struct parser *p, struct bt_statement **to)
{
	struct bt_probe *now = bt_of(p->t)->now;
	bool ends;

	if (!parser_is(p, '{'))
		return NOT_HERE(p, "'{' is missing here: statements are between { and }");
	if (++p->depth > 32 || now->n_scopes == BT_NESTED)
		return NOT_HERE(p, "this is nested too deeply");
	now->scopes[now->n_scopes++] = ++now->last_scope;
	if (parser_step(p))
		return -1;
	while (!parser_is(p, '}')) {
		if (parser_is(p, ';')) {
			if (parser_step(p))
				return -1;
			continue;
		}
		if (any(p, to, &ends))
			return -1;
		if (!ends && !parser_is(p, ';') && !parser_is(p, '}'))
			return NOT_HERE(p, p->now.kind ==
					    TOKEN_END ? "'}' is missing: the script ends within a "
					    "block" : "';' is missing before this");
		while (*to)
			to = &(*to)->next;
	}
	p->depth--;
	now->n_scopes--;
	return parser_step(p);
}
