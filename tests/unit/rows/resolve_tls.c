// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define TWO(HOOK, KIND) \
	HOOK ": " KIND " ssl:SSL_read\n" HOOK ": " KIND " ssl:SSL_write\n" \
	HOOK ": " KIND " ssl:SSL_read_ex\n" HOOK ": " KIND " ssl:SSL_write_ex\n" \
	HOOK ": " KIND " gnutls:gnutls_record_recv\n" \
	HOOK ": " KIND " gnutls:gnutls_record_send\n"
#define EACH(HOOK, KIND) \
	TWO(HOOK, KIND) \
	HOOK ": " KIND " nspr:PR_Read\n" HOOK ": " KIND " nspr:PR_Write\n" \
	HOOK ": " KIND " nspr:PR_Recv\n" HOOK ": " KIND " nspr:PR_Send\n"
#define SIZES		EACH("tls.call", "uprobe") EACH("tls.return", "uretprobe")
#define TEXTS		EACH("tls.call", "uprobe") EACH("tls.text", "uretprobe")
#define HANDSHAKES(HOOK, KIND) \
	HOOK ": " KIND " ssl:SSL_do_handshake\n" HOOK ": " KIND " gnutls:gnutls_handshake\n"

static const struct resolve_row whole[] = {
	{ "3.10 4.1", "sslsniff", BPF, .refused = NO_UPROBE_PROGRAMS },
	{ "4.4", "sslsniff", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12 4.19 " NEWER, "sslsniff", BPF, SIZES },
	/* A uprobe of a ring can't look at NSPR's files there. */
	{ "3.10", "sslsniff", RING, TWO("tls.call", "uprobe") EACH("tls.return", "uretprobe") },
	{ "4.1 4.4 4.9 4.12 4.19 " NEWER, "sslsniff", RING, SIZES },
	{ "4.9 6.1", "sslsniff --data", BPF, TEXTS },
	{ "6.1", "sslsniff --data", RING, .refused = "only BPF can serve it" },
	{ "6.1", "sslsniff --handshake", BPF | RING,
	  SIZES HANDSHAKES("tls.shake", "uprobe") HANDSHAKES("tls.shaken", "uretprobe") },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "sslsniff", BPF | RING, .without = "uprobes",
	  .refused = "this kernel has no uprobes" },
};

RESOLVE_ROWS(tls, whole, lacking);
