// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_vm SECONDS [SEED]: gives sonde's machine programs nobody wrote. Most are put together from
 * pieces that are valid, then changed in a few places, so that many pass the checker and break what
 * only running shows; some are noise. Those accepted run over random records, many of them too
 * short. Meant for a build with ASan and UBSan: whatever it finds ends the process. The same seed
 * makes the same programs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/vm/vm.h"
#include "tests/fuzz/random.h"

#define PROGRAM_MAX	400
#define RUNS		16	/* of a program that was accepted */
#define PROGRAMS	64	/* of one machine, before a new one takes over */

struct fuzz {
	uint64_t state;
	struct bpf_insn insns[PROGRAM_MAX];
	unsigned int n;
	uint64_t generated, accepted, ran, short_records, outputs;
};

/* One entry each, so that the memory behind an entry is nobody's; the last ones have room. */
static const struct map maps[] = {
	{ "one", MAP_HASH, ROLE_JOIN, 8, 16, 1 },
	{ "element", MAP_ARRAY, ROLE_RESULT, 4, 8, 1 },
	{ "out", MAP_OUTPUT, ROLE_RESULT, 0, 0, 0 },
	{ "some", MAP_HASH, ROLE_RESULT, 5, 12, 3 },
	{ "elements", MAP_PERCPU_ARRAY, ROLE_JOIN, 4, 24, 3 },
	{ "hints", MAP_HASH, ROLE_HINT, 8, 16, 2 },
};
#define MAPS (sizeof(maps) / sizeof(maps[0]))

static uint64_t next(struct fuzz *f)
{
	return random_next(&f->state);
}

static unsigned int below(struct fuzz *f, unsigned int n)
{
	return (unsigned int)(next(f) % n);
}

#define PICK(f, array) ((array)[below(f, sizeof(array) / sizeof((array)[0]))])

/* Numbers at which things go wrong. */
static int32_t number(struct fuzz *f)
{
	static const int32_t edges[] = {
		0,   1,	  -1,  2,  7,	8,    15,   16,	  31,	32,    63,    64,	 127,
		128, 255, 256, -8, -16, -504, -512, -520, 4096, 65535, 65536, INT32_MAX, INT32_MIN,
	};

	return below(f, 4) ? PICK(f, edges) : (int32_t)next(f);
}

static void put(struct fuzz *f, int code, int dst, int src, int off, int32_t imm)
{
	if (f->n < PROGRAM_MAX)
		f->insns[f->n++] = (struct bpf_insn){
			.code = (uint8_t)code,
			.dst_reg = dst & 15,
			.src_reg = src & 15,
			.off = (int16_t)off,
			.imm = imm,
		};
}

