// SPDX-License-Identifier: GPL-2.0
/* A script's trees as text, behind a pass: a line for each node, further right than what has it. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compat/base/escape.h"
#include "src/bt/bind/bind.h"
#include "src/bt/passes.h"
#include "src/language/types/types.h"

struct printing {
	FILE *to;
	const struct bt_probe *probe;	/* whose action is bound; NULL: it was only read */
	const struct tree *tree;
	unsigned int depth;
};

static void indent(const struct printing *p)
{
	fprintf(p->to, "%*s", 2 * (int)p->depth, "");
}

__attribute__((format(printf, 2, 3)))
static void line(const struct printing *p, const char *format, ...)
{
	va_list args;

	indent(p);
	va_start(args, format);
	vfprintf(p->to, format, args);
	va_end(args);
	fputc('\n', p->to);
}

/* ---- values ---- */

static void value(struct printing *p, const struct node *n);
static void read_list(struct printing *p, const struct syntax *s);
static void bound_list(struct printing *p, const struct bt_statement *s);

static void put_name(const struct printing *p, const struct node *n)
{
	escape_text(p->to, n->text ? n->text : p->tree->source.text + n->at, n->length);
}

static void put_operator(const struct printing *p, uint8_t op)
{
	static const char *const names[] = {
		[OP_SHL - OP_SHL] = "<<", [OP_SHR - OP_SHL] = ">>", [OP_LE - OP_SHL] = "<=",
		[OP_GE - OP_SHL] = ">=", [OP_EQ - OP_SHL] = "==", [OP_NE - OP_SHL] = "!=",
		[OP_AND - OP_SHL] = "&&", [OP_OR - OP_SHL] = "||", [OP_ARROW - OP_SHL] = "->",
	};

	if (op < OP_SHL)
		fputc(op, p->to);
	else
		fputs(names[op - OP_SHL], p->to);
}

static void put_type(const struct printing *p, const struct c_type *t)
{
	static const char *const kinds[] = {
		[BT_UNSET] = "string", [BT_TEXT] = "string", [BT_PROBE] = "probe",
		[BT_FUNCTION] = "func", [BT_STACK] = "stack", [BT_SHOWN] = "shown number",
		[BT_TUPLE] = "tuple", [BT_NUMBER] = "number", [BT_NOTHING] = "nothing",
	};
	char text[100];

	if (t->base == C_TYPEOF) {
		fputs("typeof", p->to);
		return;
	}
	if (t->base == C_TEXT && !t->pointers) {
		fputs(kinds[bt_shape_in(t).kind], p->to);
		if (bt_shape_in(t).kind == BT_TEXT)
			fprintf(p->to, "[%u]", t->bytes);
		return;
	}
	c_type_text(t, BT_WORD, text, sizeof(text));
	fputs(text, p->to);
}

static void put_own(const struct printing *p, const struct node *n)
{
	static const char *const names[VALUES] = {
		[VALUE_MAP] = "map", [VALUE_HAS_KEY] = "has_key", [VALUE_DELETED] = "delete",
		[VALUE_LENGTH] = "len", [VALUE_KEPT_LENGTH] = "len", [VALUE_TUPLE] = "tuple",
		[VALUE_PART] = "part", [VALUE_BLOCK] = "block", [VALUE_IF] = "if",
		[VALUE_CALL] = "statement", [VALUE_STEP] = "step",
	};

	fputs(names[n->op], p->to);
	if (n->op == VALUE_PART)
		fprintf(p->to, ": %" PRIu64, n->value);
	if (n->op <= VALUE_LENGTH)
		fprintf(p->to, ": %s", bt_map_of(n)->name);
}

static void put_call(const struct printing *p, const struct node *n)
{
	if (bt_is(n, VALUE_MAP))
		fprintf(p->to, "map: %s", bt_map_of(n)->name);
	else
		fprintf(p->to, "call: %s", n->function->name);
}

static void put_input(const struct printing *p, const struct node *n)
{
	const struct lang_input *in = &p->probe->on->probe.scope.needs.inputs[n->value];

	fprintf(p->to, "input: %s%s", in->fetch, in->type);
}

static void put_node(const struct printing *p, const struct node *n)
{
	switch (n->kind) {
	case NODE_NUMBER:
		fprintf(p->to, "number: %" PRId64, (int64_t)n->value);
		break;
	case NODE_TEXT:
		fputs("string: \"", p->to);
		escape_text(p->to, n->text, n->length);
		fputc('"', p->to);
		break;
	case NODE_NAME:
		fputs("name: ", p->to);
		put_name(p, n);
		break;
	case NODE_MEMBER:
		fputs("member: ", p->to);
		put_name(p, n);
		break;
	case NODE_UNARY:
	case NODE_BINARY:
		put_operator(p, n->op);
		break;
	case NODE_CHOICE:
		fputs("? :", p->to);
		break;
	case NODE_USER:
		fputs("@user", p->to);
		break;
	case NODE_CAST:
	case NODE_TYPE:
		fputs(n->kind == NODE_CAST ? "cast: " : "type: ", p->to);
		put_type(p, &n->type);
		break;
	case NODE_CALL:
		put_call(p, n);
		break;
	case NODE_OWN:
		put_own(p, n);
		break;
	case NODE_INPUT:
	case NODE_READ:
		put_input(p, n);
		break;
	case NODE_FOLLOW:
		fputs("memory", p->to);
		break;
	case NODE_SLOT:
		fprintf(p->to, "variable: %s", p->probe->variables[n->op].name);
		break;
	}
}

