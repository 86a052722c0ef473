/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EVENT_H
#define SONDE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/events/kind.h"

struct many;
struct place;

/*
 * Where the program runs: in the kernel, or in sonde's own machine over ring buffers. Inputs come
 * from different places.
 */
enum target { TARGET_BPF, TARGET_RING };

enum input_kind {
	INPUT_NUMBER,		/* 1, 2, 4 or 8 bytes, extended to 64 bits by its sign */
	INPUT_BYTES,		/* `size` bytes as they are: comm, an address, rwbs */
	INPUT_STRING,		/* text that ends with NUL */
	INPUT_STACK,		/* the current functions, by return addresses */
	INPUT_PATH,		/* the address of a struct path, of which the verifier knows that */
};

enum input_place {
	/* at `offset` of the event's record, which is also the context of a tracepoint program */
	PLACE_RECORD,
	/* from the register at `offset` of pt_regs, through `derefs` dereferences */
	PLACE_REGISTER,
	/* a u32 at `offset` of the record has the place of the bytes in the record */
	PLACE_DATA_LOC,
	PLACE_CONSTANT,		/* `value`: the same for every event of this probe */
	PLACE_CURRENT,		/* as PLACE_REGISTER, from the current task's struct task_struct */
	/*
	 * BPF only: the word at the user stack pointer, if it is an address behind a call. `value`:
	 * the offset in a task's struct of the address of its kernel stack, for kernels that do not
	 * provide the task's registers; -1: unknown, but the program runs on that stack
	 */
	PLACE_CALLER,
	/*
	 * at `offset` of the record: the address of a text, then pieces of the text
	 * (backends/vm/pieces.h)
	 */
	PLACE_PIECES,
	PLACE_ROW,		/* the same: the address of a row of pointers, then the pointers */
	/* the address of the program's context: the same when a function is called and returns */
	PLACE_CONTEXT,
	/* `identity`: time, CPU or task, provided by the engine (compat/resolve/identity.h) */
	PLACE_IDENTITY,
};

enum identity_id {
	IDENTITY_TIME, IDENTITY_CPU, IDENTITY_PID_TGID, IDENTITY_TID, IDENTITY_TGID,
	IDENTITY_UID, IDENTITY_GID, IDENTITY_COMM, IDENTITY_IP, IDENTITY_CGROUP, IDENTITY_WHOSE,
	IDENTITY_MNTNS, IDENTITY_PIDNS, IDENTITY_PPID,
	IDENTITY_FUNCTION,
	IDENTITY_KERNEL_STACK, IDENTITY_USER_STACK,
};

#define DEREFS 4
#define INPUT_NAME 24

/*
 * Where one logical input of a hook is in one event. For TARGET_BPF an INPUT_STRING in a register
 * (after its dereferences) or in a number field of the record is a pointer, to user space if
 * `user`. For TARGET_RING it is always text in the record: a data_loc, a NUL-padded array of `size`
 * bytes, or an address and pieces, `size` bytes together.
 */
struct input {
	char name[INPUT_NAME];
	enum input_kind kind;
	enum input_place place;
	uint16_t offset;
	uint16_t size;		/* bytes in the record or in memory */
	bool is_signed;
	bool network_order;	/* a number of 2 bytes, most significant first */
	bool user;		/* a string of user space */
	bool is_short;		/* a string of at most 1 KB */
	/* a data_loc without arguments behind it: an empty text is recognized (data_loc_text()) */
	bool is_last;
	/* PLACE_REGISTER: bytes of the slot; PLACE_PIECES, PLACE_ROW: of the address */
	uint8_t register_size;
	/* PLACE_ROW: bytes of each pointer; PLACE_PIECES: significant bytes of the address */
	uint8_t pointer_size;
	uint8_t derefs;
	/*
	 * PLACE_REGISTER, PLACE_CURRENT: the verifier knows the struct that the register points to.
	 * Programs load from it what the first dereference reads, or, without one, the bytes at
	 * `value`.
	 */
	bool typed;
	/*
	 * it begins at what a function returned, which may be no pointer: only reads that ask
	 * whether they failed load it
	 */
	bool returned;
	/* what is loaded from the register may be a pointer to the verifier; so may a member */
	bool pointer;
	uint8_t identity;	/* enum identity_id */
	/*
	 * PLACE_REGISTER: another register to add: at `index` of pt_regs, index_size bytes, shifted
	 * left by index_shift; index_size 0: none
	 */
	uint16_t index;
	uint8_t index_size, index_shift;
	bool index_signed;
	struct {
		int32_t offset;
		uint8_t size;	/* bytes read: a pointer, or, last, the value */
		bool user;
		/*
		 * the value is in an array: bytes of an entry; its u32 index is at `index` of the
		 * struct before the array; 0: in no array
		 */
		uint8_t entry;
		int32_t index;
	} deref[DEREFS];
	int64_t value;
	uint32_t mask;		/* of a number: its significant bits; 0: all */
};

