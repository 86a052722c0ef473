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
#include <string.h>

#define SLOT(MEMBER) ((int16_t)offsetof(struct bt_slot, MEMBER))

_Static_assert(offsetof(struct bt_slot, value) == offsetof(struct bt_cell, value),
	       "instructions read and change both in the same way");

/*
 * Registers of the sequences below; others are put in the place of BASE and ANSWER. Offsets from
 * r10 are numbers of places, and names of maps are "slots" and "hash".
 */
enum { OWNER = R2, KEPT = R7, BASE = R8, ANSWER = R9 };
enum { WORD, OWNER_AT, INDEX, CELL, KEY, PLACES };

struct slots {
	struct code *c;
	const struct bt_map *m;
	int at[PLACES];			/* on the stack */
	int slot, answer;
};

#define ADD(S, SEQUENCE) add(S, SEQUENCE, sizeof(SEQUENCE) / sizeof((SEQUENCE)[0]), 0)
#define ADD_WORD(S, SEQUENCE, I) add(S, SEQUENCE, sizeof(SEQUENCE) / sizeof((SEQUENCE)[0]), I)

static uint8_t register_of(const struct slots *s, uint8_t reg)
{
	return (uint8_t)(reg == BASE ? s->slot : reg == ANSWER ? s->answer : reg);
}

/* Adds a sequence for word i of the key. */
static void add(struct slots *s, const struct insn *list, unsigned int n, unsigned int i)
{
	for (unsigned int j = 0; j < n; j++) {
		struct insn insn = list[j];
		const int class = BPF_CLASS(insn.bpf.code);
		const bool is_store = class == BPF_ST || class == BPF_STX,
			   is_plain = insn.symbol == PLAIN && (is_store || class == BPF_LDX);
		const int base = is_store ? insn.bpf.dst_reg : insn.bpf.src_reg;

		if (insn.name && (insn.symbol == SYM_LOOKUP || insn.symbol == SYM_UPDATE ||
				  insn.symbol == SYM_DELETE)) {
			insn.name = strcmp(insn.name, "hash") ? s->m->slots : s->m->name;
			insn.bpf.off = (int16_t)s->at[insn.bpf.off];
			insn.bpf.imm = insn.symbol == SYM_UPDATE ? s->at[insn.bpf.imm] : 0;
		} else if (is_plain) {
			insn.bpf.off = (int16_t)(base == R10 ? s->at[insn.bpf.off] :
						 insn.bpf.off);
			if (base == BASE || base == R10)
				insn.bpf.off = (int16_t)(insn.bpf.off + 8 * (int)i);
		}
		insn.bpf.dst_reg = register_of(s, insn.bpf.dst_reg) & 15;
		insn.bpf.src_reg = register_of(s, insn.bpf.src_reg) & 15;
		code_add(s->c, insn);
	}
}

static struct slots slots(struct code *c, const struct bt_map *m, int key, int slot)
{
	return (struct slots){
		.c = c, .m = m, .slot = slot, .answer = KEPT,
		.at = { key + (int)m->words_at, code_room(c, 8), code_room(c, 8), 0, key },
	};
}

/* ---- finding ---- */

static const struct insn if_slots[] = {
	JUMP_UNLESS("cmpxchg", ".hash"),
}, first_word[] = {
	BPF_LDX_MEM(BPF_DW, R1, R10, WORD),
}, more_words[] = {
	BPF_ALU64_IMM(BPF_MUL, R1, (int32_t)BT_SLOT_FACTOR),
	BPF_LDX_MEM(BPF_DW, R2, R10, WORD),
	BPF_ALU64_REG(BPF_ADD, R1, R2),
}, mix[] = {			/* letters are in the highest bits, and numbers in the lowest */
	BPF_MOV64_REG(R2, R1),
	BPF_ALU64_IMM(BPF_RSH, R2, 32),
	BPF_ALU64_REG(BPF_XOR, R1, R2),
}, look[] = {
	BPF_ALU64_IMM(BPF_ADD, R1, 1),
	BPF_STX_MEM(BPF_DW, R10, R1, OWNER_AT),
	RAW(BPF_ALU | BPF_MUL | BPF_K, R1, 0, 0, (int32_t)BT_SLOT_FACTOR),
	BPF_ALU64_IMM(BPF_RSH, R1, BT_SLOT_SHIFT),
	BPF_STX_MEM(BPF_W, R10, R1, INDEX),
}, look_up[] = {
	LOOKUP_AT("slots", INDEX),
	JEQ(R0, 0, ".hash"),			/* never */
}, owner_again[] = {
	BPF_LDX_MEM(BPF_DW, OWNER, R10, OWNER_AT),
};

