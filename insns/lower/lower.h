/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LOWER_H
#define SONDE_LOWER_H

#include <stdint.h>

#include "compat/base/bpf.h"
#include "compat/base/error.h"
#include "compat/events/event.h"
#include "compat/kernel/kernel.h"
#include "insns/filter.h"
#include "insns/program.h"

/*
 * Lowering for TARGET_RING makes plain instructions too; backends/vm/vm.c runs them. These have a
 * meaning of their own:
 *
 *   BPF_LD | BPF_ABS | size	dst = the number at imm of the event's record: 1, 2, 4 or 8 bytes
 *				of any alignment; src_reg = 1: sign-extended
 *   BPF_LD | BPF_IMM | BPF_DW	with src_reg = BPF_PSEUDO_MAP_FD: dst = map number imm of the plan
 *				(for both targets: the engine puts its own fd or handle there)
 *   BPF_JMP | BPF_CALL		imm: one of the kernel's helpers, with its meaning
 *				(map_lookup_elem, map_update_elem, map_delete_elem, ktime_get_ns,
 *				get_current_pid_tgid, get_current_comm, get_smp_processor_id,
 *				get_prandom_u32; get_numa_node_id, ktime_get_boot_ns,
 *				ktime_get_tai_ns, of sonde's own CPU and time),
 *				or one of enum ring_helper
 *
 * Each symbolic instruction on memory is one instruction of enum ring_insn. Their opcodes are of
 * the class of 32-bit jumps, which programs do not use.
 */
#define RING_INSN(N) (0x06 | (N) << 3)

enum ring_insn {
	RING_STACK_ADDRESS = RING_INSN(0),	/* dst = r10 + off */
	RING_LOOKUP	= RING_INSN(1),		/* r0 = address of the value of stack[off] in map
						   imm, or 0 */
	RING_UPDATE	= RING_INSN(2),		/* map[stack[off]] = stack[...], flags dst; imm:
						   RING_UPDATE_IMM; r0 = 0 or -errno */
	RING_DELETE	= RING_INSN(3),		/* delete map imm[stack[off]]; r0 = 0 or -errno */
	RING_ADD	= RING_INSN(4),		/* map imm[stack[off]] += src, or 1 if that is
						   r0; a full map is counted */
	RING_COPY	= RING_INSN(5),		/* memory at dst + off = memory at src; imm:
						   COPY_IMM() */
	RING_ZERO	= RING_INSN(6),		/* stack[off, imm bytes] = 0 */
	RING_LOG2	= RING_INSN(7),		/* dst = the histogram slot of src */
	RING_AGAIN	= RING_INSN(8),		/* go back to off; or go on, if sonde is to end
						   and the loop has had its time */
	RING_INSN_END	= RING_INSN(9),
};

/* imm of RING_UPDATE: the map, and the place of the new value on the stack. */
#define RING_UPDATE_IMM(MAP, VALUE)	((int32_t)((uint32_t)(VALUE) << 16 | (uint16_t)(MAP)))
#define RING_UPDATE_MAP(IMM)		((uint16_t)((uint32_t)(IMM) & 0xffff))
#define RING_UPDATE_VALUE(IMM)		((int16_t)((uint32_t)(IMM) >> 16))

enum ring_helper {
	RING_STRING_LOC = 0x10000,	/* r0 = handle of the text that the data_loc at r1 of the
					   record points to; r2: 1 if no argument is behind it */
	RING_STRING_ARRAY,		/* r0 = handle of the NUL-padded text at r1 of the
					   record, r2 bytes at most */
	RING_STRING_PART,		/* r0 = handle of text r1 of this event's parts, 0: it
					   is missing */
	/*
	 * The next two: r2 bytes at r1 of the record, which begin with an address of r3 bytes
	 * (backends/vm/pieces.h):
	 */
	RING_STRING_PIECES,		/* r0 = handle of the text whose pieces follow, 0: it is
					   unknown; r4: significant bytes of the address */
	RING_ROW_ENDS,			/* r0 = 1 if the row of pointers of r4 bytes is known up
					   to its end, else 0 */
	RING_READ_STRING,		/* (r1 dst, r2 size, r3 handle): as probe_read_str;
					   -EFAULT for an invalid handle */
	RING_OUTPUT,			/* (r1 map, r2 data, r3 size): writes a record */
	RING_STACK,			/* (r1 map, r2: 1: of user space): as get_stackid */
	RING_COUNT_FULL,		/* counts: a map was full */
	RING_COUNT_UNKNOWN,		/* counts: whether this event's task passes the filter is
					   unknown */
	/* r0 = is the task in the followed scope? (enum in_scope) */
	RING_IN_SCOPE,
	/* of generation_own: as probe_read_kernel and probe_read_kernel_str (/proc/kcore) */
	RING_READ_KERNEL,
	RING_READ_KERNEL_TEXT,
	RING_SEARCH,			/* r0 = where the text at r3 (r4 bytes) is in the one at r1
					   (r2 bytes); -1: nowhere */
};

