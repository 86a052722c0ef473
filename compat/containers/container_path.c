// SPDX-License-Identifier: GPL-2.0
#include "compat/containers/container_path.h"

#include <string.h>

#define UID_DIGITS 32			/* of a pod, beside four - or _ */

enum takes { DIGITS, NAME };

/*
 * A component of a path, without .scope behind it. Rows of several engines may match: the first one
 * does. Their sources are what the engines' own code writes; see the paths in the unit test.
 */
static const struct form {
	const char *engine;
	const char *parent;		/* the component above, or its beginning and *; NULL: any */
	const char *begins, *ends;	/* around the id */
	enum takes takes;
} forms[] = {
	{ "docker", NULL, "docker-", "", DIGITS },
	{ "docker", "docker", "", "", DIGITS },
	{ "podman", NULL, "libpod-payload-", "", DIGITS },
	{ "podman", NULL, "libpod-", "", DIGITS },
	{ "podman", NULL, "podman-", "", DIGITS },		/* RHEL 8 */
	{ "cri-o", NULL, "crio-", "", DIGITS },
	{ "containerd", NULL, "cri-containerd-", "", DIGITS },
	/* A runtime of one cgroup driver that is asked in the other one's words. */
	{ "containerd", NULL, "*:cri-containerd:", "", DIGITS },
	{ "containerd", NULL, "nerdctl-", "", DIGITS },
	{ "kubernetes", "pod*", "", "", DIGITS },
	{ "runc", NULL, "runc-", "", NAME },
	{ "lxc", NULL, "lxc.payload.", "", NAME },
	{ "lxc", "lxc.payload", "", "", NAME },
	{ "lxc", "lxc", "", "", NAME },
	{ "nspawn", NULL, "systemd-nspawn@", ".service", NAME },
	{ "machine", "machine.slice", "machine-", "", NAME },
	{ "oci", NULL, "", "", DIGITS },
};

struct component {
	const char *s;
	size_t n;
};

static bool is_component(struct component c, const char *pattern)
{
	const size_t n = strcspn(pattern, "*");

	return pattern[n] ? c.n >= n && !memcmp(c.s, pattern, n) :
		c.n == n && !memcmp(c.s, pattern, n);
}

static bool ends_with(struct component c, const char *end)
{
	const size_t n = strlen(end);

	return c.n > n && !memcmp(c.s + c.n - n, end, n);
}

/* What is behind the beginning; with * in front of it, behind its last place. */
static bool pass(struct component *c, const char *begins)
{
	const size_t n = strlen(begins);

	if (*begins != '*') {
		if (c->n <= n || memcmp(c->s, begins, n) != 0)
			return false;
		c->s += n;
		c->n -= n;
		return true;
	}
	for (size_t at = c->n; at-- > 0;)
		if (at + n - 1 < c->n && !memcmp(c->s + at, begins + 1, n - 1)) {
			c->s += at + n - 1;
			c->n -= at + n - 1;
			return true;
		}
	return false;
}

static bool is_digits(struct component c)
{
	if (c.n != CONTAINER_ID)
		return false;
	for (size_t i = 0; i < c.n; i++)
		if (!memchr("0123456789abcdef", c.s[i], 16))
			return false;
	return true;
}

static bool matches(const struct form *f, struct component above, struct component c,
		    struct component *id)
{
	if (f->parent && !is_component(above, f->parent))
		return false;
	if (ends_with(c, ".scope"))
		c.n -= strlen(".scope");
	if (!pass(&c, f->begins))
		return false;
	if (*f->ends && !ends_with(c, f->ends))
		return false;
	c.n -= strlen(f->ends);
	*id = c;
	return f->takes == NAME ? c.n > 0 : is_digits(c);
}

/* Slices are above units; the runtime's own tasks (conmon) are beside the container's. */
static bool is_no_container(struct component c)
{
	return ends_with(c, ".mount") || ends_with(c, ".slice") ||
	       memmem(c.s, c.n, "conmon", strlen("conmon"));
}

/* "podUID", "kubepods-burstable-podUID.slice"; - in the uid is _ there. Static pods have no -. */
static bool pod_in(struct component c, struct component *uid)
{
	size_t digits = 0;

	if (ends_with(c, ".slice"))
		c.n -= strlen(".slice");
	if (!pass(&c, "*-pod") && !pass(&c, "pod"))
		return false;
	for (size_t i = 0; i < c.n; i++) {
		const bool digit = memchr("0123456789abcdef", c.s[i], 16);

		if (!digit && c.s[i] != '-' && c.s[i] != '_')
			return false;
		digits += digit;
	}
	*uid = c;
	return digits == UID_DIGITS;
}

/* The next component from *at on; false: there are no more. */
static bool next(const char **at, struct component *c)
{
	while (**at == '/')
		++*at;
	*c = (struct component){ *at, strcspn(*at, "/") };
	*at += c->n;
	return c->n > 0;
}

bool container_of_path(const char *path, struct container_path *c)
{
	struct component above = { "", 0 }, one, id, pod = { NULL, 0 };
	const char *at = path;

	*c = (struct container_path){ };
	for (; next(&at, &one); above = one) {
		struct component uid;

		if (pod_in(one, &uid))
			pod = uid;
		for (size_t i = 0; !is_no_container(one) && i < sizeof(forms) / sizeof(*forms); i++)
			if (matches(&forms[i], above, one, &id)) {
				*c = (struct container_path){
					forms[i].engine, id.s, id.n, forms[i].takes == NAME,
					pod.s, pod.n, (size_t)(at - path),
				};
				return true;
			}
	}
	return false;
}

bool container_at_path(const char *path, struct container_path *c)
{
	return container_of_path(path, c) && !path[c->length];
}

const char *unit_of_path(const char *path, size_t *n, size_t *length)
{
	const char *at = path, *unit = NULL;
	struct component one;

	while (next(&at, &one))
		if (ends_with(one, ".service") || ends_with(one, ".scope") ||
		    ends_with(one, ".mount")) {
			unit = one.s;
			*n = one.n;
			*length = (size_t)(at - path);
		}
	return unit;
}
