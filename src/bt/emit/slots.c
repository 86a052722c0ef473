// SPDX-License-Identifier: GPL-2.0
/*
 * Entries in slots. Maps by what threads begin have entries that come and go with each event, and
 * counts have the same few keys again and again. The kernel takes 140 instructions to find an entry
 * of a hash, and several times as many to make or delete one; a slot of an array is found in 25,
 * and taken and given back by one compare and exchange. So an entry is in the slot that its key
 * leads to, unless another key was there first. Then it is in the hash. Of values the slot counts
 * such entries: while the count is 0 nobody looks there. Slots of counts are never given back:
 * sonde takes what was added since it last looked.
 *
 * A key is in its slot before its value is, so a slot that is given back has the value 0. As in the
 * kernel's own hash, who reads an entry while another CPU deletes it may get the value of the
 * entry's next owner. A CPU that stores into an entry while another one deletes it may leave the
 * value behind in a free slot, where the next owner's covers it. So values that are added to have
 * no slots.
 */
#include "src/bt/emit/slots.h"

#include <stddef.h>

#include "src/bt/emit/emit.h"

/* Offsets in a slot: of a member, and of word I of the key. */
#define MEMBER(NAME) AT(offsetof(struct bt_slot, NAME))
#define WORD(I) AT((int)sizeof(struct bt_slot) + 8 * (I))

_Static_assert(offsetof(struct bt_slot, value) == offsetof(struct bt_cell, value),
	       "instructions read and change both in the same way");

/* Registers. What reads or deletes an entry has the slot in r0. */
enum { OWNER = R2, SLOT = R7 };

/* An entry of a map, and where the stack has what its slot is found by. */
struct entry {
	const struct bt_map *m;
	int key, word;			/* the key; its first word that tells it from others */
	int owner, index;		/* made of the key: the owner, the slot's number */
};

static struct entry entry(struct code *c, const struct bt_map *m, int key)
{
	const int owner = code_room(c, 8), index = code_room(c, 8);

	return (struct entry){ m, key, key + (int)m->words_at, owner, index };
}

/* ---- finding ---- */

/* Without compare and exchange goto .hash */
static void unless_slots(struct code *c)
{
	code_unless(c, "cmpxchg", ".hash");
}

/* r1 = a number made of the key */
static void mix_words(struct code *c, const struct entry *e)
{
	CODE(c, BPF_LDX_MEM(BPF_DW, R1, R10, AT(e->word)));
	for (int i = 1; i < (int)e->m->words; i++) {
		CODE(c, BPF_ALU64_IMM(BPF_MUL, R1, (int32_t)BT_SLOT_FACTOR));
		CODE(c, BPF_LDX_MEM(BPF_DW, R2, R10, AT(e->word + 8 * i)));
		CODE(c, BPF_ALU64_REG(BPF_ADD, R1, R2));
	}
	if (!e->m->words)
		return;
	/* Letters are in the highest bits, and numbers in the lowest. */
	CODE(c, BPF_MOV64_REG(R2, R1));
	CODE(c, BPF_ALU64_IMM(BPF_RSH, R2, 32));
	CODE(c, BPF_ALU64_REG(BPF_XOR, R1, R2));
}

/* r0 = the slot whose number is on the stack */
static void look_up(struct code *c, const struct entry *e)
{
	CODE(c, LOOKUP_AT(e->m->slots, AT(e->index)));
	CODE(c, JEQ(R0, 0, ".hash"));			/* never */
}

/* r0 = the slot that the key leads to, OWNER = the key's owner. No slots: goto .hash */
static void find(struct code *c, const struct entry *e)
{
	unless_slots(c);
	mix_words(c, e);
	CODE(c, BPF_ALU64_IMM(BPF_ADD, R1, 1));
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R1, AT(e->owner)));
	CODE(c, BPF_ALU32_IMM(BPF_MUL, R1, (int32_t)BT_SLOT_FACTOR));
	CODE(c, BPF_ALU64_IMM(BPF_RSH, R1, BT_SLOT_SHIFT));
	CODE(c, BPF_STX_MEM(BPF_W, R10, R1, AT(e->index)));
	look_up(c, e);
	CODE(c, BPF_LDX_MEM(BPF_DW, OWNER, R10, AT(e->owner)));
}

/* if (the slot is another key's) goto .other; clobbers r1 and r3 */
static void unless_own(struct code *c, const struct entry *e, int slot)
{
	CODE(c, BPF_LDX_MEM(BPF_DW, R1, slot, MEMBER(owner)));
	CODE(c, JNE_REG(R1, OWNER, ".other"));
	for (int i = 0; i < (int)e->m->words; i++) {
		CODE(c, BPF_LDX_MEM(BPF_DW, R1, slot, WORD(i)));
		CODE(c, BPF_LDX_MEM(BPF_DW, R3, R10, AT(e->word + 8 * i)));
		CODE(c, JNE_REG(R1, R3, ".other"));
	}
}

