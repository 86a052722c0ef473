// SPDX-License-Identifier: GPL-2.0
#include "compat/tasks/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"

#define CGROUP1 0x27e0eb		/* types of file systems, from statfs(2) */
#define CGROUP2 0x63677270
/* The inode of /proc/self/ns/cgroup in the initial namespace. */
#define INITIAL_NAMESPACE 0xeffffffb
#define LONGEST 4096
#define KERNFS_HANDLE 0xfe		/* type of handles that are ids */

/* ---- Ids ---- */

static uint64_t id_by_handle(int directory, const char *name)
{
	/* A handle of kernfs is the id: 8 bytes. */
	union {
		struct file_handle handle;
		char bytes[sizeof(struct file_handle) + sizeof(uint64_t)];
	} h = { .handle.handle_bytes = sizeof(uint64_t) };
	uint64_t id;
	int mount;

	if (name_to_handle_at(directory, name, &h.handle, &mount, *name ? 0 : AT_EMPTY_PATH) ||
	    h.handle.handle_bytes != sizeof(id))
		return 0;
	memcpy(&id, h.handle.f_handle, sizeof(id));
	return id;
}

uint64_t cgroup_id(int directory, const char *name)
{
	uint64_t id = id_by_handle(directory, name);
	struct stat s;

	/* Before 4.14 cgroups have no handles, and their ids are inode numbers. */
	if (!id && !fstatat(directory, name, &s, *name ? AT_SYMLINK_NOFOLLOW : AT_EMPTY_PATH))
		id = s.st_ino;
	return id;
}

static int walk_entries(DIR *dir, void (*each)(void *arg, uint64_t id), void *arg)
{
	struct dirent *e;
	int result = 0;

	while (!result && (e = readdir(dir))) {
		int below;

		if (e->d_type != DT_DIR || !strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		below = openat(dirfd(dir), e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (below >= 0) {
			result = cgroup_walk(below, each, arg);
			close(below);
		} else if (errno != ENOENT && errno != ENODEV) {
			result = -1;
		}
	}
	return result;
}

int cgroup_walk(int directory, void (*each)(void *arg, uint64_t id), void *arg)
{
	/* Opens the directory again, for a position of its own: it may be walked once more. */
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), result;
	const uint64_t id = cgroup_id(directory, "");
	DIR *dir;

	if (fd < 0)
		return errno == ENOENT || errno == ENODEV ? 0 : -1;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -1;
	}
	if (id)
		each(arg, id);
	result = walk_entries(dir, each, arg);
	closedir(dir);
	return result;
}

static const char *below(const char *path, const char *above);