static bool has_own_statements(const struct node *n)
{
	return n->kind == NODE_OWN && n->op >= VALUE_BLOCK;
}

/* What is below a node. */
static void below(struct printing *p, const struct node *n)
{
	p->depth++;
	if (has_own_statements(n))
		read_list(p, syntax_of(n));
	if (bt_is(n, VALUE_INNER))
		bound_list(p, bt_inner_statements(n));
	if (n->type.base == C_TYPEOF)
		value(p, n->type.of);
	value(p, n->a);
	value(p, n->b);
	value(p, n->c);
	p->depth--;
}

static void value(struct printing *p, const struct node *n)
{
	for (; n && n->kind == NODE_KEY; n = n->b)
		value(p, n->a);
	if (!n)
		return;
	indent(p);
	put_node(p, n);
	if (p->probe) {
		fputs(" :: ", p->to);
		put_type(p, &n->type);
	}
	fputc('\n', p->to);
	below(p, n);
}

static void values_below(struct printing *p, const struct node *n)
{
	p->depth++;
	value(p, n);
	p->depth--;
}

/* ---- statements ---- */

static void arguments(struct printing *p, const char *name, const struct syntax_arguments *a)
{
	line(p, "call: %s", name);
	values_below(p, a->list);
}

static void named(const struct printing *p, const struct syntax_name *name)
{
	indent(p);
	fputs("variable: ", p->to);
	escape_text(p->to, name->text, name->length);
	fputc('\n', p->to);
}

static void variable(const struct printing *p, unsigned int number)
{
	line(p, "variable: %s", p->probe->variables[number].name);
}

static void map(struct printing *p, const struct bt_map *m, const struct node *keys)
{
	line(p, "map: %s", m->name);
	values_below(p, keys);
}

/* Statements, read or bound. */
static void block(struct printing *p, const char *name, const void *list)
{
	if (!list)
		return;
	line(p, "%s", name);
	p->depth++;
	if (p->probe)
		bound_list(p, list);
	else
		read_list(p, list);
	p->depth--;
}

/* ---- as they were read ---- */

static void read_below(struct printing *p, const struct syntax *s)
{
	const struct bt_builtins *names = syntax_builtins(p->tree);

	switch (s->kind) {
	case SYNTAX_SET:
	case SYNTAX_LET:
		named(p, &s->set.name);
		value(p, s->set.type);
		value(p, s->set.value);
		break;
	case SYNTAX_STORE:
		map(p, s->store.map, s->store.keys);
		value(p, s->store.value);
		break;
	case SYNTAX_AGGREGATE:
		map(p, s->store.map, s->store.keys);
		arguments(p, names->results[s->store.row].name, &s->store.arguments);
		break;
	case SYNTAX_CALL:
		arguments(p, names->calls[s->call.row].name, &s->call.arguments);
		break;
	case SYNTAX_VALUE:
	case SYNTAX_RETURN:
		value(p, s->value);
		break;
	case SYNTAX_FOR:
	case SYNTAX_EACH:
		named(p, &s->loop.name);
		value(p, s->loop.from);
		value(p, s->loop.to);
		if (s->kind == SYNTAX_EACH)
			map(p, s->loop.map, NULL);
		block(p, "then", s->loop.body);
		break;
	case SYNTAX_BLOCK:
	case SYNTAX_IF:
	case SYNTAX_UNROLL:
	case SYNTAX_WHILE:
		value(p, s->branch.value);
		block(p, "then", s->branch.then);
		block(p, "else", s->branch.otherwise);
		break;
	case SYNTAX_BREAK:
	case SYNTAX_CONTINUE:
		break;
	}
}

static void read_list(struct printing *p, const struct syntax *s)
{
	static const char *const names[] = {
		[SYNTAX_SET] = "=", [SYNTAX_LET] = "let", [SYNTAX_STORE] = "=",
		[SYNTAX_AGGREGATE] = "=", [SYNTAX_VALUE] = "value", [SYNTAX_CALL] = "statement",
		[SYNTAX_BLOCK] = "block", [SYNTAX_IF] = "if", [SYNTAX_UNROLL] = "unroll",
		[SYNTAX_WHILE] = "while", [SYNTAX_FOR] = "for", [SYNTAX_EACH] = "for",
		[SYNTAX_RETURN] = "return", [SYNTAX_BREAK] = "break",
		[SYNTAX_CONTINUE] = "continue",
	};

	for (; s; s = s->next) {
		indent(p);
		fputs(names[s->kind], p->to);
		if (s->kind == SYNTAX_STORE && s->store.op) {
			fputc(' ', p->to);
			put_operator(p, s->store.op);
		}
		fputc('\n', p->to);
		p->depth++;
		read_below(p, s);
		p->depth--;
	}
}

