// SPDX-License-Identifier: GPL-2.0
/* Types of the members that are found at run time (compat/types/offsets.h). */
#include <stdio.h>
#include <string.h>

#include "compat/types/offsets.h"
#include "src/language/types/members_internal.h"
#include "src/language/types/types.h"

static const struct {
	const char *path;
	uint8_t size;			/* 0: of a pointer; 9: of a long */
	bool is_signed;
	const char *to;			/* the struct that it points to, or is (size 1) */
	uint8_t n;			/* an array of so many bytes */
} rows[] = {
	{ "file.f_pos", 8, true }, { "file.f_inode", 0, .to = "inode" },
	{ "file.f_path.dentry", 0, .to = "dentry" }, { "file.f_flags", 4 }, { "file.f_mode", 4 },
	{ "dentry.d_inode", 0, .to = "inode" }, { "dentry.d_name.name", 0 },
	{ "dentry.d_name.len", 4 }, { "dentry.d_parent", 0, .to = "dentry" },
	{ "inode.i_sb", 0, .to = "super_block" }, { "inode.i_mode", 2 }, { "inode.i_nlink", 4 },
	{ "kiocb.ki_filp", 0, .to = "file" }, { "kiocb.ki_pos", 8, true },
	{ "sock.__sk_common", 1, .to = "sock_common" },
	{ "sock_common.skc_v6_daddr", 1, .n = 16 }, { "sock_common.skc_v6_rcv_saddr", 1, .n = 16 },
	{ "tcp_sock.bytes_acked", 8 }, { "tcp_sock.bytes_received", 8 },
	{ "task_struct.tgid", 4, true }, { "task_struct.real_parent", 0, .to = "task_struct" },
	{ "super_block.s_magic", 9 },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

bool found_struct(const char *tag)
{
	const size_t n = strlen(tag);

	for (size_t i = 0; i < ROWS; i++)
		if (!strncmp(rows[i].path, tag, n) && rows[i].path[n] == '.')
			return true;
	return false;
}

static void type_of(size_t row, unsigned int word, struct c_type *to)
{
	const char *tag = rows[row].to;

	*to = c_integer(rows[row].size == 9 ? word : rows[row].size, rows[row].is_signed);
	if (tag) {
		*to = (struct c_type){ .base = C_STRUCT, .pointers = !rows[row].size };
		strcpy(to->tag, tag);
	} else if (!rows[row].size) {
		*to = c_integer(1, false);
		to->is_char = true;
		to->pointers = 1;
	}
	if (rows[row].n) {
		to->n_dims = 1;
		to->dims[0] = rows[row].n;
	}
}

int found_member(struct kernel *k, const char *tag, const char *name, size_t length,
		 unsigned int word, struct member_place *to, struct error *why)
{
	char path[96];
	const int n = snprintf(path, sizeof(path), "%s.%.*s", tag, (int)length, name);
	int32_t offset = 0;

	*to = (struct member_place){ };
	if ((size_t)n >= sizeof(to->type.tag))
		return fail(why, "this name is too long");
	for (size_t i = 0; i < ROWS; i++) {
		if (!strncmp(rows[i].path, path, (size_t)n) && rows[i].path[n] == '.') {
			to->type = (struct c_type){ .base = C_STRUCT, .source = TYPES_FOUND };
			memcpy(to->type.tag, path, (size_t)n + 1);
			return 0;
		}
		if (strcmp(rows[i].path, path))
			continue;
		type_of(i, word, &to->type);
		if (to->type.base == C_STRUCT && !to->type.pointers)
			to->type.source = TYPES_FOUND;	/* at offset 0 of its struct */
		else if (kernel_offset(k, path, &offset, why))
			return -1;
		to->bits = 8 * (int64_t)offset;
		return 0;
	}
	return fail(why, "this kernel has no BTF, and %s is not among the members that are found "
		    "without it (`sonde features --offsets` shows those); -I FILE.h with the "
		    "struct's declaration tells them, or --btf FILE", path);
}