/* r0 = the slot that the key leads to, OWNER = the key's owner. No slots: goto .hash */
static void find(struct slots *s)
{
	ADD(s, if_slots);
	ADD(s, first_word);
	for (unsigned int i = 1; i < s->m->words; i++)
		ADD_WORD(s, more_words, i);
	if (s->m->words)
		ADD(s, mix);
	ADD(s, look);
	ADD(s, look_up);
	ADD(s, owner_again);
}

static const struct insn has_owner[] = {
	BPF_LDX_MEM(BPF_DW, R1, BASE, SLOT(owner)),
	JNE_REG(R1, OWNER, ".other"),
}, has_word[] = {
	BPF_LDX_MEM(BPF_DW, R1, BASE, sizeof(struct bt_slot)),
	BPF_LDX_MEM(BPF_DW, R3, R10, WORD),
	JNE_REG(R1, R3, ".other"),
};

/* if (the slot is another key's) goto .other; clobbers r1 and r3 */
static void unless_own(struct slots *s)
{
	ADD(s, has_owner);
	for (unsigned int i = 0; i < s->m->words; i++)
		ADD_WORD(s, has_word, i);
}

/* If another CPU has just made the entry of a number, it is the same entry. */
static const struct insn exchange[] = {
	BPF_MOV64_IMM(R0, 0),
	BPF_STX_CMPXCHG(BPF_DW, BASE, OWNER, SLOT(owner)),
	JEQ(R0, 0, ".taken"),
}, same_number[] = {
	JEQ_REG(R0, OWNER, ".own"),
}, spills[] = {
	JUMP(".spills"),
	LABEL(".taken"),
}, put_word[] = {
	BPF_LDX_MEM(BPF_DW, R1, R10, WORD),
	BPF_STX_MEM(BPF_DW, BASE, R1, sizeof(struct bt_slot)),
}, own[] = {
	LABEL(".own"),
};

/*
 * The key takes the slot: falls through to .own. If the slot is another's: goto .spills. A key of
 * words is in the slot after it was taken: another CPU that comes in between finds another key.
 */
static void take(struct slots *s)
{
	ADD(s, exchange);
	if (!s->m->words)
		ADD(s, same_number);
	ADD(s, spills);
	for (unsigned int i = 0; i < s->m->words; i++)
		ADD_WORD(s, put_word, i);
	ADD(s, own);
}

/* ---- reading ---- */

static const struct insn ask[] = {
	BPF_MOV64_IMM(ANSWER, 0),
}, slot_known[] = {
	JEQ(OWNER, 0, ".hash"),
}, value_is[] = {
	BPF_LDX_MEM(BPF_DW, ANSWER, R0, SLOT(value)),
}, yes[] = {
	BPF_MOV64_IMM(ANSWER, 1),
}, known[] = {
	JUMP(".end"),
}, unless_spilled[] = {
	LABEL(".other"),
	BPF_LDX_MEM(BPF_DW, R1, R0, SLOT(spilled)),
	JEQ(R1, 0, ".end"),
	LABEL(".hash"),
}, look_in_hash[] = {
	LOOKUP_AT("hash", KEY),
	JEQ(R0, 0, ".end"),
}, end[] = {
	LABEL(".end"),
};

static void answer(struct slots *s, bool is_there)
{
	if (is_there)
		ADD(s, yes);
	else
		ADD(s, value_is);
}

void bt_slots_read(struct code *c, const struct bt_map *m, int key, int reg, bool is_there)
{
	const unsigned int frame = c->frame;
	struct slots s = slots(c, m, key, R0);

	s.answer = reg;
	ADD(&s, ask);
	find(&s);
	ADD(&s, slot_known);
	unless_own(&s);
	answer(&s, is_there);
	ADD(&s, known);
	ADD(&s, unless_spilled);
	ADD(&s, look_in_hash);
	answer(&s, is_there);
	ADD(&s, end);
	c->frame = frame;
}

/* ---- changing ---- */

static const struct insn keep[] = {
	BPF_MOV64_REG(BASE, R0),
}, may_take[] = {
	JEQ(OWNER, 0, ".spills"),
}, unless_in_hash[] = {
	JUMP(".own"),
	LABEL(".other"),
	BPF_LDX_MEM(BPF_DW, R1, BASE, SLOT(spilled)),
	JEQ(R1, 0, ".new"),
	LOOKUP_AT("hash", KEY),
	JNE(R0, 0, ".found"),
	BPF_LDX_MEM(BPF_DW, OWNER, R10, OWNER_AT),
	LABEL(".new"),
}, spill[] = {
	JUMP(".end"),
	LABEL(".spills"),
	BPF_MOV64_IMM(R1, 1),
	BPF_STX_XADD(BPF_DW, BASE, R1, SLOT(spilled)),
	LABEL(".hash"),
};

void bt_emit_cell(struct code *c, int cell)
{
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, (int16_t)cell));
	CODE(c, BPF_ST_MEM(BPF_DW, R10, (int16_t)(cell + (int)offsetof(struct bt_cell, present)),
			   1));
}

