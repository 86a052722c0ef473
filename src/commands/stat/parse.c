// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of events as people write them:
 *
 *	list := item { ',' item }
 *	item := '{' list '}' [':' modifiers] | event
 *	event := PMU '/' terms '/' [modifiers] | NAME [':' modifiers] | rHEX [':' modifiers] |
 *		 SYSTEM ':' NAME [':' modifiers]
 */
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "src/commands/stat/event.h"
#include "src/commands/stat/names.h"
#include "src/commands/stat/pmu.h"

struct parser {
	const struct stat_source *from;
	struct stat_events *to;
	struct pmus pmus;
	bool pmus_read;
	const char *at;
	struct error *err;
};

struct stat_event *stat_event_add(struct stat_events *e, const char *name, struct error *err)
{
	struct stat_event *event;

	if (e->n == STAT_EVENTS_MOST) {
		fail(err, "these are more than %d events", STAT_EVENTS_MOST);
		return NULL;
	}
	if (array_room(&e->list, e->n, sizeof(*e->list))) {
		fail(err, "out of memory");
		return NULL;
	}
	event = &e->list[e->n];
	*event = (struct stat_event){ .name = strdup(name) };
	if (!event->name) {
		fail(err, "out of memory");
		return NULL;
	}
	e->n++;
	return event;
}

void stat_events_free(struct stat_events *e)
{
	for (unsigned int i = 0; i < e->n; i++) {
		free(e->list[i].name);
		free(e->list[i].cpus);
	}
	free(e->list);
	*e = (struct stat_events){ };
}

static const struct pmus *pmus_of(struct parser *p)
{
	if (!p->pmus_read && pmus_read(p->from->pmus, &p->pmus, p->err))
		return NULL;
	p->pmus_read = true;
	return &p->pmus;
}

/* ---- modifiers ---- */

#define MODIFIERS "ukhGHIpDe"

static bool are_modifiers(const char *s, size_t n)
{
	return n && strspn(s, MODIFIERS) >= n;
}

static void modify(struct stat_event *e, const char *s, size_t n)
{
	bool modes = memchr(s, 'u', n) || memchr(s, 'k', n) || memchr(s, 'h', n);
	bool machines = memchr(s, 'G', n) || memchr(s, 'H', n);
	unsigned int precise = 0;

	for (size_t i = 0; i < n; i++)
		precise += s[i] == 'p';
	if (modes) {
		e->modified = true;
		e->attr.exclude_user = !memchr(s, 'u', n);
		e->attr.exclude_kernel = !memchr(s, 'k', n);
		e->attr.exclude_hv = !memchr(s, 'h', n);
	}
	if (machines) {
		e->placed = true;
		e->attr.exclude_host = !memchr(s, 'H', n);
		e->attr.exclude_guest = !memchr(s, 'G', n);
	}
	e->attr.exclude_idle |= memchr(s, 'I', n) != NULL;
	e->attr.pinned |= memchr(s, 'D', n) != NULL;
	e->attr.exclusive |= memchr(s, 'e', n) != NULL;
	e->attr.precise_ip = precise < 3 ? precise : 3;
}

static int rename_modified(struct parser *p, struct stat_event *e, const char *s, size_t n)
{
	bool slash = e->name[strlen(e->name) - 1] == '/';
	char *name;

	if (asprintf(&name, "%s%s%.*s", e->name, slash ? "" : ":", (int)n, s) < 0)
		return fail(p->err, "out of memory");
	free(e->name);
	e->name = name;
	return 0;
}

/* To all events from `first` on. */
static int apply(struct parser *p, unsigned int first, const char *s, size_t n, bool shown)
{
	if (!n)
		return 0;
	if (!are_modifiers(s, n))
		return fail(p->err, "there is no modifier \"%.*s\"; there are u (user mode), "
				    "k (kernel mode), h (hypervisor), G (guests), H (host), "
				    "I (not idle), p (precise), D (pinned), e (exclusive)",
			    (int)n, s);
	for (unsigned int i = first; i < p->to->n; i++) {
		modify(&p->to->list[i], s, n);
		if (shown && rename_modified(p, &p->to->list[i], s, n))
			return -1;
	}
	return 0;
}

/* ---- events ---- */

static int unknown(struct parser *p, const char *name, size_t n)
{
	const char *near = stat_name_nearest(name, n);

	return fail(p->err, "there is no event \"%.*s\"%s%s%s\n"
			    "a tracepoint is SYSTEM:NAME, an event of a PMU is PMU/NAME/; "
			    "`sonde help stat` lists the others",
		    (int)n, name, near ? "; did you mean " : "", near ? near : "",
		    near ? "?" : "");
}

static int add_plain(struct parser *p, const char *name, uint32_t type, uint64_t config)
{
	struct stat_event *e = stat_event_add(p->to, name, p->err);

	if (!e)
		return -1;
	e->attr.type = type;
	e->attr.config = config;
	e->hardware = type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE ||
		      type == PERF_TYPE_RAW;
	return 0;
}

/*
 * Where there are CPUs of several kinds, their events are of one kind each: a row a kind, as
 * cpu_core/cycles/.
 */