/*
 * The key takes the slot: falls through to .own. If the slot is another's: goto .spills. A key of
 * words is in the slot after it was taken: another CPU that comes in between finds another key.
 */
static void take(struct code *c, const struct entry *e)
{
	CODE(c, BPF_MOV64_IMM(R0, 0));
	CODE(c, BPF_STX_CMPXCHG(BPF_DW, SLOT, OWNER, MEMBER(owner)));
	CODE(c, JEQ(R0, 0, ".taken"));
	/* If another CPU has just made the entry of a number, it is the same entry. */
	if (!e->m->words)
		CODE(c, JEQ_REG(R0, OWNER, ".own"));
	CODE(c, JUMP(".spills"));
	CODE(c, LABEL(".taken"));
	for (int i = 0; i < (int)e->m->words; i++) {
		CODE(c, BPF_LDX_MEM(BPF_DW, R1, R10, AT(e->word + 8 * i)));
		CODE(c, BPF_STX_MEM(BPF_DW, SLOT, R1, WORD(i)));
	}
	CODE(c, LABEL(".own"));
}

/* The slot's member += by; clobbers r1 */
static void add(struct code *c, int slot, int16_t member, int by)
{
	CODE(c, BPF_MOV64_IMM(R1, by));
	CODE(c, BPF_STX_XADD(BPF_DW, slot, R1, member));
}

/* The slot is another key's: if no entry of the hash can have this key, goto no; clobbers r1 */
static void if_spilled(struct code *c, int slot, const char *no)
{
	CODE(c, LABEL(".other"));
	CODE(c, BPF_LDX_MEM(BPF_DW, R1, slot, MEMBER(spilled)));
	CODE(c, JEQ(R1, 0, no));
}

/* ---- reading ---- */

/* The register = the value at r0, which is a slot's or an entry's of the hash; or 1 */
static void answer(struct code *c, int reg, bool is_there)
{
	if (is_there)
		CODE(c, BPF_MOV64_IMM(reg, 1));
	else
		CODE(c, BPF_LDX_MEM(BPF_DW, reg, R0, MEMBER(value)));
}

void bt_slots_read(struct code *c, const struct bt_map *m, int key, int reg, bool is_there)
{
	const unsigned int frame = c->frame;
	const struct entry e = entry(c, m, key);

	CODE(c, BPF_MOV64_IMM(reg, 0));
	find(c, &e);
	CODE(c, JEQ(OWNER, 0, ".hash"));
	unless_own(c, &e, R0);
	answer(c, reg, is_there);
	CODE(c, JUMP(".end"));
	if_spilled(c, R0, ".end");
	CODE(c, LABEL(".hash"));
	CODE(c, LOOKUP_AT(m->name, AT(key)));
	CODE(c, JEQ(R0, 0, ".end"));
	answer(c, reg, is_there);
	CODE(c, LABEL(".end"));
	c->frame = frame;
}

/* ---- changing ---- */

void bt_emit_cell(struct code *c, int cell)
{
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(cell)));
	CODE(c, BPF_ST_MEM(BPF_DW, R10, AT(cell + (int)offsetof(struct bt_cell, present)), 1));
}

/* The key takes the slot if it has none. At .found r0 is an entry of the hash. */
void bt_slots_store(struct code *c, const struct bt_map *m, int key, int cell)
{
	const struct entry e = entry(c, m, key);

	find(c, &e);
	CODE(c, BPF_MOV64_REG(SLOT, R0));
	CODE(c, JEQ(OWNER, 0, ".spills"));
	unless_own(c, &e, SLOT);
	CODE(c, JUMP(".own"));
	if_spilled(c, SLOT, ".new");
	CODE(c, LOOKUP_AT(m->name, AT(key)));
	CODE(c, JNE(R0, 0, ".found"));
	CODE(c, BPF_LDX_MEM(BPF_DW, OWNER, R10, AT(e.owner)));
	CODE(c, LABEL(".new"));
	take(c, &e);
	CODE(c, BPF_STX_MEM(BPF_DW, SLOT, R6, MEMBER(value)));
	CODE(c, JUMP(".end"));
	CODE(c, LABEL(".spills"));
	add(c, SLOT, MEMBER(spilled), 1);
	CODE(c, LABEL(".hash"));
	bt_emit_cell(c, cell);
	CODE(c, UPDATE_AT(m->name, AT(key), AT(cell), BPF_ANY));
	CODE(c, JEQ(R0, 0, ".end"));
	CODE(c, COUNT_FULL);
	CODE(c, JUMP(".end"));
	CODE(c, LABEL(".found"));
	CODE(c, BPF_STX_MEM(BPF_DW, R0, R6, MEMBER(value)));
	CODE(c, LABEL(".end"));
}

