// SPDX-License-Identifier: GPL-2.0
#include "src/lang/values.h"

#define AT(OFFSET) ((int16_t)(bottom + (OFFSET)))

unsigned int values_lay_out(struct lang_value *list, unsigned int n, unsigned int size,
			    unsigned int text_size)
{
	for (unsigned int i = 0; i < n; i++) {
		struct lang_value *v = &list[i];

		v->offset = (uint16_t)size;
		v->size = v->is_text ? (uint16_t)((text_size + 2 + 7) / 8 * 8) : 0;
		v->shown = (uint16_t)(v->text.limit && v->text.limit < text_size ? v->text.limit :
				      text_size);
		size += 8U + v->size;
	}
	return size;
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
	code_value(c, v->node, v->node->faults ? fault : NULL);
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(v->offset)));
	if (!v->node->faults)
		return;
	CODE(c, JUMP(end));
	CODE(c, LABEL(fault));
	CODE(c, BPF_ST_MEM(BPF_DW, R10, AT(v->offset), 0));
	CODE(c, BPF_LDX_MEM(BPF_W, R6, R10, (int16_t)unknown));
	CODE(c, BPF_ALU64_IMM(BPF_OR, R6, 1 << i));
	CODE(c, BPF_STX_MEM(BPF_W, R10, R6, (int16_t)unknown));
	CODE(c, LABEL(end));
}
