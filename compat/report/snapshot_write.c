// SPDX-License-Identifier: GPL-2.0
#include "compat/report/snapshot_write.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "compat/base/scan.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/hooks/hooks.h"
#include "compat/kernel/facts.h"
#include "compat/types/function.h"
#include "compat/types/iterators.h"
#include "compat/types/offsets.h"
#include "compat/types/raw.h"

struct writer {
	struct kernel *k;
	const char *dir;
	int fd;				/* the folder itself: its path may lead elsewhere later */
	struct error *err;
};

static int failed(struct writer *w, const char *file)
{
	return fail_with(w->err, errno, "can't write %s/%s: %m", w->dir, file);
}

/* Writes the low bytes of the value, the lowest first. */
static void put_number(FILE *out, uint32_t value, unsigned int bytes)
{
	for (; bytes--; value >>= 8)
		putc((int)(value & 0xff), out);
}

/*
 * Writes the gzip format (RFC 1952) without compression: a deflater would add 40 KB to the binary,
 * for a folder that a user packs and sends once. Each block begins with a bit for the last block,
 * its length, and the complement of the length.
 */
static void write_stored(FILE *out, const char *text, size_t length)
{
	static const char head[10] = { 0x1f, (char)0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };
	size_t at = 0, n;

	fwrite(head, 1, sizeof(head), out);
	do {
		n = length - at > 0xffff ? 0xffff : length - at;
		put_number(out, at + n == length, 1);
		put_number(out, (uint32_t)n, 2);
		put_number(out, ~(uint32_t)n, 2);
		fwrite(text + at, 1, n, out);
		at += n;
	} while (at < length);
	put_number(out, (uint32_t)crc32(0, (const Bytef *)text, (uInt)length), 4);
	put_number(out, (uint32_t)length, 4);
}

/* Writes a file, as gzip if its name ends with .gz. Writes no file if `text` is NULL. */
static int write_file(struct writer *w, const char *file, const char *text, size_t length)
{
	size_t n = strlen(file);
	FILE *out = NULL;
	bool good;
	int fd;

	if (!text)
		return 0;
	errno = 0;
	fd = openat(w->fd, file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd >= 0 && !(out = fdopen(fd, "w")))
		close(fd);
	if (out && n > 3 && strcmp(file + n - 3, ".gz") == 0)
		write_stored(out, text, length);
	else if (out)
		fwrite(text, 1, length, out);
	good = out && !ferror(out);
	good &= out && fclose(out) == 0;
	return good ? 0 : failed(w, file);
}

static int write_line(struct writer *w, const char *file, const char *line)
{
	char text[512];

	return write_file(w, file, text, snprintf(text, sizeof(text), "%s\n", line));
}

static bool is_empty(int fd)
{
	DIR *dir = fdopendir(dup(fd));
	struct dirent *entry;
	bool empty = dir;

	while (dir && (entry = readdir(dir)))
		empty &= strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	if (dir)
		closedir(dir);
	return empty;
}

/*
 * The folder has to be empty, because facts of two kernels must not mix. Other users must not be
 * able to write to it, because their links would lead sonde's files elsewhere.
 */
