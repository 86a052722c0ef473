// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/recorded/recorded_kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/kernel/kallsyms.h"
#include "compat/recordings/recording_symbols.h"

struct recorded_kernel {
	const struct recording *recording;
	const char *kallsyms;
	struct kernel_symbols *names;	/* NULL: it was not decided yet */
	bool has_names;
	bool checked;			/* the file is of the recorded kernel */
	bool doubted;			/* a name was not given that may be wrong */
	bool missed;			/* an address has no name */
};

struct recorded_kernel *recorded_kernel_new(const struct recording *recording,
					    const char *kallsyms)
{
	struct recorded_kernel *k = calloc(1, sizeof(*k));

	if (k) {
		k->recording = recording;
		k->kallsyms = kallsyms;
	}
	return k;
}

void recorded_kernel_free(struct recorded_kernel *k)
{
	if (!k)
		return;
	kernel_symbols_free(k->names);
	free(k);
}

/*
 * Was the kernel at the address that it has in this copy of /proc/kallsyms? path NULL: the running
 * kernel's own. Returns -1 and sets err if not.
 */
static int is_where(const struct recorded_code *code, const char *path, struct error *err)
{
	const char *name = path ? path : "/proc/kallsyms";
	uint64_t address = 0;
	const int found = kallsyms_find_in(path, code->symbol, &address);

	if (found < 0)
		return fail_with(err, errno, "can't read %s: %m", name);
	if (!found)
		return fail(err, "%s has no %s", name, code->symbol);
	if (!address)
		return fail(err, "%s has no addresses: they are for root", name);
	return address == code->base ? 0 :
	       fail(err, "%s has %s at %llx, and the recorded kernel had it at %llx", name,
		    code->symbol, (unsigned long long)address, (unsigned long long)code->base);
}

/* Is the running kernel the recorded one, at the same addresses? */
static int is_running(const struct recorded_code *code, struct error *err)
{
	uint8_t id[BUILD_ID];

	if (!code->identified)
		return fail(err, "the recording does not tell the kernel's build id");
	if (kernel_build_id(id))
		return fail(err, "this machine's kernel has no build id");
	if (memcmp(id, code->build_id, sizeof(id)))
		return fail(err, "another kernel was recorded than this machine's");
	return is_where(code, NULL, err);
}

bool recorded_kernel_runs(const struct recorded_kernel *k)
{
	const struct recorded_code *code = recording_code(k->recording);
	uint8_t id[BUILD_ID];

	return code->identified && !kernel_build_id(id) && !memcmp(id, code->build_id, sizeof(id));
}

static int decide(const struct recorded_kernel *k, struct error *err)
{
	const struct recorded_code *code = recording_code(k->recording);
	struct error why = { };

	if (!code->start)
		return fail(err, "the recording does not tell where its kernel was (perf notes it "
				 "for root)");
	if (k->kallsyms)
		return is_where(code, k->kallsyms, err);
	if (!is_running(code, &why))
		return 0;
	return fail(err, "%s\ncopy /proc/kallsyms there as root, before that machine starts again: "
			 "--kallsyms FILE takes it", why.text);
}

static void choose(struct recorded_kernel *k)
{
	struct error why = { };

	if (k->names)
		return;
	k->has_names = !decide(k, &why);
	k->names = k->has_names ? kernel_symbols_new(k->kallsyms, "/dev/null") :
		   kernel_symbols_none(why.text);
}

int recorded_kernel_check(struct recorded_kernel *k, struct error *err)
{
	const struct recorded_code *code = recording_code(k->recording);
	struct error why = { };

	if (k->checked || !k->kallsyms || !code->start)
		return 0;
	if (is_where(code, k->kallsyms, &why))
		return fail(err, "--kallsyms: %s\nthe file has to be of the recorded machine, and "
				 "of the same start of it", why.text);
	k->checked = true;
	return 0;
}

static bool of_recording(struct recorded_kernel *k, uint64_t address, char name[KERNEL_NAME],
			 uint64_t *start, const char **module)
{
	const struct recorded_function *f = recording_function(k->recording, address);
	const char *found;

	if (f) {
		text_cut(name, KERNEL_NAME, "%s", f->name);
		*start = f->start;
		*module = f->bpf ? "bpf" : "";
		return true;
	}
	found = recording_kernel_symbol(k->recording, address, start, module);
	if (found)
		text_cut(name, KERNEL_NAME, "%s", found);
	return found;
}

/*
 * Is the function one that was there when it was recorded? All of the kernel itself was; callers in
 * its beginning, as start_kernel(), are behind the end that the recording tells.
 */
static bool was_there(const struct recorded_kernel *k, const char *module)
{
	if (!*module)
		return true;
	return k->kallsyms && strcmp(module, "bpf") && strncmp(module, "__builtin__", 11);
}

bool recorded_kernel_find(struct recorded_kernel *k, uint64_t address, char name[KERNEL_NAME],
			  uint64_t *start, const char **module)
{
	choose(k);
	if (of_recording(k, address, name, start, module))
		return true;
	if (!k->has_names || !k->names ||
	    !kernel_symbols_find(k->names, address, name, start, module)) {
		k->missed = true;
		return false;
	}
	if (was_there(k, *module))
		return true;
	k->doubted = true;
	return false;
}

void recorded_kernel_want(struct recorded_kernel *k, const uint64_t *addresses, size_t n)
{
	if (!n)
		return;
	choose(k);
	if (k->names)
		kernel_symbols_want(k->names, addresses, n);
}

const char *recorded_kernel_lack(const struct recorded_kernel *k)
{
	const char *lack = k->names && k->missed &&
		!recording_names(k->recording, "[kernel.kallsyms]") ?
		kernel_symbols_lack(k->names) : NULL;

	/* What the recording itself does not name, its recorder did not know either. */
	if (lack || !k->doubted)
		return lack;
	return k->kallsyms ? "some are in BPF programs, which may be others than those recorded" :
	       "some are in modules or BPF programs, which may be others than those recorded "
	       "(--kallsyms FILE names those in modules)";
}
