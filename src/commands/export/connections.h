/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_CONNECTIONS_H
#define SONDE_EXPORT_CONNECTIONS_H

#include <poll.h>
#include <stdint.h>

#include "src/commands/export/http.h"

/*
 * Connections of unknown clients: few at once, each with deadlines, and no memory that a client can
 * make grow but that of its own answer.
 */
#define CONNECTIONS 16

struct connections;

/* What answers: adds the answer to a request (http_answer()). */
typedef void (*http_answerer)(void *arg, const struct http_request *r, struct strbuf *to);

/* Returns NULL without memory. */
struct connections *connections_new(http_answerer answer, void *arg);
/* Takes one from a listening socket. Of too many the one that is idle longest is closed. */
void connections_accept(struct connections *c, int listener);
/* Fills in what is waited for, up to CONNECTIONS; returns how many. */
unsigned int connections_poll(const struct connections *c, struct pollfd *to);
/* Reads and writes what can be, and closes those whose time is over. `polls` as filled in. */
void connections_go_on(struct connections *c, const struct pollfd *polls, unsigned int n);
/* ms until the first deadline; -1: there is none. */
int connections_wait(const struct connections *c);

#endif
