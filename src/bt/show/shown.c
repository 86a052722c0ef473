// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers that are shown as something else: addresses as functions, errors and times as texts. Keys
 * and records have the numbers.
 */
#include "src/bt/show/show.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "compat/tasks/cgroup.h"
#include "src/language/calls/calls.h"
#include "src/run/tool.h"
#include "src/toolkit/numbered.h"
#include "src/toolkit/signals.h"
#include "src/toolkit/stacks/stacks.h"

/* ---- times ---- */

#define TIME_LETTERS "HMSTXFRYymbdsfZ%"

bool bt_time_known(const char *format)
{
	for (const char *c = strchr(format, '%'); c; c = strchr(c + 2, '%'))
		if (!c[1] || !strchr(TIME_LETTERS, c[1]))
			return false;
	return true;
}

void bt_put_time(FILE *to, const struct run *run, const char *format, int64_t ns)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	const struct date d = run_local(run, ns);
	const struct zone_time zone = zone_time(&run->time.zone, ns / (int64_t)NS_PER_SECOND);
	const int month = 10 * (d.day[5] - '0') + d.day[6] - '0';
	char second[24], fraction[8];
	const struct {
		char letter;
		const char *from;
		size_t n;
	} parts[] = {
		{ 'H', d.time, 2 }, { 'M', d.time + 3, 2 }, { 'S', d.time + 6, 2 },
		{ 'T', d.time, 8 }, { 'X', d.time, 8 }, { 'b', months + 3 * (month - 1), 3 },
		{ 'R', d.time, 5 }, { 'F', d.day, 10 }, { 'Y', d.day, 4 },
		{ 'y', d.day + 2, 2 }, { 'm', d.day + 5, 2 }, { 'd', d.day + 8, 2 },
		{ 's', second, strlen(second) }, { 'f', fraction, 6 }, { '%', "%", 1 },
		{ 'Z', zone.name, strlen(zone.name) },
	};

	snprintf(second, sizeof(second), "%" PRId64, ns / (int64_t)NS_PER_SECOND);
	snprintf(fraction, sizeof(fraction), "%06u",
		 (unsigned int)(ns % (int64_t)NS_PER_SECOND / 1000) % 1000000);
	for (const char *p = format; *p; p++) {
		size_t i = 0;

		if (*p != '%') {
			fputc(*p, to);
			continue;
		}
		p++;
		while (parts[i].letter != *p)	/* the parser has refused all others */
			i++;
		fwrite(parts[i].from, 1, parts[i].from == second ? strlen(second) : parts[i].n, to);
	}
}

/* ---- how numbers are shown ---- */

static void put_address(FILE *to, const struct bt *b, const struct bt_shown *v)
{
	struct stack_frame f = { };
	struct error err = { };

	if (record_function(b->run, 0, 0, v->bits, false, &f, &err))
		run_fail(b->run, &err);
	if (f.name)
		fputs(f.name, to);
	else
		fprintf(to, "0x%" PRIx64, v->bits);
}

static void put_error(FILE *to, const struct bt *b, const struct bt_shown *v)
{
	(void)b;
	fputs(strerror((int)v->bits), to);
}

static void put_call(FILE *to, const struct bt *b, const struct bt_shown *v)
{
	const struct arch *arch = kernel_arch(b->script.kernel);
	const char *name = v->bits < CALLS ? call_name(arch, (uint32_t)v->bits) : NULL;

	if (name)
		fputs(name, to);
	else
		fprintf(to, "%" PRIu64, v->bits);
}

static void put_signal(FILE *to, const struct bt *b, const struct bt_shown *v)
{
	(void)b;
	fputs(v->bits < (uint64_t)NSIG ? strsignal((int)v->bits) : "N/A", to);
}

/* One that is gone has its number only. */
static void put_cgroup(FILE *to, const struct bt *b, const struct bt_shown *v)
{
	char *path = cgroup_path_of(v->bits);

	(void)b;
	if (path)
		fprintf(to, "unified:%s", path);
	else
		fprintf(to, "%" PRIu64, v->bits);
	free(path);
}

static void put_moment(FILE *to, const struct bt *b, const struct bt_shown *v)
{
	bt_put_time(to, b->run, b->formats[v->shape.shown.format], run_wall_clock(b->run, v->bits));
}

/* A static binary can't load the modules that getpwuid() asks. An unknown user has no name. */
static void put_user(FILE *to, const struct bt *b, const struct bt_shown *v)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *entry = NULL;

	(void)b;
	if (!file)
		return;
	do
		entry = fgetpwent(file);
	while (entry && entry->pw_uid != v->bits);
	if (entry)
		fputs(entry->pw_name, to);
	fclose(file);
}

static void (*const shows[])(FILE *to, const struct bt *b, const struct bt_shown *v) = {
	[BT_SHOW_KSYM] = put_address, [BT_SHOW_ERROR] = put_error, [BT_SHOW_CALL] = put_call,
	[BT_SHOW_SIGNAL] = put_signal, [BT_SHOW_CGROUP] = put_cgroup,
	[BT_SHOW_TIME] = put_moment, [BT_SHOW_USER] = put_user,
};

void bt_put_shown(FILE *to, const struct bt *b, const struct bt_shown *v)
{
	shows[v->shape.shown.show](to, b, v);
}

/* ---- blocks ---- */

static void put_inet(FILE *to, const char *bytes)
{
	char text[INET6_ADDRSTRLEN];
	struct bt_inet inet;

	memcpy(&inet, bytes, sizeof(inet));
	if (inet_ntop((int)inet.family, inet.bytes, text, sizeof(text)))
		fputs(text, to);
}

static void put_buffer(FILE *to, const char *bytes, char way)
{
	struct bt_buffer head;
	const unsigned char *at = (const unsigned char *)bytes + sizeof(head);

	memcpy(&head, bytes, sizeof(head));
	for (uint32_t i = 0; i < head.length; i++)
		if (way == 'H')
			fprintf(to, "%s%02x", i ? " " : "", at[i]);
		else if (way == 'R' || at[i] < ' ' || at[i] > '~')
			fprintf(to, "\\x%02x", at[i]);
		else
			fputc(at[i], to);
	if (head.wanted > head.length)
		fputs("..", to);
}

void bt_put_block(FILE *to, enum bt_block_kind kind, const char *bytes, char way)
{
	if (kind == BT_INET) {
		put_inet(to, bytes);
		return;
	}
	if (kind == BT_BUFFER) {
		put_buffer(to, bytes, way);
		return;
	}
	for (int i = 0; i < 6; i++)
		fprintf(to, "%s%02X", i ? ":" : "", (unsigned char)bytes[i]);
}