/* Whether a task is in the wanted cgroups and namespaces. */
enum in_scope { SCOPE_UNKNOWN, SCOPE_OUT, SCOPE_IN };

/* Maps of every plan beside the tool's own. Their names begin with a dot. */
#define MAP_STATE	".state"	/* array of u64: see enum state_slot */
/* array of one u64: the epoch, which many programs load at each event; user space sets it */
#define MAP_EPOCH	".epoch"
#define MAP_TGIDS	".tgids"	/* hash u32 -> u32: wanted tgids, if more than one */
#define MAP_TIDS	".tids"
#define MAP_UIDS	".uids"
/* hash u32 -> u64: the tgids of a command and its children; the value is the number of threads */
#define MAP_FAMILY	".family"

/*
 * FAILED: failed outputs. FULL: failed updates of maps. STACKS: a bit for each part of the tables
 * of stacks that is closed, because it is being emptied; above the bits, how often that was done.
 * RETURNS: calls whose return was missed. UNRETURNED: calls that may still return (insns/calls.h).
 * ITEM: the number of an iterator's item, with that of the run through the iterator. SWITCHES:
 * switches of tasks that no program saw, as a later one proves.
 */
enum state_slot { STATE_FAILED, STATE_FULL, STATE_STACKS, STATE_RETURNS, STATE_UNRETURNED,
		  STATE_ITEM, STATE_SWITCHES, STATE_SLOTS };
/* The epoch when the run has stopped: results of this epoch are never taken. */
#define EPOCH_STOPPED 2

/* array of u64: return addresses that a program saw; the index is their lowest bits */
#define MAP_CALLERS	".callers"
#define CALLERS		1024

#define LOOPS_MOST	BPF_FUNCTIONS

/* One instruction array, lowered for one layout of inputs. */
struct lowered {
	struct bpf_insn *insns;
	uint16_t *source;		/* for each, the index of the program's instruction that it
					   was made of */
	unsigned int n;
	uint16_t functions[LOOPS_MOST];	/* behind the program: their first instructions */
	unsigned int n_functions;
};

/* The arguments of lowering. */
struct lowering {
	enum target target;
	struct kernel *kernel;
	enum event_kind kind;		/* of the events that the program runs on */
	const struct layout *layout;	/* of the events */
	bool own;			/* for events of sonde's own (generation_own) */
	bool returns_told;		/* the kernel counts all returns that the plan misses */
	enum identity_id whose;		/* what an input `whose` is: of the process, cgroup, tid */
	const struct filter *filter;
	/* constants are looked up here, then in `facts`, then in compat/kernel/constants.h */
	const struct constant *options;
	const struct constant *facts;
	const struct map *maps;		/* of the plan, by number */
	unsigned int n_maps;
	unsigned int n_parts;		/* parts of the event: other events, which come before it */
	const struct layout *const *parts;
};

/* Return and set the number of the map in a lowered instruction. -1: it has none. */
int insn_map(const struct bpf_insn *insn);
void insn_set_map(struct bpf_insn *insn, unsigned int map);

/*
 * Lowers a program; lowered_free() frees *out. Returns -1 and sets err if the program is invalid.
 */
int lower(const struct program *p, const struct lowering *l, struct lowered *out,
	  struct error *err);
void lowered_free(struct lowered *l);

/*
 * Calls `each` for every input that the program uses with these options, and for those that FILTER
 * compares for this target. `kind` is the use: as a number, bytes or a string. An input may be
 * reported more than once.
 */
void program_inputs(const struct program *p, const struct constant *options,
		    const struct filter *filter, enum target target,
		    void (*each)(void *arg, const char *name, enum input_kind kind), void *arg);

#endif