/* ---- as they are bound ---- */

static void order(struct printing *p, const struct bt_order *o)
{
	static const char *const names[] = {
		[BT_PRINTF] = "printf", [BT_PRINT_VALUE] = "print", [BT_PRINT_MAP] = "print",
		[BT_CLEAR] = "clear", [BT_ZERO] = "zero", [BT_TIME] = "time", [BT_EXIT] = "exit",
		[BT_CAT] = "cat", [BT_SYSTEM] = "system", [BT_ERRORF] = "errorf",
		[BT_JOIN_PART] = "join, a part", [BT_JOIN] = "join", [BT_LOOP] = "loop",
	};

	if (o->kind == BT_PRINT_MAP || o->kind == BT_CLEAR || o->kind == BT_ZERO)
		line(p, "order: %s %s", names[o->kind], o->whole.map->name);
	else
		line(p, "order: %s", names[o->kind]);
	for (unsigned int i = 0; i < o->n; i++)
		values_below(p, o->values[i].node);
}

static void bound_below(struct printing *p, const struct bt_statement *s)
{
	switch (s->kind) {
	case BT_SET:
		variable(p, s->set.variable);
		value(p, s->set.value);
		break;
	case BT_STORE:
	case BT_ADD:
	case BT_DELETE:
	case BT_AGGREGATE:
		map(p, s->entry.map, s->entry.keys);
		value(p, s->entry.value);
		if (s->kind == BT_STORE)
			value(p, s->entry.row);
		else if (s->kind == BT_AGGREGATE)
			value(p, s->entry.interval);
		break;
	case BT_IF:
	case BT_UNROLL:
	case BT_WHILE:
		value(p, s->branch.value);
		block(p, "then", s->branch.then);
		block(p, "else", s->branch.otherwise);
		break;
	case BT_FOR:
		variable(p, s->range.variable);
		value(p, s->range.from);
		value(p, s->range.to);
		block(p, "then", s->range.body);
		break;
	case BT_EACH:
		map(p, s->each.map, NULL);
		if (s->each.order)
			order(p, s->each.order);
		block(p, "then", s->each.body);
		break;
	case BT_ORDER:
		order(p, s->order);
		break;
	case BT_SIGNAL:
	case BT_VALUE:
		value(p, s->value);
		break;
	case BT_RETURN:
	case BT_BREAK:
	case BT_CONTINUE:
		break;
	}
}

static void bound_list(struct printing *p, const struct bt_statement *s)
{
	static const char *const names[] = {
		[BT_IF] = "if", [BT_SET] = "=", [BT_STORE] = "=", [BT_ADD] = "= +",
		[BT_DELETE] = "delete", [BT_AGGREGATE] = "result", [BT_ORDER] = "statement",
		[BT_RETURN] = "return", [BT_UNROLL] = "unroll", [BT_WHILE] = "while",
		[BT_FOR] = "for", [BT_EACH] = "for", [BT_BREAK] = "break",
		[BT_CONTINUE] = "continue", [BT_SIGNAL] = "signal", [BT_VALUE] = "value",
	};

	for (; s; s = s->next) {
		line(p, "%s", names[s->kind]);
		p->depth++;
		bound_below(p, s);
		p->depth--;
	}
}

/* ---- scripts ---- */

static void probe_name(FILE *to, const struct bt *b, const struct bt_probe *p)
{
	if (p->match)
		escape_text(to, p->match, strlen(p->match));
	else
		escape_text(to, b->source.text + p->at, p->length);
	fputc('\n', to);
}

static void predicate(struct printing *p, const struct node *n)
{
	if (!n)
		return;
	line(p, "predicate");
	values_below(p, n);
}

void bt_print_read(FILE *to, const struct bt *b)
{
	for (const struct bt_probe *of = b->probes; of; of = of->next) {
		const struct syntax_action *a = of->action;
		struct printing p = { .to = to, .tree = &a->tree, .depth = 1 };

		probe_name(to, b, of);
		if (of->next && of->next->action == a)	/* they have one action */
			continue;
		predicate(&p, a->predicate);
		read_list(&p, a->statements);
	}
}

void bt_print_bound(FILE *to, const struct bt *b)
{
	for (const struct bt_probe *of = b->probes; of; of = of->next) {
		struct printing p = { .to = to, .probe = of, .tree = &of->on->probe.tree,
				      .depth = 1 };

		probe_name(to, b, of);
		predicate(&p, of->on->predicate);
		bound_list(&p, of->statements);
	}
}
