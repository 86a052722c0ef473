/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EVENT_H
#define SONDE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/events/kind.h"

struct many;

/*
 * What runs the program: the kernel, or sonde's own machine over ring buffers. It decides where
 * inputs come from.
 */
enum target { TARGET_BPF, TARGET_RING };

enum input_kind {
	INPUT_NUMBER,		/* 1, 2, 4 or 8 bytes, extended to 64 bits by its sign */
	INPUT_BYTES,		/* `size` bytes as they are: comm, an address, rwbs */
	INPUT_STRING,		/* text that ends with NUL */
	INPUT_STACK,		/* the functions that are being executed, by return addresses */
};

enum input_place {
	/* at `offset` of the event's record (what a tracepoint program's context is too) */
	PLACE_RECORD,
	/* from the register at `offset` of pt_regs, through `derefs` dereferences */
	PLACE_REGISTER,
	/* a u32 at `offset` of the record tells where in the record the bytes are */
	PLACE_DATA_LOC,
	PLACE_CONSTANT,		/* `value`: the same for every event of this probe */
	PLACE_CURRENT,		/* as PLACE_REGISTER, from the current task's struct task_struct */
	/*
	 * for BPF: the word at user space's stack pointer, if it is a place behind a call; `value`:
	 * where a task's struct has the address of its stack in the kernel, for kernels that do not
	 * tell its registers; -1: not known, but the program runs on that stack
	 */
	PLACE_CALLER,
	/*
	 * at `offset` of the record: a text's address, then pieces of it
	 * (backends/vm/pieces.h)
	 */
	PLACE_PIECES,
	PLACE_ROW,		/* the same: the address of a row of pointers, then the pointers */
	/* `identity`: when, where or who; the engine tells it (compat/resolve/identity.h) */
	PLACE_IDENTITY,
};

enum identity_id {
	IDENTITY_TIME, IDENTITY_CPU, IDENTITY_PID_TGID, IDENTITY_TID, IDENTITY_TGID,
	IDENTITY_UID, IDENTITY_GID, IDENTITY_COMM, IDENTITY_IP, IDENTITY_CGROUP,
	IDENTITY_MNTNS, IDENTITY_PIDNS,
	IDENTITY_FUNCTION,
	IDENTITY_KERNEL_STACK, IDENTITY_USER_STACK,
};

#define DEREFS 4
#define INPUT_NAME 24

/*
 * Where one logical input of a hook is found in one event. For TARGET_BPF an INPUT_STRING in a
 * register (after its dereferences) or in a number field of the record is a pointer, of user space
 * if `user`; for TARGET_RING it is always text within the record: a data_loc, a NUL-padded array of
 * `size` bytes, or an address and pieces, of `size` bytes.
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
	/* a data_loc behind which no more arguments come: an empty text shows (data_loc_text()) */
	bool is_last;
	/* PLACE_REGISTER: bytes of the slot; PLACE_PIECES, PLACE_ROW: of the address */
	uint8_t register_size;
	/* PLACE_ROW: bytes of each pointer; PLACE_PIECES: of the address that mean something */
	uint8_t pointer_size;
	uint8_t derefs;
	uint8_t identity;	/* enum identity_id */
	/*
	 * PLACE_REGISTER: what is added to the register is another one, at `index` of pt_regs, of
	 * so many bytes and shifted by so many bits; index_size 0: nothing
	 */
	uint16_t index;
	uint8_t index_size, index_shift;
	bool index_signed;
	struct {
		int32_t offset;
		uint8_t size;	/* of what is read: a pointer, but for the last one */
		bool user;
		/*
		 * bytes of an entry of the array that it is in; its u32 index is at `index` of the
		 * struct before the array; 0: it is in none
		 */
		uint8_t entry;
		int32_t index;
	} deref[DEREFS];
	int64_t value;
	uint32_t mask;		/* of a number: the bits that mean something; 0: all */
};

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
	/* behind its record perf tells whether the task has 32 bits (ABI_32) */
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
 * Parts: for the ring engines an event with several texts is split, because events without a limit
 * of size get lost without a count; so is one with more pieces than a probe takes arguments. In the
 * plan the parts come directly before their main event. A part runs no program: its texts are kept,
 * by thread, until the main event comes. Which ones are of the same call is told by the order in
 * which the kernel runs the probes, that in which they were made: so no other event of the plan
 * shares them, also where it reads the same.
 */
struct event {
	enum event_kind kind;
	/* usdt: where in the file those who trace it are counted; 0: nowhere */
	uint32_t semaphore;
	/* Texts are the kernel's or the hook's. */
	const char *system;	/* tracepoint: its system; kprobe: empty */
	const char *name;	/* tracepoint: its name; kprobe, uprobe: the function */
	/* uprobe: the file it is in (compat/binaries/binaries.h); the kernel's */
	const struct binary *binary;
	uint64_t address;	/* uprobe: offset in the file; kprobe: offset in the function */
	const struct many *many;	/* it is on these functions; NULL: on one */
	/* the user named the function: the engine goes on where the kernel refuses the probe */
	bool named;
	/* what runs where it fires may read memory that is not there: a page fault, and no value */
	bool may_fault;
	bool kernel_counts;	/* usdt: the kernel adds to the semaphore */
	bool is_part;
	/* so many of its functions the kernel has refused, once the engine is attached */
	unsigned int refused;
	uint32_t frequency;	/* sample: how many a second; its name is that of the constant */
	uint32_t period;	/* sample: one in so many ns instead; 0: by the frequency */
	enum sampled_by by;	/* sample: what the frequency or period is of */
	/* tracepoint: perf's number for it; else -1 until the probe is made */
	int id;
	/* a part, or an event with parts: the plan's number of the latter; 0: neither */
	uint32_t group;
	/* kprobe, uprobe: makes its name in the group unique; set when the probe is made */
	uint32_t probe;
	/* the kernel's event filter; it drops only what the program would drop; NULL: none */
	const char *filter;
	struct layout *layout;	/* never NULL; shared with other events */
};

/* A layout without inputs; NULL: out of memory. layout_free() takes NULL. */
struct layout *layout_new(void);
void layout_free(struct layout *l);
/*
 * Adds an input, all zero, which is valid until the next one is added. NULL: there are
 * LAYOUT_INPUTS, or out of memory.
 */
struct input *layout_add(struct layout *l);
/*
 * The layout of the list that is the same as `l`. Takes `l` over: frees it, or adds it to the list.
 * NULL: out of memory.
 */
struct layout *layouts_share(struct layouts *all, struct layout *l);
void layouts_free(struct layouts *all);

/*
 * Programs write a `?` behind the name of an input that may be missing. Is `wanted` this input? May
 * it be missing?
 */
bool input_named(const char *wanted, const char *name);
bool input_optional(const char *wanted);
/* The input of that name; NULL: there is none. */
const struct input *layout_input(const struct layout *l, const char *wanted);
const struct input *event_input(const struct event *e, const char *wanted);

#endif
