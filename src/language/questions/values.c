// SPDX-License-Identifier: GPL-2.0
#include "src/language/questions/values.h"

#define AT(OFFSET) ((int16_t)(bottom + (OFFSET)))

unsigned int values_lay_out(struct lang_value *list, unsigned int n, unsigned int size,
			    unsigned int text_size)
{
	for (unsigned int i = 0; i < n; i++) {
		struct lang_value *v = &list[i];

		v->offset = (uint16_t)size;
		v->size = (uint16_t)(((v->is_whole ? v->whole.size : v->is_text ? text_size + 2 :
				       0) + 7) / 8 * 8);
		v->shown = (uint16_t)(v->text.limit && v->text.limit < text_size ? v->text.limit :
				      text_size);
		size += (v->is_whole ? 0 : 8U) + v->size;
	}
	return size;
}

/* Goes to the label `fault` if a part can't be read. */
static void add_whole(struct code *c, const struct lang_value *v, int at, const char *fault)
{
	static const int widths[] = { [1] = BPF_B, [2] = BPF_H, [4] = BPF_W, [8] = BPF_DW };

	CODE(c, ZERO_AT(NULL, (int16_t)at, v->size));
	for (const struct node *part = v->whole.parts; part; part = part->b) {
		code_value(c, part->a, part->a->faults ? fault : NULL);
		CODE(c, BPF_STX_MEM(widths[part->value], R10, R6, (int16_t)at));
		at += (int)part->value;
	}
}

void values_add(struct code *c, const struct lang_value *list, unsigned int i, int bottom,
		int unknown)
{
	const struct lang_value *v = &list[i];
	const char *fault = code_label(c), *end = code_label(c);

	if (v->is_text) {
		code_text(c, &v->text, AT(v->offset + 8), v->size);
		CODE(c, BPF_STX_MEM(BPF_DW, R10, R0, AT(v->offset)));
		return;
	}
	if (v->is_whole) {
		add_whole(c, v, AT(v->offset), fault);
	} else {
		code_value(c, v->node, v->node->faults ? fault : NULL);
		CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(v->offset)));
		if (!v->node->faults)
			return;
	}
	CODE(c, JUMP(end));
	CODE(c, LABEL(fault));
	CODE(c, BPF_ST_MEM(BPF_DW, R10, AT(v->offset), 0));
	CODE(c, BPF_LDX_MEM(BPF_W, R6, R10, (int16_t)unknown));
	CODE(c, BPF_ALU64_IMM(BPF_OR, R6, 1 << i));
	CODE(c, BPF_STX_MEM(BPF_W, R10, R6, (int16_t)unknown));
	CODE(c, LABEL(end));
}
