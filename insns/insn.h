/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INSN_H
#define SONDE_INSN_H

#include <linux/bpf.h>
#include <stdint.h>

#include "compat/base/bpf_insn.h"
#include "insns/u64.h"

/*
 * The language of programs: the kernel's instruction macros, with the kernel's names and meaning
 * (samples/bpf/bpf_insn.h), and symbolic instructions. Lowering replaces these by instructions for
 * one engine on one kernel. Symbolic instructions clobber r0 to r5 and keep r6 to r9. The lowering
 * uses the stack below STACK_BOTTOM.
 *
 * A program uses the first instruction set; also JLT, JLE, JSLT and JSLE, which lowering replaces
 * for kernels without such jumps; and CMPXCHG, behind a JUMP_UNLESS("cmpxchg"). It jumps only
 * forward, but for NEXT_TURN, and never touches its context (FIELD does). It ends with EXIT: r0 =
 * 1, because 0 would hide the event from every other perf user of it. Its stack is one struct
 * (insns/frame.h).
 */

#define STACK_BOTTOM (-480)
#define STACK_SIZE 512
/* The stack of programs that only sonde's machine runs (generation_own). */
#define OWN_STACK 32768

enum symbolic {
	PLAIN,			/* a plain instruction; name: the memory it accesses, for --dump */
	SYM_LABEL,		/* name */
	SYM_JUMP,		/* bpf: a jump instruction; name: the label */
	SYM_JUMP_UNLESS,	/* decided when lowering: go to the label of SYM_ELSE if: option
				   `name` is 0; `input:NAME`: the input is missing;
				   `constant:NAME`: the input is not a number of the hook's row;
				   `row:NAME`: there is no such row; `target:bpf`: the target is not
				   bpf; `cmpxchg`: the instruction is missing; `returns:untold`:
				   false (true: the event is a kprobe, and the kernel does not
				   count missed returns) */
	SYM_ELSE,		/* name: the label for the SYM_FIELD or SYM_JUMP_UNLESS before it */
	SYM_MAP,		/* dst = the map `name` */
	SYM_LOOKUP,		/* r0 = address of the value of stack[off] in the map `name`, or
				   0 */
	SYM_UPDATE,		/* map `name`[stack[off]] = stack[imm], flags dst; r0 = 0, or
				   -errno */
	SYM_DELETE,		/* delete map `name`[stack[off]]; r0 = 0, or -errno */
	SYM_ADD,		/* map `name`[stack[off]] += src (r6 to r9), or 1 if src is r0;
				   a hash gets a missing key */
	SYM_FIELD,		/* dst = input `name`; if it is in unreadable memory: 0, or, if a
				   SYM_ELSE follows, go there */
	SYM_BYTES,		/* stack[off, imm bytes] = input `name` */
	SYM_STRING,		/* dst = input `name`, a string: a pointer (src, if given, holds
				   it already) or a handle */
	SYM_READ_STRING,	/* stack[off, imm bytes] = text at dst, user space if src; r0 =
				   length with NUL, or < 0 */
	SYM_PATH,		/* stack[off, imm bytes] = the path of input `name`; r0 = length
				   with NUL, or < 0; a NULL on the way: 1, and nothing is written;
				   BPF only */
	SYM_PEEK,		/* dst = the pointer at member `name` of the kernel's struct at
				   src, 0: none; BPF only */
	SYM_PEEK_USER,		/* dst = the pointer in user memory at src, as wide as the input
				   `name`; 0: none; always 0 on rings */
	SYM_FOLLOW,		/* dst = the number of imm & 15 bytes at the address in src; signed
				   if imm & 16; in user memory if imm & 32; if unreadable: 0, or
				   go to a SYM_ELSE that follows; BPF only */
	SYM_COPY,		/* copy memory: to dst + off, from src + COPY_FROM_OF(imm),
				   COPY_SIZE_OF(imm) bytes; name: its meaning, for --dump */
	SYM_ZERO,		/* stack[off, imm bytes] = 0; name: its meaning, for --dump */
	SYM_LOG2,		/* dst (r4 to r9) = the histogram slot of src, which is kept */
	SYM_CONST,		/* dst = option or kernel constant `name` */
	SYM_FILTER,		/* leave the program unless the user asked for the task; dst: its
				   pid_tgid, r6 to r9 */
	SYM_FILTER_OTHER,	/* go to the SYM_ELSE that follows unless the user asked for this
				   task by --pid and --tid; it need not be the current one; dst: its
				   pid_tgid, r6 to r9 */
	SYM_ITEM,		/* of an iterator: leave the program behind the last item; else tell
				   the reader that there is one (backends/bpf/bpf_attach.c);
				   clobbers dst */
	SYM_KNOWN,		/* leave the program, and count that, if the task's process is
				   unknown; dst: its pid_tgid, r6 to r9 */
	SYM_STACK,		/* dst (r6 to r9) = the number of the stack `name` in the map of
				   stacks, or -errno */
	SYM_OUTPUT,		/* write stack[off, imm bytes] to the output map `name`; a failure
				   is counted */
	SYM_COUNT_FULL,		/* a map was full: count it */
	SYM_COUNT_CALL,		/* count a call without a return; imm: it may still return */
	SYM_COUNT_SWITCH,	/* count a switch of tasks that no program saw */
	SYM_EPOCH,		/* dst = the epoch of result maps: which half of the keys is
				   being filled, 0 or 1; more than 1: the run has stopped. With
				   imm: a number that changes whenever unused stacks are removed;
				   STACKS_CLOSED in one of its bits: they are just being removed */
	SYM_LOOP,		/* a loop begins, up to its SYM_AGAIN; jumps from within it lead
				   within it, to the label `name`, its end, or to the label of the
				   SYM_ELSE that follows; stack[off], 8 bytes, is its own. Refused
				   where the kernel can't go back */
	SYM_AGAIN,		/* the next turn of the innermost loop; goes on behind it where no
				   more turns are possible. Only r10 is kept from turn to turn */
	SYM_UNKNOWN,		/* stack[off], 8 bytes, stays as it is; a verifier that has
				   followed its value so far doesn't know it from here on */
};

