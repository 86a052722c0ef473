// SPDX-License-Identifier: GPL-2.0
/* Addresses of sockets as text. */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "src/language/systrace/arguments.h"

/* An address, and how much of it the call says that there is. */
struct bytes {
	union {
		char of[SYSTRACE_READ + 1];
		sa_family_t family;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_nl netlink;
		struct sockaddr_ll packet;
		struct sockaddr_vm vm;
	};
	size_t n;
};

static void add_unix(struct strbuf *w, const struct bytes *b)
{
	const char *path = b->of + offsetof(struct sockaddr_un, sun_path);
	size_t n = b->n - offsetof(struct sockaddr_un, sun_path);

	if (n > sizeof(((struct sockaddr_un *)0)->sun_path))
		n = sizeof(((struct sockaddr_un *)0)->sun_path);
	/* A name that begins with a NUL is of no file, and has all bytes. */
	if (n && !*path) {
		strbuf_addf(w, ", path: @");
		add_quoted(w, path + 1, n - 1);
	} else if (n) {
		strbuf_addf(w, ", path: ");
		add_quoted(w, path, strnlen(path, n));
	}
}

static void add_inet(struct strbuf *w, const struct bytes *b)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(AF_INET, &b->in.sin_addr, text, sizeof(text));
	strbuf_addf(w, ", port: %u, addr: %s", ntohs(b->in.sin_port), text);
}

static void add_inet6(struct strbuf *w, const struct bytes *b)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(AF_INET6, &b->in6.sin6_addr, text, sizeof(text));
	strbuf_addf(w, ", port: %u, addr: %s", ntohs(b->in6.sin6_port), text);
	if (b->in6.sin6_flowinfo)
		strbuf_addf(w, ", flowinfo: %#x", ntohl(b->in6.sin6_flowinfo));
	if (b->n >= sizeof(b->in6) && b->in6.sin6_scope_id)
		strbuf_addf(w, ", scope_id: %u", b->in6.sin6_scope_id);
}

static void add_netlink(struct strbuf *w, const struct bytes *b)
{
	strbuf_addf(w, ", pid: %u, groups: %#x", b->netlink.nl_pid, b->netlink.nl_groups);
}

static void add_packet(struct strbuf *w, const struct bytes *b)
{
	strbuf_addf(w, ", protocol: %#x, ifindex: %d", ntohs(b->packet.sll_protocol),
		    b->packet.sll_ifindex);
}

static void add_vm(struct strbuf *w, const struct bytes *b)
{
	strbuf_addf(w, ", cid: %u, port: %u", b->vm.svm_cid, b->vm.svm_port);
}

static const struct {
	sa_family_t family;
	size_t least;			/* bytes; of less only the family is shown */
	void (*add)(struct strbuf *w, const struct bytes *b);
} families[] = {
	{ AF_UNIX, offsetof(struct sockaddr_un, sun_path), add_unix },
	{ AF_INET, sizeof(struct sockaddr_in), add_inet },
	/* without the scope, as before it was invented */
	{ AF_INET6, offsetof(struct sockaddr_in6, sin6_scope_id), add_inet6 },
	{ AF_NETLINK, sizeof(struct sockaddr_nl), add_netlink },
	{ AF_PACKET, offsetof(struct sockaddr_ll, sll_hatype), add_packet },
	{ AF_VSOCK, offsetof(struct sockaddr_vm, svm_cid) + 4, add_vm },
};

bool add_address(struct strbuf *w, const struct systrace_address *a)
{
	const struct argument kind = { .kind = "family", .kind_length = strlen("family") };
	struct bytes b = { .n = a->length > 0 ? (size_t)a->length : 0 };
	char text[64];

	memcpy(b.of, a->of, SYSTRACE_READ);
	if (a->whole >= 8 && a->whole <= SYSTRACE_READ) {
		b.n = (size_t)a->whole;
		memcpy(b.of + b.n - 8, &a->last, 8);
	}
	if (b.n < sizeof(b.family))
		return false;
	names_text(&kind, b.family, text, sizeof(text));
	strbuf_addf(w, "{ .family: %s", text);
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (families[i].family == b.family && b.n >= families[i].least)
			families[i].add(w, &b);
	strbuf_addf(w, " }");
	return true;
}
