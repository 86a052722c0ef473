// SPDX-License-Identifier: GPL-2.0
#include "compat/probing/running.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"
#include "compat/kernel/kallsyms.h"
#include "compat/probing/probe.h"

#define TEXT_MAX (16u << 20)
#define TRACEFS_TYPE 0x74726163
#define DEBUGFS_TYPE 0x64626720

/*
 * The version that the kernel was built as, from the note "Linux" in the vDSO. The release in uname
 * may be the number of a package ("6.1.0-50-cloud-amd64" is 6.1.176). Kernels up to 4.19 refuse
 * kprobe programs of another version.
 */
static unsigned int vdso_version(void)
{
	const char *base = (const char *)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Ehdr) *elf = (const void *)base;
	const ElfW(Phdr) *segment;
	const ElfW(Nhdr) *note;
	const char *at, *end, *name;
	uint32_t code;

	if (!base)
		return 0;
	segment = (const void *)(base + elf->e_phoff);
	for (unsigned int i = 0; i < elf->e_phnum; i++, segment++) {
		if (segment->p_type != PT_NOTE)
			continue;
		at = base + segment->p_offset;
		for (end = at + segment->p_filesz; at + sizeof(*note) <= end;) {
			note = (const void *)at;
			name = at + sizeof(*note);
			at = name + ((note->n_namesz + 3) & ~3u);
			if (note->n_type == 0 && note->n_namesz == 6 && note->n_descsz == 4 &&
			    memcmp(name, "Linux", 6) == 0) {
				memcpy(&code, at, sizeof(code));
				return code;
			}
			at += (note->n_descsz + 3) & ~3u;
		}
	}
	return 0;
}

static bool live_identity(struct kernel *k, struct kernel_identity *to)
{
	struct utsname name;
	int old = personality(0xffffffff);
	/* setarch makes uname lie: "i686" on x86_64, "2.6.60" for 4.20. */
	bool lies = old != -1 && (old & (PER_MASK | UNAME26));

	if (lies)
		personality(PER_LINUX);
	(void)k;
	if (uname(&name) != 0)
		memset(&name, 0, sizeof(name));
	if (lies)
		personality(old);
	text_cut(to->release, sizeof(to->release), "%s", name.release);
	text_cut(to->version, sizeof(to->version), "%s", name.version);
	to->arch = arch_by_name(name.machine);
	to->version_code = vdso_version();
	if (!to->version_code)
		to->version_code = version_parse(name.release);
	return true;
}

static bool has_type(const char *dir, unsigned int type)
{
	struct statfs fs;

	return statfs(dir, &fs) == 0 && (unsigned int)fs.f_type == type;
}

/*
 * debugfs mounts tracefs on its own folder `tracing` when a process enters the folder. Before 4.1
 * the folder itself has the files.
 */
