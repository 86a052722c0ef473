// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "src/tool.h"

/* The applet table: one row a tool, in the order `sonde` lists them. */
#define TOOLS(TOOL) \
	TOOL(opensnoop) \
	TOOL(statsnoop) \
	TOOL(syncsnoop) \
	TOOL(execsnoop) \
	TOOL(exitsnoop) \
	TOOL(killsnoop) \
	TOOL(biolatency) \
	TOOL(bitesize) \
	TOOL(tcpconnect) \
	TOOL(runqlat) \
	TOOL(cpudist) \
	TOOL(runqslower) \
	TOOL(softirqs) \
	TOOL(hardirqs) \
	TOOL(cachestat)

#define DECLARE(NAME) extern const struct tool NAME;
TOOLS(DECLARE)

#define ROW(NAME) &NAME,
const struct tool *const tools[] = { TOOLS(ROW) NULL };
