// SPDX-License-Identifier: GPL-2.0
/*
 * Runs code. Everything it relies on was proven when the program was loaded: registers that are used as addresses
 * hold addresses, of the stack below or of map values, and accesses stay within; all that is left to see is the
 * record's length (vm_run() did) and what is only known here, such as where a data_loc points.
 */
#include "backends/stream/pieces.h"
#include "backends/vm/vm_code.h"

#include <errno.h>
#include <string.h>

#define STACK_SIZE 512
#define COMM_SIZE 16

typedef uint8_t __attribute__((may_alias)) mem8;
typedef uint16_t __attribute__((may_alias)) mem16;
typedef uint32_t __attribute__((may_alias)) mem32;
typedef uint64_t __attribute__((may_alias)) mem64;

static inline void *address(uint64_t reg)
{
	return (void *)(uintptr_t)reg;
}

static int map_update(struct vm *vm, struct vm_map *m, const void *key, const void *value, uint64_t flags)
{
	int result = vm_map_update(m, key, value, flags, vm->now);

	if (result == -E2BIG && m->map.kind == MAP_HASH) {	/* of an array: there is no such element */
		vm->stats.full++;
		vm->refused++;
	}
	return result;
}

/*
 * A refused update was counted where it was refused, whether the program looks at it or not; so its COUNT_FULL counts
 * only what was not.
 */
static void count_full(struct vm *vm)
{
	if (vm->refused)
		vm->refused--;
	else
		vm->stats.full++;
}

/* A program does not see whether its addition was refused: it is counted here alone. */
static void map_add(struct vm *vm, struct vm_map *m, const void *key, uint64_t addend)
{
	mem64 *value = vm_map_lookup(m, key);

	if (value)
		*value += addend;
	else if (m->map.kind == MAP_HASH && vm_map_update(m, key, &addend, BPF_NOEXIST, vm->now))
		vm->stats.full++;
}

static inline uint64_t log2_slot(uint64_t value)
{
	unsigned int bits = value < 8 ? 0 : 60 - (unsigned int)__builtin_clzll(value);

	return 8 * bits + (value >> bits);
}

static uint64_t current_task(const struct sample *s)
{
	return (uint64_t)s->tgid << 32 | s->tid;
}

static int64_t current_comm(const struct sample *s, char *to, uint64_t size)
{
	memset(to, 0, size);
	if (!s->comm)
		return -EINVAL;
	memcpy(to, s->comm, size < COMM_SIZE ? size : COMM_SIZE);
	to[size - 1] = 0;
	return 0;
}

/*
 * The text a data_loc points to. Kernels mark one they could not read: up to 6.1 by no length, which even an empty
 * text has (its NUL), later by this text. Both are no text.
 */
static uint64_t string_loc(struct vm *vm, const struct sample *s, uint64_t at)
{
	static const char fault[] = "(fault)";
	const char *record = s->record;
	uint32_t loc, offset, length;

	memcpy(&loc, record + at, sizeof(loc));
	offset = loc & 0xffff;
	length = loc >> 16;
	if (!length || offset > s->size || length > s->size - offset)
		return 0;
	if (length == sizeof(fault) && !memcmp(record + offset, fault, sizeof(fault)))
		return 0;
	length = (uint32_t)strnlen(record + offset, length);
	return strings_add(&vm->strings, record + offset, length);
}

static uint64_t string_array(struct vm *vm, const struct sample *s, uint64_t at, uint64_t size)
{
	const char *text = (const char *)s->record + at;

	return strings_add(&vm->strings, text, (uint32_t)strnlen(text, size));
}

static uint64_t string_pieces(struct vm *vm, const struct sample *s, const uint64_t *r)
{
	char text[PIECES_TEXT];
	int length = pieces_text((const uint8_t *)s->record + r[1], (uint32_t)r[2], (uint32_t)r[3],
				 (uint32_t)r[4], text);

	return length < 0 ? 0 : strings_add(&vm->strings, text, (uint32_t)length);
}

