// SPDX-License-Identifier: GPL-2.0
#include "src/language/types/abi.h"

#include <string.h>

#include "src/language/types/types.h"

/* An offset is `bytes` and so many `words`. A word is as large as a long and a pointer. */
static const struct {
	const char *tag, *name;
	uint8_t bytes, words;		/* the offset */
	uint8_t size;			/* 0: a word */
	bool is_signed, pointer;
	/* on machines of 32 bits calls with longer times have another layout */
	bool time;
} members[] = {
	{ "timespec", "tv_sec", 0, 0, 0, true, .time = true },
	{ "timespec", "tv_nsec", 0, 1, 0, true, .time = true },
	{ "__kernel_timespec", "tv_sec", 0, 0, 8, true },
	{ "__kernel_timespec", "tv_nsec", 8, 0, 8, true },
	{ "timeval", "tv_sec", 0, 0, 0, true, .time = true },
	{ "timeval", "tv_usec", 0, 1, 0, true, .time = true },
	{ "iovec", "iov_base", 0, 0, 0, .pointer = true },
	{ "iovec", "iov_len", 0, 1, 0, false },
	{ "sockaddr", "sa_family", 0, 0, 2, false },
	{ "sockaddr_in", "sin_family", 0, 0, 2, false },
	{ "sockaddr_in", "sin_port", 2, 0, 2, false },
	{ "sockaddr_in6", "sin6_family", 0, 0, 2, false },
	{ "sockaddr_in6", "sin6_port", 2, 0, 2, false },
	{ "sockaddr_in6", "sin6_scope_id", 24, 0, 4, false },
	{ "pollfd", "fd", 0, 0, 4, true },
	{ "pollfd", "events", 4, 0, 2, true },
	{ "rlimit", "rlim_cur", 0, 0, 0, false },
	{ "rlimit", "rlim_max", 0, 1, 0, false },
};

enum abi_answer abi_member(const char *tag, const char *name, size_t length, unsigned int word,
			   unsigned int *offset, struct c_type *type)
{
	enum abi_answer answer = ABI_NO_STRUCT;

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (strcmp(members[i].tag, tag))
			continue;
		answer = ABI_NO_MEMBER;
		if (strlen(members[i].name) != length || memcmp(members[i].name, name, length))
			continue;
		if (members[i].time && word == 4)
			return ABI_TWO_LAYOUTS;
		*offset = members[i].bytes + members[i].words * word;
		*type = c_integer(members[i].size ? members[i].size : word, members[i].is_signed);
		if (members[i].pointer)
			*type = (struct c_type){ .base = C_VOID, .pointers = 1 };
		return ABI_KNOWN;
	}
	return answer;
}
