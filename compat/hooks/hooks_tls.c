// SPDX-License-Identifier: GPL-2.0
/*
 * Encrypted connections, where libraries take and give plain text. `function` is the number in
 * sslsniff_calls[] (insns/programs/sslsniff.h); `moved` is where a call writes how many bytes it
 * moved, 0: it returns that.
 */
#include "compat/hooks/hooks_rows.h"

/* The place of a call on the stack tells it from the calls within it (insns/calls.h). */
#define ON_CALL		.inputs = "sp=$sp:uW"
#define ON_RETURN	.inputs = "sp=$sp:uW popped=$popped"

/* OpenSSL and GnuTLS: a session, a buffer. NSPR: a file, which may have layers. */
#define CALL(NAME, N, MORE)	UPROBE(NAME, "function=" #N " " MORE, OPTIONAL)
#define BUFFER		"buffer=$arg2:uW moved=0 layer=4"
#define BUFFER_EX	"buffer=$arg2:uW moved=$arg4:uW layer=4"
#define NO_BUFFER	"buffer=0 moved=0 layer=4"
#define LAYERED		"buffer=$arg2:uW moved=0 layer=+0(+0($arg1)):u32"
#define RETURN(NAME, N, TYPE)	URETPROBE(NAME, "function=" #N " retval=$retval:" TYPE, OPTIONAL)

#define RETURNS \
	PROBES(RETURN("ssl:SSL_read", 0, "s32"), RETURN("ssl:SSL_write", 1, "s32"), \
	       RETURN("ssl:SSL_read_ex", 2, "s32"), RETURN("ssl:SSL_write_ex", 3, "s32"), \
	       RETURN("gnutls:gnutls_record_recv", 4, "sW"), \
	       RETURN("gnutls:gnutls_record_send", 5, "sW"), \
	       RETURN("nspr:PR_Read", 6, "s32"), RETURN("nspr:PR_Write", 7, "s32"), \
	       RETURN("nspr:PR_Recv", 8, "s32"), RETURN("nspr:PR_Send", 9, "s32"))

const struct hook hooks_tls[] = {
	HOOK("tls.call", "a program reads or writes plain text of an encrypted connection",
		{ PROBES(CALL("ssl:SSL_read", 0, BUFFER), CALL("ssl:SSL_write", 1, BUFFER),
			 CALL("ssl:SSL_read_ex", 2, BUFFER_EX),
			 CALL("ssl:SSL_write_ex", 3, BUFFER_EX),
			 CALL("gnutls:gnutls_record_recv", 4, BUFFER),
			 CALL("gnutls:gnutls_record_send", 5, BUFFER),
			 CALL("nspr:PR_Read", 6, LAYERED), CALL("nspr:PR_Write", 7, LAYERED),
			 CALL("nspr:PR_Recv", 8, LAYERED), CALL("nspr:PR_Send", 9, LAYERED)),
		  ON_CALL },
	),
	HOOK("tls.return", "the text was read or written",
		{ RETURNS, ON_RETURN },
	),
	HOOK("tls.text", "the text was read or written, and can be read",
		{ RETURNS, ON_RETURN, .targets = FOR_BPF },
	),
	HOOK("tls.shake", "a program begins an encrypted connection",
		{ PROBES(CALL("ssl:SSL_do_handshake", 10, NO_BUFFER),
			 CALL("gnutls:gnutls_handshake", 11, NO_BUFFER)), ON_CALL },
	),
	HOOK("tls.shaken", "the connection is encrypted, or is not",
		{ PROBES(RETURN("ssl:SSL_do_handshake", 10, "s32"),
			 RETURN("gnutls:gnutls_handshake", 11, "s32")), ON_RETURN },
	),
	{ }
};
