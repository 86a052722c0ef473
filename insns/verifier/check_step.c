// SPDX-License-Identifier: GPL-2.0
/* What one instruction may do, and the state after it. */
#include "insns/verifier/check_state.h"

#include <stdarg.h>

#include "compat/base/text.h"
#include "insns/lower/disasm.h"

/* The limit of a tracepoint program's context: the largest record of perf (PERF_MAX_TRACE_SIZE). */
#define CONTEXT_MAX	2048
/*
 * A tracepoint program's context begins with a pointer of the kernel, not with the common fields.
 */
#define CONTEXT_HIDDEN	8
/* Kernels since 4.14 refuse to add a larger number to an address (BPF_MAX_VAR_OFF). */
#define ADDEND_MAX	(1 << 29)

/* No struct that programs read is larger: the offset of a load is shorter, too. */
#define STRUCT_MAX	INT16_MAX

int refuse(const struct checker *ck, unsigned int at, const char *format, ...)
{
	/* The second half of a long instruction may be missing. */
	struct bpf_insn pair[2] = { ck->insns[at],
				    at + 1 < ck->n ? ck->insns[at + 1] : (struct bpf_insn){ 0 } };
	char text[96], rule[512];
	va_list args;

	va_start(args, format);
	text_vcut(rule, sizeof(rule), format, args);
	va_end(args);
	disasm(pair, text, sizeof(text));
	if (ck->g->target == TARGET_RING)
		return fail(ck->err, "sonde's machine refuses instruction %u, %s: %s", at, text,
			    rule);
	return fail(ck->err, "kernel %s would refuse instruction %u, %s: %s", ck->g->name, at, text,
		    rule);
}

static unsigned int size_of(uint8_t code)
{
	switch (BPF_SIZE(code)) {
	case BPF_B:
		return 1;
	case BPF_H:
		return 2;
	case BPF_W:
		return 4;
	default:
		return 8;
	}
}

static struct reg loaded(unsigned int size)
{
	return reg_number(0, UINT64_MAX >> (64 - 8 * size));
}

/* The range of a OP b; any number, if the range takes more than a line to compute. */
static struct reg range(uint8_t op, struct reg a, struct reg b, uint64_t limit)
{
	struct reg any = reg_number(0, limit);

	switch (op) {
	case BPF_ADD:
		return a.max > limit - b.max ? any : reg_number(a.min + b.min, a.max + b.max);
	case BPF_SUB:
		return a.min < b.max ? any : reg_number(a.min - b.max, a.max - b.min);
	case BPF_AND:
		if (reg_constant(&a) && reg_constant(&b))
			return reg_number(a.min & b.min, a.min & b.min);
		return reg_number(0, a.max < b.max ? a.max : b.max);
	case BPF_LSH:
		if (!reg_constant(&b) || a.max > limit >> b.min)
			return any;
		return reg_number(a.min << b.min, a.max << b.min);
	case BPF_RSH:
		return reg_constant(&b) ? reg_number(a.min >> b.min, a.max >> b.min) : any;
	default:
		return any;
	}
}

static struct reg low_half(struct reg r)
{
	return r.max > UINT32_MAX ? reg_number(0, UINT32_MAX) : r;
}

