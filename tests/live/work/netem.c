// SPDX-License-Identifier: GPL-2.0
/*
 * Two network namespaces of this job's own, a pair of interfaces between them, and what netem(8)
 * makes of the line. It speaks rtnetlink itself: there may be no tc(8).
 */
#include <arpa/inet.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <linux/veth.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "work.h"

#define PIECE 1000		/* bytes: less than a segment holds */
#define NS_A_TICK 64

/* The job is here, its server is there. */
enum side { HERE, THERE };
static const char *const devices[] = { "sonde-here", "sonde-there" };
static const char *const hosts[] = { "10.84.19.1", "10.84.19.2" };

struct request {
	struct nlmsghdr head;
	char bytes[512];
};

static void *append(struct request *r, const void *bytes, size_t size)
{
	void *to = (char *)r + NLMSG_ALIGN(r->head.nlmsg_len);

	if (bytes)
		memcpy(to, bytes, size);
	r->head.nlmsg_len = NLMSG_ALIGN(r->head.nlmsg_len) + size;
	return to;
}

static struct request request(int type, int flags, const void *body, size_t size)
{
	struct request r = { .head = { NLMSG_HDRLEN, type, NLM_F_REQUEST | NLM_F_ACK | flags, 1,
				       0 } };

	append(&r, body, size);
	return r;
}

static struct rtattr *attribute(struct request *r, int type, const void *bytes, size_t size)
{
	struct rtattr *a = append(r, &(struct rtattr){ RTA_LENGTH(size), type }, sizeof(*a));

	append(r, bytes, size);
	return a;
}

/* An attribute that holds all that was appended since. */
static void close_attribute(struct request *r, struct rtattr *a)
{
	a->rta_len = (char *)r + r->head.nlmsg_len - (char *)a;
}

static int ask(struct request *r)
{
	int s = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	struct { struct nlmsghdr head; struct nlmsgerr error; char rest[1024]; } answer;

	if (s < 0 || send(s, r, r->head.nlmsg_len, 0) < 0 ||
	    recv(s, &answer, sizeof(answer), 0) < 0)
		die("rtnetlink");
	close(s);
	errno = -answer.error.error;
	return errno ? -1 : 0;
}

static int make_pair(pid_t there)
{
	struct ifinfomsg link = { 0 };
	struct request r = request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, &link, sizeof(link));
	struct rtattr *info, *data, *peer;

	attribute(&r, IFLA_IFNAME, devices[HERE], strlen(devices[HERE]) + 1);
	info = attribute(&r, IFLA_LINKINFO, NULL, 0);
	attribute(&r, IFLA_INFO_KIND, "veth", 4);
	data = attribute(&r, IFLA_INFO_DATA, NULL, 0);
	peer = attribute(&r, VETH_INFO_PEER, &link, sizeof(link));
	attribute(&r, IFLA_IFNAME, devices[THERE], strlen(devices[THERE]) + 1);
	attribute(&r, IFLA_NET_NS_PID, &there, 4);
	close_attribute(&r, peer);
	close_attribute(&r, data);
	close_attribute(&r, info);
	return ask(&r);
}

static void bring_up(enum side side)
{
	struct ifinfomsg link = { .ifi_index = if_nametoindex(devices[side]), .ifi_flags = IFF_UP,
				  .ifi_change = IFF_UP };
	struct ifaddrmsg at = { .ifa_family = AF_INET, .ifa_prefixlen = 24,
				.ifa_index = link.ifi_index };
	struct request address = request(RTM_NEWADDR, NLM_F_CREATE, &at, sizeof(at));
	struct request up = request(RTM_NEWLINK, 0, &link, sizeof(link));
	struct in_addr host;

	inet_pton(AF_INET, hosts[side], &host);
	attribute(&address, IFA_LOCAL, &host, 4);
	if (ask(&address) || ask(&up))
		die(devices[side]);
}

static int disturb(enum side side, long delay_ms, long loss_percent)
{
	struct tcmsg t = { .tcm_ifindex = if_nametoindex(devices[side]), .tcm_handle = 1 << 16,
			   .tcm_parent = TC_H_ROOT };
	struct tc_netem_qopt options = {
		.latency = delay_ms * 1000000 / NS_A_TICK, .limit = 1000,
		.loss = UINT32_MAX / 100 * loss_percent,
	};
	struct request r = request(RTM_NEWQDISC, NLM_F_CREATE | NLM_F_REPLACE, &t, sizeof(t));

	attribute(&r, TCA_KIND, "netem", 6);
	attribute(&r, TCA_OPTIONS, &options, sizeof(options));
	return ask(&r);
}

/* Piece by piece, each when the last has been acknowledged: what is sent again is one segment. */
static void send_pieces(int s, long n)
{
	static const char bytes[PIECE];
	int unacknowledged;

	while (n > 0) {
		ssize_t sent = write(s, bytes, n < PIECE ? n : PIECE);

		if (sent < 0)
			die("send");
		n -= sent;
		while (!ioctl(s, SIOCOUTQ, &unacknowledged) && unacknowledged)
			usleep(1000);
	}
}