char *cgroup_path_of(uint64_t id)
{
	static const char *const mounts[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
	union {
		struct file_handle handle;
		char bytes[sizeof(struct file_handle) + sizeof(uint64_t)];
	} h = { .handle = { .handle_bytes = sizeof(id), .handle_type = KERNFS_HANDLE } };
	char *path = NULL;

	memcpy(h.handle.f_handle, &id, sizeof(id));
	for (int i = 0; !path && i < 2; i++) {
		const int mount = open(mounts[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC),
			  fd = mount < 0 ? -1 :
			       open_by_handle_at(mount, &h.handle, O_PATH | O_CLOEXEC);
		char link[64], full[LONGEST];
		const char *rest;

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		if (fd >= 0 && file_link(AT_FDCWD, link, full, sizeof(full)) > 0) {
			rest = below(full, mounts[i]);
			path = rest ? strdup(*rest ? rest : "/") : NULL;
		}
		if (fd >= 0)
			close(fd);
		if (mount >= 0)
			close(mount);
	}
	return path;
}

/* ---- Which tree ---- */

/* A line of /proc/self/mountinfo. */
struct mount {
	uint64_t major, minor;
	char root[LONGEST], point[LONGEST], type[32], options[256];
};

/* The kernel writes blanks, tabs, newlines and backslashes as \ooo. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *c = text; *c; to++)
		if (*c == '\\' && c[1] && c[2] && c[3]) {
			*to = (char)((c[1] - '0') << 6 | (c[2] - '0') << 3 | (c[3] - '0'));
			c += 4;
		} else {
			*to = *c++;
		}
	*to = '\0';
}

static bool read_mount(const char *at, struct mount *m)
{
	char source[LONGEST];
	const char *dash;

	if (!scan_pass(&at, 2) || !scan_number(&at, UINT32_MAX, &m->major) ||
	    !scan_text(&at, ":") || !scan_number(&at, UINT32_MAX, &m->minor) ||
	    !scan_text(&at, " ") || !scan_until(&at, " ", m->root, sizeof(m->root)) ||
	    !scan_text(&at, " ") || !scan_until(&at, " ", m->point, sizeof(m->point)))
		return false;
	dash = strstr(at, " - ");
	if (!dash)
		return false;
	at = dash + 3;
	if (!scan_until(&at, " ", m->type, sizeof(m->type)) || !scan_text(&at, " ") ||
	    !scan_until(&at, " ", source, sizeof(source)) || !scan_text(&at, " ") ||
	    !scan_until(&at, "\n", m->options, sizeof(m->options)))
		return false;
	unescape(m->root);
	unescape(m->point);
	return true;
}

/* The rest of `path` below the directory `above`. Returns NULL if the path is elsewhere. */
static const char *below(const char *path, const char *above)
{
	size_t n = strcmp(above, "/") ? strlen(above) : 0;

	return !strncmp(path, above, n) && (path[n] == '/' || !path[n]) ? path + n : NULL;
}

/* Finds the mount of this device above the path. Of several mounts takes the deepest. */
static bool find_mount(const char *path, dev_t device, struct mount *found)
{
	struct mount *m = calloc(1, sizeof(*m));
	FILE *f = fopen("/proc/self/mountinfo", "re");
	bool any = false;
	char *line = NULL;
	size_t room = 0;

	while (m && f && getline(&line, &room, f) > 0)
		if (read_mount(line, m) && m->major == major(device) && m->minor == minor(device) &&
		    below(path, m->point) &&
		    (!any || strlen(m->point) >= strlen(found->point))) {
			*found = *m;
			any = true;
		}
	free(line);
	free(m);
	if (f)
		fclose(f);
	return any;
}

/* Returns true if a list with commas has the word, of n bytes. */
static bool lists(const char *list, const char *word, size_t n)
{
	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (!strncmp(at, word, n) && (!at[n] || at[n] == ','))
			return true;
	}
	return false;
}

/* Finds the number of the tree. A line of /proc/self/cgroup, "4:cpu,cpuacct:/a", has it. */
static bool find_hierarchy(const char *options, struct cgroup *c)
{
	char *text = file_text("/proc/self/cgroup", 1 << 20, NULL);
	bool found = false;

	for (char *line = text; line && *line && !found; line += strcspn(line, "\n"), line++) {
		const char *at = line;
		char controllers[256];
		uint64_t number;

		if (scan_number(&at, INT32_MAX, &number) && scan_text(&at, ":") &&
		    scan_until(&at, ":", controllers, sizeof(controllers)) &&
		    lists(options, controllers, strcspn(controllers, ","))) {
			c->hierarchy = (unsigned int)number;
			found = true;
		}
	}
	free(text);
	return found;
}

bool cgroup_version2(void)
{
	char *text = file_text("/proc/self/cgroup", 1 << 20, NULL);
	const bool found = text && (!strncmp(text, "0::", 3) || strstr(text, "\n0::"));

	free(text);
	return found;
}

bool cgroup_version2_alone(void)
{
	char *text = file_text("/proc/self/cgroup", 1 << 20, NULL);
	const char *end = text ? strchr(text, '\n') : NULL;
	const bool alone = end && !strncmp(text, "0::", 3) && !end[1];

	free(text);
	return alone;
}

unsigned int cgroup_hierarchy(const char *controller)
{
	char *text = file_text("/proc/self/cgroup", 1 << 20, NULL);
	unsigned int found = 0;

	for (char *line = text; line && *line; line += strcspn(line, "\n"), line += *line != 0) {
		const char *at = line;
		char controllers[256];
		uint64_t number;

		if (scan_number(&at, INT32_MAX, &number) && scan_text(&at, ":") &&
		    scan_until(&at, ":", controllers, sizeof(controllers)) &&
		    lists(controllers, controller, strlen(controller)))
			found = (unsigned int)number;
	}
	free(text);
	return found;
}

static bool in_namespace(void)
{
	struct stat s;

	return !stat("/proc/self/ns/cgroup", &s) && s.st_ino != INITIAL_NAMESPACE;
}

/*
 * The path from the root of the tree. A mount may show a part of its tree only. Returns NULL if
 * there is no memory.
 */
static char *from_root(const struct mount *m, const char *path)
{
	const char *root = strcmp(m->root, "/") ? m->root : "", *rest = below(path, m->point);
	const size_t n = strlen(root) + strlen(rest) + 2;
	char *text = malloc(n);

	if (text)
		text_cut(text, n, "%s%s", *root || *rest ? root : "/", rest);
	return text;
}

static int no_memory(struct error *err)
{
	return fail(err, "out of memory");
}

static int place(const char *directory, bool version2, struct cgroup *c, struct error *err)
{
	struct mount *m = calloc(1, sizeof(*m));
	char *path = realpath(directory, NULL);
	struct stat s;
	int result = 0;

	if (!m || !path || fstat(c->fd, &s))
		result = no_memory(err);
	else if (!find_mount(path, s.st_dev, m))
		result = fail(err, "/proc/self/mountinfo does not tell where its tree is mounted");
	else if (!version2 && !find_hierarchy(m->options, c))
		result = fail(err, "/proc/self/cgroup does not tell the number of its tree");
	if (result)
		goto out;
	c->mount = strdup(m->point);
	if (!in_namespace())
		c->path = from_root(m, path);
	if (!c->mount || (!c->path && !in_namespace()))
		result = no_memory(err);
out:
	free(path);
	free(m);
	return result;
}

bool cgroup_is_below(const char *path, size_t n, const char *above)
{
	const size_t length = strcmp(above, "/") ? strlen(above) : 0;

	return n >= length && !memcmp(path, above, length) && (n == length || path[length] == '/');
}

/* A line is "4:cpu,cpuacct:/a/b". A path has no newline in it. */
const char *cgroup_of(int dir, unsigned int hierarchy, char *text, size_t size)
{
	if (file_begin(dir, "cgroup", text, size) <= 0)
		return NULL;
	for (char *line = text; *line; line += strcspn(line, "\n"), line += *line != 0) {
		const char *at = line;
		uint64_t number;
		char *path, *end;

		if (!scan_number(&at, INT32_MAX, &number) || number != hierarchy || *at != ':' ||
		    !(path = strchr(at + 1, ':')) || path[1] != '/')
			continue;
		path++;
		/* A path without an end may be a longer one's beginning. */
		end = strchr(path, '\n');
		if (!end)
			return NULL;
		*end = '\0';
		return path;
	}
	return NULL;
}

int cgroup_open(const char *directory, struct cgroup *c, struct error *err)
{
	struct statfs fs;

	*c = (struct cgroup){ .fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	if (c->fd < 0)
		return fail_with(err, errno, "can't open the cgroup %s: %m", directory);
	if (fstatfs(c->fd, &fs) ||
	    ((unsigned long)fs.f_type != CGROUP2 && (unsigned long)fs.f_type != CGROUP1))
		return fail(err, "%s is not a cgroup", directory);
	return place(directory, (unsigned long)fs.f_type == CGROUP2, c, err);
}

void cgroup_close(struct cgroup *c)
{
	if (c->fd > 0)
		close(c->fd);
	free(c->mount);
	free(c->path);
	*c = (struct cgroup){ };
}
