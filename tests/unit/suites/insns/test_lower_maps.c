// SPDX-License-Identifier: GPL-2.0
/* What lowering makes of maps, of copies and sums in memory, of records, and of the filter. */
#include "tests/unit/rows/lower_rows.h"

#include "tests/unit/helpers/plain.h"
#include "tests/unit/unit.h"

Suite *suite_lower_maps(void);

static const uint64_t one[] = { 5 }, high[] = { 0x80000005 }, two[] = { 5, 6 };

static const struct filter_row pid = { "pid", "tgid", FILTER_ID, MAP_TGIDS, 4 };
static const struct filter_row tid = { "tid", "tid", FILTER_ID, MAP_TIDS, 4 };
static const struct filter_row uid = { "uid", "uid", FILTER_ID, MAP_UIDS, 4 };
static const struct filter_row exec = { "exec", "tgid", FILTER_LISTED, MAP_FAMILY, 4 };

static const struct filter_row mntns = { "mntns", "mntns", FILTER_ID, MAP_TIDS, 4 };
static const struct filter_row pidns = { "pidns", "pidns", FILTER_ID, MAP_TIDS, 4 };
static const struct filter_row pinned = { "mntnsmap", "mntns", FILTER_PINNED, "ids", 8 };
static const struct filter_row cgroup = {
	"cgroup", NULL, FILTER_UNDER, "cgroup", 4, .followed = true,
};

#define ASKED(SELF, ...)	.filter = { .self = (SELF), .n = 1, .asked = { { __VA_ARGS__ } } }

/* r3 = what is at r3 + OFFSET */
#define READ(OFFSET, SIZE) \
	"r3 += " OFFSET "\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n" \
	"r2 = " #SIZE "\n" "call probe_read_kernel\n" "r3 = *(" BITS_##SIZE " *)(r10 -496)\n"
#define BITS_4 "u32"
#define BITS_8 "u64"

