/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OUTPUT_RECORDS_H
#define SONDE_OUTPUT_RECORDS_H

#include <string.h>
#include <sys/socket.h>

#include "src/lib/output/output.h"

/* Values from records, keys and values of maps, made into values of rows. */

/* Text in a fixed array; a NUL ends it if it is shorter. */
static inline struct text text_of(const char *s, size_t size)
{
	return (struct text){ .s = s, .length = (uint32_t)strnlen(s, size) };
}

/* A task's name. An empty array is a missing value: the ring engines did not see the task begin. */
static inline struct text comm_text(const char comm[16])
{
	return comm[0] ? text_of(comm, 16) : (struct text){ };
}

/*
 * Text that a program read with READ_STRING. `length` is the helper's result, which counts the NUL;
 * negative: the text could not be read; 0: an empty text, on some kernels. Text longer than `shown`
 * bytes is cut and marked as such. `size`: bytes of the array.
 */
static inline struct text read_text(const char *s, int64_t length, uint32_t shown, uint32_t size)
{
	uint32_t n;

	if (length < 0)
		return (struct text){ };
	/* Before probe_read_str the length is only that of what was read. */
	n = (uint32_t)strnlen(s, (size_t)length < size ? (size_t)length : size);
	return (struct text){ .s = s, .length = n < shown ? n : shown, .cut = n > shown };
}

/* The process of a pid_tgid. NOTHING: the ring engines do not know the process. */
static inline int64_t tgid_of(uint64_t pid_tgid)
{
	return pid_tgid >> 32 == 0xffffffffU ? NOTHING : (int64_t)(pid_tgid >> 32);
}

/* The thread of a pid_tgid. */
static inline int64_t tid_of(uint64_t pid_tgid)
{
	return (int64_t)(uint32_t)pid_tgid;
}

/* An address from a record. */
static inline struct address address_of(unsigned int family, const uint8_t bytes[16])
{
	struct address a = { .family = (uint16_t)family };

	memcpy(a.bytes, bytes, family == AF_INET6 ? 16 : 4);
	return a;
}

/* The same; an address of zeros is a missing value. */
static inline struct address net_address(unsigned int family, const uint8_t bytes[16])
{
	static const uint8_t none[16];

	return memcmp(bytes, none, sizeof(none)) ? address_of(family, bytes) : (struct address){ };
}

/* The same for addresses that have IPv4 as ::ffff:192.0.2.1. */
static inline struct address net_end(const uint8_t bytes[16])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	uint8_t inet[16] = { };

	if (memcmp(bytes, mapped, sizeof(mapped)))
		return net_address(AF_INET6, bytes);
	memcpy(inet, bytes + sizeof(mapped), 4);
	return net_address(AF_INET, inet);
}

#endif