/* A copy's two numbers in one: how many bytes, and the offset they come from. */
#define COPY_IMM(FROM, SIZE)	((int32_t)((uint32_t)(SIZE) << 16 | (uint16_t)(FROM)))
#define COPY_FROM_OF(IMM)	((int16_t)((uint32_t)(IMM) & 0xffff))
#define COPY_SIZE_OF(IMM)	((uint16_t)((uint32_t)(IMM) >> 16))

/* Programs are thousands of these: 20 bytes each, not 32, keep the binary small. */
struct insn {
	struct bpf_insn bpf;
	const char *name;
	uint16_t line;		/* of the source file: groups instructions, finds their comment */
	uint8_t symbol;
#ifdef SONDE_REGISTER_NAMES
	const char *dst, *src;	/* as the source has them; "OLD & NEW" for RENAME(NEW, OLD) */
#endif
} __attribute__((packed, aligned(4)));

#define R0 BPF_REG_0
#define R1 BPF_REG_1
#define R2 BPF_REG_2
#define R3 BPF_REG_3
#define R4 BPF_REG_4
#define R5 BPF_REG_5
#define R6 BPF_REG_6
#define R7 BPF_REG_7
#define R8 BPF_REG_8
#define R9 BPF_REG_9
#define R10 BPF_REG_10

/* 0 if the condition is true, else an error of the compiler. */
#define REQUIRE(TRUE, WHY) (0 * (int)sizeof(struct { _Static_assert(TRUE, WHY); char none; }))

/*
 * A register with several names keeps one thing at a time, and only the name that it was written by
 * reads it. RENAME(NEW, OLD), in the place of a register that is read, says that what OLD was is
 * NEW from here on. Only a unit test looks at the names (tests/unit/suites/insns/test_registers.c):
 * it has programs of its own, compiled with SONDE_REGISTER_NAMES.
 */
#ifdef SONDE_REGISTER_NAMES
#define RENAME(NEW, OLD) OLD & NEW
#define REGISTER_NAMES(DST, SRC) .dst = #DST, .src = #SRC,
#else
#define RENAME(NEW, OLD) ((NEW) + REQUIRE((int)(NEW) == (int)(OLD), "they differ"))
#define REGISTER_NAMES(DST, SRC)
#endif

#define INSN(...) { .line = __LINE__, __VA_ARGS__ }
#define RAW(c, d, s, o, i) \
	INSN(REGISTER_NAMES(d, s) \
	     .bpf = { .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })

/* Symbolic instructions. */
#define SYMBOLIC_CODE(SYM, NAME, CODE, DST, SRC, OFF, IMM) \
	INSN(REGISTER_NAMES(DST, SRC) .symbol = (SYM), .name = (NAME), \
	     .bpf = { .code = (CODE), .dst_reg = (DST), .src_reg = (SRC), .off = (OFF), \
		      .imm = (IMM) })
#define SYMBOLIC(SYM, NAME, DST, SRC, OFF, IMM) SYMBOLIC_CODE(SYM, NAME, 0, DST, SRC, OFF, IMM)
#define LABEL(NAME)			SYMBOLIC(SYM_LABEL, NAME, 0, 0, 0, 0)
#define JUMP(NAME) \
	SYMBOLIC_CODE(SYM_JUMP, NAME, BPF_JMP | BPF_JA, 0, 0, 0, 0)