static void receive(int s, long n)
{
	char bytes[PIECE];

	while (n > 0) {
		ssize_t got = read(s, bytes, n < PIECE ? n : PIECE);

		if (got <= 0)
			die("receive");
		n -= got;
	}
}

/* What this network namespace has sent again, by its own count. */
static long resent(void)
{
	FILE *f = fopen("/proc/thread-self/net/snmp", "r");
	char names[1024] = "", values[1024] = "", *name, *value, *n = names, *v = values;

	while (f && fgets(names, sizeof(names), f) && fgets(values, sizeof(values), f) &&
	       strncmp(names, "Tcp:", 4))
		;
	if (f)
		fclose(f);
	while ((name = strsep(&n, " \n")) && (value = strsep(&v, " \n")))
		if (!strcmp(name, "RetransSegs"))
			return number(value);
	errno = ENOENT;
	die("RetransSegs");
}

static struct sockaddr_in at(enum side side, long port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(port) };

	inet_pton(AF_INET, hosts[side], &a.sin_addr);
	return a;
}

/* Both take turns by a byte. */
static void give(int control, char byte)
{
	if (write(control, &byte, 1) != 1)
		die("the other process");
}

static char take(int control)
{
	char byte;

	if (read(control, &byte, 1) != 1)
		die("the other process");
	return byte;
}

struct line {
	long n, port, tx, rx, delay_ms, loss_percent;
};

static void server(const struct line *l, int control)
{
	struct sockaddr_in a = at(THERE, l->port);
	int listens;
	long again;

	prctl(PR_SET_NAME, "server");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (unshare(CLONE_NEWNET))
		die("unshare");
	give(control, 'n');
	take(control);
	bring_up(THERE);
	listens = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (disturb(THERE, l->delay_ms, 0) || bind(listens, (struct sockaddr *)&a, sizeof(a)) ||
	    listen(listens, 16))
		die("listen");
	give(control, 'l');
	for (long i = 0; i < l->n; i++) {
		int s = accept4(listens, NULL, NULL, SOCK_CLOEXEC);

		if (s < 0)
			die("accept");
		take(control);
		disturb(THERE, l->delay_ms, l->loss_percent);
		give(control, 'd');
		receive(s, l->tx);
		send_pieces(s, l->rx);
		take(control);
		disturb(THERE, l->delay_ms, 0);
		give(control, 'e');
		receive(s, 1);
		close(s);
	}
	take(control);
	again = resent();
	if (write(control, &again, sizeof(again)) != sizeof(again))
		die("the other process");
	_exit(0);
}

static void session(const struct line *l, int control, pid_t server_pid)
{
	struct sockaddr_in to = at(THERE, l->port), from;
	int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t size = sizeof(from);

	if (s < 0 || connect(s, (struct sockaddr *)&to, sizeof(to)) ||
	    getsockname(s, (struct sockaddr *)&from, &size))
		die("connect");
	disturb(HERE, l->delay_ms, l->loss_percent);
	give(control, 'd');
	take(control);
	send_pieces(s, l->tx);
	receive(s, l->rx);
	disturb(HERE, l->delay_ms, 0);
	give(control, 'e');
	take(control);
	send_pieces(s, 1);
	while (read(s, &(char){ 0 }, 1) > 0)
		;
	close(s);
	say("life\tclient\t%d\t", getpid());
	say_comm();
	say("4\t%s\t%d\t%s\t%ld\t%ld\t%ld\n", hosts[HERE], ntohs(from.sin_port), hosts[THERE],
	    l->port, l->tx + 1, l->rx);
	say("life\tserver\t%d\tserver\t4\t%s\t%ld\t%s\t%d\t%ld\t%ld\n", server_pid, hosts[THERE],
	    l->port, hosts[HERE],
	    ntohs(from.sin_port), l->rx, l->tx + 1);
}

/*
 * N sessions over a line that takes DELAY ms each way, and while data is sent loses LOSS % of all
 * packets. TX and RX are as in `sessions`, one byte of TX is the end. `resent` is how many segments
 * both namespaces count as sent again.
 */
static int job_lossy(int argc, char **argv)
{
	const struct line l = { number(argv[1]), number(argv[2]), number(argv[3]) - 1,
				number(argv[4]), number(argv[5]),
				number(argv[6]) };
	int control[2], status;
	long again;
	pid_t pid;

	(void)argc;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control))
		die("socketpair");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid)
		server(&l, control[1]);
	close(control[1]);
	take(control[0]);
	if (unshare(CLONE_NEWNET) || make_pair(pid))
		die("network namespaces");
	bring_up(HERE);
	if (disturb(HERE, l.delay_ms, 0))
		die("netem");
	give(control[0], 'p');
	take(control[0]);
	for (long i = 0; i < l.n; i++)
		session(&l, control[0], pid);
	give(control[0], 'r');
	if (read(control[0], &again, sizeof(again)) != sizeof(again) ||
	    waitpid(pid, &status, 0) != pid || status)
		die("the server failed");
	say("resent\t%ld\n", again + resent());
	return 0;
}

const struct job netem_jobs[] = {
	{ "lossy", "N PORT TX RX DELAY LOSS", 6, job_lossy,
	  "life as of sessions, resent COUNT" },
	{ 0 }
};
