/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_METRICS_WIRE_H
#define SONDE_METRICS_WIRE_H

#include "src/lib/metrics/metrics.h"

/*
 * Additions on their way from a tool's process to the exporter, as messages of a socket that keeps
 * their ends (SOCK_SEQPACKET). Both are the same program, so numbers are as the machine has them;
 * the exporter trusts no length in them.
 */
#define METRICS_MESSAGE 32768

struct metrics_sender {
	int to;				/* the socket */
	unsigned int told;		/* families that the exporter knows */
};

/*
 * Sends all that was added, and removes what was sent. What can't be sent, as the exporter does not
 * read, stays for the next time. Returns -1 if the exporter is gone.
 */
int metrics_send(struct metrics *m, struct metrics_sender *s);

/*
 * Says that there will be no more from this sender and its tool: what the exporter has of it goes
 * (metrics_leave()), and another sender may use the socket. Returns false if the exporter does not
 * read now.
 */
bool metrics_send_leave(int to, const char *tool);

/* The families of a sender, by its numbers. Begins as all zero but for `user`. */
struct metrics_receiver {
	uint64_t user;			/* its bit in metric_family.users; 0: it never leaves */
	struct metric_family *families[METRICS_FAMILIES];
};

/* A new exporter is at these sockets: senders tell it their families again. */
void metrics_receiver_begin(const int *sockets, unsigned int n);

/*
 * Adds the message's values: those of counters and histograms are added up, the last one of a gauge
 * stays. Returns -1 if the message is damaged; what is before the damage was added.
 */
int metrics_receive(struct metrics *m, struct metrics_receiver *from, const void *message, size_t n,
		    uint64_t now);

#endif