/* Accesses to memory, by the CPU's debug registers. */
struct watch {
	uint64_t address;
	uint8_t length;		/* bytes: 1, 2, 4 or 8 */
	uint8_t accesses;	/* HW_BREAKPOINT_R | _W | _X of <linux/hw_breakpoint.h> */
};
#define WATCH_HOW(WATCH)	((uint32_t)((WATCH)->accesses << 8 | (WATCH)->length))
#define WATCH_LENGTH(HOW)	((HOW) & 0xff)
#define WATCH_ACCESSES(HOW)	((HOW) >> 8)

#define LAYOUT_INPUTS 128

/*
 * What the programs of an event read, and the fetch arguments that put it into the rings' records.
 * Thousands of events may share one layout: a program is lowered once for all of them.
 */
struct layout {
	unsigned int n_inputs;
	struct input *inputs;
	/* kprobe, uprobe for TARGET_RING: the fetch arguments of its definition */
	char *fetch;
	/* perf must append whether the task has 32 bits (ABI_32) to its record */
	bool wants_abi;
};

/* The layouts of a plan's events, each once. */
struct layouts {
	unsigned int n;
	struct layout **list;
};

/*
 * One probe of the kernel, ready to be made and attached.
 *
 * Parts: for the ring engines an event with several texts is split, because an event of unlimited
 * size may be lost without a count. An event with more pieces than a probe takes arguments is split
 * too. In the plan the parts come directly before their main event. A part runs no program: its
 * texts are kept, by thread, until the main event comes. The kernel runs probes of one place in the
 * order in which they were made, so parts and main event of one call follow each other. Therefore
 * no other event of the plan shares the probes, even if it reads the same.
 */
struct event {
	uint8_t kind;		/* enum event_kind */
	uint8_t by;		/* enum sampled_by; sample: what `frequency` or `period` count */
	/* the user named the function: if the kernel refuses the probe, the engine goes on */
	bool named;
	/* its programs may read absent memory: that is a page fault, and the value is missing */
	bool may_fault;
	bool kernel_counts;	/* usdt: the kernel increments the semaphore */
	bool is_part;
	/* usdt: place in the file of the number of tracers; 0: none */
	uint32_t semaphore;
	/* typed tracepoint, fentry, fexit: number of its prototype in BTF; 0: none */
	uint32_t prototype;
	/* Texts are owned by the kernel or the hook. */
	const char *system;	/* tracepoint: its system; kprobe: empty */
	const char *name;	/* tracepoint: its name; others: the function */
	/* uprobe: its file (compat/binaries/binaries.h); owned by the kernel */
	const struct binary *binary;
	const struct place *place;	/* the same; NULL: a probe of the kernel */
	/* uprobe: offset in the file; kprobe: offset in the function; BY_WATCH: what is accessed */
	uint64_t address;
	const struct many *many;	/* the functions it is on; NULL: one */
	/* functions that the kernel refused, set when the engine is attached */
	unsigned int refused;
	union {
		/*
		 * sample: how often a second; `name` is the constant's name; BY_WATCH: length and
		 * accesses, as WATCH_HOW()
		 */
		uint32_t frequency;
		/*
		 * fentry, fexit: file descriptor of the module's BTF that has the prototype, owned
		 * by the kernel; 0: the kernel's
		 */
		int types;
	};
	/* sample: instead, every so many ns or counts; 0: by the frequency */
	uint32_t period;
	/* tracepoint: perf's number for it; else -1 until the probe is made */
	int id;
	/*
	 * of a part, or an event with parts: the number of the main event in the plan; 0: neither
	 */
	uint32_t group;
	/* kprobe, uprobe: makes its name in the group unique; set when the probe is made */
	uint32_t probe;
	/* an event filter that drops only events that the program would drop; NULL: none */
	const char *filter;
	struct layout *layout;	/* never NULL; shared with other events */
};

/* Returns true if a program that is loaded for one event also serves the other. */
static inline bool event_same_prototype(const struct event *a, const struct event *b)
{
	return a->prototype == b->prototype && (!a->prototype || a->types == b->types);
}

/* A layout without inputs. Returns NULL if there is no memory. layout_free() accepts NULL. */
struct layout *layout_new(void);
void layout_free(struct layout *l);
/*
 * Adds an input, all zero, valid until the next one is added. Returns NULL if there are already
 * LAYOUT_INPUTS, or no memory.
 */
struct input *layout_add(struct layout *l);
/*
 * Takes ownership of `l`: adds it to the list, or frees it if the list has an equal layout. Returns
 * the layout of the list, or NULL if there is no memory.
 */
struct layout *layouts_share(struct layouts *all, struct layout *l);
void layouts_free(struct layouts *all);

/* Returns true if `name` is SYSTEM:EVENT of this tracepoint. */
bool tracepoint_named(const char *name, const char *system, const char *event);

/*
 * Programs write a `?` behind the name of an optional input. Return whether `wanted` is this input,
 * and whether it is optional.
 */
bool input_named(const char *wanted, const char *name);
bool input_optional(const char *wanted);
/* The input of that name. Returns NULL if there is none. */
const struct input *layout_input(const struct layout *l, const char *wanted);
const struct input *event_input(const struct event *e, const char *wanted);

#endif