static int make_dir(struct writer *w)
{
	struct stat st;

	if (mkdir(w->dir, 0755) != 0 && errno != EEXIST)
		return fail_with(w->err, errno, "can't make the folder %s: %m", w->dir);
	w->fd = open(w->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (w->fd < 0 || fstat(w->fd, &st) != 0)
		return fail_with(w->err, errno, "%s is not a folder that can be written to: %s\n"
				 "give another folder",
				 w->dir, errno == ELOOP ? "it is a link" : strerror(errno));
	if (st.st_uid != geteuid() || st.st_mode & (S_IWGRP | S_IWOTH))
		return fail(w->err, "other users may write to the folder %s, and could replace its "
				    "files by links\ngive a new folder", w->dir);
	if (is_empty(w->fd))
		return 0;
	return fail(w->err, "the folder %s is not empty, and facts of two kernels would be mixed\n"
			    "give another folder", w->dir);
}

static int write_identity(struct writer *w)
{
	char text[320];
	int result;

	text_cut(text, sizeof(text), "Linux host %s %s %s GNU/Linux", kernel_release(w->k),
		 kernel_version_text(w->k), kernel_arch(w->k)->name);
	result = write_line(w, "uname", text);
	snprintf(text, sizeof(text), "%u", kernel_version_code(w->k));
	return result || write_line(w, "version-code", text) ? -1 : 0;
}

static int write_features(struct writer *w)
{
	static const char *const answers[] = {
		[NO] = "no", [YES] = "yes", [UNEXPECTED] = "unexpected", [EXPECTED] = "expected",
	};
	char *text, words[FEATURE_REASON];
	struct strbuf lines = { };
	size_t length;
	int result;

	for (enum feature f = 0; f < FEATURES; f++) {
		struct feature_reason reason = kernel_feature_reason(w->k, f);

		feature_reason_words(&reason, words, sizeof(words));
		strbuf_addf(&lines, "%s %s%s%s\n", feature_name(f),
			    answers[kernel_feature(w->k, f)], *words ? " " : "", words);
	}
	length = lines.n;
	text = strbuf_take(&lines);
	if (!text)
		return failed(w, "features");
	result = write_file(w, "features", text, length);
	free(text);
	return result;
}

/* Functions of several rows have several equal lines. */
static void write_alternative(struct kernel *k, const struct hook *h, const struct alternative *a,
			      FILE *out)
{
	char line[PROTOTYPE_LINE];

	for (unsigned int i = 0; i < a->n_probes; i++) {
		const struct probe *p = &a->probes[i];

		if ((p->kind == PROBE_KPROBE || p->kind == PROBE_KRETPROBE) &&
		    function_prototype_line(k, p->name, h->module, line))
			fprintf(out, "%s\n", line);
	}
}

/*
 * Iterators, and the functions that rows of the hook tables name, as far as type information has
 * them.
 */
static int write_prototypes(struct writer *w)
{
	char *text = NULL;
	size_t length;
	int result;
	FILE *out = open_memstream(&text, &length);

	for (const struct hook *const *area = hooks; out && *area; area++)
		for (const struct hook *h = *area; h->name; h++)
			for (unsigned int i = 0; i < h->n_alternatives; i++)
				write_alternative(w->k, h, &h->alternatives[i], out);
	if (out)
		iterators_write(w->k, out);
	if (!out || fclose(out))
		return failed(w, "functions-typed");
	result = length ? write_file(w, "functions-typed", text, length) : 0;
	free(text);
	return result;
}

static int write_offsets(struct writer *w)
{
	size_t length = 0;
	char *text = offsets_text(w->k, &length);
	int result = write_file(w, "offsets", text, length);

	free(text);
	text = result ? NULL : raw_arguments_text(w->k, &length);
	if (text)
		result = write_file(w, "raw-tracepoints", text, length);
	if (text && !result)
		result = write_prototypes(w);
	offsets_done(w->k);
	free(text);
	return result;
}

/* Copies texts of the kernel. */
static int write_texts(struct writer *w)
{
	static const struct {
		const char *path, *file;
	} texts[] = {
		{ "tracefs:README", "tracefs-README" },
		{ "tracefs:available_tracers", "available_tracers" },
		{ "tracefs:trace_clock", "trace_clock" },
		{ "pmu", "pmu" },
		{ "pmu-formats", "pmu-formats" },
		{ "limits", "cmdline-limits" },
		{ "/proc/filesystems", "filesystems" },
		{ "bpf-check", "bpf-check" },
	};
	const char *text;
	size_t length;

	if (kernel_tracefs(w->k) && write_line(w, "tracefs-path", kernel_tracefs(w->k)) != 0)
		return -1;
	for (unsigned int i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		text = kernel_data(w->k, texts[i].path, &length);
		if (write_file(w, texts[i].file, text, length) != 0)
			return -1;
	}
	return 0;
}

/*
 * Returns true for a system of events that were made at run time: the names of such systems may
 * tell of people and programs.
 */
static bool is_own_system(const char *definitions, const char *system, size_t length)
{
	static const char *const made[] = { "synthetic", "user_events", "kprobes", "uprobes",
					    "eprobes", "fprobes" };

	for (unsigned int i = 0; i < sizeof(made) / sizeof(*made); i++)
		if (strlen(made[i]) == length && strncmp(made[i], system, length) == 0)
			return true;
	/* "p:GROUP/EVENT place ...", "r16:GROUP/EVENT ..." */
	for (const char *p = definitions; p && (p = strchr(p, ':')); ) {
		p++;
		if (strncmp(p, system, length) == 0 && p[length] == '/')
			return true;
	}
	return false;
}

/* Systems whose events tools need. Of the 350 system calls tools need only these. */
static const char systems[] =
	"block cgroup exceptions ext4 filemap irq kmem napi net nvme oom power raw_syscalls sched "
	"scsi signal skb sock syscalls task tcp timer udp vmscan workqueue writeback";
static const char syscalls[] =
	"accept accept4 bind bpf brk chdir clock_nanosleep clone clone3 close connect creat "
	"delete_module epoll_pwait epoll_wait execve execveat exit exit_group fdatasync "
	"finit_module fork fsync futex init_module kill listen mmap mount move_mount mprotect "
	"msync munmap nanosleep newfstat newfstatat newlstat newstat open open_by_handle_at "
	"openat openat2 perf_event_open poll ppoll pread64 pselect6 ptrace pwrite64 read readv "
	"recvfrom recvmsg rename renameat renameat2 rt_sigqueueinfo select sendmsg sendto setgid "
	"setresuid setuid shutdown socket statfs statx sync sync_file_range syncfs tgkill tkill "
	"umount unlink unlinkat vfork write writev";

static bool is_wanted(const char *system, const char *event)
{
	if (!has_word(systems, system))
		return false;
	if (strcmp(system, "syscalls") != 0)
		return true;
	if (strncmp(event, "sys_enter_", 10) == 0)
		return has_word(syscalls, event + 10);
	return strncmp(event, "sys_exit_", 9) == 0 && has_word(syscalls, event + 9);
}

static int make_parents(struct writer *w, const char *system, const char *event)
{
	char path[256];

	text_all(path, sizeof(path), "formats/%s/%s/", system, event);
	for (char *slash = path; (slash = strchr(slash, '/')); slash++) {
		*slash = 0;
		if (mkdirat(w->fd, path, 0755) != 0 && errno != EEXIST)
			return failed(w, path);
		*slash = '/';
	}
	return 0;
}

static int write_format(struct writer *w, const char *system, const char *event)
{
	char path[256], file[256], *text;
	size_t length;
	int result;

	text_all(path, sizeof(path), "tracefs:events/%s/%s/format", system, event);
	text = kernel_read(w->k, path, &length);
	if (!text)
		return 0;
	text_all(file, sizeof(file), "formats/%s/%s/format", system, event);
	result = make_parents(w, system, event);
	if (result == 0)
		result = write_file(w, file, text, length);
	free(text);
	return result;
}

/*
 * Writes the formats of records that tracers and triggers write. The list of events does not have
 * them, because they can't be enabled there.
 */
static int write_records(struct writer *w)
{
	static const char *const records[] = { "function", "kernel_stack", "user_stack" };
	int result = 0;

	for (unsigned int i = 0; !result && i < sizeof(records) / sizeof(*records); i++)
		result = write_format(w, "ftrace", records[i]);
	return result;
}

/* Writes the list of events, without events made at run time, and the formats that tools need. */
static int write_events(struct writer *w)
{
	const char *events = kernel_text(w->k, "tracefs:available_events"), *line;
	char *definitions = NULL, *list = NULL, system[64], event[96];
	size_t length, n, size;
	int result = 0;
	FILE *out = open_memstream(&list, &length), *made = open_memstream(&definitions, &size);

	if (!out || !made) {
		result = failed(w, "available_events");
		events = NULL;
	}
	for (unsigned int i = 0; made && i < 3; i++) {
		static const char *const files[] = { "tracefs:dynamic_events",
						     "tracefs:kprobe_events",
						     "tracefs:uprobe_events" };
		const char *text = kernel_text(w->k, files[i]);

		fputs(text ? text : "", made);
	}
	if (made)
		fclose(made);
	for (line = events; line && *line && result == 0; line += n + (line[n] == '\n')) {
		const char *at = line;

		n = strcspn(line, "\n");
		if (scan_until(&at, ":", system, sizeof(system)) && scan_text(&at, ":") &&
		    scan_until(&at, "", event, sizeof(event)) &&
		    !is_own_system(definitions, system, strlen(system))) {
			fprintf(out, "%s:%s\n", system, event);
			if (is_wanted(system, event))
				result = write_format(w, system, event);
		}
	}
	if (out)
		fclose(out);
	if (result == 0 && events)
		result = write_file(w, "available_events", list, length);
	free(list);
	free(definitions);
	return result;
}

/* The lines of all functions. They are sorted, so that nothing tells the order of addresses. */
struct lines {
	char **at;
	size_t n, size;
	bool failed;
};

static void add_line(void *arg, char type, const char *name, size_t length)
{
	struct lines *l = arg;
	char **grown, *line;

	if (l->n == l->size) {
		l->size = l->size ? l->size * 2 : 65536;
		grown = realloc(l->at, l->size * sizeof(*grown));
		if (!grown) {
			l->failed = true;
			l->size = l->n;
			return;
		}
		l->at = grown;
	}
	if (asprintf(&line, "%c %.*s\n", type, (int)length, name) < 0)
		l->failed = true;
	else
		l->at[l->n++] = line;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int write_functions(struct writer *w)
{
	struct lines l = { 0 };
	struct strbuf names = { };
	int result = 0;
	size_t length;
	char *text;

	kernel_each_function(w->k, add_line, &l);
	if (l.n)
		qsort(l.at, l.n, sizeof(*l.at), compare_lines);
	for (size_t i = 0; i < l.n; i++) {
		strbuf_add(&names, l.at[i], strlen(l.at[i]));
		free(l.at[i]);
	}
	free(l.at);
	length = names.n;
	text = strbuf_take(&names);
	if (l.failed || !text) {
		errno = ENOMEM;
		result = failed(w, "kallsyms-names.gz");
	} else {
		result = write_file(w, "kallsyms-names.gz", text, length);
	}
	free(text);
	return result;
}

/*
 * Writes the configuration without its texts, which name hosts, keys and folders. Only set options
 * and numbers matter.
 */
static int write_config(struct writer *w)
{
	const char *config = kernel_text(w->k, "config"), *line, *quote;
	struct strbuf kept = { };
	size_t length, n;
	int result;
	char *text;

	if (!config)
		return 0;
	for (line = config; *line; line += n + (line[n] == '\n')) {
		n = strcspn(line, "\n");
		quote = memchr(line, '"', n);
		if (!quote && (strncmp(line, "CONFIG_", 7) == 0 ||
			       strncmp(line, "# CONFIG_", 9) == 0))
			strbuf_addf(&kept, "%.*s\n", (int)n, line);
	}
	length = kept.n;
	text = strbuf_take(&kept);
	if (!text)
		return failed(w, "config.gz");
	result = write_file(w, "config.gz", text, length);
	free(text);
	return result;
}

int snapshot_write(struct kernel *k, const char *dir, struct error *err)
{
	struct writer w = { k, dir, -1, err };
	static int (*const parts[])(struct writer *) = {
		write_identity, write_features, write_offsets, write_texts, write_records,
		write_events, write_functions, write_config,
	};
	int result;

	if (kernel_live(k)) {
		if (geteuid() != 0)
			return fail(err, "a snapshot of the running kernel needs root: other users "
					 "learn little from tracefs and bpf(2)");
		kernel_set_thorough(k);
	}
	result = make_dir(&w);
	for (unsigned int i = 0; !result && i < sizeof(parts) / sizeof(*parts); i++)
		result = parts[i](&w);
	if (w.fd >= 0)
		close(w.fd);
	return result;
}
