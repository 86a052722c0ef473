/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SPREAD_H
#define SONDE_SPREAD_H

#include <linux/bpf.h>
#include <stdbool.h>

/* Returns true if the next instruction may run after this one. */
static inline bool spread_goes_on(const struct bpf_insn *insn)
{
	return insn->code != (BPF_JMP | BPF_EXIT) && insn->code != (BPF_JMP | BPF_JA);
}

/* Returns true for a jump. */
static inline bool spread_jumps(const struct bpf_insn *insn)
{
	return BPF_CLASS(insn->code) == BPF_JMP && BPF_OP(insn->code) != BPF_CALL &&
	       BPF_OP(insn->code) != BPF_EXIT;
}

/*
 * Writes the same program with a jump to the next instruction behind each: sonde's machine then
 * joins no instructions, and the results must be the same. `to` has room for 2 * n, index for n.
 * Returns the number of instructions.
 */
static inline unsigned int spread(const struct bpf_insn *insns, unsigned int n,
				  struct bpf_insn *to, unsigned int *index)
{
	unsigned int made = 0;

	for (unsigned int i = 0; i < n; i++) {
		bool wide = insns[i].code == (BPF_LD | BPF_IMM | BPF_DW);

		index[i] = made;
		to[made++] = insns[i];
		if (wide && i + 1 < n) {
			index[++i] = made;
			to[made++] = insns[i];
		}
		if (wide || spread_goes_on(&insns[i]))
			to[made++] = (struct bpf_insn){ .code = BPF_JMP | BPF_JA };
	}
	for (unsigned int i = 0; i < n; i++) {
		unsigned int target = i + 1 + (unsigned int)insns[i].off;

		if (spread_jumps(&insns[i]))
			to[index[i]].off = (__s16)(index[target] - index[i] - 1);
	}
	return made;
}

#endif