static const struct lower_row rows[] = {
	/* Maps. */
	BPF("maps", record,
	     P(LOOKUP_AT("hash", -8), UPDATE_AT("hash", -8, -16, BPF_NOEXIST),
	       DELETE_AT("hash", -8), EXIT),
	     "r1 = map[1]\n" "r2 = r10\n" "r2 += -8\n" "call map_lookup_elem\n"
	     "r1 = map[1]\n" "r2 = r10\n" "r2 += -8\n" "r3 = r10\n" "r3 += -16\n" "r4 = 1\n"
	     "call map_update_elem\n" "r1 = map[1]\n" "r2 = r10\n" "r2 += -8\n"
	     "call map_delete_elem\n" END),
	RING("maps", record,
	     P(LOOKUP_AT("hash", -8), UPDATE_AT("hash", -8, -16, BPF_NOEXIST),
	       DELETE_AT("hash", -8), EXIT),
	     "r0 = &map[1][*(r10 -8)]\n" "r0 = map[1][*(r10 -8)] = *(r10 -16) if new\n"
	     "r0 = delete map[1][*(r10 -8)]\n" END),
	BPF("adding to an array that all CPUs share", record,
	     P(ADD_AT("array", -8, R6), EXIT),
	     "r1 = map[6]\n" "r2 = r10\n" "r2 += -8\n" "call map_lookup_elem\n"
	     "if r0 == 0x0 goto pc+1\n" "lock *(u64 *)(r0 +0) += r6\n" END),
	BPF("adding to an array of each CPU", record,
	     P(ADD_AT("percpu", -8, R0), EXIT),
	     "r1 = map[7]\n" "r2 = r10\n" "r2 += -8\n" "call map_lookup_elem\n"
	     "if r0 == 0x0 goto pc+3\n" "r1 = *(u64 *)(r0 +0)\n" "r1 += 1\n"
	     "*(u64 *)(r0 +0) = r1\n" END),
	BPF("adding to an array of each CPU from a uprobe, which is preempted", record,
	     P(ADD_AT("percpu", -8, R6), EXIT),
	     "r1 = map[7]\n" "r2 = r10\n" "r2 += -8\n" "call map_lookup_elem\n"
	     "if r0 == 0x0 goto pc+1\n" "lock *(u64 *)(r0 +0) += r6\n" END, .kind = EVENT_UPROBE),
	BPF("adding to an array of each CPU at a raw tracepoint, whose program others interrupt",
	    record, P(ADD_AT("percpu", -8, R6), EXIT),
	     "r1 = map[7]\n" "r2 = r10\n" "r2 += -8\n" "call map_lookup_elem\n"
	     "if r0 == 0x0 goto pc+1\n" "lock *(u64 *)(r0 +0) += r6\n" END, .kind = EVENT_RAW),
	BPF("adding to an array where none is of each CPU", record,
	     P(ADD_AT("percpu", -8, R6), EXIT),
	     "r1 = map[7]\n" "r2 = r10\n" "r2 += -8\n" "call map_lookup_elem\n"
	     "if r0 == 0x0 goto pc+1\n" "lock *(u64 *)(r0 +0) += r6\n"
	     END, .without = "percpu-maps"),
	BPF("adding to a hash, whose keys come into being", record,
	     P(ADD_AT("hash", -8, R6), EXIT),
	     "r1 = map[1]\n" "r2 = r10\n" "r2 += -8\n" "call map_lookup_elem\n"
	     "if r0 != 0x0 goto pc+26\n" "*(u64 *)(r10 -496) = r6\n" "r1 = map[1]\n" "r2 = r10\n"
	     "r2 += -8\n" "r3 = r10\n" "r3 += -496\n" "r4 = 1\n" "call map_update_elem\n"
	     "if r0 == 0x0 goto pc+17\n" "r1 = map[1]\n" "r2 = r10\n" "r2 += -8\n"
	     "call map_lookup_elem\n" "if r0 != 0x0 goto pc+10\n" "*(u32 *)(r10 -504) = 1\n"
	     "r1 = map[0]\n" "r2 = r10\n" "r2 += -504\n" "call map_lookup_elem\n"
	     "if r0 == 0x0 goto pc+2\n" "r1 = 1\n" "lock *(u64 *)(r0 +0) += r1\n" "goto pc+1\n"
	     "lock *(u64 *)(r0 +0) += r6\n" END),
	BPF("counting in runs", record,
	     P(ADD_AT("runs", -16, R0), EXIT),
	     "r1 = map[9]\n" "r2 = r10\n" "r2 += -16\n" "call map_lookup_elem\n"
	     "if r0 == 0x0 goto pc+65\n"
	     "r1 = *(u32 *)(r10 -12)\n" "r2 = *(u32 *)(r0 +4)\n" "if r1 != r2 goto pc+7\n"
	     "r1 = *(u64 *)(r10 -8)\n" "r2 = *(u64 *)(r0 +8)\n" "if r1 != r2 goto pc+4\n"
	     "r1 = *(u64 *)(r0 +16)\n" "r1 += 1\n" "*(u64 *)(r0 +16) = r1\n" "goto pc+55\n"
	     /* Another key: what was kept goes to the hash. */
	     "r3 = *(u64 *)(r0 +16)\n" "*(u64 *)(r10 -496) = r3\n" "*(u64 *)(r0 +16) = 1\n"
	     "r1 = *(u32 *)(r10 -12)\n" "r2 = *(u32 *)(r0 +4)\n"
	     "*(u32 *)(r10 -12) = r2\n" "*(u32 *)(r0 +4) = r1\n"
	     "r1 = *(u64 *)(r10 -8)\n" "r2 = *(u64 *)(r0 +8)\n"
	     "*(u64 *)(r10 -8) = r2\n" "*(u64 *)(r0 +8) = r1\n" "if r3 == 0x0 goto pc+33\n"
	     "r1 = map[8]\n" "r2 = r10\n" "r2 += -16\n" "call map_lookup_elem\n"
	     "if r0 != 0x0 goto pc+25\n" "r1 = map[8]\n" "r2 = r10\n" "r2 += -16\n"
	     "r3 = r10\n" "r3 += -496\n" "r4 = 1\n" "call map_update_elem\n"
	     "if r0 == 0x0 goto pc+18\n" "r1 = map[8]\n" "r2 = r10\n" "r2 += -16\n"
	     "call map_lookup_elem\n" "if r0 != 0x0 goto pc+10\n" "*(u32 *)(r10 -504) = 1\n"
	     "r1 = map[0]\n" "r2 = r10\n" "r2 += -504\n" "call map_lookup_elem\n"
	     "if r0 == 0x0 goto pc+2\n" "r1 = *(u64 *)(r10 -496)\n"
	     "lock *(u64 *)(r0 +0) += r1\n" "goto pc+2\n" "r1 = *(u64 *)(r10 -496)\n"
	     "lock *(u64 *)(r0 +0) += r1\n"
	     /* The program may use its key again. */
	     "r1 = map[9]\n" "r2 = r10\n" "r2 += -16\n" "call map_lookup_elem\n"
	     "if r0 == 0x0 goto pc+4\n" "r1 = *(u32 *)(r0 +4)\n" "*(u32 *)(r10 -12) = r1\n"
	     "r1 = *(u64 *)(r0 +8)\n" "*(u64 *)(r10 -8) = r1\n" END),
	BPF("a sum in runs: as anywhere", record,
	     P(ADD_AT("runs", -16, R6), EXIT),
	     "r1 = map[8]\n" "r2 = r10\n" "r2 += -16\n" "call map_lookup_elem\n"
	     "if r0 != 0x0 goto pc+26\n" "*(u64 *)(r10 -496) = r6\n" "r1 = map[8]\n"
	     "r2 = r10\n" "r2 += -16\n" "r3 = r10\n" "r3 += -496\n" "r4 = 1\n"
	     "call map_update_elem\n" "if r0 == 0x0 goto pc+17\n" "r1 = map[8]\n" "r2 = r10\n"
	     "r2 += -16\n" "call map_lookup_elem\n" "if r0 != 0x0 goto pc+10\n"
	     "*(u32 *)(r10 -504) = 1\n" "r1 = map[0]\n" "r2 = r10\n" "r2 += -504\n"
	     "call map_lookup_elem\n" "if r0 == 0x0 goto pc+2\n" "r1 = 1\n"
	     "lock *(u64 *)(r0 +0) += r1\n" "goto pc+1\n" "lock *(u64 *)(r0 +0) += r6\n" END),
	BPF("counting in runs from a uprobe, which is preempted", record,
	     P(ADD_AT("runs", -16, R0), EXIT),
	     "r1 = map[8]\n" "r2 = r10\n" "r2 += -16\n" "call map_lookup_elem\n"
	     "if r0 != 0x0 goto pc+26\n" "*(u64 *)(r10 -496) = 1\n" "r1 = map[8]\n"
	     "r2 = r10\n" "r2 += -16\n" "r3 = r10\n" "r3 += -496\n" "r4 = 1\n"
	     "call map_update_elem\n" "if r0 == 0x0 goto pc+18\n" "r1 = map[8]\n" "r2 = r10\n"
	     "r2 += -16\n" "call map_lookup_elem\n" "if r0 != 0x0 goto pc+10\n"
	     "*(u32 *)(r10 -504) = 1\n" "r1 = map[0]\n" "r2 = r10\n" "r2 += -504\n"
	     "call map_lookup_elem\n" "if r0 == 0x0 goto pc+2\n" "r1 = 1\n"
	     "lock *(u64 *)(r0 +0) += r1\n" "goto pc+2\n" "r1 = 1\n"
	     "lock *(u64 *)(r0 +0) += r1\n" END, .kind = EVENT_UPROBE),
	RING("adding", record,
	     P(ADD_AT("hash", -8, R6), ADD_AT("percpu", -8, R0), EXIT),
	     "map[1][*(r10 -8)] += r6\n" "map[7][*(r10 -8)]++\n" END),

	/* Memory and numbers. */
	BPF("copies and zeros: as wide as both sides are aligned", record,
	     P(COPY_AT(NULL, R10, -24, R10, -12, 12), ZERO_AT(NULL, -13, 13), EXIT),
	     "r1 = *(u32 *)(r10 -12)\n" "*(u32 *)(r10 -24) = r1\n" "r1 = *(u32 *)(r10 -8)\n"
	     "*(u32 *)(r10 -20) = r1\n" "r1 = *(u32 *)(r10 -4)\n" "*(u32 *)(r10 -16) = r1\n"
	     "*(u8 *)(r10 -13) = 0\n" "*(u32 *)(r10 -12) = 0\n" "*(u64 *)(r10 -8) = 0\n" END),
	RING("copies and zeros", record,
	     P(COPY_AT(NULL, R10, -24, R0, 4, 12), ZERO_AT(NULL, -13, 13), LOG2(R7, R6), EXIT),
	     "copy r10 -24, r0 +4, 12 bytes\n" "zero r10 -13, 13 bytes\n" "r7 = log2 slot of r6\n"
	     END),
	BPF("the slot of a histogram", record,
	     P(LOG2(R7, R6), EXIT),
	     "r1 = r6\n" "r7 = 0\n" "r3 = 2047\n" "if r3 >= r1 goto pc+13\n"
	     "r3 = r1\n" "r3 >>= 35\n" "if r3 == 0x0 goto pc+2\n" "r1 >>= 32\n" "r7 += 256\n"
	     "r3 = 524287\n" "if r3 >= r1 goto pc+2\n" "r1 >>= 16\n" "r7 += 128\n"
	     "r3 = 2047\n" "if r3 >= r1 goto pc+2\n" "r1 >>= 8\n" "r7 += 64\n"
	     "r3 = 127\n" "if r3 >= r1 goto pc+2\n" "r1 >>= 4\n" "r7 += 32\n"
	     "r3 = 31\n" "if r3 >= r1 goto pc+2\n" "r1 >>= 2\n" "r7 += 16\n"
	     "r3 = 15\n" "if r3 >= r1 goto pc+2\n" "r1 >>= 1\n" "r7 += 8\n"
	     "r7 += r1\n" END),

	/* Maps and records. */
	BOTH("a map", record,
	     P(MAP(R1, "events"), EXIT),
	     "r1 = map[2]\n" END),
	BPF("output to a ring buffer: wake up when a quarter is full", record,
	     P(OUTPUT_AT("events", -16, 16), EXIT),
	     "r1 = map[2]\n" "r2 = 0\n" "call ringbuf_query\n" "r4 = 1\n"
	     "if r0 > 0x11000 goto pc+3\n" "r4 = 2\n" "if r0 > 0x10000 goto pc+1\n" "r4 = 1\n"
	     "r1 = map[2]\n" "r2 = r10\n" "r2 += -16\n" "r3 = 16\n" "call ringbuf_output\n"
	     "if r0 == 0x0 goto pc+9\n" "*(u32 *)(r10 -504) = 0\n" "r1 = map[0]\n" "r2 = r10\n"
	     "r2 += -504\n" "call map_lookup_elem\n" "if r0 == 0x0 goto pc+2\n" "r1 = 1\n"
	     "lock *(u64 *)(r0 +0) += r1\n" END),
	BPF("output to perf rings", record,
	     P(OUTPUT_AT("events", -16, 16), EXIT),
	     "r9 = r1\n" "call get_smp_processor_id\n" "r3 = r0\n" "r1 = r9\n" "r2 = map[2]\n"
	     "r4 = r10\n" "r4 += -16\n" "r5 = 16\n" "call perf_event_output\n"
	     "if r0 == 0x0 goto pc+9\n" "*(u32 *)(r10 -504) = 0\n" "r1 = map[0]\n" "r2 = r10\n"
	     "r2 += -504\n" "call map_lookup_elem\n" "if r0 == 0x0 goto pc+2\n" "r1 = 1\n"
	     "lock *(u64 *)(r0 +0) += r1\n" END, .without = "ringbuf"),
	RING("output", record,
	     P(OUTPUT_AT("events", -16, 16), EXIT),
	     "r1 = map[2]\n" "r2 = r10 -16\n" "r3 = 16\n" "call output\n" END),
	BPF("a full map is counted", record,
	     P(COUNT_FULL, EXIT),
	     "*(u32 *)(r10 -504) = 1\n" "r1 = map[0]\n" "r2 = r10\n" "r2 += -504\n"
	     "call map_lookup_elem\n" "if r0 == 0x0 goto pc+2\n" "r1 = 1\n"
	     "lock *(u64 *)(r0 +0) += r1\n" END),
	RING("a full map is counted", record,
	     P(COUNT_FULL, EXIT),
	     "call count_full\n" END),
	BPF("epoch", record,
	     P(EPOCH(R6), EXIT),
	     "r0 = map[13][0]+0\n" "r0 = *(u64 *)(r0 +0)\n" "r6 = r0\n" END),
	BPF("epoch, looked up", record,
	     P(EPOCH(R6), EXIT),
	     "*(u32 *)(r10 -504) = 0\n" "r1 = map[13]\n" "r2 = r10\n" "r2 += -504\n"
	     "call map_lookup_elem\n" "if r0 == 0x0 goto pc+1\n" "r0 = *(u64 *)(r0 +0)\n"
	     "r6 = r0\n" END, .without = "bpf-direct"),
	RING("epoch", record,
	     P(EPOCH(R6), EXIT),
	     "r6 = 0\n" END),

	/* The filter. */
	BPF("a task whose process is known: always", record,
	     P(KNOWN(R6), BPF_MOV64_IMM(R7, 3), EXIT), "r7 = 3\n" END),
	RING("a task whose process is known: unless task events were lost", record,
	     P(KNOWN(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "if r6 s>= 0x0 goto pc+2\n" "call count_unknown\n" "goto pc+3\n" "r7 = 3\n"
	     END END),
	BOTH("nothing asked for, sonde not known", record,
	     P(FIELD(R6, "pid_tgid"), FILTER(R6), EXIT),
	     "call get_current_pid_tgid\n" "r6 = r0\n" END),
	BOTH("not sonde itself", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "r0 = r6\n" "r0 >>= 32\n" "if r0 == 0x9 goto pc+3\n" "r7 = 3\n"
	     END END, .filter = { .self = 9 }),
	BPF("one process: not compared with sonde", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "r0 = r6\n" "r0 >>= 32\n" "r1 = 5\n" "if r0 != r1 goto pc+3\n" "r7 = 3\n" END END,
	     ASKED(9, &pid, one, 1)),
	RING("one process, or a task that may be of it", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "if r6 s>= 0x0 goto pc+2\n" "call count_unknown\n" "goto pc+7\n"
	     "r0 = r6\n" "r0 >>= 32\n" "r1 = 5\n" "if r0 != r1 goto pc+3\n" "r7 = 3\n" END END,
	     ASKED(9, &pid, one, 1)),
	BPF("one of two", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "r0 = r6\n" "r0 >>= 32\n" "*(u32 *)(r10 -504) = r0\n" "r1 = map[3]\n" "r2 = r10\n"
	     "r2 += -504\n" "call map_lookup_elem\n" "if r0 == 0x0 goto pc+3\n" "r7 = 3\n" END END,
	     ASKED(9, &pid, two, 2)),
	RING("one of two", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "if r6 s>= 0x0 goto pc+2\n" "call count_unknown\n" "goto pc+8\n"
	     "r0 = r6\n" "r0 >>= 32\n" "*(u32 *)(r10 -504) = r0\n" "r0 = &map[3][*(r10 -504)]\n"
	     "if r0 == 0x0 goto pc+3\n" "r7 = 3\n"
	     END END, ASKED(9, &pid, two, 2)),
	BOTH("one thread, not of sonde", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "r0 = r6\n" "r0 >>= 32\n" "if r0 == 0x9 goto pc+6\n" "w0 = w6\n" "r1 = 5\n"
	     "if r0 != r1 goto pc+3\n" "r7 = 3\n"
	     END END, ASKED(9, &tid, one, 1)),
	BPF("a command and its children", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "r0 = r6\n" "r0 >>= 32\n" "*(u32 *)(r10 -504) = r0\n" "r1 = map[5]\n" "r2 = r10\n"
	     "r2 += -504\n" "call map_lookup_elem\n" "if r0 == 0x0 goto pc+3\n" "r7 = 3\n" END END,
	     ASKED(9, &exec, NULL, 0)),
	RING("a command and its children", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "if r6 s>= 0x0 goto pc+2\n" "call count_unknown\n" "goto pc+8\n"
	     "r0 = r6\n" "r0 >>= 32\n" "*(u32 *)(r10 -504) = r0\n" "r0 = &map[5][*(r10 -504)]\n"
	     "if r0 == 0x0 goto pc+3\n" "r7 = 3\n"
	     END END, ASKED(9, &exec, NULL, 0)),
	BPF("a user", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "call get_current_uid_gid\n" "w0 = w0\n" "r1 = 5\n" "if r0 != r1 goto pc+3\n"
	     "r7 = 3\n" END END, ASKED(0, &uid, one, 1)),
	BPF("a mount namespace, by the current task's struct", current,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "call get_current_task\n" "r3 = r0\n" READ("96", 8) READ("24", 4)
	     "r0 = r3\n" "r1 = 5\n" "if r0 != r1 goto pc+3\n" "r7 = 3\n" END END,
	     ASKED(0, &mntns, one, 1)),
	BPF("one of two pid namespaces, by an entry of an array", current,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "call get_current_task\n" "r3 = r0\n" READ("96", 8)
	     "*(u64 *)(r10 -504) = r3\n" READ("4", 4) "r3 *= 16\n" "r1 = *(u64 *)(r10 -504)\n"
	     "r3 += r1\n" READ("104", 8) READ("24", 4) "r0 = r3\n"
	     "*(u32 *)(r10 -504) = r0\n" "r1 = map[4]\n" "r2 = r10\n" "r2 += -504\n"
	     "call map_lookup_elem\n" "if r0 == 0x0 goto pc+3\n" "r7 = 3\n" END END,
	     ASKED(0, &pidns, two, 2)),
	BPF("a mount namespace that is a key of 8 bytes", current,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "call get_current_task\n" "r3 = r0\n" READ("96", 8) READ("24", 4)
	     "r0 = r3\n" "*(u64 *)(r10 -504) = r0\n" "r1 = map[12]\n" "r2 = r10\n"
	     "r2 += -504\n" "call map_lookup_elem\n" "if r0 == 0x0 goto pc+3\n" "r7 = 3\n"
	     END END, ASKED(0, &pinned, one, 1)),
	BPF("a cgroup of two", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "r1 = map[11]\n" "r2 = 0\n" "call current_task_under_cgroup\n"
	     "if r0 == 0x1 goto pc+5\n" "r1 = map[11]\n" "r2 = 1\n"
	     "call current_task_under_cgroup\n" "if r0 != 0x1 goto pc+3\n" "r7 = 3\n" END END,
	     ASKED(0, &cgroup, two, 2)),
	RING("a cgroup of two: the engine follows its tasks", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "call in_scope\n" "if r0 != 0x0 goto pc+2\n" "call count_unknown\n"
	     "goto pc+4\n" "if r0 != 0x2 goto pc+3\n" "r7 = 3\n" END END,
	     ASKED(0, &cgroup, two, 2)),
	RING("a process in a cgroup: of others it is not asked", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "if r6 s>= 0x0 goto pc+2\n" "call count_unknown\n" "goto pc+12\n"
	     "r0 = r6\n" "r0 >>= 32\n" "r1 = 5\n" "if r0 != r1 goto pc+8\n"
	     "call in_scope\n" "if r0 != 0x0 goto pc+2\n" "call count_unknown\n"
	     "goto pc+4\n" "if r0 != 0x2 goto pc+3\n" "r7 = 3\n" END END,
	     .filter = { .n = 2, .asked = { { &cgroup, two, 2 }, { &pid, one, 1 } } }),
	BPF("a user id beyond 2^31", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "call get_current_uid_gid\n" "w0 = w0\n" "r1 = 0x80000005\n" "if r0 != r1 goto pc+3\n"
	     "r7 = 3\n" END END, ASKED(0, &uid, high, 1)),
};

START_TEST(code)
{
	lower_check(&rows[_i]);
}
END_TEST

Suite *suite_lower_maps(void)
{
	Suite *s = suite_create("lower_maps");

	add_tests(s, "code", code, COUNT_OF(rows));
	return s;
}
