// SPDX-License-Identifier: GPL-2.0
/* Containers by the paths of their groups, and their names by engines' files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/containers/container_names.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

Suite *suite_containers(void);

#define ID "0123456789ab0123456789ab0123456789ab0123456789ab0123456789abcdef"
#define OTHER "f123456789ab0123456789ab0123456789ab0123456789ab0123456789abcdef"
#define UID "01234567-89ab-cdef-0123-456789abcdef"
#define UID_ "01234567_89ab_cdef_0123_456789abcdef"
#define STATIC "0123456789abcdef0123456789abcdef"
#define USER "/user.slice/user-1.slice/user@1.service/user.slice/"

/* `id` NULL: ID. `rest`: what is behind the container's own group. */
static const struct {
	const char *path, *engine, *rest, *id, *pod;
} paths[] = {
	{ "/system.slice/docker-" ID ".scope", "docker" },
	{ USER "docker-" ID ".scope", "docker" },
	{ "/docker/" ID, "docker" },
	{ "/docker/" ID "/docker/" OTHER, "docker", "/docker/" OTHER },
	{ "/docker/" ID "/init.scope", "docker", "/init.scope" },
	{ "/docker/" ID "/system.slice/x.service", "docker", "/system.slice/x.service" },
	{ "/machine.slice/libpod-" ID ".scope", "podman" },
	{ "/machine.slice/libpod-" ID ".scope/container", "podman", "/container" },
	{ "/machine.slice/machine-libpod_pod_" OTHER ".slice/libpod-" ID ".scope", "podman" },
	{ USER "libpod-" ID ".scope/container", "podman", "/container" },
	{ "/system.slice/web.service/libpod-payload-" ID, "podman" },
	{ "/QM.slice/qm.service/libpod-payload-" ID "/init.scope", "podman", "/init.scope" },
	{ "/libpod_parent/libpod-" ID, "podman" },
	{ "/machine.slice/podman-" ID ".scope", "podman" },
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_ ".slice/"
	  "cri-containerd-" ID ".scope", "containerd", .pod = UID_ },
	{ "/kubepods.slice/kubepods-pod" UID_ ".slice/crio-" ID ".scope/container", "cri-o",
	  "/container", .pod = UID_ },
	{ "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice/"
	  "kubelet-kubepods-besteffort-pod" STATIC ".slice/docker-" ID ".scope", "docker",
	  .pod = STATIC },
	{ "/kubepods/burstable/pod" UID "/" ID, "kubernetes", .pod = UID },
	{ "/kubepods/pod" UID "/crio-" ID, "cri-o", .pod = UID },
	{ "/system.slice/containerd.service/kubepods-burstable-pod" UID_ ".slice:"
	  "cri-containerd:" ID, "containerd" },
	{ "/system.slice/nerdctl-" ID ".scope", "containerd" },
	{ USER "nerdctl-" ID ".scope", "containerd" },
	{ "/default/" ID, "oci" },
	{ "/ecs/" STATIC "/" ID, "oci" },
	{ "/lxc.payload.web", "lxc", .id = "web" },
	{ "/lxc.payload.web/system.slice/x.service", "lxc", "/system.slice/x.service", "web" },
	{ "/system.slice/lxc.payload.web.scope", "lxc", .id = "web" },
	{ "/lxc/101/ns/init.scope", "lxc", "/ns/init.scope", "101" },
	{ "/lxc.payload/a b", "lxc", .id = "a b" },
	{ "/machine.slice/systemd-nspawn@web.service/payload/x", "nspawn", "/payload/x", "web" },
	{ "/machine.slice/machine-web.scope/payload", "machine", "/payload", "web" },
	{ "/system.slice/runc-box.scope", "runc", .id = "box" },
	/* none */
	{ "/" }, { "" }, { "/system.slice/ssh.service" }, { "/user.slice/session-1.scope" },
	{ "/machine.slice/libpod-conmon-" ID ".scope" }, { "/crio-conmon-" ID ".scope" },
	{ "/system.slice/var-lib-docker-overlay2-" ID "-merged.mount" },
	{ "/system.slice/" ID ".mount" }, { "/lxc.monitor.web" }, { "/lxc" }, { "/lxc.payload." },
	{ "/system.slice/docker-" ID "0.scope" }, { "/docker/" STATIC },
	{ "/system.slice/systemd-nspawn@.service" }, { "/docker/G" ID },
	{ "/kubepods.slice/kubepods-pod" UID_ ".slice" },
};