#define JUMP_IF(OP, REG, N, NAME) \
	SYMBOLIC_CODE(SYM_JUMP, NAME, BPF_JMP | BPF_OP(OP) | BPF_K, REG, 0, 0, N)
#define JUMP_IF_REG(OP, REG, REG2, NAME) \
	SYMBOLIC_CODE(SYM_JUMP, NAME, BPF_JMP | BPF_OP(OP) | BPF_X, REG, REG2, 0, 0)
#define JUMP_UNLESS(OPTION, NAME) /* if (!OPTION) goto NAME: decided when lowering */ \
	SYMBOLIC(SYM_JUMP_UNLESS, OPTION, 0, 0, 0, 0), SYMBOLIC(SYM_ELSE, NAME, 0, 0, 0, 0)

/* if (REG == N) goto NAME; likewise != > >= < <= &. JS: REG is signed. _REG: with a register. */
#define JEQ(REG, N, NAME)           JUMP_IF(BPF_JEQ, REG, N, NAME)
#define JNE(REG, N, NAME)           JUMP_IF(BPF_JNE, REG, N, NAME)
#define JGT(REG, N, NAME)           JUMP_IF(BPF_JGT, REG, N, NAME)
#define JLT(REG, N, NAME)           JUMP_IF(BPF_JLT, REG, N, NAME)
#define JLE(REG, N, NAME)           JUMP_IF(BPF_JLE, REG, N, NAME)
#define JSGT(REG, N, NAME)          JUMP_IF(BPF_JSGT, REG, N, NAME)
#define JSGE(REG, N, NAME)          JUMP_IF(BPF_JSGE, REG, N, NAME)
#define JSLT(REG, N, NAME)          JUMP_IF(BPF_JSLT, REG, N, NAME)
#define JSLE(REG, N, NAME)          JUMP_IF(BPF_JSLE, REG, N, NAME)
#define JSET(REG, N, NAME)          JUMP_IF(BPF_JSET, REG, N, NAME)
#define JEQ_REG(REG, REG2, NAME)    JUMP_IF_REG(BPF_JEQ, REG, REG2, NAME)
#define JNE_REG(REG, REG2, NAME)    JUMP_IF_REG(BPF_JNE, REG, REG2, NAME)
#define JSGE_REG(REG, OTHER, NAME)   JUMP_IF_REG(BPF_JSGE, REG, OTHER, NAME)
#define JGT_REG(REG, REG2, NAME)    JUMP_IF_REG(BPF_JGT, REG, REG2, NAME)
#define JGE_REG(REG, REG2, NAME)    JUMP_IF_REG(BPF_JGE, REG, REG2, NAME)
#define JLT_REG(REG, REG2, NAME)    JUMP_IF_REG(BPF_JLT, REG, REG2, NAME)
#define JSGT_REG(REG, REG2, NAME)   JUMP_IF_REG(BPF_JSGT, REG, REG2, NAME)
#define JSLT_REG(REG, REG2, NAME)   JUMP_IF_REG(BPF_JSLT, REG, REG2, NAME)
#define JSLE_REG(REG, REG2, NAME)   JUMP_IF_REG(BPF_JSLE, REG, REG2, NAME)
#define JSET_REG(REG, REG2, NAME)   JUMP_IF_REG(BPF_JSET, REG, REG2, NAME)

#define MAP(REG, NAME)			SYMBOLIC(SYM_MAP, NAME, REG, 0, 0, 0)
#define LOOKUP_AT(NAME, KEY)		SYMBOLIC(SYM_LOOKUP, NAME, 0, 0, KEY, 0)
#define UPDATE_AT(NAME, KEY, VALUE, FLAGS) SYMBOLIC(SYM_UPDATE, NAME, FLAGS, 0, KEY, VALUE)
#define DELETE_AT(NAME, KEY)		SYMBOLIC(SYM_DELETE, NAME, 0, 0, KEY, 0)
#define ADD_AT(NAME, KEY, REG)		SYMBOLIC(SYM_ADD, NAME, 0, REG, KEY, 0)
#define FIELD(REG, NAME)		SYMBOLIC(SYM_FIELD, NAME, REG, 0, 0, 0)
#define FIELD_OR(REG, NAME, FAULT) /* as FIELD; goto FAULT if it can't be read */ \
	FIELD(REG, NAME), SYMBOLIC(SYM_ELSE, FAULT, 0, 0, 0, 0)
