/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SSLSNIFF_H
#define SONDE_SSLSNIFF_H

#include <stdint.h>

#include "insns/program.h"

/* By their numbers in compat/hooks/hooks_tls.c. */
static const char *const sslsniff_calls[] = {
	"SSL_read", "SSL_write", "SSL_read_ex", "SSL_write_ex", "gnutls_record_recv",
	"gnutls_record_send", "PR_Read", "PR_Write", "PR_Recv", "PR_Send", "SSL_do_handshake",
	"gnutls_handshake", NULL
};
enum { SSLSNIFF_READ_EX = 2, SSLSNIFF_WRITE_EX = 3, SSLSNIFF_HANDSHAKE = 10,
       SSLSNIFF_GNUTLS_HANDSHAKE = 11, SSLSNIFF_CALLS };

#define SSLSNIFF_PIECE	256	/* bytes of text in a record */
#define SSLSNIFF_MOST	8192	/* of a call; a multiple of it */
#define SSLSNIFF_FEW	1024	/* where programs have no loops */

/* A call; with --data it has a record for each piece of its text. */
struct sslsniff_record {
	u64 time;
	u64 pid_tgid;
	u64 ns;			/* from the call to its return */
	uint32_t uid;
	uint32_t call;		/* index of sslsniff_calls[] */
	int32_t ret;
	int32_t bytes;		/* that were moved; negative: unknown */
	uint32_t from;		/* the place of this piece in the text */
	char comm[16];
	int32_t length;		/* bytes of the piece that could be read */
	char data[SSLSNIFF_PIECE];
};

RECORD_LAYOUT_TEXT(sslsniff_record, data,
	FIELD_OF(sslsniff_record, time, TIME),
	FIELD_AS(sslsniff_record, pid_tgid, "pid", TGID),
	FIELD_AS(sslsniff_record, pid_tgid, "tid", TID),
	FIELD_AS(sslsniff_record, ns, "latency", NUMBER, .unit = "ns"),
	FIELD_OF(sslsniff_record, uid, NUMBER, .input = "tls.return:uid"),
	FIELD_OF(sslsniff_record, call, NUMBER, FIELD_NAMES(sslsniff_calls)),
	FIELD_OF(sslsniff_record, ret, NUMBER),
	FIELD_OF(sslsniff_record, bytes, NUMBER, .unit = "bytes", FIELD_UNKNOWN(UINT64_MAX)),
	FIELD_OF(sslsniff_record, from, NUMBER, .unit = "bytes"),
	FIELD_OF(sslsniff_record, comm, COMM));

extern const struct program_set sslsniff_programs;

#endif
