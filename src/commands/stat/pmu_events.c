// SPDX-License-Identifier: GPL-2.0
/* Events of a PMU: terms, and the names its folder has for some of them. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/expressions/expression.h"
#include "src/commands/stat/names.h"
#include "src/commands/stat/pmu.h"

#define TERMS 512

/* Where terms are read for: a PMU, and the event that they make. */
struct making {
	const char *folder;
	const struct pmus *pmus;
	const struct pmu *pmu;
	struct stat_event *event;
	const char *name;		/* of `name=`; NULL: there was none */
};

static bool pmu_file(const struct making *m, const char *folder, const char *name,
		     const char *suffix, char *to, size_t size)
{
	char path[768];

	if (strchr(name, '/') || *name == '.')
		return false;
	text_all(path, sizeof(path), "%s/%s/%s/%s%s", m->folder, m->pmu->name, folder, name,
		 suffix);
	return file_line(path, to, size);
}

/* 0x3c or 60, and nothing behind it. */
static bool read_value(const char *text, uint64_t *value)
{
	const char *at = text;

	if (scan_text(&at, "0x") || scan_text(&at, "0X"))
		return scan_hex(&at, UINT64_MAX, value) && !*at;
	return scan_number(&at, UINT64_MAX, value) && !*at;
}

static int no_such_term(const struct making *m, const char *key, struct error *err)
{
	return fail(err, "%s has no event and no term \"%s\"\n%s/%s/events and %s/%s/format have "
			 "the names of its events and terms",
		    m->pmu->name, key, m->folder, m->pmu->name, m->folder, m->pmu->name);
}

/* r1a8 */
static bool is_raw(const char *key, uint64_t *config)
{
	const char *at = key + 1;

	return *key == 'r' && scan_hex(&at, UINT64_MAX, config) && !*at;
}

/* KEY=VALUE, or KEY alone, which means 1. */
static int place_term(struct making *m, const char *key, const char *text, struct error *err)
{
	struct perf_event_attr *attr = &m->event->attr;
	char format[128];
	struct error why = { };
	uint64_t value = 1;

	if (text && !strcmp(text, "?"))
		return fail(err, "%s/%s/: it needs a value, %s=N", m->pmu->name, key, key);
	if (text && !read_value(text, &value))
		return fail(err, "%s/%s=%s/: the value is a number, as 60 or 0x3c", m->pmu->name,
			    key, text);
	if (pmu_file(m, "format", key, "", format, sizeof(format)))
		return pmu_place(format, value, attr, &why) ?
			fail(err, "%s/%s/: %s", m->pmu->name, key, why.text) : 0;
	if (!strcmp(key, "config") && text)
		attr->config = value;
	else if (!strcmp(key, "config1") && text)
		attr->config1 = value;
	else if (!strcmp(key, "config2") && text)
		attr->config2 = value;
	else if (!text && is_raw(key, &value))
		attr->config = value;
	else
		return no_such_term(m, key, err);
	return 0;
}

/* Is KEY=VALUE among these terms? What an event's name leaves open is given beside it. */
static bool is_given(const char *terms, const char *key)
{
	size_t n = strlen(key);

	for (const char *at = terms; (at = strstr(at, key)); at++)
		if ((at == terms || at[-1] == ',') && at[n] == '=')
			return true;
	return false;
}

static void read_unit(struct making *m, const char *name)
{
	char text[128];

	if (pmu_file(m, "events", name, ".scale", text, sizeof(text)))
		pmu_scale(text, &m->event->scale);
	if (pmu_file(m, "events", name, ".unit", text, sizeof(text)))
		text_all(m->event->unit, sizeof(m->event->unit), "%s", text);
	if (pmu_file(m, "events", name, ".per-pkg", text, sizeof(text)))
		m->event->per_package = *text == '1';
}

/* What the kernel calls an event: its terms. */
static int place_named(struct making *m, const char *name, char *its, const char *terms,
		       struct error *err)
{
	for (char *term, *value; (term = strsep(&its, ","));) {
		value = strchr(term, '=');
		if (value)
			*value++ = '\0';
		if (value && !strcmp(value, "?") && is_given(terms, term))
			continue;
		if (*term && place_term(m, term, value, err))
			return -1;
	}
	read_unit(m, name);
	return 0;
}