static const struct insn update[] = {
	UPDATE_AT("hash", KEY, CELL, BPF_ANY),
	JEQ(R0, 0, ".end"),
	COUNT_FULL,
	JUMP(".end"),
	LABEL(".found"),
	BPF_STX_MEM(BPF_DW, R0, R6, SLOT(value)),
	LABEL(".end"),
};

/* The key takes the slot if it has none. At .found r0 is an entry of the hash. */
void bt_slots_store(struct code *c, const struct bt_map *m, int key, int cell)
{
	struct slots s = slots(c, m, key, KEPT);

	s.at[CELL] = cell;
	find(&s);
	ADD(&s, keep);
	ADD(&s, may_take);
	unless_own(&s);
	ADD(&s, unless_in_hash);
	take(&s);
	CODE(c, BPF_STX_MEM(BPF_DW, KEPT, R6, SLOT(value)));
	ADD(&s, spill);
	bt_emit_cell(c, cell);
	ADD(&s, update);
}

static const struct insn is_own[] = {
	BPF_LDX_MEM(BPF_DW, R1, BASE, SLOT(owner)),
	JEQ_REG(R1, OWNER, ".own"),
}, unless_counted[] = {
	JUMP(".own"),
	LABEL(".other"),
}, count_one[] = {
	BPF_MOV64_IMM(R1, 1),
	BPF_STX_XADD(BPF_DW, BASE, R1, SLOT(value)),
	JUMP(".end"),
	LABEL(".spills"),
	LABEL(".hash"),
};

/* The number tells where its slot is, and who owns it. The name of a function is a number, too. */
bool bt_slots_count_known(struct code *c, const struct bt_map *m, const struct node *keys)
{
	const unsigned int frame = c->frame;
	const uint64_t owner = keys->a->value + 1;
	struct slots s;

	if (m->words || keys->a->kind != NODE_NUMBER || !owner)
		return false;
	s = slots(c, m, 0, KEPT);
	ADD(&s, if_slots);
	CODE(c, BPF_ST_MEM(BPF_W, R10, (int16_t)s.at[INDEX], (int32_t)bt_slot_of(owner)));
	ADD(&s, look_up);
	ADD(&s, keep);
	code_constant(c, OWNER, owner);
	ADD(&s, is_own);
	take(&s);
	ADD(&s, count_one);
	c->frame = frame;
	return true;
}

void bt_slots_count(struct code *c, const struct bt_map *m, int key)
{
	const unsigned int frame = c->frame;
	struct slots s = slots(c, m, key, KEPT);

	find(&s);
	ADD(&s, slot_known);
	ADD(&s, keep);
	unless_own(&s);
	ADD(&s, unless_counted);
	take(&s);
	ADD(&s, count_one);
	c->frame = frame;
}

/* ---- deleting ---- */

/*
 * No key's owner: no script has the number, and no object of a kernel the address. While a slot has
 * it, nobody finds or takes the slot, so who deletes an entry can't hit that of the next owner.
 */
#define BUSY ((int32_t)0x80000000)

static const struct insn give_back[] = {
	BPF_MOV64_REG(R3, R0),
	BPF_MOV64_REG(R0, OWNER),
	BPF_MOV64_IMM(R1, BUSY),
	BPF_STX_CMPXCHG(BPF_DW, R3, R1, SLOT(owner)),
	JNE_REG(R0, OWNER, ".gone"),		/* another CPU has deleted it */
	BPF_MOV64_IMM(ANSWER, 1),
	BPF_ST_MEM(BPF_DW, R3, SLOT(value), 0),
	BPF_MOV64_REG(R0, R1),			/* other CPUs see the 0 before the slot is free */
	BPF_MOV64_IMM(R1, 0),
	BPF_STX_CMPXCHG(BPF_DW, R3, R1, SLOT(owner)),
	LABEL(".gone"),
	BPF_MOV64_REG(R0, R3),
}, delete_in_hash[] = {
	DELETE_AT("hash", KEY),
	JNE(R0, 0, ".end"),
	BPF_MOV64_IMM(ANSWER, 1),
}, uncount[] = {
	JEQ(OWNER, 0, ".end"),
	BPF_MOV64_IMM(R1, -1),
	BPF_STX_XADD(BPF_DW, R0, R1, SLOT(spilled)),
	LABEL(".hash"),
	LABEL(".end"),
};

void bt_slots_delete(struct code *c, const struct bt_map *m, int key, int reg)
{
	const unsigned int frame = c->frame;
	struct slots s = slots(c, m, key, R0);

	s.answer = reg;
	ADD(&s, ask);
	find(&s);
	ADD(&s, slot_known);
	unless_own(&s);
	ADD(&s, give_back);
	ADD(&s, unless_spilled);
	ADD(&s, delete_in_hash);
	find(&s);
	ADD(&s, uncount);
	c->frame = frame;
}