#define BYTES_AT(OFF, NAME, N)		SYMBOLIC(SYM_BYTES, NAME, 0, 0, OFF, N)
#define STRING(REG, NAME)		SYMBOLIC(SYM_STRING, NAME, REG, 0, 0, 0)
#define STRING_AT(REG, NAME, POINTER)	SYMBOLIC(SYM_STRING, NAME, REG, POINTER, 0, 0)
#define READ_USER_STRING_AT(OFF, N, REG) SYMBOLIC(SYM_READ_STRING, 0, REG, 1, OFF, N)
#define READ_KERNEL_STRING_AT(OFF, N, REG) SYMBOLIC(SYM_READ_STRING, 0, REG, 0, OFF, N)
#define PATH_AT(OFF, NAME, N)		SYMBOLIC(SYM_PATH, NAME, 0, 0, OFF, N)
#define PEEK(REG, POINTER, MEMBER)	SYMBOLIC(SYM_PEEK, MEMBER, REG, POINTER, 0, 0)
#define PEEK_USER(REG, POINTER, LIKE)	SYMBOLIC(SYM_PEEK_USER, LIKE, REG, POINTER, 0, 0)
#define FOLLOW(REG, ADDRESS, SIZE, SIGNED, USER) \
	SYMBOLIC(SYM_FOLLOW, 0, REG, ADDRESS, 0, \
		 (int)(SIZE) | ((SIGNED) ? 16 : 0) | ((USER) ? 32 : 0))
#define COPY_AT(NAME, TO, OFF, FROM, FROM_OFF, N) \
	SYMBOLIC(SYM_COPY, NAME, TO, FROM, OFF, COPY_IMM(FROM_OFF, N))
#define ZERO_AT(NAME, OFF, N)		SYMBOLIC(SYM_ZERO, NAME, 0, 0, OFF, N)
#define LOG2(SLOT, REG)			SYMBOLIC(SYM_LOG2, 0, SLOT, REG, 0, 0)
#define CONST(REG, NAME)		SYMBOLIC(SYM_CONST, NAME, REG, 0, 0, 0)
#define FILTER(REG)			SYMBOLIC(SYM_FILTER, 0, REG, 0, 0, 0)
#define FILTER_OTHER(REG, OUT) /* goto OUT unless the user asked for the task */ \
	SYMBOLIC(SYM_FILTER_OTHER, 0, REG, 0, 0, 0), SYMBOLIC(SYM_ELSE, OUT, 0, 0, 0, 0)
#define ITEM				SYMBOLIC(SYM_ITEM, 0, R6, 0, 0, 0)
#define KNOWN(REG)			SYMBOLIC(SYM_KNOWN, 0, REG, 0, 0, 0)
#define OUTPUT_AT(NAME, OFF, N)		SYMBOLIC(SYM_OUTPUT, NAME, 0, 0, OFF, N)
#define COUNT_FULL			SYMBOLIC(SYM_COUNT_FULL, 0, 0, 0, 0, 0)
#define COUNT_UNRETURNED(MAY_GO_ON)	SYMBOLIC(SYM_COUNT_CALL, 0, 0, 0, 0, MAY_GO_ON)
#define COUNT_SWITCH			SYMBOLIC(SYM_COUNT_SWITCH, 0, 0, 0, 0, 0)
#define EPOCH(REG)			SYMBOLIC(SYM_EPOCH, 0, REG, 0, 0, 0)
#define STACKS_ROUND(REG)		SYMBOLIC(SYM_EPOCH, 0, REG, 0, 0, 1)
#define STACKS_CLOSED			3
#define LOOP(END, OUT, OFF) \
	SYMBOLIC(SYM_LOOP, END, 0, 0, OFF, 0), SYMBOLIC(SYM_ELSE, OUT, 0, 0, 0, 0)
#define NEXT_TURN			SYMBOLIC(SYM_AGAIN, 0, 0, 0, 0, 0)
#define UNKNOWN_AT(OFF)			SYMBOLIC(SYM_UNKNOWN, 0, 0, 0, OFF, 0)
#define EXIT				BPF_MOV64_IMM(BPF_REG_0, 1), BPF_EXIT_INSN()

/*
 * LOG2 cuts every power of two from 8 on into 8 slots: with s = max(0, floor(log2(value)) - 3),
 * slot = 8 * s + (value >> s). src/lib/output/hist.c has the inverse. The number of slots for u64:
 */
#define LOG2_SLOTS 496

/*
 * A name that ends with `?` is an optional input: if the kernel does not provide it, a number or a
 * string reads 0, and bytes read as zeros. A jump goes to the next label of its name that follows,
 * so macros may have labels of their own.
 *
 * Every hook whose current task is the acting one has the inputs `time` (ns, CLOCK_MONOTONIC),
 * `cpu`, `tid`, `tgid`, `pid_tgid` (tgid << 32 | tid), `uid`, `gid`, and with BYTES `comm` (16).
 * compat/resolve/identity.h lists which of them an engine provides. Ids are those of the initial
 * pid namespace. Every hook on a function has `ip`, an address in the function, at most a few bytes
 * behind its beginning.
 */

#endif
