// SPDX-License-Identifier: GPL-2.0
/* Calls of helpers: that the helper exists, and its arguments. */
#include "insns/verifier/check_state.h"

#include "insns/lower/helpers.h"

static const struct helper *known_helper(const struct checker *ck, int32_t number)
{
	const struct helper *h = helper_by_number(number);
	uint16_t since;

	if (!h)
		return NULL;
	if (ck->g->target == TARGET_RING)
		return h->ring == HELPER_ALL || (h->ring == HELPER_OWN && ck->g->own) ? h : NULL;
	since = ck->c->type == TYPE_TRACEPOINT ? h->tracepoint : h->kprobe;
	return since && since <= ck->g->version ? h : NULL;
}

/* Checks memory that the helper reads, or fills if `write`. */
static int check_memory(struct checker *ck, struct state *s, unsigned int at, int reg,
			uint64_t size, bool write, bool map_allowed)
{
	const struct reg *r = &s->regs[reg];

	if (r->type == REG_VALUE && map_allowed) {
		const struct map *map = &ck->c->maps[r->map];

		if (r->off + size > map->value_size)
			return refuse(ck, at, "r%d: values of map %s have %u bytes", reg, map->name,
				      map->value_size);
		return 0;
	}
	if (r->type == REG_VALUE)
		return refuse(ck, at,
			      "r%d is a map value: copy it to the stack, only there helpers take "
			      "memory",
			reg);
	if (r->type != REG_STACK)
		return refuse(ck, at, "r%d must be a stack address, it is %s", reg, reg_text(r));
	if (r->off < -stack_size(ck) || r->off >= 0 || size > (uint64_t)-r->off)
		return refuse(ck, at, "r%d: %llu bytes at r10 %+d are not within the stack", reg,
			      (unsigned long long)size, r->off);
	/*
	 * With a variable size it is unknown whether a pointer that is stored there is overwritten.
	 */
	if (write && ck->g->raw_stack && reg_constant(&s->regs[reg + 1]))
		return 0;
	if (!stack_written(s, r->off, (unsigned int)size))
		return refuse(ck, at,
			      "r%d: on some path here not all of the %llu bytes at r10 %+d hold "
			      "data%s",
			reg, (unsigned long long)size, r->off,
			write ? ": store 0 there first" : "");
	return 0;
}

/* Checks an argument that is a size, and returns the largest possible size. */
static int check_size(struct checker *ck, const struct state *s, unsigned int at, int reg,
		      uint64_t *size)
{
	const struct reg *r = &s->regs[reg];

	if (r->type != REG_NUMBER || (!reg_constant(r) && !ck->g->variable_size))
		return refuse(ck, at, "r%d, a size, must be a known constant", reg);
	if (!r->min || r->max > UINT16_MAX)
		return refuse(ck, at, "r%d, a size, must be between 1 and %d", reg, UINT16_MAX);
	*size = r->max;
	return 0;
}

/* Checks that the record has `size` bytes at the constant in reg, for the helper to read. */
static int check_record_part(struct checker *ck, const struct state *s, unsigned int at, int reg,
			     uint64_t size)
{
	const struct reg *r = &s->regs[reg];

	if (!reg_constant(r) || r->min > UINT16_MAX)
		return refuse(ck, at,
			      "r%d, an offset in the record, must be a known constant up to %d",
			      reg, UINT16_MAX);
	if (ck->c->record_size && r->min + size > ck->c->record_size)
		return refuse(ck, at, "the record has %u bytes", ck->c->record_size);
	if (r->min + size > ck->record_bytes)
		ck->record_bytes = (uint32_t)(r->min + size);
	return 0;
}

static int check_map(struct checker *ck, const struct state *s, unsigned int at, int reg,
		     const struct helper *h, const struct map **map)
{
	const struct reg *r = &s->regs[reg];

	if (r->type != REG_MAP)
		return refuse(ck, at, "r%d must be a map, it is %s", reg, reg_text(r));
	*map = &ck->c->maps[r->map];
	if (!(h->maps & 1 << (*map)->kind))
		return refuse(ck, at, "%s does not work on a map of the kind of %s", h->name,
			      (*map)->name);
	return 0;
}

