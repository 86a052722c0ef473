// SPDX-License-Identifier: GPL-2.0
#include "tests/unit/rows/commands.h"

#include <stdio.h>
#include <string.h>

const struct choices choices[] = {
	{ "opensnoop", { { "", "-x" }, { "", "-f O_WRONLY" },
			 { "", "-p 5", "-p 5,6", "@family" }, { "", "-t 7", "-t 7,8" },
			 { "", "-u 0", "-u 0,1" }, { "", "-K" } } },
	{ "execsnoop", { { "", "-x" }, { "", "--max-args 1", "--max-args 60" },
			 { "", "--pid 5", "--pid 5,6", "@family" }, { "", "-K" } } },
	{ "filegone", { { "" }, { "", "-p 5,6", "@family" } } },
	{ "bindsnoop", { { "", "--unix", "-c", "-x" }, { "", "-P 80" }, { "", "-4" },
			 { "", "-p 5,6", "@family" } } },
	{ "bindsnoop", { { "-l", "" }, { "", "-n 5" }, { "", "--show-netns" } } },
	{ "bindsnoop", { { "-l" }, { "", "-x", "-c" }, { "", "-P 80" }, { "", "-6" },
			 { "", "-p 5,6", "@family" } } },
	{ "sslsniff", { { "", "--data" }, { "", "--handshake" }, { "", "--failed" },
			{ "", "-p 5,6", "@family" } } },
	{ "dbslower", { { "mysql", "postgres" }, { "", "-m 0" }, { "", "-p 5,6", "@family" } } },
	{ "dbstat", { { "mysql", "postgres" }, { "", "-u" }, { "", "-p 5,6", "@family" } } },
	{ "ttysnoop", { { "0" }, { "", "--escape" } } },
	{ "statsnoop", { { "", "-x" }, { "", "-p 5,6", "@family" } } },
	{ "syncsnoop", { { "", "-a" }, { "", "-p 5,6", "@family" } } },
	{ "vfsstat", { { "", "-p 5,6", "@family" } } },
	{ "filetop", { { "", "-a", "--by-cgroup" }, { "", "-p 5,6", "@family" } } },
	{ "filelife", { { "", "-p 5,6", "@family" } } },
	{ "exitsnoop", { { "", "-x" }, { "", "--per-thread" }, { "", "-p 5,6", "@family" } } },
	{ "killsnoop", { { "", "-x" }, { "", "-a" }, { "", "-p 5,6" }, { "", "-K" } } },
	{ "sigsnoop", { { "", "-x", "-d", "-k", "-k -x" }, { "", "-p 5,6", "@family" } } },
	{ "syscount", { { "", "-L" }, { "", "-x", "-e EINTR", "-e 2" },
			{ "", "-P", "--by-cgroup" },
			{ "", "--syscall read" },
			{ "", "-p 5,6", "@family" } } },
	{ "systrace", { { "", "-s" }, { "", "-x" }, { "", "-m 1" },
			{ "", "-p 5,6", "@family" } } },
	{ "capable", { { "", "-v" }, { "", "--unique" }, { "", "-p 5,6", "@family" } } },
	{ "mountsnoop", { { "", "-P" }, { "", "-p 5,6", "@family" } } },
	{ "oomkill", { { "" } } },
	{ "biostacks", { { "", "-m", "-f" }, { "", "@dev" }, { "", "-p 5,6", "@family" } } },
	{ "biolatency", { { "", "-Q" }, { "", "-m" }, { "", "-D", "-F" }, { "", "-e" },
			  { "", "@dev" } } },
	{ "bitesize", { { "", "@dev" } } },
	{ "biotop", { { "", "--by-cgroup" }, { "", "@dev" }, { "", "-p 5,6", "@family" } } },
	{ "biopattern", { { "", "@dev" } } },
	{ "cpudist", { { "", "-O" }, { "", "-m" }, { "", "-P", "-L" }, { "", "-I" }, { "", "-e" },
		       { "", "-p 5", "-p 5,6", "@family" } } },
	{ "schedlat", { { "", "--timehist", "--by-cgroup" },
			{ "", "-p 5", "-p 5,6", "@family" } } },
	{ "futexctn", { { "", "-s", "-o", "-P", "-K", "-H" }, { "", "-l 0x40" }, { "", "-m 5" },
			{ "", "-p 5,6", "@family" } } },
	{ "wqlat", { { "", "-H", "-HR", "-HF" } } },
	{ "wqlat", { { "-W", "-WR", "-w a" }, { "", "-N" } } },
	{ "numasched", { { "", "-p 5,6", "@family" } } },
	{ "numamove", { { "" } } },
	{ "kvmexit", { { "", "-a", "-d" }, { "", "-v 1" }, { "", "-p 5,6", "@family" } } },
	{ "lockstat", { { "", "-l", "-P", "-K", "-H" }, { "", "-Y mutex" }, { "", "-L 0x40" },
		      { "", "-m 5" }, { "", "-p 5,6", "@family" } } },
	{ "lockstat", { { "--hold" }, { "", "-l", "-K", "-H", "-P" },
			{ "", "-p 5,6", "@family" } } },
	{ "lockstat", { { "-S acq_max,hld_max" }, { "", "-l" }, { "", "-Y mutex", "-m 5" } } },
	{ "runqslower", { { "", "0", "1000000000" }, { "", "-p 7", "-p 7,8", "-t 7", "-t 7,8" } } },
	{ "runqlen", { { "" } } },
	{ "cpuunclaimed", { { "" } } },
	{ "offcputime", { { "", "-U", "-K" }, { "", "-u", "-k" }, { "", "-m 1 -M 5000000000" },
			  { "", "--state 0", "--state 3" }, { "", "-p 5,6", "@family" } } },
	{ "wakeuptime", { { "", "-U", "-K" }, { "", "-u", "-k" }, { "", "-m 1 -M 5000000000" },
			  { "", "--state 3" }, { "", "-p 5,6", "@family" } } },
	{ "offwaketime", { { "", "-U", "-K" }, { "", "-u", "-k" }, { "", "-m 1 -M 5000000000" },
			   { "", "--state 0", "--state 3" }, { "", "-p 5,6", "@family" } } },
	{ "profile", { { "", "-U", "-K", "--by-cgroup", "--by-cgroup -f" }, { "", "-I" },
		       { "", "-C 0" }, { "", "-p 5,6", "@family" } } },
	{ "cpufreq", { { "" }, { "", "-p 5,6", "@family" } } },
	{ "llcstat", { { "", "-t" }, { "", "-p 5,6", "@family" } } },
	{ "softirqs", { { "", "-N", "-C", "-d", "-dN", "--min 0" }, { "", "-c 0" } } },
	{ "softirqslower", { { "" }, { "", "-c 0" } } },
	{ "hardirqs", { { "", "-N", "-C", "-d", "-dN", "--min 0" }, { "", "-c 0" } } },
	{ "runqlat", { { "", "-m" }, { "", "-P", "-L", "--pidnss" },
		       { "", "-p 7", "-p 7,8", "--tid 7,8" } } },
	{ "tcpconnect", { { "", "-L" }, { "", "-c" }, { "", "-4", "-6" }, { "", "-P 80" },
			  { "", "-p 5,6", "-u 0" } } },
	{ "tcpconnlat", { { "", "-d" }, { "", "0.1" }, { "", "-4", "-6" },
			  { "", "-p 5,6", "@family" } } },
	{ "tcpretrans", { { "", "-s" }, { "", "-l" }, { "", "-c" }, { "", "-4", "-6" } } },
	{ "tcprtt", { { "", "-m" }, { "", "-b", "-B", "-4", "-b -6" }, { "", "-e" },
		      { "", "-p 1 -P 2" },
		      { "", "-a 10.0.0.1 -A ::1" } } },
	{ "tcpsynbl", { { "", "-4" } } },
	{ "tcplife", { { "", "-p 5", "@family" }, { "", "-4", "-6" }, { "", "-L 80" },
		       { "", "-D 80" } } },
	{ "tcpaccept", { { "", "-p 5,6", "@family" }, { "", "-4", "-6" }, { "", "-P 80" } } },
	{ "tcpstates", { { "", "-4", "-6" }, { "", "-L 80" }, { "", "-D 80" } } },
	{ "tcpdrop", { { "", "-a", "-c", "-K" }, { "", "-4", "-6" }, { "", "--netns-id 5" } } },
	{ "tcpdrop", { { "--resets" }, { "", "-K" }, { "", "-4", "-6" } } },
	{ "nettop", { { "", "-q" } } },
	{ "tcppktlat", { { "", "-l 80" }, { "", "-r 80" }, { "", "-p 5,6", "@family" } } },
	{ "tcptop", { { "", "-a", "--by-cgroup" }, { "", "-4", "-6" },
		      { "", "-p 5,6", "@family" } } },
	{ "slabratetop", { { "", "-p 5,6", "@family" } } },
	{ "swapin", { { "", "-p 5,6", "@family" } } },
	{ "dcstat", { { "", "-p 5,6", "@family" } } },
	{ "compactsnoop", { { "", "-K", "-e" }, { "", "-p 5,6", "@family" } } },
	{ "drsnoop", { { "", "-p 5,6", "@family" } } },
	{ "cachefill", { { "", "--by-cgroup" }, { "", "-p 5,6", "@family" } } },
	{ "cachestat", { { "", "--by-process" }, { "", "-p 5,6", "@family" } } },
	{ "ext4slower", { { "", "0", "2147483647" }, { "", "-p 5", "-p 5,6", "@family" },
			  { "", "--uid 0" }, { "", "-F" } } },
	{ "ext4dist", { { "", "-m" }, { "", "-p 5,6", "@family" } } },
	{ "fsslower", { { "-t xfs", "-t btrfs", "-t nfs", "-t f2fs", "-t zfs" } } },
	{ "fsdist", { { "-t xfs", "-t btrfs", "-t nfs", "-t f2fs", "-t zfs" } } },
	{ "funclatency --between", { { "vfs_read", "c:getaddrinfo", "t:sched:sched_switch" },
				     { "", "-F" }, { "", "-u", "-m" },
				     { "", "-p 5", "@family" } } },
	{ "funclatency", { { "vfs_read", "c:getaddrinfo" }, { "", "-F" }, { "", "-u", "-m" },
			   { "", "-l 1", "-l 8" }, { "", "-p 5", "-p 5,6", "@family" } } },
	{ "stackcount", { { "vfs_read", "c:getaddrinfo", "t:sched:sched_switch" },
			  { "", "-K", "-U", "-P -K" }, { "", "-c 0" },
			  { "", "-p 5", "-p 5,6", "@family" } } },
	{ "stacksnoop", { { "vfs_read", "c:getaddrinfo", "t:sched:sched_switch" },
			  { "", "-K", "-U" }, { "", "-p 5,6", "@family" } } },
	{ "funcslower", { { "vfs_read", "c:getaddrinfo" }, { "", "-u 10" }, { "", "-a 1", "-a 6" },
			  { "", "-K", "-U", "-K -U" }, { "", "-p 5,6", "@family" } } },
	{ "threadsnoop", { { "", "-U" }, { "", "-p 5,6", "@family" } } },
	{ "memleak", { { "-p 5", "-p 5,6", "@family" }, { "", "-t" },
		       { "", "-s 10", "-z 5 -Z 9223372036854775807" } } },
	{ "memleak", { { "", "--tid 7" }, { "", "-t" }, { "", "-s 10", "-z 5" } } },
	{ "fileslower", { { "", "-a" }, { "", "-p 5,6" }, { "", "-K" } } },
	{ "trace", { { "vfs_read", "sys_read\t\"%s\",arg2",
		       "vfs_read\t(STRCMP(\"ab\",arg2)&&(int)arg1/7>7)\t\"%s\t%d\",arg1,arg2",
		       "t:block:block_rq_issue\t\"%s\t%d\",args->comm,args->nr_sector?1:-1" },
		     { "", "-K", "-K -U" }, { "", "-p 5,6", "@family" },
		     { "", "--container-names" } } },
	{ "argdist", { { "-C p::vfs_read()", "-C p::vfs_read(char\t*s,int\tn):char*,int:s,n:n>1",
			 "-H r::vfs_read()", "-H p::vfs_read(int\tn):u64:n*2",
			 "-H r::vfs_read():u64:$latency/1000" },
		       { "", "-p 5,6", "@family" } } },
	{ "bt", { { "-e k:vfs_read,kr:vfs_read{$x=pid/7;if($x>3){@a[comm,$x]++;return}else{exit()}"
		    "@b=stats($x)}",
		    "-e k:vfs_*{@c[probe]=count();if(tid<9){@h[func]=hist(tid/7)}print(func)}",
		    "-e k:vfs_read{printf(\"%s\t%d\\n\",comm,pid)}",
		    "-e k:vfs_read\t/@s[tid]/{@l=lhist(nsecs-@s[tid],-5,99,7);delete(@s[tid])}"
		    "k:vfs_read{@s[tid]=1}",
		    "-e k:vfs_read{@s[tid]=arg0;@t[str(arg1)]=sum(-arg2);@m=max(-arg1);print(@s)}",
		    "-e t:block:block_rq_issue\t/comm==\"dd\"||args.nr_sector/"
		    "{@[args.comm,\"x\"]-=2}" },
		  { "", "-p 5,6", "@family" } } },
	{ "funccount", { { "vfs_read", "vfs_*", "r::vfs_read", "t:task:*" }, { "", "-c 1" },
			 { "", "-p 5", "-p 5,6", "@family" } } },
	{ }
};

bool combine(const struct choices *choice, unsigned int number, struct command *c)
{
	c->dev = 0;
	c->family = false;
	snprintf(c->line, sizeof(c->line), "%s%s", choice->tool, c->forced ? " --backend bpf" : "");
	for (int i = 0; i < 6 && choice->of[i][0]; i++) {
		size_t n = 0, have = strlen(c->line);
		const char *word;

		while (n < 6 && choice->of[i][n])
			n++;
		word = choice->of[i][number % n];
		number /= n;
		if (!strcmp(word, "@dev"))
			c->dev = 8388609;
		else if (!strcmp(word, "@family"))
			c->family = true;
		else if (*word)
			snprintf(c->line + have, sizeof(c->line) - have, " %s", word);
	}
	return !number;
}