/* An address plus or minus a number. */
static int step_address(struct checker *ck, struct state *s, unsigned int at, const struct reg *add)
{
	const struct bpf_insn *insn = &ck->insns[at];
	struct reg *dst = &s->regs[insn->dst_reg];
	bool plus = insn->code == (BPF_ALU64 | BPF_ADD | BPF_SRC(insn->code)) &&
		    add->type == REG_NUMBER;
	int64_t sum;

	if (plus && dst->type == REG_FRAME && BPF_SRC(insn->code) == BPF_K) {
		if (insn->imm < -stack_size(ck) || insn->imm > 0)
			return refuse(ck, at, "the stack reaches from r10 -%d to r10 -1",
				      stack_size(ck));
		*dst = (struct reg){ .type = REG_STACK, .off = insn->imm };
		return 0;
	}
	if (plus && dst->type == REG_CONTEXT && ck->g->target == TARGET_BPF &&
	    add->max < ADDEND_MAX) {
		*dst = (struct reg){ .type = REG_ADDRESS };
		return 0;
	}
	if (plus && dst->type == REG_VALUE && ck->g->map_value_arithmetic && reg_constant(add)) {
		sum = dst->off + (int64_t)add->min;
		if (sum < 0 || sum > ck->c->maps[dst->map].value_size)
			return refuse(ck, at, "that leaves the value of map %s",
				      ck->c->maps[dst->map].name);
		dst->off = (int32_t)sum;
		return 0;
	}
	if (plus && dst->type == REG_STRUCT && reg_constant(add) &&
	    add->min <= STRUCT_MAX - (uint64_t)dst->off) {
		dst->off += (int32_t)add->min;
		return 0;
	}
	if (dst->type == REG_STRUCT)
		return refuse(ck, at, "to the address of a struct only constants may be added, "
				      "up to %d", STRUCT_MAX);
	if (dst->type == REG_VALUE || dst->type == REG_VALUE_OR_NULL)
		return refuse(ck, at, "no arithmetic on the address of a map value: reach its "
				      "fields by the instruction's offset");
	if (dst->type == REG_FRAME || dst->type == REG_STACK)
		return refuse(ck, at, "a stack address is made by adding one constant to a copy of "
				      "r10, once");
	if (dst->type == REG_CONTEXT)
		return refuse(ck, at, "to the context only a number below 2^29 may be added, for a "
				      "helper to read there");
	return refuse(ck, at, "arithmetic with r%u, which is %s", insn->dst_reg, reg_text(dst));
}

static int step_move(struct checker *ck, struct state *s, unsigned int at, const struct reg *src)
{
	const struct bpf_insn *insn = &ck->insns[at];
	bool wide = BPF_CLASS(insn->code) == BPF_ALU64;

	if (src->type == REG_UNSET)
		return refuse(ck, at, "r%u is %s", insn->src_reg, reg_text(src));
	if (!wide && src->type != REG_NUMBER)
		return refuse(ck, at, "half of r%u, which is %s, is no use", insn->src_reg,
			      reg_text(src));
	s->regs[insn->dst_reg] = wide ? *src : low_half(*src);
	return 0;
}

static int step_alu(struct checker *ck, struct state *s, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];
	uint8_t op = BPF_OP(insn->code);
	bool wide = BPF_CLASS(insn->code) == BPF_ALU64, alone = op == BPF_NEG || op == BPF_END;
	uint64_t limit = wide ? UINT64_MAX : UINT32_MAX, imm = (uint64_t)(int64_t)insn->imm & limit;
	struct reg *dst = &s->regs[insn->dst_reg], src = reg_number(imm, imm);

	if (BPF_SRC(insn->code) == BPF_X && !alone)
		src = s->regs[insn->src_reg];
	if (op == BPF_MOV)
		return step_move(ck, s, at, &src);
	if (dst->type == REG_UNSET)
		return refuse(ck, at, "r%u is %s", insn->dst_reg, reg_text(dst));
	/* Each pointer becomes a number, for programs that may read kernel memory. */
	if (op == BPF_NEG && wide && (dst->type == REG_STRUCT || dst->type == REG_CONTEXT) &&
	    ck->c->type == TYPE_TYPED)
		*dst = reg_number(0, limit);
	if (dst->type != REG_NUMBER)
		return step_address(ck, s, at, &src);
	if (src.type != REG_NUMBER)
		return refuse(ck, at, "arithmetic with r%u, which is %s", insn->src_reg,
			      reg_text(&src));
	if ((op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH) && reg_constant(&src) &&
	    src.min >= (wide ? 64 : 32))
		return refuse(ck, at, "a shift by %llu bits is not defined",
			      (unsigned long long)src.min);
	if (alone)
		*dst = reg_number(0, op == BPF_END ? UINT64_MAX >> (64 - insn->imm) : limit);
	else if (wide)
		*dst = range(op, *dst, src, limit);
	else
		*dst = range(op, low_half(*dst), low_half(src), limit);
	return 0;
}

