/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FIELD_H
#define SONDE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The layouts of records, keys and values: a table beside each struct, with a row for each field.
 * Code that reads, prints or keeps a record needs only its layout. The compiler checks each row
 * against the struct.
 */
enum field_type {
	FIELD_UNSIGNED,		/* a number of 1, 2, 4 or 8 bytes */
	FIELD_SIGNED,
	FIELD_TIME,		/* u64: ns, CLOCK_MONOTONIC */
	FIELD_TGID,		/* u64: the process of a pid_tgid; all ones: unknown */
	FIELD_TID,		/* u64: the thread of a pid_tgid */
	FIELD_VERSION,		/* an address family, shown as the protocol's version, 4 or 6 */
	FIELD_COMM,		/* char[16]: the name of a task; empty: unknown */
	FIELD_CHARS,		/* an array of chars; a NUL ends the text if it is shorter */
	FIELD_PATH,		/* struct path_name (insns/path.h) */
	/*
	 * the last field of a record: chars, behind an int32_t with their length, NUL included;
	 * negative: unknown
	 */
	FIELD_TEXT,
	FIELD_ADDRESS,		/* 16 bytes: an address of `family`; `input` is only for IPv6 */
	FIELD_END,		/* the same for an end of a connection: all zeros are unknown */
	FIELD_STACK,		/* int32_t: the number of a stack, or -errno */
	FIELD_MAPPED,		/* 16 bytes: an IPv6 address; IPv4 is ::ffff:192.0.2.1 */
};
struct record_field {
	const char *name;
	const char *unit;		/* "ns", "bytes", "pages"; NULL: a count, or not a number */
	uint8_t type;			/* enum field_type */
	uint16_t offset, size;
	/* FIELD_ADDRESS, FIELD_END: the family's offset, and its size as an integer */
	uint16_t family;
	uint8_t family_size;
	bool has_unknown;
	uint64_t unknown;		/* with has_unknown: this number means that it is unknown */
	/* "HOOK:INPUT" that the field is made of; NULL: always known */
	const char *input;
	const char *const *names;	/* of the numbers 0, 1, ...; some may be NULL */
	uint8_t n_names;
};

struct record_layout {
	const char *name;		/* of the struct */
	uint32_t size;
	uint32_t least;			/* bytes of a record without its text */
	const struct record_field *fields;	/* ends with an empty row */
	/* Records of several structs that begin with this one: the u32 at `kind` is an index. */
	uint32_t kind;
	uint8_t n_kinds;
	const struct record_layout *const *kinds;
};

#define FIELD_TYPEOF(STRUCT, MEMBER) __typeof__(((struct STRUCT *)0)->MEMBER)
/* 0 if the condition is true, else an error of the compiler. */
#define FIELD_CHECK(CONDITION) (0 * sizeof(char[(CONDITION) ? 1 : -1]))

/* For each kind of row: its type and size, and what the compiler checks of the member. */
#define FIELD_IS_WORD(STRUCT, MEMBER) \
	__builtin_types_compatible_p(FIELD_TYPEOF(STRUCT, MEMBER), uint64_t)
#define FIELD_TYPE_NUMBER(STRUCT, MEMBER) \
	((FIELD_TYPEOF(STRUCT, MEMBER))-1 < 1 ? FIELD_SIGNED : FIELD_UNSIGNED)
#define FIELD_SIZE_NUMBER(STRUCT, MEMBER) (sizeof(FIELD_TYPEOF(STRUCT, MEMBER)) + \
	FIELD_CHECK(sizeof(FIELD_TYPEOF(STRUCT, MEMBER)) <= 8))
#define FIELD_TYPE_TIME(STRUCT, MEMBER) FIELD_TIME
#define FIELD_SIZE_TIME(STRUCT, MEMBER) (8 + FIELD_CHECK(FIELD_IS_WORD(STRUCT, MEMBER)))
#define FIELD_TYPE_TGID(STRUCT, MEMBER) FIELD_TGID
#define FIELD_SIZE_TGID(STRUCT, MEMBER) FIELD_SIZE_TIME(STRUCT, MEMBER)
#define FIELD_TYPE_TID(STRUCT, MEMBER) FIELD_TID
#define FIELD_SIZE_TID(STRUCT, MEMBER) FIELD_SIZE_TIME(STRUCT, MEMBER)
#define FIELD_TYPE_VERSION(STRUCT, MEMBER) FIELD_VERSION
#define FIELD_SIZE_VERSION(STRUCT, MEMBER) FIELD_SIZE_NUMBER(STRUCT, MEMBER)
#define FIELD_TYPE_COMM(STRUCT, MEMBER) FIELD_COMM
#define FIELD_SIZE_COMM(STRUCT, MEMBER) \
	(16 + FIELD_CHECK(sizeof(FIELD_TYPEOF(STRUCT, MEMBER)) == 16))
#define FIELD_TYPE_CHARS(STRUCT, MEMBER) FIELD_CHARS
#define FIELD_SIZE_CHARS(STRUCT, MEMBER) (sizeof(FIELD_TYPEOF(STRUCT, MEMBER)) + \
	FIELD_CHECK(sizeof(((struct STRUCT *)0)->MEMBER[0]) == 1))
