// SPDX-License-Identifier: GPL-2.0
/*
 * Lowering of a count whose key comes again and again: a task makes a run of events with the same
 * key. Each CPU keeps the key that it counted last, and its count, in an array, where an event
 * takes a comparison and an addition. Only another key sends the kept count to the hash, which
 * takes several times as long: it hashes the key, goes through a list, and adds atomically.
 *
 * The array has an element for each epoch (struct map, `run`), so that nothing changes an element
 * that user space takes: a key of the new epoch leaves the old epoch's element as it is.
 */
#include "insns/lower/lower_internal.h"

_Static_assert(EPOCH_STOPPED == EPOCHS - 1, "the array has an element for each");

#define EPOCH_BYTES 4		/* the beginning of keys: the number of the element */

/* for (the key's words behind the epoch): where in the key, and BPF_W or BPF_DW */
#define FOR_EACH_WORD(OFF, SIZE, M) \
	for (int OFF = EPOCH_BYTES, SIZE = BPF_W; OFF < (M)->key_size; \
	     OFF += SIZE == BPF_W ? 4 : 8, SIZE = BPF_DW)

/* if (the key kept at r0 is another key) goto other */
static void compare(struct lowerer *lo, const struct map *m, int key, int other)
{
	FOR_EACH_WORD(off, size, m) {
		emit(&lo->e, BPF_LDX | BPF_MEM | size, BPF_REG_1, BPF_REG_10, key + off, 0);
		emit(&lo->e, BPF_LDX | BPF_MEM | size, BPF_REG_2, BPF_REG_0, off, 0);
		emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_X, BPF_REG_1, BPF_REG_2, 0, other);
	}
}

/* Exchanges the key kept at r0 and the key on the stack. */
static void exchange(struct lowerer *lo, const struct map *m, int key)
{
	FOR_EACH_WORD(off, size, m) {
		emit(&lo->e, BPF_LDX | BPF_MEM | size, BPF_REG_1, BPF_REG_10, key + off, 0);
		emit(&lo->e, BPF_LDX | BPF_MEM | size, BPF_REG_2, BPF_REG_0, off, 0);
		emit(&lo->e, BPF_STX | BPF_MEM | size, BPF_REG_10, BPF_REG_2, key + off, 0);
		emit(&lo->e, BPF_STX | BPF_MEM | size, BPF_REG_0, BPF_REG_1, off, 0);
	}
}

static void copy_back(struct lowerer *lo, const struct map *m, int key)
{
	FOR_EACH_WORD(off, size, m) {
		emit(&lo->e, BPF_LDX | BPF_MEM | size, BPF_REG_1, BPF_REG_0, off, 0);
		emit(&lo->e, BPF_STX | BPF_MEM | size, BPF_REG_10, BPF_REG_1, key + off, 0);
	}
}

/*
 * Old kernels require keys on the stack, which has no room for a second key. So the old key is in
 * the place of the new key while it goes to the hash.
 */
int lo_count_in_run(struct lowerer *lo, const struct insn *insn, const struct map *m)
{
	const int key = insn->bpf.off, count = m->key_size;
	int other = emit_new_label(&lo->e), done = emit_new_label(&lo->e),
	    back = emit_new_label(&lo->e);

	if (key % 8 || m->key_size % 8)
		return lo_broken(lo, insn, "the key is not of whole words", insn->name);
	if (lo_look_up(lo, m->run, key))
		return -1;
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, done);	/* never */
	compare(lo, m, key, other);
	lo_add_alone(lo, count, LO_ONE);
	emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, done);

	emit_place(&lo->e, other);
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_3, BPF_REG_0, count, 0);
	emit(&lo->e, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_3, SCRATCH, 0);
	emit(&lo->e, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_0, 0, count, 1);
	exchange(lo, m, key);
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_3, 0, 0, back);
	if (lo_add_to_hash(lo, insn->name, key, LO_KEPT))
		return -1;
	emit_place(&lo->e, back);
	if (lo_look_up(lo, m->run, key))
		return -1;
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, done);	/* never */
	copy_back(lo, m, key);
	emit_place(&lo->e, done);
	return 0;
}