static int check_arg(struct checker *ck, struct state *s, unsigned int at, const struct helper *h,
		     int i, const struct map **map)
{
	int reg = BPF_REG_1 + i;
	const struct reg *r = &s->regs[reg];
	enum helper_arg arg = h->args[i];
	uint64_t size = 0;

	if (arg == ARG_READ || arg == ARG_WRITE || arg == ARG_RECORD)
		if (check_size(ck, s, at, reg + 1, &size))
			return -1;
	switch (arg) {
	case ARG_NUMBER:
		if (r->type != REG_NUMBER)
			return refuse(ck, at, "r%d must be a number, it is %s", reg, reg_text(r));
		return 0;
	case ARG_ADDRESS:
		if (r->type == REG_UNSET)
			return refuse(ck, at, "r%d is %s", reg, reg_text(r));
		return 0;
	case ARG_CONTEXT:
		if (r->type != REG_CONTEXT)
			return refuse(ck, at, "r%d must be the context, it is %s", reg,
				      reg_text(r));
		return 0;
	case ARG_TASK:
		if (r->type != REG_TASK)
			return refuse(ck, at, "r%d must be a task, it is %s", reg, reg_text(r));
		return 0;
	case ARG_FUNCTION:
		if (r->type != REG_FUNCTION)
			return refuse(ck, at, "r%d must be a function, it is %s", reg, reg_text(r));
		return 0;
	case ARG_FRAME:
		if (r->type != REG_FRAME)
			return refuse(ck, at, "r%d must be the frame pointer, it is %s", reg,
				      reg_text(r));
		return 0;
	case ARG_MAP:
		return check_map(ck, s, at, reg, h, map);
	case ARG_KEY:
		return check_memory(ck, s, at, reg, (*map)->key_size, false, ck->g->key_in_map);
	case ARG_VALUE:
		return check_memory(ck, s, at, reg, (*map)->value_size, false, ck->g->key_in_map);
	case ARG_READ:
	case ARG_WRITE:
		return check_memory(ck, s, at, reg, size, arg == ARG_WRITE, ck->g->buffer_in_map);
	case ARG_WORD:
		if (!reg_constant(r) || (r->min != 4 && r->min != 8))
			return refuse(ck, at, "r%d, the size of an address, must be 4 or 8", reg);
		return 0;
	case ARG_DATA_LOC:
		return check_record_part(ck, s, at, reg, 4);
	case ARG_RECORD:
		return check_record_part(ck, s, at, reg, size);
	default:
		return 0;	/* a size was checked with its memory */
	}
}

/* Stack that a helper has filled holds data. With a variable size it must have held data before. */
static void fill(struct state *s, const struct helper *h)
{
	for (int i = 0; i < HELPER_ARGS; i++) {
		const struct reg *r = &s->regs[BPF_REG_1 + i];

		if (h->args[i] == ARG_WRITE && r->type == REG_STACK)
			stack_write(s, r->off, (unsigned int)s->regs[BPF_REG_2 + i].min);
	}
}

static struct reg returned(const struct helper *h, const struct state *s)
{
	switch (h->result) {
	case RESULT_VALUE:
		return (struct reg){ .type = REG_VALUE_OR_NULL, .map = s->regs[BPF_REG_1].map };
	case RESULT_TASK:
		return (struct reg){ .type = REG_TASK };
	case RESULT_REGISTERS:
		return (struct reg){ .type = REG_REGISTERS };
	default:
		return reg_number(0, UINT64_MAX);
	}
}

int step_call(struct checker *ck, struct state *s, unsigned int at)
{
	const struct helper *h = known_helper(ck, ck->insns[at].imm);
	struct reg result;
	const struct map *map = NULL;

	if (!h && ck->g->target == TARGET_RING)
		return refuse(ck, at, "it has no such helper");
	if (!h)
		return refuse(ck, at, "programs on %s have no such helper there",
			      ck->c->type == TYPE_TRACEPOINT ? "tracepoints" :
			      ck->c->type == TYPE_TYPED ? "typed tracepoints" : "kprobes");
	for (int i = 0; i < HELPER_ARGS; i++)
		if (check_arg(ck, s, at, h, i, &map))
			return -1;
	/* Before 4.7 perf_event_output takes only the number of a CPU. */
	if (h->number == BPF_FUNC_perf_event_output && ck->g->version < KERNEL_VERSION_OF(4, 7) &&
	    reg_constant(&s->regs[BPF_REG_3]) && s->regs[BPF_REG_3].min == BPF_F_CURRENT_CPU)
		return refuse(ck, at,
			      "BPF_F_CURRENT_CPU is not known before 4.7: pass "
			      "get_smp_processor_id()");
	if (h->number == HELPER_LOOP && loop_call(ck, s, at))
		return -1;
	fill(s, h);
	result = returned(h, s);
	for (int i = BPF_REG_1; i <= BPF_REG_5; i++)
		s->regs[i] = (struct reg){ .type = REG_UNSET };
	s->regs[BPF_REG_0] = result;
	return 0;
}