/* MEMBER is a struct path_name, or its first member if the others follow. */
#define FIELD_TYPE_PATH(STRUCT, MEMBER) FIELD_PATH
#define FIELD_SIZE_PATH(STRUCT, MEMBER) (sizeof(struct path_name) + \
	FIELD_CHECK(offsetof(struct STRUCT, MEMBER) + sizeof(struct path_name) <= \
		    sizeof(struct STRUCT)))
#define FIELD_TYPE_TEXT(STRUCT, MEMBER) FIELD_TEXT
#define FIELD_SIZE_TEXT(STRUCT, MEMBER) (FIELD_SIZE_CHARS(STRUCT, MEMBER) + \
	FIELD_CHECK(offsetof(struct STRUCT, MEMBER) == offsetof(struct STRUCT, length) + 4) + \
	FIELD_CHECK(__builtin_types_compatible_p(FIELD_TYPEOF(STRUCT, length), int32_t)))
#define FIELD_TYPE_ADDRESS(STRUCT, MEMBER) FIELD_ADDRESS
#define FIELD_SIZE_ADDRESS(STRUCT, MEMBER) FIELD_SIZE_COMM(STRUCT, MEMBER)
#define FIELD_TYPE_END(STRUCT, MEMBER) FIELD_END
#define FIELD_SIZE_END(STRUCT, MEMBER) FIELD_SIZE_COMM(STRUCT, MEMBER)
#define FIELD_TYPE_STACK(STRUCT, MEMBER) FIELD_STACK
#define FIELD_SIZE_STACK(STRUCT, MEMBER) (4 + \
	FIELD_CHECK(__builtin_types_compatible_p(FIELD_TYPEOF(STRUCT, MEMBER), int32_t)))
#define FIELD_TYPE_MAPPED(STRUCT, MEMBER) FIELD_MAPPED
#define FIELD_SIZE_MAPPED(STRUCT, MEMBER) FIELD_SIZE_COMM(STRUCT, MEMBER)

/*
 * A row for MEMBER of struct STRUCT, with another name (FIELD_AS) or its own. KIND is NUMBER, TIME,
 * TGID, TID, COMM, ...
 */
#define FIELD_AS(STRUCT, MEMBER, NAME, KIND, ...) { \
	.name = (NAME), .type = FIELD_TYPE_##KIND(STRUCT, MEMBER), \
	.offset = offsetof(struct STRUCT, MEMBER), .size = FIELD_SIZE_##KIND(STRUCT, MEMBER), \
	##__VA_ARGS__ }
#define FIELD_OF(STRUCT, MEMBER, KIND, ...) FIELD_AS(STRUCT, MEMBER, #MEMBER, KIND, ##__VA_ARGS__)
#define FIELD_FAMILY(STRUCT, MEMBER) \
	.family = offsetof(struct STRUCT, MEMBER), \
	.family_size = sizeof(FIELD_TYPEOF(STRUCT, MEMBER))
#define FIELD_UNKNOWN(VALUE) .has_unknown = true, .unknown = (VALUE)
#define FIELD_NAMES(ARRAY) .names = (ARRAY), .n_names = sizeof(ARRAY) / sizeof((ARRAY)[0])

/* Defines the layout of struct STRUCT, STRUCT_layout. */
#define RECORD_LAYOUT_OF(STRUCT, LEAST, FIELDS, ...) \
	static const struct record_layout STRUCT##_layout = { \
		.name = #STRUCT, .size = sizeof(struct STRUCT), .least = (LEAST), \
		.fields = (FIELDS), ##__VA_ARGS__ }
#define RECORD_LAYOUT(STRUCT, ...) \
	static const struct record_field STRUCT##_fields[] = { __VA_ARGS__, { } }; \
	RECORD_LAYOUT_OF(STRUCT, sizeof(struct STRUCT), STRUCT##_fields)
/* The same for a struct that ends with a text (FIELD_TEXT). A record may lack the text. */
#define RECORD_LAYOUT_TEXT(STRUCT, MEMBER, ...) \
	static const struct record_field STRUCT##_fields[] = { \
		__VA_ARGS__, FIELD_OF(STRUCT, MEMBER, TEXT), { } }; \
	RECORD_LAYOUT_OF(STRUCT, offsetof(struct STRUCT, MEMBER), STRUCT##_fields)
/*
 * The same for a struct that several structs begin with: a time, and u32 TYPE, the index of the
 * record's layout in the array KINDS.
 */
#define RECORD_LAYOUT_KINDS(STRUCT, TYPE, KINDS) \
	static const struct record_field STRUCT##_fields[] = { \
		FIELD_OF(STRUCT, time, TIME), FIELD_OF(STRUCT, TYPE, NUMBER), { } }; \
	RECORD_LAYOUT_OF(STRUCT, sizeof(struct STRUCT), STRUCT##_fields, \
			 .kind = offsetof(struct STRUCT, TYPE), .kinds = (KINDS), \
			 .n_kinds = sizeof(KINDS) / sizeof((KINDS)[0]))
/*
 * The layout of a record: `l`, or one of its kinds. Returns NULL if there is no such kind, or if
 * the record is too short.
 */
const struct record_layout *layout_of(const struct record_layout *l, const void *record,
				      uint32_t size);
/* The field of that name. Returns NULL if there is none. */
const struct record_field *layout_field(const struct record_layout *l, const char *name);
/* Reads a number of 1 to 8 bytes; a FIELD_SIGNED is sign-extended. */
uint64_t field_number(const struct record_field *f, const void *record);

#endif