/* cpu/cycles/: a CPU's PMU counts what is known everywhere. */
static bool is_generic(struct making *m, const char *key)
{
	struct stat_name found;

	if (!m->pmu->core || !stat_name_find(key, strlen(key), &found) ||
	    found.type == PERF_TYPE_SOFTWARE)
		return false;
	m->event->attr.type = found.type;
	m->event->attr.config = found.config;
	if (m->pmus->cores > 1)
		m->event->attr.config |= (uint64_t)m->pmu->type << 32;
	return true;
}

static int make_event(struct making *m, const char *terms, struct error *err)
{
	char copy[TERMS], named[TERMS], *rest = copy;

	if (strlen(terms) >= sizeof(copy))
		return fail(err, "%s/.../: more than %d bytes of terms", m->pmu->name, TERMS - 1);
	text_all(copy, sizeof(copy), "%s", terms);
	for (char *term, *value; (term = strsep(&rest, ","));) {
		value = strchr(term, '=');
		if (value)
			*value++ = '\0';
		if (value && !strcmp(term, "name")) {
			m->name = *value ? terms + (value - copy) : NULL;
			continue;
		}
		if (!value && pmu_file(m, "events", term, "", named, sizeof(named))) {
			if (place_named(m, term, named, terms, err))
				return -1;
		} else if (!*term ? fail(err, "%s//: terms are missing", m->pmu->name) :
			   (value || !is_generic(m, term)) && place_term(m, term, value, err)) {
			return -1;
		}
	}
	return 0;
}

static int add_event(const struct stat_source *from, const struct pmus *pmus,
		     const struct pmu *pmu, const char *terms, struct stat_events *to,
		     struct error *err)
{
	char name[TERMS + 80];
	struct making m = { .folder = from->pmus, .pmus = pmus, .pmu = pmu };

	text_all(name, sizeof(name), "%s/%s/", pmu->name, terms);
	m.event = stat_event_add(to, name, err);
	if (!m.event)
		return -1;
	m.event->attr.type = pmu->type;
	m.event->hardware = pmu->core;
	if (make_event(&m, terms, err))
		return -1;
	if (m.name) {
		free(m.event->name);
		m.event->name = strndup(m.name, strcspn(m.name, ","));
	}
	if (pmu->cpus)
		m.event->cpus = strdup(pmu->cpus);
	return m.event->name && (m.event->cpus || !pmu->cpus) ? 0 : fail(err, "out of memory");
}

/* uncore_imc is uncore_imc_0, uncore_imc_1 ... */
static bool is_numbered(const char *pmu, const char *name)
{
	size_t n = strlen(name);
	const char *at = pmu + n;
	uint64_t number;

	return !strncmp(pmu, name, n) && scan_text(&at, "_") &&
		scan_number(&at, UINT32_MAX, &number) && !*at;
}

int pmu_events_add(const struct stat_source *from, const struct pmus *pmus, const char *name,
		   const char *terms, struct stat_events *to, struct error *err)
{
	struct expression *glob = expression_of_glob(name, err);
	unsigned int before = to->n;
	int status = 0;

	if (!glob)
		return -1;
	for (int numbered = 0; numbered < 2 && to->n == before && !status; numbered++)
		for (unsigned int i = 0; i < pmus->n && !status; i++)
			if (numbered ? is_numbered(pmus->list[i].name, name) :
			    expression_matches(glob, pmus->list[i].name))
				status = add_event(from, pmus, &pmus->list[i], terms, to, err);
	expression_free(glob);
	if (!status && to->n == before)
		return fail(err, "this machine has no PMU \"%s\"\n`ls %s` lists its PMUs", name,
			    from->pmus);
	return status;
}

int pmu_named_add(const struct stat_source *from, const struct pmus *pmus, const char *name,
		  struct stat_events *to, struct error *err)
{
	char text[TERMS];

	for (unsigned int i = 0; i < pmus->n; i++) {
		const struct making m = { .folder = from->pmus, .pmu = &pmus->list[i] };

		if (pmu_file(&m, "events", name, "", text, sizeof(text)) &&
		    add_event(from, pmus, m.pmu, name, to, err))
			return -1;
	}
	return 0;
}
