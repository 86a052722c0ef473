// SPDX-License-Identifier: GPL-2.0
/* What lowering makes of inputs: where the context is, numbers, who is current, bytes and texts. */
#include "tests/unit/rows/lower_rows.h"

#include "tests/unit/helpers/plain.h"
#include "tests/unit/unit.h"

Suite *suite_lower_inputs(void);

static const struct lower_row rows[] = {
	/*
	 * Where the context is: r1 as long as it lasts, then a register nobody uses, else the
	 * stack.
	 */
	BPF("context in r1", record,
	     P(FIELD(R6, "u64"), FIELD(R7, "u32"), EXIT),
	     "r6 = *(u64 *)(r1 +24)\n" "r7 = *(u32 *)(r1 +16)\n" END),
	BPF("context in a register after a call", record,
	     P(FIELD(R6, "time"), FIELD(R7, "u64"), EXIT),
	     "r9 = r1\n" "call ktime_get_ns\n" "r6 = r0\n" "r7 = *(u64 *)(r9 +24)\n" END),
	BPF("context on the stack", record,
	     P(FIELD(R6, "time"), FIELD(R7, "u64"), FIELD(R8, "u32"), BPF_MOV64_IMM(R9, 0), EXIT),
	     "*(u64 *)(r10 -488) = r1\n" "call ktime_get_ns\n" "r6 = r0\n"
	     "r1 = *(u64 *)(r10 -488)\n" "r7 = *(u64 *)(r1 +24)\n" "r8 = *(u32 *)(r1 +16)\n"
	     "r9 = 0\n" END),
	BPF("not saved where it is not needed again", record,
	     P(FIELD(R6, "u64"), FIELD(R7, "time"), EXIT),
	     "r6 = *(u64 *)(r1 +24)\n" "call ktime_get_ns\n" "r7 = r0\n" END),
	BPF("a field in r1 takes the context away", record,
	     P(FIELD(R1, "u64"), FIELD(R6, "u32"), EXIT),
	     "r9 = r1\n" "r1 = *(u64 *)(r1 +24)\n" "r6 = *(u32 *)(r9 +16)\n" END),
	BPF("at a label r1 may be anything", record,
	     P(FIELD(R6, "u64"), JEQ(R6, 0, "x"), LABEL("x"), FIELD(R7, "u32"), EXIT),
	     "r9 = r1\n" "r6 = *(u64 *)(r1 +24)\n" "if r6 == 0x0 goto pc+0\n"
	     "r7 = *(u32 *)(r9 +16)\n" END),
	BPF("a plain instruction on r1 takes it away", record,
	     P(BPF_MOV64_IMM(R1, 5), FIELD(R6, "u64"), EXIT),
	     "r9 = r1\n" "r1 = 5\n" "r6 = *(u64 *)(r9 +24)\n" END),

	/* Of structs that the verifier knows programs load members, without a helper. */
	BPF("a member of an argument", arguments,
	     P(FIELD(R6, "pid"), FIELD(R7, "state"), FIELD(R8, "number"), EXIT),
	     "r3 = *(u64 *)(r1 +8)\n" "r3 = *(u32 *)(r3 +1264)\n" "r6 = r3\n" "r6 <<= 32\n"
	     "r6 s>>= 32\n" "r3 = *(u64 *)(r1 +8)\n" "r3 = *(u64 *)(r3 +24)\n" "r7 = r3\n"
	     "r3 = *(u64 *)(r1 +24)\n" "r8 = r3\n" "w8 = w8\n" END),
	BPF("bytes of an argument", arguments, P(BYTES_AT(-16, "task_comm", 16), EXIT),
	     "r3 = *(u64 *)(r1 +8)\n" "r0 = *(u32 *)(r3 +1756)\n" "*(u32 *)(r10 -16) = r0\n"
	     "r0 = *(u32 *)(r3 +1760)\n" "*(u32 *)(r10 -12) = r0\n"
	     "r0 = *(u32 *)(r3 +1764)\n" "*(u32 *)(r10 -8) = r0\n"
	     "r0 = *(u32 *)(r3 +1768)\n" "*(u32 *)(r10 -4) = r0\n" END),
	BPF("a text that an argument points to", arguments,
	     P(STRING(R6, "name"), READ_KERNEL_STRING_AT(-16, 16, R6), EXIT),
	     "r3 = *(u64 *)(r1 +8)\n" "r3 = *(u64 *)(r3 +80)\n" "r6 = r3\n" "r3 = r6\n"
	     "r1 = r10\n" "r1 += -16\n" "r2 = 16\n" "call probe_read_kernel_str\n" END),

	BPF("a member of the current task", current, P(FIELD(R6, "compat"), EXIT),
	     "call get_current_task_btf\n" "r3 = r0\n" "r3 = *(u32 *)(r3 +16)\n" "r6 = r3\n"
	     "r6 &= 2\n" END),

	/*
	 * Of a function a pointer becomes a number, in two steps. Programs return 0.
	 */
	BPF("a member of a function's argument", function,
	     P(FIELD(R6, "flags"), FIELD(R7, "dentry"), EXIT),
	     "r3 = *(u64 *)(r1 +8)\n" "r3 = *(u32 *)(r3 +64)\n" "r6 = r3\n"
	     "r3 = *(u64 *)(r1 +8)\n" "r3 = *(u64 *)(r3 +24)\n" "r3 = -r3\n" "r3 = -r3\n"
	     "r7 = r3\n" "r0 = 1\n" "r0 = 0\n" "exit\n", .kind = EVENT_FENTRY),
	/* Where the program wants to know that a read failed, the pointer is looked at. */
	BPF("a member, and whether it could be read", function,
	    P(FIELD_OR(R6, "flags", "out"), LABEL("out"), EXIT),
	     "r3 = *(u64 *)(r1 +8)\n" "r2 = r3\n" "r2 = -r2\n" "r2 >>= 12\n"
	     "if r2 == 0x0 goto pc+2\n" "r3 = *(u32 *)(r3 +64)\n" "r6 = r3\n"
	     "r0 = 1\n" "r0 = 0\n" "exit\n", .kind = EVENT_FENTRY),
	BPF("a pointer as a number, and a stack's place", function,
	     P(FIELD(R6, "file"), FIELD(R7, "sp"), EXIT),
	     "r3 = *(u64 *)(r1 +8)\n" "r3 = -r3\n" "r3 = -r3\n" "r6 = r3\n"
	     "r7 = r1\n" "r7 = -r7\n" "r7 = -r7\n" "r0 = 1\n" "r0 = 0\n" "exit\n",
	     .kind = EVENT_FEXIT),
	/*
	 * An iterator's program ends behind the last item, and tells the reader of each. Pointers
	 * may be NULL.
	 */
	BPF("an item of an iterator", function, P(ITEM, FIELD(R7, "file"), EXIT),
	     "r9 = r1\n" "r0 = *(u64 *)(r1 +8)\n" "if r0 == 0x0 goto pc+31\n"
	     "r3 = *(u64 *)(r1 +0)\n" "r6 = *(u64 *)(r3 +8)\n" "r3 = *(u64 *)(r3 +16)\n"
	     "r6 <<= 32\n" "r6 += r3\n" "r6 += 1\n" "*(u32 *)(r10 -504) = 5\n" "r1 = map[0]\n"
	     "r2 = r10\n" "r2 += -504\n" "call map_lookup_elem\n" "if r0 == 0x0 goto pc+18\n"
	     "r1 = *(u64 *)(r0 +0)\n" "if r1 == r6 goto pc+16\n" "*(u64 *)(r0 +0) = r6\n"
	     "r1 = *(u64 *)(r9 +0)\n" "r1 = *(u64 *)(r1 +0)\n" "*(u64 *)(r10 -496) = 0\n"
	     "r2 = r10\n" "r2 += -496\n" "r3 = 1\n" "call seq_write\n"
	     "r3 = *(u64 *)(r9 +8)\n" "if r3 == 0x0 goto pc+2\n" "r3 = -r3\n" "r3 = -r3\n"
	     "r7 = r3\n" "r0 = 1\n" "r0 = 0\n" "exit\n" "r0 = 0\n" "exit\n",
	     .kind = EVENT_ITER),
	BPF("a path, if no pointer to it is NULL", function, P(PATH_AT(-16, "path", 16), EXIT),
	     "r3 = *(u64 *)(r1 +8)\n" "if r3 != 0x0 goto pc+2\n" "r3 = 0\n" "goto pc+1\n"
	     "r3 = *(u64 *)(r3 +24)\n" "r0 = 1\n" "if r3 == 0x0 goto pc+6\n" "r1 = r3\n"
	     "r1 += 64\n" "r2 = r10\n" "r2 += -16\n" "r3 = 16\n" "call d_path\n"
	     "r0 = 1\n" "r0 = 0\n" "exit\n", .kind = EVENT_ITER),
	BPF("what a function returns is read by a helper", function,
	     P(FIELD(R6, "result"), EXIT),
	     "r3 = *(u64 *)(r1 +16)\n" "r3 = -r3\n" "r3 = -r3\n" "r3 += 4\n"
	     "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n" "r2 = 4\n"
	     "call probe_read_kernel\n" "r3 = *(u32 *)(r10 -496)\n" "r6 = r3\n"
	     "r0 = 1\n" "r0 = 0\n" "exit\n", .kind = EVENT_FEXIT),

	/* On top of the stack of user space, if it is behind a call. */
	BPF("a caller", call, P(FIELD(R6, "caller"), EXIT),
	     "call get_current_task_btf\n" "r1 = r0\n" "call task_pt_regs\n"
	     "r1 = *(u16 *)(r0 +136)\n" "r3 = *(u64 *)(r0 +152)\n" "if r1 != 0x33 goto pc+43\n"
	     "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n" "r2 = 8\n"
	     "call probe_read_user\n" "if r0 != 0x0 goto pc+37\n" "r0 = *(u64 *)(r10 -496)\n"
	     "r0 &= 1023\n" "*(u32 *)(r10 -512) = r0\n" "r1 = map[10]\n" "r2 = r10\n"
	     "r2 += -512\n" "call map_lookup_elem\n" "if r0 == 0x0 goto pc+28\n"
	     "r3 = *(u64 *)(r10 -496)\n" "r1 = *(u64 *)(r0 +0)\n" "if r1 == r3 goto pc+26\n"
	     "*(u64 *)(r10 -504) = r0\n" "r3 += -8\n" "*(u64 *)(r10 -512) = 0\n" "r1 = r10\n"
	     "r1 += -512\n" "r2 = 8\n" "call probe_read_user\n" "if r0 != 0x0 goto pc+17\n"
	     "r0 = *(u8 *)(r10 -509)\n" "if r0 == 0xe8 goto pc+11\n" "r0 = *(u8 *)(r10 -506)\n"
	     "if r0 == 0xff goto pc+9\n" "r0 = *(u8 *)(r10 -507)\n" "if r0 == 0xff goto pc+7\n"
	     "r0 = *(u8 *)(r10 -508)\n" "if r0 == 0xff goto pc+5\n" "r0 = *(u8 *)(r10 -510)\n"
	     "if r0 == 0xff goto pc+3\n" "r0 = *(u8 *)(r10 -511)\n" "if r0 == 0xff goto pc+1\n"
	     "goto pc+4\n" "r3 = *(u64 *)(r10 -496)\n" "r0 = *(u64 *)(r10 -504)\n"
	     "*(u64 *)(r0 +0) = r3\n" "goto pc+1\n" "r3 = 0\n" "r6 = r3\n" END),
	BPF("a caller where the end of the task's stack has the registers", call,
	     P(FIELD(R6, "caller"), EXIT),
	     "call get_current_task\n" "r3 = r0\n" "r3 += 32\n" "*(u64 *)(r10 -496) = 0\n"
	     "r1 = r10\n" "r1 += -496\n" "r2 = 8\n" "call probe_read_kernel\n"
	     "if r0 != 0x0 goto pc+56\n" "r3 = *(u64 *)(r10 -496)\n" "r3 += 16352\n"
	     "*(u64 *)(r10 -512) = 0\n" "*(u64 *)(r10 -504) = 0\n" "*(u64 *)(r10 -496) = 0\n"
	     "r1 = r10\n" "r1 += -512\n" "r2 = 24\n" "call probe_read_kernel\n"
	     "if r0 != 0x0 goto pc+46\n" "r1 = *(u16 *)(r10 -512)\n" "r3 = *(u64 *)(r10 -496)\n"
	     "if r1 != 0x33 goto pc+43\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n"
	     "r2 = 8\n" "call probe_read_user\n" "if r0 != 0x0 goto pc+37\n"
	     "r0 = *(u64 *)(r10 -496)\n" "r0 &= 1023\n" "*(u32 *)(r10 -512) = r0\n"
	     "r1 = map[10]\n" "r2 = r10\n" "r2 += -512\n" "call map_lookup_elem\n"
	     "if r0 == 0x0 goto pc+28\n" "r3 = *(u64 *)(r10 -496)\n" "r1 = *(u64 *)(r0 +0)\n"
	     "if r1 == r3 goto pc+26\n" "*(u64 *)(r10 -504) = r0\n" "r3 += -8\n"
	     "*(u64 *)(r10 -512) = 0\n" "r1 = r10\n" "r1 += -512\n" "r2 = 8\n"
	     "call probe_read_user\n" "if r0 != 0x0 goto pc+17\n" "r0 = *(u8 *)(r10 -509)\n"
	     "if r0 == 0xe8 goto pc+11\n" "r0 = *(u8 *)(r10 -506)\n" "if r0 == 0xff goto pc+9\n"
	     "r0 = *(u8 *)(r10 -507)\n" "if r0 == 0xff goto pc+7\n" "r0 = *(u8 *)(r10 -508)\n"
	     "if r0 == 0xff goto pc+5\n" "r0 = *(u8 *)(r10 -510)\n" "if r0 == 0xff goto pc+3\n"
	     "r0 = *(u8 *)(r10 -511)\n" "if r0 == 0xff goto pc+1\n" "goto pc+4\n"
	     "r3 = *(u64 *)(r10 -496)\n" "r0 = *(u64 *)(r10 -504)\n" "*(u64 *)(r0 +0) = r3\n"
	     "goto pc+1\n" "r3 = 0\n" "r6 = r3\n" END, "bpf-task-regs"),

	BPF("a caller where only the program is on the task's stack", call,
	     P(FIELD(R6, "caller_here"), EXIT),
	     "*(u64 *)(r10 -512) = r10\n" "r3 = r10\n" "r3 += -512\n" "*(u64 *)(r10 -496) = 0\n"
	     "r1 = r10\n" "r1 += -496\n" "r2 = 8\n" "call probe_read_kernel\n"
	     "if r0 != 0x0 goto pc+57\n" "r3 = *(u64 *)(r10 -496)\n" "r3 &= -16384\n"
	     "r3 += 16352\n" "*(u64 *)(r10 -512) = 0\n" "*(u64 *)(r10 -504) = 0\n"
	     "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -512\n" "r2 = 24\n"
	     "call probe_read_kernel\n" "if r0 != 0x0 goto pc+46\n" "r1 = *(u16 *)(r10 -512)\n"
	     "r3 = *(u64 *)(r10 -496)\n" "if r1 != 0x33 goto pc+43\n" "*(u64 *)(r10 -496) = 0\n"
	     "r1 = r10\n" "r1 += -496\n" "r2 = 8\n" "call probe_read_user\n"
	     "if r0 != 0x0 goto pc+37\n" "r0 = *(u64 *)(r10 -496)\n" "r0 &= 1023\n"
	     "*(u32 *)(r10 -512) = r0\n" "r1 = map[10]\n" "r2 = r10\n" "r2 += -512\n"
	     "call map_lookup_elem\n" "if r0 == 0x0 goto pc+28\n" "r3 = *(u64 *)(r10 -496)\n"
	     "r1 = *(u64 *)(r0 +0)\n" "if r1 == r3 goto pc+26\n" "*(u64 *)(r10 -504) = r0\n"
	     "r3 += -8\n" "*(u64 *)(r10 -512) = 0\n" "r1 = r10\n" "r1 += -512\n" "r2 = 8\n"
	     "call probe_read_user\n" "if r0 != 0x0 goto pc+17\n" "r0 = *(u8 *)(r10 -509)\n"
	     "if r0 == 0xe8 goto pc+11\n" "r0 = *(u8 *)(r10 -506)\n" "if r0 == 0xff goto pc+9\n"
	     "r0 = *(u8 *)(r10 -507)\n" "if r0 == 0xff goto pc+7\n" "r0 = *(u8 *)(r10 -508)\n"
	     "if r0 == 0xff goto pc+5\n" "r0 = *(u8 *)(r10 -510)\n" "if r0 == 0xff goto pc+3\n"
	     "r0 = *(u8 *)(r10 -511)\n" "if r0 == 0xff goto pc+1\n" "goto pc+4\n"
	     "r3 = *(u64 *)(r10 -496)\n" "r0 = *(u64 *)(r10 -504)\n" "*(u64 *)(r0 +0) = r3\n"
	     "goto pc+1\n" "r3 = 0\n" "r6 = r3\n" END, "bpf-task-regs"),

	/* Numbers, extended by their type. */
	BPF("8 bytes that i386 aligns to 4: in halves", record,
	     P(FIELD(R6, "half"), FIELD(R0, "half"), FIELD(R1, "half"), EXIT),
	     "r0 = *(u32 *)(r1 +96)\n" "r6 = *(u32 *)(r1 +92)\n" "r0 <<= 32\n" "r6 |= r0\n"
	     "r2 = *(u32 *)(r1 +96)\n" "r0 = *(u32 *)(r1 +92)\n" "r2 <<= 32\n" "r0 |= r2\n"
	     "r0 = *(u32 *)(r1 +96)\n" "r1 = *(u32 *)(r1 +92)\n" "r0 <<= 32\n" "r1 |= r0\n" END),
	RING("the machine loads at any alignment", record, P(FIELD(R6, "half"), EXIT),
	     "r6 = *(u64 *)record[92]\n" END),
	BPF("unsigned", record,
	     P(FIELD(R6, "u8"), FIELD(R7, "u16"), FIELD(R8, "u32"), FIELD(R9, "u64"), EXIT),
	     "r6 = *(u8 *)(r1 +8)\n" "r7 = *(u16 *)(r1 +10)\n" "r8 = *(u32 *)(r1 +16)\n"
	     "r9 = *(u64 *)(r1 +24)\n" END),
	RING("unsigned", record,
	     P(FIELD(R6, "u8"), FIELD(R7, "u16"), FIELD(R8, "u32"), FIELD(R9, "u64"), EXIT),
	     "r6 = *(u8 *)record[8]\n" "r7 = *(u16 *)record[10]\n" "r8 = *(u32 *)record[16]\n"
	     "r9 = *(u64 *)record[24]\n" END),
	BPF("signed", record,
	     P(FIELD(R6, "s8"), FIELD(R7, "s16"), FIELD(R8, "s32"), FIELD(R9, "s64"), EXIT),
	     "r6 = *(u8 *)(r1 +9)\n" "r6 <<= 56\n" "r6 s>>= 56\n" "r7 = *(u16 *)(r1 +12)\n"
	     "r7 <<= 48\n" "r7 s>>= 48\n" "r8 = *(u32 *)(r1 +20)\n" "r8 <<= 32\n" "r8 s>>= 32\n"
	     "r9 = *(u64 *)(r1 +32)\n" END),
	RING("signed", record,
	     P(FIELD(R6, "s8"), FIELD(R7, "s16"), FIELD(R8, "s32"), FIELD(R9, "s64"), EXIT),
	     "r6 = *(s8 *)record[9]\n" "r7 = *(s16 *)record[12]\n" "r8 = *(s32 *)record[20]\n"
	     "r9 = *(u64 *)record[32]\n" END),
	RING("far behind", record,
	     P(FIELD(R6, "far"), EXIT),
	     "r6 = *(u32 *)record[40000]\n" END),
	BOTH("constants of the hook", record,
	     P(FIELD(R6, "small"), FIELD(R7, "large"), EXIT),
	     "r6 = -100\n" "r7 = 0x123456789\n" END),
	BPF("optional, and not there", record,
	     P(FIELD(R6, "nowhere?"), BYTES_AT(-16, "nowhere?", 12), STRING(R7, "nowhere?"), EXIT),
	     "r6 = 0\n" "*(u64 *)(r10 -16) = 0\n" "*(u32 *)(r10 -8) = 0\n" "r7 = 0\n" END),
	RING("optional, and not there", record,
	     P(FIELD(R6, "nowhere?"), BYTES_AT(-16, "nowhere?", 12), STRING(R7, "nowhere?"), EXIT),
	     "r6 = 0\n" "zero r10 -16, 12 bytes\n" "r7 = 0\n" END),
	BPF("optional, and there", record,
	     P(FIELD(R6, "u32?"), EXIT),
	     "r6 = *(u32 *)(r1 +16)\n" END),
	RING("optional, and there", record,
	     P(FIELD(R6, "u32?"), EXIT),
	     "r6 = *(u32 *)record[16]\n" END),
	BPF("registers are cut to their type", call,
	     P(FIELD(R6, "u64"), FIELD(R7, "u32"), FIELD(R8, "s32"), FIELD(R9, "u16"), EXIT),
	     "r3 = *(u64 *)(r1 +112)\n" "r6 = r3\n" "r3 = *(u64 *)(r1 +112)\n" "r7 = r3\n"
	     "w7 = w7\n" "r3 = *(u64 *)(r1 +112)\n" "r8 = r3\n" "r8 <<= 32\n" "r8 s>>= 32\n"
	     "r3 = *(u64 *)(r1 +112)\n" "r9 = r3\n" "r9 &= 65535\n" END),
	BPF("a signed half word, network order, a 32-bit machine", call,
	     P(FIELD(R6, "s16"), FIELD(R7, "port"), FIELD(R8, "narrow"), EXIT),
	     "r3 = *(u64 *)(r1 +112)\n" "r6 = r3\n" "r6 <<= 48\n" "r6 s>>= 48\n"
	     "r3 = *(u64 *)(r1 +112)\n" "r7 = r3\n" "r7 &= 65535\n" "r7 = be16 r7\n"
	     "r3 = *(u32 *)(r1 +112)\n" "r8 = r3\n" "w8 = w8\n" END),
	BPF("through a pointer: a read that failed is 0", call,
	     P(FIELD(R6, "read"), EXIT),
	     "r3 = *(u64 *)(r1 +112)\n" "r3 += 16\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n"
	     "r1 += -496\n" "r2 = 4\n" "call probe_read_kernel\n" "r3 = *(u32 *)(r10 -496)\n"
	     "r6 = r3\n" END),
	BPF("through two, the second of user space", call,
	     P(FIELD(R6, "chain"), EXIT),
	     "r3 = *(u64 *)(r1 +112)\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n"
	     "r2 = 8\n" "call probe_read_kernel\n" "r3 = *(u64 *)(r10 -496)\n" "r3 += 24\n"
	     "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n" "r2 = 4\n"
	     "call probe_read_user\n" "r3 = *(u32 *)(r10 -496)\n" "r6 = r3\n" "r6 <<= 32\n"
	     "r6 s>>= 32\n" END),
	BPF("one helper for both before 5.5", call,
	     P(FIELD(R6, "chain"), EXIT),
	     "r3 = *(u64 *)(r1 +112)\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n"
	     "r2 = 8\n" "call probe_read\n" "r3 = *(u64 *)(r10 -496)\n" "r3 += 24\n"
	     "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n" "r2 = 4\n" "call probe_read\n"
	     "r3 = *(u32 *)(r10 -496)\n" "r6 = r3\n" "r6 <<= 32\n" "r6 s>>= 32\n"
	     END, .without = "probe_read_user"),
	BPF("PEEK: what can't be read is 0", call,
	     P(BPF_MOV64_IMM(R8, 5), PEEK(R7, R8, "dentry.d_parent"), EXIT),
	     "r8 = 5\n" "r3 = r8\n" "r3 += 24\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n"
	     "r1 += -496\n" "r2 = 8\n" "call probe_read_kernel\n" "r7 = *(u64 *)(r10 -496)\n" END),
	BPF("FIELD_OR: elsewhere if it can not be read", call,
	     P(FIELD_OR(R6, "chain", "fault"), EXIT, LABEL("fault"), BPF_MOV64_IMM(R0, 7),
	       BPF_EXIT_INSN()),
	     "r3 = *(u64 *)(r1 +112)\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n"
	     "r2 = 8\n" "call probe_read_kernel\n" "if r0 != 0x0 goto pc+14\n"
	     "r3 = *(u64 *)(r10 -496)\n" "r3 += 24\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n"
	     "r1 += -496\n" "r2 = 4\n" "call probe_read_user\n" "if r0 != 0x0 goto pc+6\n"
	     "r3 = *(u32 *)(r10 -496)\n" "r6 = r3\n" "r6 <<= 32\n" "r6 s>>= 32\n" END "r0 = 7\n"
	     "exit\n"),
	RING("FIELD_OR of a record never fails", record,
	     P(FIELD_OR(R6, "u32", "fault"), LABEL("fault"), EXIT),
	     "r6 = *(u32 *)record[16]\n" END),

	/* Who is current. */
	BOTH("identity", record,
	     P(FIELD(R6, "time"), FIELD(R6, "cpu"), FIELD(R6, "pid_tgid"), FIELD(R6, "tid"),
	       FIELD(R6, "tgid"), EXIT),
	     "call ktime_get_ns\n" "r6 = r0\n" "call get_smp_processor_id\n" "r6 = r0\n"
	     "call get_current_pid_tgid\n" "r6 = r0\n" "call get_current_pid_tgid\n" "w6 = w0\n"
	     "call get_current_pid_tgid\n" "r6 = r0\n" "r6 >>= 32\n" END),
	BPF("uid", record,
	     P(FIELD(R6, "uid"), EXIT),
	     "call get_current_uid_gid\n" "w6 = w0\n" END),
	BPF("gid", record,
	     P(FIELD(R6, "gid"), EXIT),
	     "call get_current_uid_gid\n" "r6 = r0\n" "r6 >>= 32\n" END),
	RING("no uid in the rings", pointer,
	     P(FIELD(R6, "uid?"), EXIT),
	     "r6 = 0\n" END),
	BPF("comm", record,
	     P(BYTES_AT(-16, "comm", 16), EXIT),
	     "*(u64 *)(r10 -16) = 0\n" "*(u64 *)(r10 -8) = 0\n" "r1 = r10\n" "r1 += -16\n"
	     "r2 = 16\n" "call get_current_comm\n" END),
	RING("comm", record,
	     P(BYTES_AT(-16, "comm", 16), EXIT),
	     "r1 = r10 -16\n" "r2 = 16\n" "call get_current_comm\n" END),

	/*
	 * Bytes: loads that are aligned on both sides; the machine loads at any alignment of the
	 * record.
	 */
	BPF("bytes", record,
	     P(BYTES_AT(-16, "bytes", 16), EXIT),
	     "r0 = *(u32 *)(r1 +60)\n" "*(u32 *)(r10 -16) = r0\n" "r0 = *(u32 *)(r1 +64)\n"
	     "*(u32 *)(r10 -12) = r0\n" "r0 = *(u32 *)(r1 +68)\n" "*(u32 *)(r10 -8) = r0\n"
	     "r0 = *(u32 *)(r1 +72)\n" "*(u32 *)(r10 -4) = r0\n" END),
	RING("bytes", record,
	     P(BYTES_AT(-16, "bytes", 16), EXIT),
	     "r0 = *(u64 *)record[60]\n" "*(u64 *)(r10 -16) = r0\n" "r0 = *(u64 *)record[68]\n"
	     "*(u64 *)(r10 -8) = r0\n" END),
	BPF("fewer than there are", record,
	     P(BYTES_AT(-8, "bytes", 3), EXIT),
	     "r0 = *(u16 *)(r1 +60)\n" "*(u16 *)(r10 -8) = r0\n" "r0 = *(u8 *)(r1 +62)\n"
	     "*(u8 *)(r10 -6) = r0\n" END),
	RING("fewer than there are", record,
	     P(BYTES_AT(-8, "bytes", 3), EXIT),
	     "r0 = *(u16 *)record[60]\n" "*(u16 *)(r10 -8) = r0\n" "r0 = *(u8 *)record[62]\n"
	     "*(u8 *)(r10 -6) = r0\n" END),
	BPF("more than there are: zeros behind", record,
	     P(BYTES_AT(-16, "odd", 8), EXIT),
	     "*(u8 *)(r10 -11) = 0\n" "*(u16 *)(r10 -10) = 0\n" "r0 = *(u8 *)(r1 +77)\n"
	     "*(u8 *)(r10 -16) = r0\n" "r0 = *(u8 *)(r1 +78)\n" "*(u8 *)(r10 -15) = r0\n"
	     "r0 = *(u8 *)(r1 +79)\n" "*(u8 *)(r10 -14) = r0\n" "r0 = *(u8 *)(r1 +80)\n"
	     "*(u8 *)(r10 -13) = r0\n" "r0 = *(u8 *)(r1 +81)\n" "*(u8 *)(r10 -12) = r0\n" END),
	RING("more than there are: zeros behind", record,
	     P(BYTES_AT(-16, "odd", 8), EXIT),
	     "zero r10 -11, 3 bytes\n" "r0 = *(u32 *)record[77]\n"
	     "*(u32 *)(r10 -16) = r0\n" "r0 = *(u8 *)record[81]\n" "*(u8 *)(r10 -12) = r0\n" END),
	BPF("bytes of memory", call,
	     P(BYTES_AT(-16, "memory", 16), EXIT),
	     "*(u32 *)(r10 -4) = 0\n" "*(u64 *)(r10 -16) = 0\n" "*(u32 *)(r10 -8) = 0\n"
	     "r3 = *(u64 *)(r1 +104)\n" "r3 += 24\n" "r1 = r10\n" "r1 += -16\n" "r2 = 12\n"
	     "call probe_read_user\n" END),

	/* Texts. */
	BPF("a pointer of the record", pointer,
	     P(STRING(R6, "text"), EXIT),
	     "r6 = *(u64 *)(r1 +24)\n" END),
	BPF("a text in the record", record,
	     P(STRING(R6, "text"), EXIT),
	     "r0 = *(u32 *)(r1 +40)\n" "r0 &= 65535\n" "r2 = r1\n" "r2 += r0\n" "r6 = r2\n" END),
	RING("texts in the record", record,
	     P(STRING(R6, "text"), STRING(R7, "array"), EXIT),
	     "r1 = 40\n" "r2 = 0\n" "call string_loc\n" "r6 = r0\n" "r1 = 44\n" "r2 = 16\n"
	     "call string_array\n" "r7 = r0\n" END),
	BPF("a pointer in a register, or behind one", call,
	     P(STRING(R6, "text"), STRING(R7, "path"), EXIT),
	     "r3 = *(u64 *)(r1 +104)\n" "r6 = r3\n" "r3 = *(u64 *)(r1 +104)\n"
	     "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n" "r2 = 8\n"
	     "call probe_read_kernel\n" "r3 = *(u64 *)(r10 -496)\n" "r7 = r3\n" "r7 += 8\n" END),
	BPF("a pointer the program has already", call,
	     P(STRING_AT(R7, "path", R6), EXIT),
	     "r7 = r6\n" END),
	RING("texts that come in parts", record,
	     P(STRING(R6, "second"), STRING(R7, "first"), EXIT),
	     "r1 = 1\n" "call string_part\n" "r6 = r0\n" "r1 = 0\n" "call string_part\n" "r7 = r0\n"
	     END),
	BOTH("a text another event brings", record,
	     P(STRING(R6, "none"), EXIT),
	     "r6 = 0\n" END),
	BPF("reading: one helper for each kind of memory", pointer,
	     P(READ_USER_STRING_AT(-32, 32, R6), READ_KERNEL_STRING_AT(-32, 32, R6), EXIT),
	     "r3 = r6\n" "r1 = r10\n" "r1 += -32\n" "r2 = 32\n" "call probe_read_user_str\n"
	     "r3 = r6\n" "r1 = r10\n" "r1 += -32\n" "r2 = 32\n" "call probe_read_kernel_str\n" END),
	BPF("from 4.11", pointer,
	     P(READ_USER_STRING_AT(-32, 32, R6), EXIT),
	     "r3 = r6\n" "r1 = r10\n" "r1 += -32\n" "r2 = 32\n" "call probe_read_str\n" END,
	     .without = "probe_read_user"),
	BPF("before: by tries, each half as long; an empty one is as long as its end", pointer,
	     P(READ_USER_STRING_AT(-40, 36, R6), EXIT),
	     "*(u64 *)(r10 -496) = r6\n" "*(u64 *)(r10 -40) = 0\n" "*(u64 *)(r10 -32) = 0\n"
	     "*(u64 *)(r10 -24) = 0\n" "*(u64 *)(r10 -16) = 0\n" "*(u32 *)(r10 -8) = 0\n"
	     "r1 = r10\n" "r1 += -40\n" "r2 = 35\n" "r3 = *(u64 *)(r10 -496)\n" "call probe_read\n"
	     "if r0 != 0x0 goto pc+2\n" "r0 = 35\n" "goto pc+10\n" "r1 = r10\n" "r1 += -40\n"
	     "r2 = 17\n" "r3 = *(u64 *)(r10 -496)\n" "call probe_read\n" "if r0 != 0x0 goto pc+2\n"
	     "r0 = 17\n" "goto pc+2\n" "r0 = -14\n" "goto pc+3\n" "r3 = *(u8 *)(r10 -40)\n"
	     "if r3 != 0x0 goto pc+1\n" "r0 = 1\n" END,
	     .without = "probe_read_user,probe_read_str"),
	RING("reading a handle", record,
	     P(READ_USER_STRING_AT(-32, 32, R6), EXIT),
	     "r3 = r6\n" "r1 = r10 -32\n" "r2 = 32\n" "call read_string\n" END),
};

START_TEST(code)
{
	lower_check(&rows[_i]);
}
END_TEST

Suite *suite_lower_inputs(void)
{
	Suite *s = suite_create("lower_inputs");

	add_tests(s, "code", code, COUNT_OF(rows));
	return s;
}