/*
 * Accesses the stack at `off` from r10. `value`: the value that is stored; NULL: a load into
 * `result`.
 */
static int access_stack(struct checker *ck, struct state *s, unsigned int at, int64_t off,
			unsigned int size, const struct reg *value, struct reg *result)
{
	struct reg *spilled;

	if (off < -stack_size(ck) || off + size > 0)
		return refuse(ck, at, "the stack reaches from r10 -%d to r10 -1, not to r10 %+lld",
			      stack_size(ck), (long long)off);
	if (off % (int)size)
		return refuse(ck, at, "accesses to the stack must be aligned");
	spilled = off < -STACK_SIZE ? NULL : &s->spilled[(-off - 1) / 8];
	if (value && value->type != REG_NUMBER) {
		if (!spilled)
			return refuse(ck, at, "pointers are stored from r10 -%d on", STACK_SIZE);
		if (size != 8)
			return refuse(ck, at, "%s is 8 bytes wide", reg_text(value));
		stack_write(s, (int)off, 8);
		s->written[(-off - 8) / 64] &= ~(0xffULL << (-off - 8) % 64);
		*spilled = *value;
	} else if (value) {
		/* A pointer that is partly overwritten is lost. */
		stack_write(s, (int)off, size);
	} else if (spilled && spilled->type) {
		if (size != 8)
			return refuse(ck, at, "%s is stored there, 8 bytes wide",
				      reg_text(spilled));
		*result = *spilled;
	} else if (!stack_written(s, (int)off, size)) {
		return refuse(ck, at, "nothing was stored there on some path here");
	}
	return 0;
}

static int access_value(struct checker *ck, const struct reg *base, unsigned int at, int64_t off,
			unsigned int size, const struct reg *value)
{
	const struct map *map = &ck->c->maps[base->map];

	if (value && value->type != REG_NUMBER)
		return refuse(ck, at, "maps keep data, not %s", reg_text(value));
	off += base->off;
	if (off < 0 || off + size > map->value_size)
		return refuse(ck, at, "values of map %s have %u bytes", map->name, map->value_size);
	if (off % size)
		return refuse(ck, at, "accesses to map values must be aligned");
	return 0;
}

static int access_context(struct checker *ck, unsigned int at, int off, unsigned int size,
			  bool write)
{
	unsigned int limit = ck->c->record_size ? ck->c->record_size : CONTEXT_MAX;

	if (ck->g->target == TARGET_RING)
		return refuse(ck, at,
			      "there is no context here: the record is loaded by BPF_LD | BPF_ABS");
	if (write)
		return refuse(ck, at, "the context can't be written");
	if (ck->c->type == TYPE_TRACEPOINT && off >= 0 && off < CONTEXT_HIDDEN)
		return refuse(ck, at,
			      "bytes 0 to %d of a tracepoint's context are the kernel's own",
			      CONTEXT_HIDDEN - 1);
	if (off < 0 || off + size > limit)
		return refuse(ck, at, "the context has %u bytes", limit);
	if (off % (int)size)
		return refuse(ck, at, "loads from the context must be aligned");
	return 0;
}

/* The size of struct pt_regs of x86-64. On other machines no program reads it. */
#define REGISTERS_MAX	168

static int access_registers(struct checker *ck, unsigned int at, int off, unsigned int size,
			    bool write)
{
	if (write)
		return refuse(ck, at, "registers can't be written");
	if (off < 0 || off + size > REGISTERS_MAX)
		return refuse(ck, at, "the registers have %u bytes", REGISTERS_MAX);
	if (off % (int)size)
		return refuse(ck, at, "loads of registers must be aligned");
	return 0;
}

/*
 * The checker does not know which members are pointers to structs. If one is, its address must be
 * loaded as a whole, and compared with NULL before it is followed.
 */
