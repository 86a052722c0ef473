// SPDX-License-Identifier: GPL-2.0
#include "compat/types/function.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/bpf.h"
#include "compat/base/text.h"
#include "compat/kernel/keep.h"
#include "compat/types/offsets.h"

/* What is known of a function. Reading a module's type information takes time. */
struct found {
	struct found *next;
	int result;
	struct prototype prototype;
	struct error why;
	char name[];
};

/* A module's BTF in the kernel, as programs of its functions name it. */
struct module {
	struct module *next;
	int fd;
	char name[];
};

struct functions {
	struct found *known;
	struct module *modules;
};

static void end(void *kept)
{
	struct functions *all = kept;

	for (struct found *f = all->known, *next; f; f = next) {
		next = f->next;
		free(f);
	}
	for (struct module *m = all->modules, *next; m; m = next) {
		next = m->next;
		close(m->fd);
		free(m);
	}
}

/* Returns NULL if there is no memory. */
static struct functions *functions_of(struct kernel *k)
{
	static const struct kernel_key key = { sizeof(struct functions), end };

	return kernel_keep(k, &key);
}

/* Finds the function in one file. Returns its number, or 0. */
static uint32_t find_in(struct btf *btf, const char *name, char line[PROTOTYPE_LINE],
			struct error *err)
{
	unsigned int found;
	const uint32_t id = btf_named(btf, 1 << BTF_FUNCTION, name, strlen(name), &found);
	struct btf_type t;
	FILE *out;
	bool known;

	if (!id || found > 1) {
		fail(err, id ? "BTF has several functions of that name" :
			       "BTF does not have the function");
		return 0;
	}
	out = fmemopen(line, PROTOTYPE_LINE, "w");
	if (!out) {
		fail_with(err, ENOMEM, "out of memory");
		return 0;
	}
	fputs(name, out);
	known = btf_type(btf, id, &t) && prototype_write(btf, t.target, 0, true, out);
	if (!fclose(out) && known)
		return id;
	fail(err, "an argument has more than 8 bytes");
	return 0;
}

/* The file with the types of a module. Returns NULL, and err, if there is none. */
static struct btf *open_module(struct btf *base, const char *module, struct error *err)
{
	char path[96];
	int fd;

	text_all(path, sizeof(path), "/sys/kernel/btf/%s", module);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		return btf_split(fd, base, err);
	fail_with(err, errno, "%s: %m", path);
	return NULL;
}

static int module_fd(struct functions *all, const char *name, struct error *err)
{
	struct module *m = all->modules;
	int fd;

	while (m && strcmp(m->name, name))
		m = m->next;
	if (m)
		return m->fd;
	fd = bpf_module_btf(name);
	if (fd < 0)
		return fail_with(err, -fd,
				 "the kernel does not hand out the types of module %s: %m", name);
	m = calloc(1, sizeof(*m) + strlen(name) + 1);
	if (!m) {
		close(fd);
		return fail_with(err, ENOMEM, "out of memory");
	}
	m->fd = fd;
	strcpy(m->name, name);
	m->next = all->modules;
	all->modules = m;
	return fd;
}

/* The line of a function, its number, and the name of its module. Returns 0, or -1 and err. */
static int find_line(struct kernel *k, const char *name, const char *module,
		     char line[PROTOTYPE_LINE], uint32_t *id, const char **in, struct error *err)
{
	struct btf *base, *own;

	*in = NULL;
	*id = 0;
	if (!kernel_live(k))
		return prototype_find(kernel_text(k, "functions-typed"), name, line) ? 0 :
		       fail(err, "the snapshot does not have its arguments");
	base = kernel_btf(k, err);
	if (!base)
		return -1;
	*id = find_in(base, name, line, err);
	if (*id || !module)
		return *id ? 0 : -1;
	own = open_module(base, module, err);
	*id = own ? find_in(own, name, line, err) : 0;
	btf_free(own);
	*in = module;
	return *id ? 0 : -1;
}

static int find(struct functions *all, struct kernel *k, const char *name, const char *module,
		struct prototype *to, struct error *err)
{
	char line[PROTOTYPE_LINE];
	const char *in;
	uint32_t id;

	if (find_line(k, name, module, line, &id, &in, err) ||
	    prototype_parse(line, true, to, err))
		return -1;
	to->id = id;
	to->types = in ? module_fd(all, in, err) : 0;
	return to->types < 0 ? -1 : 0;
}

int kernel_function_prototype(struct kernel *k, const char *name, const char *module,
			      struct prototype *to, struct error *err)
{
	struct functions *all = functions_of(k);
	struct found *f = all ? all->known : NULL;

	*to = (struct prototype){ };
	while (f && strcmp(f->name, name))
		f = f->next;
	if (!f) {
		f = all ? calloc(1, sizeof(*f) + strlen(name) + 1) : NULL;
		if (!f)
			return fail_with(err, ENOMEM, "out of memory");
		strcpy(f->name, name);
		f->result = find(all, k, name, module, &f->prototype, &f->why);
		f->next = all->known;
		all->known = f;
	}
	*to = f->prototype;
	return f->result ? fail_with(err, f->why.number, "%s", f->why.text) : 0;
}

bool function_prototype_line(struct kernel *k, const char *name, const char *module,
			     char line[PROTOTYPE_LINE])
{
	struct error why = { };
	const char *in;
	uint32_t id;

	return !find_line(k, name, module, line, &id, &in, &why);
}