START_TEST(paths_have_containers)
{
	const char *path = paths[_i].path, *rest = paths[_i].rest ? paths[_i].rest : "";
	const char *id = paths[_i].id ? paths[_i].id : ID, *pod = paths[_i].pod;
	struct container_path c;

	ck_assert_msg(container_of_path(path, &c) == !!paths[_i].engine, "%s", path);
	if (!paths[_i].engine)
		return;
	ck_assert_str_eq(c.engine, paths[_i].engine);
	ck_assert_msg(c.n == strlen(id) && !memcmp(c.id, id, c.n), "%s: %.*s", path, (int)c.n,
		      c.id);
	ck_assert_int_eq(c.named, strcmp(id, ID) != 0);
	ck_assert_str_eq(path + c.length, rest);
	ck_assert_uint_eq(c.n_pod, pod ? strlen(pod) : 0);
	ck_assert(!pod || !memcmp(c.pod, pod, c.n_pod));
}
END_TEST

#define DOCKER "/var/lib/docker/containers/" ID "/config.v2.json"
#define STORAGE "/var/lib/containers/storage/vfs-containers/containers.json"
#define BUNDLE "/run/containerd/io.containerd.runtime.v2.task/k8s.io/" ID "/config.json"
#define CRIO "/run/containers/storage/overlay-containers/" ID "/userdata/config.json"
#define CRI "io.kubernetes.cri."
#define KUBE "io.kubernetes."

static const struct {
	const char *path, *file, *text, *title, *image;
} files[] = {
	{ "/docker/" ID, DOCKER, "{\"Name\":\"/web\",\"Config\":{\"Image\":\"nginx:1\"}}", "web",
	  "nginx:1" },
	{ "/docker/" ID, DOCKER, "{\"Config\":{},\"Name\":\"we\\nb \\\"\\u00e9\"}",
	  "we\nb \"\xc3\xa9", NULL },
	{ "/x/pod" UID "/docker-" ID ".scope", DOCKER,
	  "{\"Name\":\"/k8s_c_p\",\"Config\":{\"Labels\":{\"" KUBE "pod.name\":\"p\",\"" KUBE
	  "pod.namespace\":\"n\",\"" KUBE "container.name\":\"c\"}}}", "n/p/c", NULL },
	{ "/m/libpod-" ID ".scope", STORAGE,
	  "[{\"id\":\"" OTHER "\",\"names\":[\"no\"]},{\"id\":\"" ID "\",\"names\":[\"web\",\"w\"],"
	  "\"image\":\"i\"}]", "web", "i" },
	{ "/x/cri-containerd-" ID ".scope", BUNDLE,
	  "{\"ociVersion\":\"1\",\"annotations\":{\"" CRI "container-name\":\"c\",\"" CRI
	  "sandbox-name\":\"p\",\"" CRI "sandbox-namespace\":\"n\",\"" CRI
	  "image-name\":\"i\"}}", "n/p/c", "i" },
	{ "/x/nerdctl-" ID ".scope", BUNDLE, "{\"annotations\":{\"nerdctl/name\":\"web\"}}", "web",
	  NULL },
	{ "/x/crio-" ID ".scope", CRIO, "{\"annotations\":{\"" KUBE "container.name\":\"c\",\"" KUBE
	  "pod.name\":\"p\",\"" KUBE "pod.namespace\":\"n\"}}", "n/p/c", NULL },
	{ "/kubepods/pod" UID "/" ID, "/var/log/containers/p-1_n_c-2-" ID ".log", "", "n/p-1/c-2",
	  NULL },
	{ "/lxc.payload.web", "/x", "", "web", NULL },
	/* Nothing is there, not yet whole, or something else. */
	{ "/docker/" ID, "/x", "", "docker:0123456789ab", NULL },
	{ "/docker/" ID, DOCKER, "{\"Name\":\"/web\"", "docker:0123456789ab", NULL },
	{ "/docker/" ID, DOCKER, "{\"Name\":5,\"Config\":[]}", "docker:0123456789ab", NULL },
	{ "/docker/" ID, DOCKER, "[]", "docker:0123456789ab", NULL },
	{ "/docker/" ID, DOCKER, "", "docker:0123456789ab", NULL },
	{ "/m/libpod-" ID ".scope", STORAGE, "{\"id\":\"" ID "\",\"names\":{}}",
	  "podman:0123456789ab", NULL },
	{ "/m/libpod-" ID ".scope", STORAGE, "[{\"id\":\"" ID "\",\"names\":[]},5]",
	  "podman:0123456789ab", NULL },
	{ "/kubepods/pod" UID "/" ID, "/var/log/containers/p_n-" ID ".log", "",
	  "kubernetes:0123456789ab", NULL },
	{ "/kubepods/pod" UID "/" ID, "/var/log/containers/p_n_" ID ".log", "",
	  "kubernetes:0123456789ab", NULL },
	{ "/kubepods/pod" UID "/" ID, "/var/log/containers/p_n_c-" OTHER ".log", "",
	  "kubernetes:0123456789ab", NULL },
};