static int access_struct(struct checker *ck, const struct reg *base, unsigned int at, int off,
			 unsigned int size, bool write, struct reg *result)
{
	if (write)
		return refuse(ck, at, "structs of the kernel can't be written");
	off += base->off;
	if (off < 0 || off + size > STRUCT_MAX)
		return refuse(ck, at, "the struct has no byte %d", off);
	if (off % (int)size)
		return refuse(ck, at, "loads from structs must be aligned");
	if (size == 8)
		result->member = OR_NULL;
	return 0;
}

/* A typed tracepoint's argument is 8 bytes. */
static int access_argument(struct checker *ck, unsigned int at, int off, unsigned int size,
			   bool write, struct reg *result)
{
	if (access_context(ck, at, off, size, write))
		return -1;
	if (size != 8)
		return refuse(ck, at, "arguments are loaded as a whole, 8 bytes");
	if (ck->c->structs >> off / 8 & 1)
		*result = (struct reg){ .type = REG_STRUCT };
	return 0;
}

static int access_memory(struct checker *ck, struct state *s, unsigned int at, unsigned int base,
			 const struct reg *value, struct reg *result)
{
	const struct bpf_insn *insn = &ck->insns[at];
	const struct reg *r = &s->regs[base];
	unsigned int size = size_of(insn->code);

	if (value && value->type == REG_UNSET)
		return refuse(ck, at, "r%u is %s", insn->src_reg, reg_text(value));
	if (result)
		*result = loaded(size);
	switch (r->type) {
	case REG_FRAME:
	case REG_STACK:
		return access_stack(ck, s, at, (int64_t)r->off + insn->off, size, value, result);
	case REG_VALUE:
		return access_value(ck, r, at, insn->off, size, value);
	case REG_CONTEXT:
		return ck->c->type == TYPE_TYPED && ck->g->target == TARGET_BPF ?
			access_argument(ck, at, insn->off, size, value, result) :
			access_context(ck, at, insn->off, size, value);
	case REG_STRUCT:
	case REG_TASK:
		return access_struct(ck, r, at, insn->off, size, value, result);
	case REG_NUMBER:
		if (r->member == NOT_NULL)
			return access_struct(ck, r, at, insn->off, size, value, result);
		return refuse(ck, at, "r%u is %s", base, r->member ?
			      "a member of a struct or NULL: compare it with 0 first" :
			      reg_text(r));
	case REG_REGISTERS:
		return access_registers(ck, at, insn->off, size, value);
	default:
		return refuse(ck, at, "r%u is %s", base, reg_text(r));
	}
}

static int step_load(struct checker *ck, struct state *s, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];
	struct reg result;

	if (access_memory(ck, s, at, insn->src_reg, NULL, &result))
		return -1;
	s->regs[insn->dst_reg] = result;
	return 0;
}

static int step_store(struct checker *ck, struct state *s, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];
	struct reg number = reg_number(0, 0), value = number, old;

	if (BPF_CLASS(insn->code) == BPF_STX)
		value = s->regs[insn->src_reg];
	if (BPF_MODE(insn->code) == BPF_XADD) {
		if (value.type != REG_NUMBER)
			return refuse(ck, at, "r%u is %s, not a number", insn->src_reg,
				      reg_text(&value));
		if (s->regs[insn->dst_reg].type == REG_CONTEXT)
			return refuse(ck, at, "the context can't be written");
		if (access_memory(ck, s, at, insn->dst_reg, NULL, &old))
			return -1;
		if (old.type != REG_NUMBER)
			return refuse(ck, at, "%s is stored there, not a number", reg_text(&old));
	}
	if (BPF_IS_CMPXCHG(insn)) {
		if (s->regs[BPF_REG_0].type != REG_NUMBER)
			return refuse(ck, at, "r0 is %s, not a number",
				      reg_text(&s->regs[BPF_REG_0]));
		/* r0 and the memory each become one of two numbers. */
		value = s->regs[BPF_REG_0] = reg_number(0, UINT64_MAX);
	}
	return access_memory(ck, s, at, insn->dst_reg, &value, NULL);
}