static void mov(struct fuzz *f, int dst, int32_t imm)
{
	put(f, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

static void stack_address(struct fuzz *f, int dst, int off)
{
	put(f, BPF_ALU64 | BPF_MOV | BPF_X, dst, BPF_REG_10, 0, 0);
	put(f, BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, off);
}

static void load_map(struct fuzz *f, int dst, int map)
{
	put(f, BPF_LD | BPF_IMM | BPF_DW, dst, BPF_PSEUDO_MAP_FD, 0, map);
	put(f, 0, 0, 0, 0, 0);
}

static void call(struct fuzz *f, int32_t helper)
{
	put(f, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

/* r6 to r9: always numbers in what the pieces make. */
static int kept(struct fuzz *f)
{
	return BPF_REG_6 + (int)below(f, 4);
}

/* The 64 bytes of stack every program begins by writing. */
static int written(struct fuzz *f, int size)
{
	return -64 + size * (int)below(f, 64U / (unsigned int)size);
}

static const uint8_t sizes[] = { BPF_B, BPF_H, BPF_W, BPF_DW };

static int bytes(uint8_t size)
{
	return size == BPF_B ? 1 : size == BPF_H ? 2 : size == BPF_W ? 4 : 8;
}

static void piece_alu(struct fuzz *f)
{
	static const uint8_t ops[] = {
		BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV, BPF_OR,  BPF_AND,
		BPF_LSH, BPF_RSH, BPF_MOD, BPF_XOR, BPF_MOV, BPF_ARSH,
	};
	static const int32_t ends[] = { 16, 32, 64 };
	uint8_t op = PICK(f, ops), class = below(f, 2) && op != BPF_ARSH ? BPF_ALU : BPF_ALU64;
	int32_t imm = op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH ? (int32_t)below(f, 32)
								       : number(f);

	if (!below(f, 10))
		put(f, BPF_ALU | BPF_END | (below(f, 2) ? BPF_TO_BE : BPF_TO_LE), kept(f), 0, 0,
		    PICK(f, ends));
	else if (!below(f, 10))
		put(f, class | BPF_NEG, kept(f), 0, 0, 0);
	else if (below(f, 2))
		put(f, class | op | BPF_X, kept(f), kept(f), 0, 0);
	else
		put(f, class | op | BPF_K, kept(f), 0, 0, imm ? imm : 1);
}

static void piece_record(struct fuzz *f)
{
	put(f, BPF_LD | BPF_ABS | PICK(f, sizes), kept(f), (int)below(f, 2), 0,
	    (int32_t)below(f, 40));
}

static void piece_stack(struct fuzz *f)
{
	uint8_t size = PICK(f, sizes);

	switch (below(f, 4)) {
	case 0:
		put(f, BPF_ST | BPF_MEM | size, BPF_REG_10, 0, written(f, bytes(size)), number(f));
		break;
	case 1:
		put(f, BPF_STX | BPF_MEM | size, BPF_REG_10, kept(f), written(f, bytes(size)), 0);
		break;
	case 2:
		put(f, BPF_STX | BPF_XADD | BPF_DW, BPF_REG_10, kept(f), written(f, 8), 0);
		break;
	default:
		put(f, BPF_LDX | BPF_MEM | size, kept(f), BPF_REG_10, written(f, bytes(size)), 0);
	}
}

/* Looks a key up, and does something to its value. */
static void piece_lookup(struct fuzz *f)
{
	static const int numbers[] = { 0, 1, 3, 4, 5 };
	int map = PICK(f, numbers), size = below(f, 2) || maps[map].value_size < 8 ? 4 : 8;
	int at = size * (int)below(f, maps[map].value_size / (unsigned int)size),
	    code = size == 4 ? BPF_W : BPF_DW;

	if (below(f, 2))
		put(f, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -64, (int32_t)below(f, 4));
	load_map(f, BPF_REG_1, map);
	stack_address(f, BPF_REG_2, -64);
	call(f, BPF_FUNC_map_lookup_elem);
	put(f, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 3, 0);
	put(f, BPF_STX | (below(f, 2) ? BPF_XADD : BPF_MEM) | code, BPF_REG_0, kept(f), at, 0);
	put(f, BPF_ST | BPF_MEM | code, BPF_REG_0, 0, at, number(f));
	put(f, BPF_LDX | BPF_MEM | code, kept(f), BPF_REG_0, at, 0);
}

static void piece_change(struct fuzz *f)
{
	static const int numbers[] = { 0, 1, 3, 4, 5 };
	int map = PICK(f, numbers);

	load_map(f, BPF_REG_1, map);
	stack_address(f, BPF_REG_2, written(f, 8));
	if (below(f, 3) || maps[map].kind != MAP_HASH) {
		stack_address(f, BPF_REG_3, -40);
		mov(f, BPF_REG_4, (int32_t)below(f, 4));
		call(f, BPF_FUNC_map_update_elem);
		if (below(f, 2))
			call(f, RING_COUNT_FULL);
	} else {
		call(f, BPF_FUNC_map_delete_elem);
	}
	put(f, BPF_ALU64 | BPF_MOV | BPF_X, kept(f), BPF_REG_0, 0, 0);
}

static void piece_identity(struct fuzz *f)
{
	static const int32_t helpers[] = {
		BPF_FUNC_ktime_get_ns, BPF_FUNC_get_smp_processor_id, BPF_FUNC_get_current_pid_tgid,
	};

	if (below(f, 2)) {
		call(f, PICK(f, helpers));
	} else {
		stack_address(f, BPF_REG_1, -64);
		mov(f, BPF_REG_2, 1 + (int32_t)below(f, 64));
		call(f, BPF_FUNC_get_current_comm);
	}
	put(f, BPF_ALU64 | BPF_MOV | BPF_X, kept(f), BPF_REG_0, 0, 0);
}

static void piece_string(struct fuzz *f)
{
	static const int32_t helpers[] = {
		RING_STRING_LOC, RING_STRING_ARRAY, RING_STRING_PART, RING_STRING_PIECES,
		RING_ROW_ENDS,
	};
	int32_t helper = PICK(f, helpers);

	mov(f, BPF_REG_1, (int32_t)below(f, helper == RING_STRING_PART ? 4 : 40));
	mov(f, BPF_REG_2, 1 + (int32_t)below(f, 24));
	mov(f, BPF_REG_3, below(f, 8) ? 4 << below(f, 2) : (int32_t)below(f, 10));
	mov(f, BPF_REG_4, below(f, 8) ? 4 << below(f, 2) : (int32_t)below(f, 10));
	call(f, helper);
	put(f, BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_3, below(f, 4) ? BPF_REG_0 : kept(f), 0, 0);
	put(f, BPF_ALU64 | BPF_MOV | BPF_X, kept(f), BPF_REG_0, 0, 0);
	stack_address(f, BPF_REG_1, -64);
	mov(f, BPF_REG_2, 1 + (int32_t)below(f, 64));
	call(f, RING_READ_STRING);
}

static void piece_output(struct fuzz *f)
{
	load_map(f, BPF_REG_1, 2);
	stack_address(f, BPF_REG_2, -64);
	mov(f, BPF_REG_3, 1 + (int32_t)below(f, 64));
	call(f, RING_OUTPUT);
}

/* The virtual machine's own instructions; what is looked up is copied from and to. */
static void piece_own(struct fuzz *f)
{
	static const int numbers[] = { 0, 1, 3, 4, 5 };
	int map = PICK(f, numbers), size = 1 + (int)below(f, maps[map].value_size);

	switch (below(f, 6)) {
	case 0:
		put(f, RING_LOOKUP, 0, 0, written(f, 8), map);
		put(f, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 2, 0);
		put(f, RING_COPY, BPF_REG_10, BPF_REG_0, -64 + (int)below(f, 40),
		    COPY_IMM((int)below(f, maps[map].value_size), size));
		put(f, RING_COPY, BPF_REG_0, BPF_REG_10, (int)below(f, maps[map].value_size),
		    COPY_IMM(-64 + (int)below(f, 40), size));
		break;
	case 1:
		put(f, RING_UPDATE, (int)below(f, 4), 0, written(f, 8),
		    RING_UPDATE_IMM(map, -40 + (int)below(f, 8)));
		put(f, BPF_ALU64 | BPF_MOV | BPF_X, kept(f), BPF_REG_0, 0, 0);
		break;
	case 2:
		put(f, RING_DELETE, 0, 0, written(f, 8), below(f, 2) ? 0 : 3);
		break;
	case 3:
		put(f, RING_ADD, 0, below(f, 2) ? kept(f) : 0, written(f, 8), below(f, 2) ? 1 : 4);
		break;
	case 4:
		put(f, RING_COPY, BPF_REG_10, BPF_REG_10, -64 + (int)below(f, 40),
		    COPY_IMM(-64 + (int)below(f, 40), 1 + (int)below(f, 40)));
		put(f, RING_ZERO, 0, 0, -64 + (int)below(f, 40), 1 + (int32_t)below(f, 40));
		break;
	default:
		put(f, RING_LOG2, kept(f), kept(f), 0, 0);
	}
}

static const uint8_t jumps[] = {
	BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JGE, BPF_JSET, BPF_JSGT, BPF_JSGE, BPF_JLT, BPF_JLE,
	BPF_JSLT, BPF_JSLE,
};

/* A program of pieces; what is left out by a jump ends where a piece ends. */
static void compose(struct fuzz *f)
{
	static void (*const pieces[])(struct fuzz * f) = {
		piece_alu,    piece_alu,      piece_record, piece_stack,  piece_lookup,
		piece_change, piece_identity, piece_string, piece_output, piece_own,
	};
	unsigned int n = 1 + below(f, 20), jump = 0, left = 0;

	for (int reg = BPF_REG_6; reg <= BPF_REG_9; reg++)
		mov(f, reg, number(f));
	for (int off = -64; off < 0; off += 8)
		put(f, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, off, (int32_t)below(f, 3));
	for (unsigned int i = 0; i < n && f->n + 40 < PROGRAM_MAX; i++) {
		if (!left && !below(f, 3)) {
			jump = f->n;
			left = 1 + below(f, 4);
			put(f, BPF_JMP | PICK(f, jumps) | (below(f, 2) ? BPF_X : BPF_K), kept(f), 0,
			    0, 0);
			if (BPF_SRC(f->insns[jump].code) == BPF_X)
				f->insns[jump].src_reg = (uint8_t)kept(f) & 15;
			else
				f->insns[jump].imm = number(f);
		}
		PICK(f, pieces)(f);
		if (left && !--left)
			f->insns[jump].off = (int16_t)(f->n - jump - 1);
	}
	if (left)
		f->insns[jump].off = (int16_t)(f->n - jump - 1);
	mov(f, BPF_REG_0, 1);
	put(f, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static void mutate(struct fuzz *f)
{
	struct bpf_insn *insn = &f->insns[below(f, f->n)];

	switch (below(f, 8)) {
	case 0:
		insn->code = (uint8_t)next(f);
		break;
	case 1:
		insn->code ^= (uint8_t)(1U << below(f, 8));
		break;
	case 2:
		insn->dst_reg = below(f, 11) & 15;
		break;
	case 3:
		insn->src_reg = below(f, 11) & 15;
		break;
	case 4:
		insn->off = (int16_t)(below(f, 2) ? number(f) : insn->off + (int)below(f, 17) - 8);
		break;
	case 5:
		insn->imm =
			below(f, 2) ? number(f) : (int32_t)((uint32_t)insn->imm + below(f, 17) - 8);
		break;
	case 6:
		*insn = f->insns[below(f, f->n)];
		break;
	default:	/* one less */
		f->n--;
		memmove(insn, insn + 1, (size_t)(f->insns + f->n - insn) * sizeof(*insn));
	}
}

static void noise(struct fuzz *f)
{
	f->n = 1 + below(f, 40);
	for (unsigned int i = 0; i < f->n; i++) {
		uint64_t random = next(f);

		memcpy(&f->insns[i], &random, sizeof(random));
	}
}

static void make_program(struct fuzz *f)
{
	unsigned int changes = below(f, 4);

	f->n = 0;
	f->generated++;
	if (!below(f, 50)) {
		noise(f);
		return;
	}
	compose(f);
	for (unsigned int i = 0; i < changes && f->n > 1; i++)
		mutate(f);
}

static void count_output(void *arg, unsigned int output, const void *record, uint32_t size)
{
	struct fuzz *f = arg;
	const volatile uint8_t *byte = record;

	if (maps[output].kind != MAP_OUTPUT)
		abort();
	for (uint32_t i = 0; i < size; i++)
		(void)byte[i];
	f->outputs++;
}

static void ignore_entry(void *arg, const void *key, const void *value)
{
	(void)arg;
	(void)key;
	(void)value;
}

/* A record in memory of exactly its size, so that a byte too far is seen. */
static void run_once(struct fuzz *f, struct vm *vm, int program)
{
	static const char comm[16] = "fuzzed";
	uint32_t size = below(f, 4) ? 64 : below(f, 64);
	uint8_t *record = malloc(size ? size : 1);
	struct sample s = {
		.time = next(f) >> below(f, 64),
		.cpu = below(f, 4),
		.tid = (uint32_t)next(f),
		.tgid = (uint32_t)next(f),
		.comm = below(f, 2) ? comm : NULL,
		.size = size,
		.record = record,
	};
	uint64_t parts[2] = { vm_intern(vm, "part", 4), next(f) };

	if (!record)
		abort();
	/* small numbers, so that a data_loc leads somewhere at times */
	for (uint32_t i = 0; i < size; i++)
		record[i] = (uint8_t)(below(f, 2) ? 0 : next(f) >> (56 + below(f, 8)));
	if (vm_run(vm, program, &s, below(f, 2) ? parts : NULL, below(f, 3)))
		f->short_records++;
	else
		f->ran++;
	free(record);
}

static void use_maps(struct fuzz *f, struct vm *vm)
{
	unsigned int map = below(f, MAPS);
	uint64_t key[2] = { below(f, 4), 0 }, value[4] = { next(f) };

	switch (below(f, 5)) {
	case 0:
		vm_take(vm, map, ignore_entry, f);
		break;
	case 1:
		vm_gap(vm, next(f));
		break;
	case 2:
		vm_set(vm, map, key, below(f, 2) ? value : NULL);
		break;
	case 3:
		vm_get(vm, map, key, value);
		break;
	}
}

/*
 * The same program under the rules of some kernel: the answer is not known, only that there is one.
 */
static void ask_kernel(struct fuzz *f)
{
	struct check c = { .maps = maps,
			   .n_maps = MAPS,
			   .type = below(f, 2) ? TYPE_KPROBE : TYPE_TRACEPOINT };
	unsigned int n = 0;
	struct error err;

	while (generations[n].name)
		n++;
	c.generation = &generations[below(f, n)];
	check(f->insns, f->n, &c, &err);
}

static void one_machine(struct fuzz *f)
{
	struct error err;
	struct vm *vm = vm_new(maps, MAPS, count_output, f, &err);
	struct vm_stats stats;

	if (!vm) {
		fprintf(stderr, "fuzz_vm: %s\n", err.text);
		exit(1);
	}
	for (unsigned int i = 0; i < PROGRAMS; i++) {
		int program;

		make_program(f);
		program = vm_load(vm, f->insns, f->n, &err);
		if (!below(f, 8))
			ask_kernel(f);
		if (program < 0)
			continue;
		f->accepted++;
		for (int run = 0; run < RUNS; run++) {
			run_once(f, vm, program);
			use_maps(f, vm);
		}
	}
	vm_stats(vm, &stats);
	vm_free(vm);
}

int main(int argc, char **argv)
{
	struct fuzz f = { .state = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL) };
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 0);

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: fuzz_vm SECONDS [SEED]\n");
		return 2;
	}
	printf("seed %" PRIu64 "\n", f.state);
	fflush(stdout);
	do
		one_machine(&f);
	while (time(NULL) < end);
	printf("programs: %" PRIu64 " generated, %" PRIu64 " accepted; runs: %" PRIu64
	       ", too short records: %" PRIu64 ", outputs: %" PRIu64 "\n",
	       f.generated, f.accepted, f.ran, f.short_records, f.outputs);
	/* A generator whose programs nobody accepts, or that nothing runs, tests nothing. */
	return f.accepted && f.ran ? 0 : 1;
}
