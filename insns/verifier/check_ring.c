// SPDX-License-Identifier: GPL-2.0
/* The instructions of sonde's own virtual machine (enum ring_insn): form, and what they may do. */
#include "insns/verifier/check_state.h"

#include "insns/lower/helpers.h"

bool is_ring_insn(const struct checker *ck, const struct bpf_insn *insn)
{
	return ck->g->target == TARGET_RING && BPF_CLASS(insn->code) == RING_INSN(0) &&
	       insn->code < RING_INSN_END;
}

int form_ring(struct checker *ck, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];

	switch (insn->code) {
	case RING_AGAIN:
		return insn->off < 0 ? unused_fields(ck, at, USES_OFF) :
		       refuse(ck, at, "it goes back");
	case RING_STACK_ADDRESS:
		return unused_fields(ck, at, USES_DST | USES_OFF);
	case RING_COPY:
		return unused_fields(ck, at, USES_DST | USES_SRC | USES_OFF | USES_IMM);
	case RING_ZERO:
		return unused_fields(ck, at, USES_OFF | USES_IMM);
	case RING_LOG2:
		return unused_fields(ck, at, USES_DST | USES_SRC);
	default:
		break;
	}
	if ((unsigned int)insn_map(insn) >= ck->c->n_maps)
		return refuse(ck, at, "there is no map of this number");
	return unused_fields(ck, at,
			     USES_OFF | USES_IMM | (insn->code == RING_UPDATE ? USES_DST : 0) |
				     (insn->code == RING_ADD ? USES_SRC : 0));
}

/*
 * Checks `size` bytes of the stack or of a map's value, from base + off on. `write`: they are
 * written; otherwise they must hold data.
 */
static int check_span(struct checker *ck, struct state *s, unsigned int at, unsigned int base,
		      int64_t off,
		      uint32_t size, bool write)
{
	const struct reg *r = &s->regs[base];

	off += r->off;
	if (r->type == REG_VALUE) {
		const struct map *map = &ck->c->maps[r->map];

		if (off < 0 || off + size > map->value_size)
			return refuse(ck, at, "values of map %s have %u bytes", map->name,
				      map->value_size);
		return 0;
	}
	if (r->type != REG_FRAME && r->type != REG_STACK)
		return refuse(ck, at, "r%u must be a stack address or a map value, it is %s", base,
			      reg_text(r));
	if (off < -stack_size(ck) || off + size > 0)
		return refuse(ck, at, "%u bytes at r10 %+lld are not within the stack", size,
			      (long long)off);
	if (write)
		stack_write(s, (int)off, size);
	else if (!stack_written(s, (int)off, size))
		return refuse(ck, at, "on some path here not all of the %u bytes at r10 %+lld hold "
				      "data", size, (long long)off);
	return 0;
}

static int step_copy(struct checker *ck, struct state *s, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];
	uint32_t size = COPY_SIZE_OF(insn->imm);

	if (!size)
		return refuse(ck, at, "a copy of no bytes");
	if (check_span(ck, s, at, insn->src_reg, COPY_FROM_OF(insn->imm), size, false))
		return -1;
	return check_span(ck, s, at, insn->dst_reg, insn->off, size, true);
}

static int step_map(struct checker *ck, struct state *s, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];
	const struct map *map = &ck->c->maps[(unsigned int)insn_map(insn)];
	struct reg result = reg_number(0, UINT64_MAX);

	if (map->kind == MAP_OUTPUT || (insn->code == RING_ADD && map->kind == MAP_HOST) ||
	    (insn->code == RING_DELETE && map->kind != MAP_HASH && map->kind != MAP_HOST))
		return refuse(ck, at, "it does not work on a map of the kind of %s", map->name);
	if (check_span(ck, s, at, BPF_REG_10, insn->off, map->key_size, false))
		return -1;
	if (insn->code == RING_UPDATE &&
	    check_span(ck, s, at, BPF_REG_10, RING_UPDATE_VALUE(insn->imm), map->value_size, false))
		return -1;
	if (insn->code == RING_ADD && map->value_size < sizeof(uint64_t))
		return refuse(ck, at, "values of map %s have %u bytes", map->name, map->value_size);
	if (insn->code == RING_ADD && map->kind == MAP_HASH && map->value_size != sizeof(uint64_t))
		return refuse(ck, at, "a new value of map %s would not be known but for 8 bytes",
			      map->name);
	if (insn->code == RING_ADD && insn->src_reg && s->regs[insn->src_reg].type != REG_NUMBER)
		return refuse(ck, at, "r%u is %s, not a number", insn->src_reg,
			      reg_text(&s->regs[insn->src_reg]));
	if (insn->code == RING_LOOKUP)
		result = (struct reg){ .type = REG_VALUE_OR_NULL, .map = (uint16_t)insn_map(insn) };
	for (int i = BPF_REG_1; i <= BPF_REG_5; i++)
		s->regs[i] = (struct reg){ .type = REG_UNSET };
	s->regs[BPF_REG_0] = insn->code == RING_ADD ? (struct reg){ .type = REG_UNSET } : result;
	return 0;
}

int step_ring(struct checker *ck, struct state *s, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];
	const struct reg *src = &s->regs[insn->src_reg];

	switch (insn->code) {
	case RING_STACK_ADDRESS:
		if (insn->off < -stack_size(ck) || insn->off >= 0)
			return refuse(ck, at, "the stack reaches from r10 -%d to r10 -1",
				      stack_size(ck));
		s->regs[insn->dst_reg] = (struct reg){ .type = REG_STACK, .off = insn->off };
		return 0;
	case RING_COPY:
		return step_copy(ck, s, at);
	case RING_ZERO:
		if (insn->imm <= 0 || insn->imm > stack_size(ck))
			return refuse(ck, at, "the stack has %d bytes", stack_size(ck));
		return check_span(ck, s, at, BPF_REG_10, insn->off, (uint32_t)insn->imm, true);
	case RING_LOG2:
		if (src->type != REG_NUMBER)
			return refuse(ck, at, "r%u is %s, not a number", insn->src_reg,
				      reg_text(src));
		s->regs[insn->dst_reg] = reg_number(0, LOG2_SLOTS - 1);
		return 0;
	default:
		return step_map(ck, s, at);
	}
}
