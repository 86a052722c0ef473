// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>
#include <string.h>

#include "src/tool.h"

/* The applet table: a row a tool, a list an area, in the order `sonde` lists them. */
#define FILES(TOOL) \
	TOOL(opensnoop) \
	TOOL(statsnoop) \
	TOOL(syncsnoop) \
	TOOL(mountsnoop) \
	TOOL(ext4slower) \
	TOOL(xfsslower) \
	TOOL(btrfsslower) \
	TOOL(zfsslower) \
	TOOL(nfsslower) \
	TOOL(f2fsslower) \
	TOOL(fsslower) \
	TOOL(fileslower) \
	TOOL(ext4dist) \
	TOOL(xfsdist) \
	TOOL(btrfsdist) \
	TOOL(zfsdist) \
	TOOL(nfsdist) \
	TOOL(f2fsdist) \
	TOOL(fsdist) \
	TOOL(vfsstat) \
	TOOL(filelife) \

#define PROCESSES(TOOL) \
	TOOL(execsnoop) \
	TOOL(exitsnoop) \
	TOOL(killsnoop) \
	TOOL(bashreadline) \
	TOOL(syscount) \
	TOOL(capable) \

#define DISKS(TOOL) \
	TOOL(biolatency) \
	TOOL(biosnoop) \
	TOOL(biotop) \
	TOOL(bitesize) \

#define NETWORK(TOOL) \
	TOOL(tcpconnect) \
	TOOL(tcpconnlat) \
	TOOL(tcpretrans) \
	TOOL(tcprtt) \
	TOOL(tcpsynbl) \
	TOOL(tcpaccept) \
	TOOL(tcplife) \
	TOOL(tcpstates) \
	TOOL(gethostlatency) \

#define CPU(TOOL) \
	TOOL(runqlat) \
	TOOL(cpudist) \
	TOOL(runqslower) \
	TOOL(runqlen) \
	TOOL(softirqs) \
	TOOL(hardirqs) \

#define MEMORY(TOOL) \
	TOOL(cachestat) \
	TOOL(oomkill) \
	TOOL(drsnoop) \

#define TOOLS(TOOL) FILES(TOOL) PROCESSES(TOOL) DISKS(TOOL) NETWORK(TOOL) CPU(TOOL) MEMORY(TOOL)

#define DECLARE(NAME) extern const struct tool NAME;
TOOLS(DECLARE)

#define ROW(NAME) &NAME,
const struct tool *const tools[] = { TOOLS(ROW) NULL };

const struct tool *tool_named(const char *name)
{
	for (const struct tool *const *t = tools; *t; t++)
		if (!strcmp((*t)->name, name))
			return *t;
	return NULL;
}