static int64_t read_string(struct vm *vm, char *to, uint64_t size, uint64_t handle)
{
	uint32_t length;
	const char *text = strings_find(&vm->strings, handle, &length);

	if (!text) {
		vm->stats.strings++;
		memset(to, 0, size);
		return -EFAULT;
	}
	if (length > size - 1)
		length = (uint32_t)size - 1;
	memcpy(to, text, length);
	memset(to + length, 0, size - length);	/* nothing of what stood there before leaves with a record */
	return (int64_t)length + 1;
}

static unsigned int number_of(const struct vm *vm, const struct vm_map *map)
{
	return (unsigned int)(map - vm->maps);
}

static uint64_t swap(uint64_t value, uint64_t bits)
{
	return bits == 16 ? __builtin_bswap16((uint16_t)value) :
	       bits == 32 ? __builtin_bswap32((uint32_t)value) : __builtin_bswap64(value);
}

static uint64_t cut(uint64_t value, uint64_t bits)
{
	return bits == 64 ? value : value & ((1ULL << bits) - 1);
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TO_LITTLE cut
#define TO_BIG swap
#else
#define TO_LITTLE swap
#define TO_BIG cut
#endif

/* The operations that come in families. */
#define ALU_OPS(X) \
	X(ADD, a + b)		X(SUB, a - b)		X(MUL, a * b) \
	X(OR, a | b)		X(AND, a & b)		X(XOR, a ^ b) \
	X(LSH, a << (b & (sizeof(a) * 8 - 1)))		X(RSH, a >> (b & (sizeof(a) * 8 - 1))) \
	X(DIV, b ? a / b : 0)	X(MOD, b ? a % b : a)	X(MOV, ((void)a, b))

#define JUMP_OPS(X) \
	X(JEQ, a == b)	X(JNE, a != b)	X(JGT, a > b)	X(JGE, a >= b)	X(JSET, a & b) \
	X(JSGT, (int64_t)a > (int64_t)b)		X(JSGE, (int64_t)a >= (int64_t)b) \
	X(JLT, a < b)	X(JLE, a <= b) \
	X(JSLT, (int64_t)a < (int64_t)b)		X(JSLE, (int64_t)a <= (int64_t)b)

#define SIZES(X) X(B, 8) X(H, 16) X(W, 32) X(DW, 64)

#define DST r[op->dst]
#define SRC r[op->src]
#define STACK_AT(OFF) ((uint8_t *)stack + STACK_SIZE + (OFF))
#define NEXT goto *labels[(++op)->code]

void vm_execute(struct vm *vm, const struct op *op, const struct vm_event *event)
{
#define ALU_LABELS(NAME, EXPRESSION) \
	[BPF_ALU64 | BPF_##NAME | BPF_X] = &&alu64_x_##NAME, \
	[BPF_ALU64 | BPF_##NAME | BPF_K] = &&alu64_k_##NAME, \
	[BPF_ALU | BPF_##NAME | BPF_X] = &&alu32_x_##NAME, \
	[BPF_ALU | BPF_##NAME | BPF_K] = &&alu32_k_##NAME,
#define JUMP_LABELS(NAME, EXPRESSION) \
	[BPF_JMP | BPF_##NAME | BPF_X] = &&jump_x_##NAME, \
	[BPF_JMP | BPF_##NAME | BPF_K] = &&jump_k_##NAME,
#define SIZE_LABELS(SIZE, BITS) \
	[BPF_LDX | BPF_MEM | BPF_##SIZE] = &&load_##SIZE, \
	[BPF_STX | BPF_MEM | BPF_##SIZE] = &&store_##SIZE, \
	[BPF_ST | BPF_MEM | BPF_##SIZE] = &&store_imm_##SIZE, \
	[BPF_LD | BPF_ABS | BPF_##SIZE] = &&record_##SIZE, \
	[OP_RECORD_SIGNED | BPF_##SIZE] = &&record_signed_##SIZE,
	static const void *const labels[256] = {
		ALU_OPS(ALU_LABELS) JUMP_OPS(JUMP_LABELS) SIZES(SIZE_LABELS)
		[BPF_ALU64 | BPF_ARSH | BPF_X] = &&arsh_x,
		[BPF_ALU64 | BPF_ARSH | BPF_K] = &&arsh_k,
		[BPF_ALU64 | BPF_NEG] = &&neg64, [BPF_ALU | BPF_NEG] = &&neg32,
		[BPF_ALU | BPF_END | BPF_TO_LE] = &&to_little,
		[BPF_ALU | BPF_END | BPF_TO_BE] = &&to_big,
		[BPF_STX | BPF_XADD | BPF_W] = &&add_W, [BPF_STX | BPF_XADD | BPF_DW] = &&add_DW,
		[BPF_JMP | BPF_JA] = &&jump, [BPF_JMP | BPF_EXIT] = &&end,
		[OP_IMMEDIATE] = &&immediate, [RING_STACK_ADDRESS] = &&stack_address,
		[OP_LOOKUP] = &&lookup, [OP_UPDATE] = &&update, [OP_DELETE] = &&delete,
		[OP_TIME] = &&time, [OP_CPU] = &&cpu, [OP_TASK] = &&task, [OP_COMM] = &&comm,
		[OP_STRING_LOC] = &&string_loc, [OP_STRING_ARRAY] = &&string_array,
		[OP_STRING_PART] = &&string_part, [OP_READ_STRING] = &&read_string,
		[OP_STRING_PIECES] = &&string_pieces, [OP_ROW_ENDS] = &&row_ends,
		[OP_STACK] = &&stack_number, [OP_OUTPUT] = &&output, [OP_COUNT_FULL] = &&count_full,
		[OP_COUNT_UNKNOWN] = &&count_unknown,
		[RING_LOOKUP] = &&lookup_at, [RING_UPDATE] = &&update_at, [RING_DELETE] = &&delete_at,
		[RING_ADD] = &&add_at, [RING_COPY] = &&copy, [RING_ZERO] = &&zero, [RING_LOG2] = &&log2,
	};
	const struct sample *s = event->sample;
	const uint8_t *record = s->record;
	uint64_t stack[STACK_SIZE / 8], r[11];

	/* A program may copy the context it is handed; here there is none. */
	r[1] = 0;
	r[10] = (uintptr_t)stack + STACK_SIZE;
	goto *labels[op->code];

#define ALU(NAME, EXPRESSION) \
alu64_x_##NAME: { uint64_t a = DST, b = SRC; DST = EXPRESSION; NEXT; } \
alu64_k_##NAME: { uint64_t a = DST, b = op->imm; DST = EXPRESSION; NEXT; } \
alu32_x_##NAME: { uint32_t a = (uint32_t)DST, b = (uint32_t)SRC; \
	DST = (uint32_t)(EXPRESSION); NEXT; } \
alu32_k_##NAME: { uint32_t a = (uint32_t)DST, b = (uint32_t)op->imm; \
	DST = (uint32_t)(EXPRESSION); NEXT; }
	ALU_OPS(ALU)

#define JUMP_IF_TRUE(NAME, EXPRESSION) \
jump_x_##NAME: { uint64_t a = DST, b = SRC; op += EXPRESSION ? op->off : 0; NEXT; } \
jump_k_##NAME: { uint64_t a = DST, b = op->imm; op += EXPRESSION ? op->off : 0; NEXT; }
	JUMP_OPS(JUMP_IF_TRUE)

#define MEMORY(SIZE, BITS) \
load_##SIZE: DST = *(const mem##BITS *)address(SRC + (uint64_t)(int64_t)op->off); NEXT; \
store_##SIZE: *(mem##BITS *)address(DST + (uint64_t)(int64_t)op->off) = (uint##BITS##_t)SRC; NEXT; \
store_imm_##SIZE: *(mem##BITS *)address(DST + (uint64_t)(int64_t)op->off) = \
	(uint##BITS##_t)op->imm; NEXT; \
record_##SIZE: { uint##BITS##_t value; memcpy(&value, record + op->imm, sizeof(value)); \
	DST = value; NEXT; } \
record_signed_##SIZE: { int##BITS##_t value; memcpy(&value, record + op->imm, sizeof(value)); \
	DST = (uint64_t)(int64_t)value; NEXT; }
	SIZES(MEMORY)

arsh_x:
	DST = (uint64_t)((int64_t)DST >> (SRC & 63));
	NEXT;
arsh_k:
	DST = (uint64_t)((int64_t)DST >> op->imm);
	NEXT;
neg64:
	DST = -DST;
	NEXT;
neg32:
	DST = (uint32_t)-DST;
	NEXT;
to_little:
	DST = TO_LITTLE(DST, op->imm);
	NEXT;
to_big:
	DST = TO_BIG(DST, op->imm);
	NEXT;
add_W:
	*(mem32 *)address(DST + (uint64_t)(int64_t)op->off) += (uint32_t)SRC;
	NEXT;
add_DW:
	*(mem64 *)address(DST + (uint64_t)(int64_t)op->off) += SRC;
	NEXT;
jump:
	op += op->off;
	NEXT;
immediate:
	DST = op->imm;
	NEXT;
stack_address:
	DST = r[10] + (uint64_t)(int64_t)op->off;
	NEXT;
lookup:
	r[0] = (uintptr_t)vm_map_lookup(address(r[1]), address(r[2]));
	NEXT;
update:
	r[0] = (uint64_t)(int64_t)map_update(vm, address(r[1]), address(r[2]), address(r[3]), r[4]);
	NEXT;
delete:
	r[0] = (uint64_t)(int64_t)vm_map_delete(address(r[1]), address(r[2]));
	NEXT;
lookup_at:
	r[0] = (uintptr_t)vm_map_lookup(address(op->imm), STACK_AT(op->off));
	NEXT;
update_at:
	r[0] = (uint64_t)(int64_t)map_update(vm, address(op->imm), STACK_AT(op->off), STACK_AT(op->from), op->dst);
	NEXT;
delete_at:
	r[0] = (uint64_t)(int64_t)vm_map_delete(address(op->imm), STACK_AT(op->off));
	NEXT;
add_at:
	map_add(vm, address(op->imm), STACK_AT(op->off), op->src ? SRC : 1);
	NEXT;
copy:
	memmove(address(DST + (uint64_t)(int64_t)op->off), address(SRC + (uint64_t)(int64_t)op->from), op->imm);
	NEXT;
zero:
	memset(STACK_AT(op->off), 0, op->imm);
	NEXT;
log2:
	DST = log2_slot(SRC);
	NEXT;
time:
	r[0] = s->time;
	NEXT;
cpu:
	r[0] = s->cpu;
	NEXT;
task:
	r[0] = current_task(s);
	NEXT;
comm:
	r[0] = (uint64_t)current_comm(s, address(r[1]), r[2]);
	NEXT;
string_loc:
	r[0] = string_loc(vm, s, r[1]);
	NEXT;
string_array:
	r[0] = string_array(vm, s, r[1], r[2]);
	NEXT;
string_part:
	r[0] = r[1] < event->n_parts ? event->parts[r[1]] : 0;
	NEXT;
string_pieces:
	r[0] = string_pieces(vm, s, r);
	NEXT;
row_ends:
	r[0] = pieces_row_ends(record + r[1], (uint32_t)r[2], (uint32_t)r[3], (uint32_t)r[4]);
	NEXT;
read_string:
	r[0] = (uint64_t)read_string(vm, address(r[1]), r[2], r[3]);
	NEXT;
output:
	vm->output(vm->arg, number_of(vm, address(r[1])), address(r[2]), (uint32_t)r[3]);
	r[0] = 0;
	NEXT;
stack_number:
	r[0] = (uint64_t)(int64_t)vm_stack_number(address(r[1]), s, r[2]);
	NEXT;
count_full:
	count_full(vm);
	r[0] = 0;
	NEXT;
count_unknown:
	vm->stats.unknown++;
	r[0] = 0;
	NEXT;
end:
	return;
}
