// SPDX-License-Identifier: GPL-2.0
/*
 * Queries of databases. PostgreSQL has probes (USDT). MySQL and MariaDB have a function that does
 * what a client asks; MySQL 8 removed its probes, and Debian's MariaDB has none.
 */
#include "compat/hooks/hooks_rows.h"

#define POSTGRES(PROBE, INPUTS)	ONE(USDT("postgres:postgresql:" PROBE, INPUTS))

/*
 * dispatch_command(command, thd, packet, length, ...) of MariaDB, and of MySQL up to 5.6. A packet
 * is the text of a query, or begins with the number of a prepared statement.
 */
#define PACKET		"_Z16dispatch_command19enum_server_commandP3THDPcj"
#define PACKETS		"mysql:" PACKET "b|" PACKET "|" PACKET "bb"
/*
 * dispatch_command(thd, data, command) of MySQL since 5.7. The data begin with a pointer to the
 * text, or with the number of a prepared statement, an unsigned long.
 */
#define DATA	"mysql:_Z16dispatch_commandP3THDPK8COM_DATA19enum_server_command"

const struct hook hooks_databases[] = {
	HOOK("query.told", "PostgreSQL tells its activity, or that it has none",
		POSTGRES("statement__status", "pointer=$arg1:uW query=+0($arg1):uname"),
	),
	HOOK("query.begin", "PostgreSQL begins a query that came as text",
		POSTGRES("query__start", ""),
	),
	HOOK("query.end", "PostgreSQL has done it",
		POSTGRES("query__done", ""),
	),
	HOOK("query.runs", "PostgreSQL executes a statement, of a text or prepared",
		POSTGRES("query__execute__start", ""),
	),
	HOOK("query.ran", "PostgreSQL has executed it",
		POSTGRES("query__execute__done", ""),
	),
	HOOK("query.asked", "MySQL or MariaDB begins a client's command",
		{ PROBES(UPROBE(PACKETS, "command=$arg1:u8 packet=1 number=+0($arg3):u32 "
				"query=+0($arg3):uname", OPTIONAL),
			 UPROBE(DATA, "command=$arg3:u8 packet=0 number=+0($arg2):uW "
				"query=+0(+0($arg2)):uname", OPTIONAL)) },
	),
	HOOK("query.done", "MySQL or MariaDB has done it",
		{ PROBES(URETPROBE(PACKETS, "", OPTIONAL), URETPROBE(DATA, "", OPTIONAL)) },
	),
	{ }
};
