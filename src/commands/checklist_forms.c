// SPDX-License-Identifier: GPL-2.0
/* The checklists: which tools, how to read them, and what to run next. */
#include "src/commands/checklist_forms.h"

/* Those of more than one list, which differ in what comes next. */
#define FILESLOWER(NEXT) \
	{ "fileslower", "10 --duration %s", "reads and writes of files that take 10 ms or more", \
	  10, .by = "TASK,TYPE,FILE", .order = "LATENCY_us", \
	  .read = "Waits of programs: file system, locks and disk together. Nothing " \
	  "here: disks are not the problem.", .next = NEXT }
#define CACHESTAT(NEXT) \
	{ "cachestat", "%p %n", "hits and misses of the page cache", 7, \
	  .read = "MISSES are reads that go to disk. A ratio far below 100 % under load: " \
	  "memory is short, or reads are random.", .next = NEXT }
#define TCPCONNECT(NEXT) \
	{ "tcpconnect", "--duration %s", "TCP connections begun here", 10, \
	  .by = "COMM,DADDR,DPORT", \
	  .read = "Processes and their peers. Many connections to one place: a pool would save " \
		  "them.", \
	  .next = NEXT }
#define TCPACCEPT(NEXT) \
	{ "tcpaccept", "--duration %s", "TCP connections that come in", 10, \
	  .by = "COMM,LADDR,LPORT,RADDR", \
	  .read = "Clients and servers. An unknown address or port is worth a question.", \
	  .next = NEXT }
#define TCPRETRANS(NEXT) \
	{ "tcpretrans", "--duration %s", "TCP segments sent again", 10, \
	  .read = "Each is a loss, on the way or in a full queue. A fast one costs a round trip, " \
	  "one by the timer 200 ms or more. STATE SYN_SENT: nobody answers.", .next = NEXT }