static int step_immediate(struct checker *ck, struct state *s, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];
	uint64_t value = (uint32_t)insn[0].imm | (uint64_t)(uint32_t)insn[1].imm << 32;

	if (BPF_IS_FUNCTION(insn))
		s->regs[insn->dst_reg] = (struct reg){
			.type = REG_FUNCTION, .off = (int32_t)at + 1 + insn->imm,
		};
	else if (BPF_HAS_MAP(insn))
		s->regs[insn->dst_reg] = (struct reg){
			.type = insn->src_reg == BPF_PSEUDO_MAP_FD ? REG_MAP : REG_VALUE,
			.map = (uint16_t)insn->imm,
		};
	else
		s->regs[insn->dst_reg] = reg_number(value, value);
	return 0;
}

static int step_record(struct checker *ck, struct state *s, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];
	unsigned int size = size_of(insn->code), end = (unsigned int)insn->imm + size;

	if (ck->c->record_size && end > ck->c->record_size)
		return refuse(ck, at, "the record has %u bytes", ck->c->record_size);
	if (end > ck->record_bytes)
		ck->record_bytes = end;
	s->regs[insn->dst_reg] = insn->src_reg ? reg_number(0, UINT64_MAX) : loaded(size);
	return 0;
}

int step(struct checker *ck, struct state *s, unsigned int at)
{
	uint8_t code = ck->insns[at].code;

	switch (BPF_CLASS(code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return step_alu(ck, s, at);
	case BPF_LDX:
		return step_load(ck, s, at);
	case BPF_ST:
	case BPF_STX:
		return step_store(ck, s, at);
	case BPF_LD:
		return BPF_MODE(code) == BPF_IMM ? step_immediate(ck, s, at)
						 : step_record(ck, s, at);
	case RING_INSN(0):
		return step_ring(ck, s, at);
	default:
		return step_call(ck, s, at);
	}
}

int step_jump(struct checker *ck, const struct state *s, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];
	const struct reg *dst = &s->regs[insn->dst_reg], *src = &s->regs[insn->src_reg];
	bool equality = BPF_OP(insn->code) == BPF_JEQ || BPF_OP(insn->code) == BPF_JNE;

	if (insn->code == (BPF_JMP | BPF_EXIT)) {
		if (s->regs[BPF_REG_0].type != REG_NUMBER)
			return refuse(ck, at, "r0, the program's result, is %s",
				      reg_text(&s->regs[BPF_REG_0]));
		return 0;
	}
	if (insn->code == (BPF_JMP | BPF_JA) || insn->code == RING_AGAIN)
		return 0;
	if (BPF_SRC(insn->code) == BPF_X) {
		if (src->type != REG_NUMBER)
			return refuse(ck, at, "r%u is %s, not a number", insn->src_reg,
				      reg_text(src));
	} else if (equality && !insn->imm &&
		   (dst->type == REG_VALUE || dst->type == REG_VALUE_OR_NULL)) {
		return 0;
	}
	if (dst->type != REG_NUMBER)
		return refuse(ck, at, "r%u is %s%s", insn->dst_reg, reg_text(dst),
			      dst->type ? ", not a number" : "");
	return 0;
}

/* Narrows the compared register only, as kernels before 4.10 do: they do not know its copies. */
void refine(const struct bpf_insn *insn, struct state *s, bool taken)
{
	struct reg *r = &s->regs[insn->dst_reg];
	uint64_t imm = (uint64_t)(int64_t)insn->imm;
	bool equal;

	if (BPF_SRC(insn->code) != BPF_K ||
	    (BPF_OP(insn->code) != BPF_JEQ && BPF_OP(insn->code) != BPF_JNE))
		return;
	equal = (BPF_OP(insn->code) == BPF_JEQ) == taken;
	if (r->type == REG_VALUE_OR_NULL && equal)
		*r = reg_number(0, 0);
	else if (r->type == REG_VALUE_OR_NULL)
		r->type = REG_VALUE;
	else if (r->type == REG_NUMBER && equal)
		*r = reg_number(imm, imm);
	else if (r->member && !imm)
		r->member = NOT_NULL;
}