static void write_below(const char *root, const char *file, const char *text)
{
	char path[400];

	snprintf(path, sizeof(path), "%s", file + 1);
	for (char *slash = path; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		make_dir(root, path);
		*slash = '/';
	}
	write_text(root, path, text);
}

START_TEST(files_have_names)
{
	char *root = temporary();
	struct container_names *names = container_names_new(root);
	const struct container_facts *facts;
	struct container_path c;

	write_below(root, files[_i].file, files[_i].text);
	ck_assert(container_of_path(files[_i].path, &c));
	ck_assert_str_eq(container_title(names, &c), files[_i].title);
	facts = container_facts(names, &c);
	ck_assert(!facts->image == !files[_i].image);
	if (facts->image)
		ck_assert_str_eq(facts->image, files[_i].image);
	container_names_free(names);
	remove_all(root);
}
END_TEST

/* Bytes that this process has read; 0: the kernel does not tell. */
static unsigned long bytes_read(void)
{
	char text[256] = "";
	FILE *f = fopen("/proc/self/io", "re");
	unsigned long n = 0;

	if (f && fgets(text, sizeof(text), f))
		sscanf(text, "rchar: %lu", &n);
	if (f)
		fclose(f);
	return n;
}

#define MANY 300

/* A list of MANY containers, called N0, N1, ... */
static void write_list(const char *root, const char *name, bool again)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (unsigned int i = 0; i < MANY; i++)
		fprintf(f, "%c{\"id\":\"%064x\",\"names\":[\"%s%u\"]}", i ? ',' : '[', i, name, i);
	fputs("]", f);
	fclose(f);
	if (again)
		write_text(root, STORAGE + 1, text);
	else
		write_below(root, STORAGE, text);
	free(text);
}

static const char *title_of_number(struct container_names *names, unsigned int i)
{
	struct container_path c;
	char path[100];

	snprintf(path, sizeof(path), "/m/libpod-%064x.scope", i);
	ck_assert(container_of_path(path, &c));
	return container_title(names, &c);
}

/* Podman's list is read once for all its containers, and again when it has changed. */
START_TEST(lists_are_read_once)
{
	char *root = temporary(), title[16];
	struct container_names *names = container_names_new(root);
	const unsigned long before = bytes_read();

	write_list(root, "old", false);
	for (unsigned int i = 0; i < MANY - 1; i++) {
		snprintf(title, sizeof(title), "old%u", i);
		ck_assert_str_eq(title_of_number(names, i), title);
	}
	/* 300 times 90 bytes; read for each it would be 8 MB */
	ck_assert_uint_lt(bytes_read() - before, 200000);
	write_list(root, "young", true);
	ck_assert_str_eq(title_of_number(names, MANY - 1), "young299");
	ck_assert_str_eq(title_of_number(names, MANY), "podman:000000000000");
	container_names_free(names);
	remove_all(root);
}
END_TEST

/* While events come only so many are looked for each second; the others have their turn later. */
START_TEST(looks_are_limited)
{
	char *root = temporary();
	struct container_names *names = container_names_new(root);

	write_list(root, "c", false);
	container_names_limit(names, 2);
	ck_assert_str_eq(title_of_number(names, 0), "c0");
	ck_assert_str_eq(title_of_number(names, 1), "c1");
	ck_assert_str_eq(title_of_number(names, 2), "podman:000000000000");
	ck_assert_str_eq(title_of_number(names, 1), "c1");
	container_names_limit(names, 0);
	ck_assert_str_eq(title_of_number(names, 2), "c2");
	container_names_free(names);
	remove_all(root);
}
END_TEST

/* A run of days has no end of containers. */
START_TEST(memory_is_limited)
{
	char *root = temporary();
	struct container_names *names = container_names_new(root);

	container_names_limit(names, 1);
	write_list(root, "c", false);
	ck_assert_str_eq(title_of_number(names, 0), "c0");
	for (unsigned int i = MANY; i < 5000; i++)
		title_of_number(names, i);
	container_names_tidy(names);
	/* what was known is looked for again, when it is its turn */
	ck_assert_str_eq(title_of_number(names, 0), "podman:000000000000");
	container_names_tidy(names);
	container_names_limit(names, 0);
	ck_assert_str_eq(title_of_number(names, 0), "c0");
	container_names_free(names);
	remove_all(root);
}
END_TEST

Suite *suite_containers(void)
{
	Suite *s = suite_create("containers");

	add_tests(s, "paths", paths_have_containers, COUNT_OF(paths));
	add_tests(s, "files", files_have_names, COUNT_OF(files));
	add_tests(s, "lists", lists_are_read_once, 1);
	add_tests(s, "looks", looks_are_limited, 1);
	add_tests(s, "memory", memory_is_limited, 1);
	return s;
}