const struct checklist checklists[] = {
	{ "general", {
	{ "execsnoop", "--max-args 8 --duration %s", "programs that are executed", 10,
	  .by = "COMM,RET,ARGS",
	  .read = "top shows no short-lived processes; many a second cost more than their "
	  "work. RET below 0: it failed.",
	  .next = "exitsnoop: how long they lived, and how they ended; sigsnoop: senders "
	  "of signals",
	  .last = true },
	{ "opensnoop", "--duration %s", "files that are opened", 10,
	  .by = "COMM,ERR,PATH",
	  .read = "ERR 2 again and again: a program searches for files that are not there. "
	  "PATH: which configuration is read.",
	  .next = "statsnoop: stat() calls, as searches make them; opensnoop -x -p PID: "
	  "failures of a process; systrace -p PID: all its calls",
	  .last = true },
	FILESLOWER("sonde checklist disk; fsdist -t TYPE: all of them as a distribution"),
	{ "biolatency", "%s 1", "how long disks take", 24,
	  .read = "One hill is one kind of I/O; two are hits and misses of the device's cache, "
	  "or reads and writes.",
	  .next = "biolatency -D: by disk; --heatmap: over time; -Q: with the time in queues" },
	{ "biosnoop", "--duration %s", "each I/O of the disks", 10,
	  .by = "COMM,DISK,T", .order = "LAT(ms)",
	  .read = "Longest waits, by process and disk. One name far above all others: its "
	  "requests queue.",
	  .next = "biotop: sums by process; bitesize: sizes; biopattern: random or in sequence" },
	CACHESTAT("cachestat --by-process: whose they are; cachefill: of which files"),
	TCPCONNECT("sonde checklist network; tcpconnlat: how long each took"),
	TCPACCEPT("tcplife: bytes and duration; tcpstates: where they hang"),
	TCPRETRANS("tcpretrans -c: by flow; tcpdrop -c: drops of this kernel, and why"),
	{ "runqlat", "%s 1", "how long tasks wait for a CPU", 24,
	  .read = "Above a few ms under load: too few CPUs, a cgroup's limit, or tasks tied to "
	  "one CPU.",
	  .next = "schedlat: by task; runqslower: which waits; runqlen: how long the queues "
	  "are; cpudist: how long tasks run" },
	} },

	{ "disk", {
	{ "vfsstat", "%p %n", "calls of the virtual file system", 7,
	  .read = "How much programs ask for. Many calls, and little in the tables below: the "
	  "page cache serves them.",
	  .next = "funccount 'vfs_*': all functions; syscount -p PID: the calls of a process",
	  .last = true },
	{ "filetop", "-C %s 1", "files that are read and written most", 13, 3,
	  .read = "Files with most bytes, from the page cache and disks alike.",
	  .next = "filetop --by-dir: by directory; filetop -s writes: by calls", .last = true },
	FILESLOWER("fsdist -t TYPE: all of them as a distribution; fsslower -t TYPE: opens and "
		"syncs too"),
	{ "syncsnoop", "-a --duration %s", "calls that wait until data are on the disk", 10,
	  .by = "COMM,CALL",
	  .read = "Each makes its program wait for the disk, and often others too. Databases "
	  "call fsync for each transaction.",
	  .next = "fsslower -t TYPE: how long they took; offcputime -p PID: where a process "
	  "waits" },
	CACHESTAT("cachestat --by-process: by process; drsnoop: waits for memory"),
	{ "biotop", "-C %s 1", "processes with most disk I/O", 13, 3,
	  .read = "A process that only writes to the cache is not here: kworkers write for it. "
	  "AVGms far above the others': a queue, or the disk.",
	  .next = "biosnoop -p PID: each I/O of a process; filetop: writers to the cache" },
	{ "biolatency", "-D %s 1", "how long each disk takes", 40,
	  .read = "One hill is one kind of I/O; two are hits and misses of the device's cache, "
	  "or reads and writes.",
	  .next = "biolatency -F: by kind of I/O; -Q: with the time in queues; --percentiles" },
	{ "biosnoop", "--duration %s", "each I/O of the disks", 10,
	  .by = "COMM,DISK,T", .order = "LAT(ms)",
	  .read = "Longest waits, by process and disk. One name far above all others: its "
	  "requests queue.",
	  .next = "biosnoop -Q: the time in the queue apart" },
	{ "biopattern", "%s 1", "random or in sequence", 10, 1,
	  .read = "%RND high on a disk that turns: heads move for each request. COUNT high, "
	  "KBYTES low: small requests.",
	  .next = "bitesize: sizes by process" },
	{ "filelife", "--duration %s", "files that are removed soon", 10,
	  .by = "COMM,FILE",
	  .read = "Files that live for milliseconds are work for the disk that memory could "
	  "do: tmpfs.",
	  .next = "filegone: all removed and renamed files, with tasks" },
	} },

	{ "network", {
	{ "nettop", "-C %s 1", "packets of the network's devices", 13, 3,
	  .read = "AVG low, PACKETS high: small packets cost CPU time. One device alone may be "
	  "the limit.",
	  .next = "nettop -q: by queue of a device" },
	{ "tcptop", "-C %s 1", "connections with most bytes over TCP", 13, 3,
	  .read = "Whose traffic it is. Bytes are those of programs, without headers and "
	  "resends.",
	  .next = "tcptop --subnet: by network; tcplife: sums of each connection" },
	TCPCONNECT("tcpconnect -c: by address and port; tcpstates: where they hang"),
	{ "tcpconnlat", "--duration %s", "how long connections take to be answered", 10,
	  .by = "COMM,DADDR,DPORT", .order = "LAT(ms)",
	  .read = "LAT is the way there and back. Much more than tcprtt's: the other side's "
	  "queue is full, or the first packet was lost.",
	  .next = "tcpsynbl: how full queues of connections are here" },
	TCPACCEPT("tcpsynbl: how full queues of connections are"),
	{ "tcplife", "--duration %s", "TCP connections that end", 10,
	  .by = "COMM,RADDR",
	  .read = "Many short ones: each costs a handshake, and begins slowly.",
	  .next = "tcpstates: in which state they spent their time" },
	TCPRETRANS("tcpretrans -c: by flow"),
	{ "tcpdrop", "-c --duration %s", "packets that this kernel drops", 10,
	  .read = "REASON and LOCATION say why: NO_SOCKET: nobody listens; NETFILTER_DROP: a "
	  "rule of a firewall; SOCKET_RCVBUFF: the program reads too slowly.",
	  .next = "tcpdrop: each, with its addresses; tcpdrop --resets: senders of resets" },
	{ "tcprtt", "-i %s -d %s", "round trip times", 24,
	  .read = "The way there and back. A second hill: another network, or full queues on "
	  "the way.",
	  .next = "tcprtt -B: by remote address; tcppktlat: how long packets wait for the "
	  "program" },
	{ "gethostlatency", "--duration %s", "host names that are looked up", 10,
	  .by = "COMM,CALL,HOST", .order = "LATms",
	  .read = "A look-up delays all that comes after it. 5000 ms: a name server does not "
	  "answer.",
	  .next = "systrace -p PID: calls of a process" },
	} },
	{ }
};