static int add_of_kinds(struct parser *p, const char *name, const struct stat_name *found)
{
	const struct pmus *pmus = pmus_of(p);
	char full[384];

	if (!pmus)
		return -1;
	if (pmus->cores < 2 || found->type == PERF_TYPE_SOFTWARE)
		return add_plain(p, name, found->type, found->config);
	for (unsigned int i = 0; i < pmus->n; i++) {
		const struct pmu *pmu = &pmus->list[i];
		bool raw = found->type == PERF_TYPE_RAW;
		struct stat_event *e;

		if (!pmu->core)
			continue;
		text_all(full, sizeof(full), "%s/%s/", pmu->name, name);
		if (add_plain(p, full, raw ? pmu->type : found->type,
			      raw ? found->config : found->config | (uint64_t)pmu->type << 32))
			return -1;
		e = &p->to->list[p->to->n - 1];
		e->hardware = true;
		e->cpus = pmu->cpus ? strdup(pmu->cpus) : NULL;
		if (pmu->cpus && !e->cpus)
			return fail(p->err, "out of memory");
	}
	return 0;
}

/* r1a8 */
static bool read_raw(const char *name, struct stat_name *to)
{
	const char *at = name + 1;

	*to = (struct stat_name){ .type = PERF_TYPE_RAW };
	return *name == 'r' && scan_hex(&at, UINT64_MAX, &to->config) && !*at;
}

/* NAME[:MODIFIERS], or SYSTEM:NAME[:MODIFIERS]. */
static int parse_name(struct parser *p, const char *text)
{
	unsigned int first = p->to->n;
	size_t n = strcspn(text, ":");
	struct stat_name found = { };
	char name[256];

	if (n >= sizeof(name))
		return unknown(p, text, n);
	text_all(name, sizeof(name), "%.*s", (int)n, text);
	if (stat_name_find(name, n, &found) || read_raw(name, &found)) {
		if (add_of_kinds(p, name, &found))
			return -1;
		for (unsigned int i = first; i < p->to->n; i++) {
			p->to->list[i].clock = found.clock;
			p->to->list[i].kernel_only = found.kernel_only;
		}
	} else if (text[n] == ':' && !are_modifiers(text + n + 1, strlen(text + n + 1))) {
		size_t event = strcspn(text + n + 1, ":");

		if (stat_tracepoints_add(p->from->kernel, name, text + n + 1, event, p->to,
					 p->err))
			return -1;
		n += 1 + event;
	} else {
		const struct pmus *pmus = pmus_of(p);

		if (!pmus || pmu_named_add(p->from, pmus, name, p->to, p->err))
			return -1;
		if (p->to->n == first)
			return unknown(p, name, n);
	}
	if (text[n] && !text[n + 1])
		return fail(p->err, "modifiers are missing at the end of \"%s\"", text);
	return text[n] ? apply(p, first, text + n + 1, strlen(text + n + 1), true) : 0;
}

/* PMU/TERMS/[MODIFIERS] */
static int parse_pmu(struct parser *p, char *text)
{
	const struct pmus *pmus = pmus_of(p);
	unsigned int first = p->to->n;
	char *terms = strchr(text, '/'), *end;

	*terms++ = '\0';
	end = strchr(terms, '/');
	if (!pmus)
		return -1;
	if (!end)
		return fail(p->err, "%s/%s: a / is missing at the end", text, terms);
	*end++ = '\0';
	end += *end == ':';
	return pmu_events_add(p->from, pmus, text, terms, p->to, p->err) ||
		apply(p, first, end, strlen(end), true) ? -1 : 0;
}

/* Up to what ends an event: a comma or a brace, but not among a PMU's terms or a pattern's []. */
static size_t event_length(const char *at)
{
	bool terms = false, set = false;
	size_t n;

	for (n = 0; at[n] && (terms || set || !strchr(",{}", at[n])); n++) {
		if (at[n] == '/')
			terms = !terms;
		set = !terms && (set ? at[n] != ']' : at[n] == '[');
	}
	return n;
}

static int parse_event(struct parser *p)
{
	size_t n = event_length(p->at);
	char *text;
	int status;

	if (!n)
		return fail(p->err, "an event is missing before \"%s\"", p->at);
	text = strndup(p->at, n);
	if (!text)
		return fail(p->err, "out of memory");
	p->at += n;
	status = strchr(text, '/') ? parse_pmu(p, text) : parse_name(p, text);
	free(text);
	return status;
}

static int parse_group(struct parser *p)
{
	unsigned int first = p->to->n, number = ++p->to->groups;
	size_t n;

	for (p->at++;; p->at++) {
		if (parse_event(p))
			return -1;
		if (*p->at == '}')
			break;
		if (*p->at != ',')
			return fail(p->err, "a } is missing at the end of the group");
	}
	p->at++;
	for (unsigned int i = first; i < p->to->n; i++)
		p->to->list[i].group = number;
	if (*p->at != ':')
		return 0;
	n = strcspn(++p->at, ",");
	p->at += n;
	return apply(p, first, p->at - n, n, true);
}

int stat_parse(const struct stat_source *from, const char *text, struct stat_events *to,
	       struct error *err)
{
	struct parser p = { .from = from, .to = to, .at = text, .err = err };
	int status;

	do {
		status = *p.at == '{' ? parse_group(&p) : parse_event(&p);
		if (!status && *p.at && *p.at != ',')
			status = fail(err, "a comma is missing before \"%s\"", p.at);
	} while (!status && *p.at++);
	pmus_free(&p.pmus);
	return status;
}