static char *live_tracefs(struct kernel *k)
{
	static const char own[] = "/sys/kernel/tracing", debug[] = "/sys/kernel/debug",
		old[] = "/sys/kernel/debug/tracing";

	(void)k;
	if (has_type(own, TRACEFS_TYPE) ||
	    (mount("tracefs", own, "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0))
		return strdup(own);
	if (has_type(old, TRACEFS_TYPE) || has_type(old, DEBUGFS_TYPE))
		return strdup(old);
	if (mount("debugfs", debug, "debugfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0 &&
	    (has_type(old, TRACEFS_TYPE) || has_type(old, DEBUGFS_TYPE)))
		return strdup(old);
	return NULL;
}

static char *live_config(struct kernel *k, size_t *length)
{
	static const char *const places[] = { "/boot/config-%s", "/lib/modules/%s/config",
					      "/usr/lib/modules/%s/config" };
	char path[128], *text = gz_text("/proc/config.gz", TEXT_MAX, length);

	for (unsigned int i = 0; !text && i < sizeof(places) / sizeof(*places); i++) {
		text_all(path, sizeof(path), places[i], kernel_release(k));
		text = file_text(path, TEXT_MAX, length);
	}
	return text;
}

#define DEVICES "/sys/bus/event_source/devices"

/* Writes the line `key value` if the file can be read; its first line is the value. */
static void write_value(FILE *out, const char *key, const char *path)
{
	char *text = file_text(path, 4096, NULL);

	if (text)
		fprintf(out, "%s %.*s\n", key, (int)strcspn(text, "\n"), text);
	free(text);
}

static void write_pmus(FILE *out)
{
	DIR *dir = opendir(DEVICES);
	struct dirent *entry;
	char path[384];

	while (dir && (entry = readdir(dir))) {
		text_all(path, sizeof(path), DEVICES "/%s/type", entry->d_name);
		if (entry->d_name[0] != '.')
			write_value(out, entry->d_name, path);
	}
	if (dir)
		closedir(dir);
}

static void write_pmu_formats(FILE *out)
{
	static const char *const files[] = { "kprobe/format/retprobe", "uprobe/format/retprobe",
					     "uprobe/format/ref_ctr_offset" };
	char path[96];

	for (unsigned int i = 0; i < sizeof(files) / sizeof(*files); i++) {
		text_all(path, sizeof(path), DEVICES "/%s", files[i]);
		write_value(out, files[i], path);
	}
}

static void write_limits(FILE *out)
{
	static const char *const files[] = {
		"kernel/perf_event_paranoid", "kernel/perf_event_max_stack",
		"kernel/perf_event_max_contexts_per_stack", "kernel/perf_event_max_sample_rate",
		"kernel/perf_event_mlock_kb", "kernel/kptr_restrict",
		"kernel/unprivileged_bpf_disabled", "net/core/bpf_jit_enable",
		"net/core/bpf_jit_harden", "net/core/bpf_jit_limit", "kernel/ftrace_enabled",
		"kernel/stack_tracer_enabled", "debug/kprobes-optimization",
		"kernel/bpf_stats_enabled", "kernel/randomize_va_space", "kernel/yama/ptrace_scope",
		"abi/vsyscall32", "abi/cp15_barrier",	/* with 32-bit tasks: x86, arm64 */
	};
	char path[96];

	for (unsigned int i = 0; i < sizeof(files) / sizeof(*files); i++) {
		text_all(path, sizeof(path), "/proc/sys/%s", files[i]);
		write_value(out, files[i], path);
	}
	write_value(out, "security/lockdown", "/sys/kernel/security/lockdown");
	write_value(out, "debug/sched/preempt", "/sys/kernel/debug/sched/preempt");
}

static char *written(void (*write)(FILE *out), size_t *length)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, length);

	if (!out)
		return NULL;
	write(out);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static char *live_text(struct kernel *k, const char *path, size_t *length)
{
	char full[320];

	if (strcmp(path, "config") == 0)
		return live_config(k, length);
	if (strcmp(path, "bpf-check") == 0)
		return probe_bpf_check(k, length);
	if (strcmp(path, "pmu") == 0)
		return written(write_pmus, length);
	if (strcmp(path, "pmu-formats") == 0)
		return written(write_pmu_formats, length);
	if (strcmp(path, "limits") == 0)
		return written(write_limits, length);
	if (path[0] == '/')
		return file_text(path, TEXT_MAX, length);
	if (strncmp(path, "tracefs:", 8) != 0 || !kernel_tracefs(k) ||
	    snprintf(full, sizeof(full), "%s/%s", kernel_tracefs(k), path + 8) >= (int)sizeof(full))
		return NULL;
	return file_text(full, TEXT_MAX, length);
}

/* Code that BPF and ftrace made at run time is skipped. */
static int live_functions(struct kernel *k, symbol_fn each, void *arg)
{
	struct kallsyms_reader r;
	struct kallsyms_line l;
	int got;

	(void)k;
	if (kallsyms_open(&r, NULL))
		return -1;
	while ((got = kallsyms_next(&r, &l)) > 0)
		if (kallsyms_is_code(&l) && !kallsyms_is_made(&l))
			each(arg, l.type, l.name, l.length);
	kallsyms_close(&r);
	return got;
}

static const struct facts facts = {
	.live = true,
	.identity = live_identity,
	.tracefs = live_tracefs,
	.text = live_text,
	.functions = live_functions,
	.feature = probe_feature,
};

struct kernel *kernel_running(void)
{
	return kernel_new(&facts);
}