/* The slot is the key's: it counts, and goto .end. What follows is for keys without a slot. */
static void count_one(struct code *c)
{
	add(c, SLOT, MEMBER(value), 1);
	CODE(c, JUMP(".end"));
	CODE(c, LABEL(".spills"));
	CODE(c, LABEL(".hash"));
}

/* The number tells where its slot is, and who owns it. The name of a function is a number, too. */
bool bt_slots_count_known(struct code *c, const struct bt_map *m, const struct node *keys)
{
	const unsigned int frame = c->frame;
	const uint64_t owner = keys->a->value + 1;
	struct entry e;

	if (m->words || keys->a->kind != NODE_NUMBER || !owner)
		return false;
	e = entry(c, m, 0);
	unless_slots(c);
	CODE(c, BPF_ST_MEM(BPF_W, R10, AT(e.index), (int32_t)bt_slot_of(owner)));
	look_up(c, &e);
	CODE(c, BPF_MOV64_REG(SLOT, R0));
	code_constant(c, OWNER, owner);
	CODE(c, BPF_LDX_MEM(BPF_DW, R1, SLOT, MEMBER(owner)));
	CODE(c, JEQ_REG(R1, OWNER, ".own"));
	take(c, &e);
	count_one(c);
	c->frame = frame;
	return true;
}

void bt_slots_count(struct code *c, const struct bt_map *m, int key)
{
	const unsigned int frame = c->frame;
	const struct entry e = entry(c, m, key);

	find(c, &e);
	CODE(c, JEQ(OWNER, 0, ".hash"));
	CODE(c, BPF_MOV64_REG(SLOT, R0));
	unless_own(c, &e, SLOT);
	CODE(c, JUMP(".own"));
	CODE(c, LABEL(".other"));
	take(c, &e);
	count_one(c);
	c->frame = frame;
}

/* ---- deleting ---- */

/*
 * No key's owner: no script has the number, and no object of a kernel the address. While a slot has
 * it, nobody finds or takes the slot, so who deletes an entry can't hit that of the next owner.
 */
#define BUSY ((int32_t)0x80000000)

/* The slot becomes free; the register = 1 if no other CPU was first. Keeps r0 */
static void give_back(struct code *c, int reg)
{
	CODE(c, BPF_MOV64_REG(R3, R0));
	CODE(c, BPF_MOV64_REG(R0, OWNER));
	CODE(c, BPF_MOV64_IMM(R1, BUSY));
	CODE(c, BPF_STX_CMPXCHG(BPF_DW, R3, R1, MEMBER(owner)));
	CODE(c, JNE_REG(R0, OWNER, ".gone"));		/* another CPU has deleted it */
	CODE(c, BPF_MOV64_IMM(reg, 1));
	CODE(c, BPF_ST_MEM(BPF_DW, R3, MEMBER(value), 0));
	/* Other CPUs see the 0 before the slot is free. */
	CODE(c, BPF_MOV64_REG(R0, R1));
	CODE(c, BPF_MOV64_IMM(R1, 0));
	CODE(c, BPF_STX_CMPXCHG(BPF_DW, R3, R1, MEMBER(owner)));
	CODE(c, LABEL(".gone"));
	CODE(c, BPF_MOV64_REG(R0, R3));
}

void bt_slots_delete(struct code *c, const struct bt_map *m, int key, int reg)
{
	const unsigned int frame = c->frame;
	const struct entry e = entry(c, m, key);

	CODE(c, BPF_MOV64_IMM(reg, 0));
	find(c, &e);
	CODE(c, JEQ(OWNER, 0, ".hash"));
	unless_own(c, &e, R0);
	give_back(c, reg);
	if_spilled(c, R0, ".end");
	CODE(c, LABEL(".hash"));
	CODE(c, DELETE_AT(m->name, AT(key)));
	CODE(c, JNE(R0, 0, ".end"));
	CODE(c, BPF_MOV64_IMM(reg, 1));
	find(c, &e);
	CODE(c, JEQ(OWNER, 0, ".end"));
	add(c, R0, MEMBER(spilled), -1);
	CODE(c, LABEL(".hash"));
	CODE(c, LABEL(".end"));
	c->frame = frame;
}
