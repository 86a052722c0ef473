// SPDX-License-Identifier: GPL-2.0
/*
 * bpf(2) only sets entries: what it puts in the place of an entry does not have what programs have
 * added since sonde read it. So a program adds for sonde, by one atomic instruction. It is the
 * filter of a socket, whose other end sonde has too. The kernel asks the filter about each packet
 * before send() returns, and a packet arrives if the filter has added. Sockets had filters before
 * there were probes with programs, and all of it is gone with sonde's file descriptors.
 *
 * The program makes no entry. It would lock a part of the hash, and a probe that comes in between
 * on this CPU might want the same lock: the kernel keeps probes out of bpf(2), but not out of
 * filters. bpf(2) makes the entry, unless a program has made it meanwhile.
 */
#include "backends/bpf/bpf_step.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "compat/base/bpf_insn.h"
#include "compat/probing/bpf_permission.h"

#define RAW(CODE, DST, SRC, OFF, IMM) \
	{ .code = (CODE), .dst_reg = (DST), .src_reg = (SRC), .off = (int16_t)(OFF), .imm = (IMM) }
#define STACK_MOST 512
/* Of an entry that programs delete as fast as sonde makes it. */
#define TRIES 1000

enum { ADDING, RECEIVING };

struct bpf_step {
	const char *name;
	size_t key_size;
	int map, given, program, sockets[2];
	struct {
		uint64_t number;
		uint8_t key[STACK_MOST];
	} value;			/* of `given` */
};

/* ---- the program ---- */

static unsigned int add(struct bpf_insn *to, unsigned int n, const struct bpf_insn *list,
			size_t bytes)
{
	memcpy(to + n, list, bytes);
	return n + (unsigned int)(bytes / sizeof(*list));
}

/* r0 = the value of stack[at] in the map. None: the program ends, and drops the packet. */
static unsigned int look_up(struct bpf_insn *to, unsigned int n, int map, int at)
{
	const struct bpf_insn list[] = {
		RAW(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, map),
		RAW(0, 0, 0, 0, 0),
		BPF_MOV64_REG(2, 10),
		BPF_ALU64_IMM(BPF_ADD, 2, at),
		BPF_EMIT_CALL(BPF_FUNC_map_lookup_elem),
		RAW(BPF_JMP | BPF_JNE | BPF_K, 0, 0, 2, 0),
		BPF_MOV64_IMM(0, 0),
		BPF_EXIT_INSN(),
	};

	return add(to, n, list, sizeof(list));
}

unsigned int bpf_step_code(struct bpf_insn *to, unsigned int key_size, int given, int map)
{
	const int words = (int)(key_size + 7) / 8, key = -8 * words;
	const struct bpf_insn index[] = { BPF_ST_MEM(BPF_W, 10, -8, 0) },
			      keep[] = { BPF_MOV64_REG(6, 0) };
	const struct bpf_insn last[] = {
		BPF_LDX_MEM(BPF_DW, 1, 6, 0),
		BPF_STX_XADD(BPF_DW, 0, 1, 0),
		BPF_MOV64_IMM(0, 1),
		BPF_EXIT_INSN(),
	};
	unsigned int n = 0;

	if (!words || 8 * words > STACK_MOST)
		return 0;
	n = add(to, n, index, sizeof(index));
	n = look_up(to, n, given, -8);
	n = add(to, n, keep, sizeof(keep));
	for (int i = 0; i < words; i++) {
		const struct bpf_insn copy[] = {
			BPF_LDX_MEM(BPF_DW, 1, 6, 8 + 8 * i),
			BPF_STX_MEM(BPF_DW, 10, 1, key + 8 * i),
		};

		n = add(to, n, copy, sizeof(copy));
	}
	n = look_up(to, n, map, key);
	return add(to, n, last, sizeof(last));
}

/* ---- making ---- */

/* `policy`: what may forbid it; NULL: what may forbid bpf(2). */
static int refused(const struct bpf_step_setup *setup, const char *what, int error,
		   const char *policy, struct error *err)
{
	const bool forbidden = error == EPERM || error == EACCES;
	const char *why = !forbidden ? "" : policy ? policy : bpf_not_permitted(setup->kernel);

	return fail_with(err, error, "can't %s the program that adds to %s while probes do: %m\n"
			 "%s%sthe engines perf and ftrace need none (--backend perf)", what,
			 setup->name, why, forbidden ? ";\n" : "");
}

static int load(const struct bpf_step *s, const struct bpf_step_setup *setup)
{
	struct bpf_insn insns[BPF_STEP_INSNS];
	const struct bpf_code code = {
		.type = BPF_PROG_TYPE_SOCKET_FILTER, .insns = insns,
		.n = bpf_step_code(insns, setup->key_size, s->given, s->map),
		.kern_version = kernel_version_code(setup->kernel),
		.name = kernel_has(setup->kernel, FEATURE_BPF_NAMES) ? "add" : NULL,
	};

	return bpf_code_load(&code, setup->memlock);
}

static int make(struct bpf_step *s, const struct bpf_step_setup *setup, struct error *err)
{
	const char *policy = "a container's seccomp filter or a policy of this machine forbids it";
	const struct bpf_map_shape shape = {
		.type = BPF_MAP_TYPE_ARRAY, .key_size = sizeof(uint32_t), .entries = 1,
		.value_size = (uint32_t)sizeof(s->value.number) + (setup->key_size + 7) / 8 * 8,
		.name = kernel_has(setup->kernel, FEATURE_BPF_NAMES) ? "given" : NULL,
	};

	s->given = bpf_map_make(&shape, setup->memlock);
	if (s->given < 0)
		return refused(setup, "make the map of", -s->given, NULL, err);
	s->program = load(s, setup);
	if (s->program < 0)
		return refused(setup, "load", -s->program, NULL, err);
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, s->sockets))
		return refused(setup, "make the sockets of", errno, policy, err);
	return setsockopt(s->sockets[RECEIVING], SOL_SOCKET, SO_ATTACH_BPF, &s->program,
			  sizeof(s->program)) ?
	       refused(setup, "attach to a socket", errno, policy, err) : 0;
}

struct bpf_step *bpf_step_new(const struct bpf_step_setup *setup, struct error *err)
{
	struct bpf_step *s = calloc(1, sizeof(*s));

	if (!s) {
		fail(err, "out of memory");
		return NULL;
	}
	*s = (struct bpf_step){
		.name = setup->name, .key_size = setup->key_size, .map = setup->map, .given = -1,
		.program = -1, .sockets = { -1, -1 },
	};
	if (!make(s, setup, err))
		return s;
	bpf_step_free(s);
	return NULL;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void bpf_step_free(struct bpf_step *s)
{
	if (!s)
		return;
	close_fd(s->given);
	close_fd(s->program);
	close_fd(s->sockets[ADDING]);
	close_fd(s->sockets[RECEIVING]);
	free(s);
}

/* ---- adding ---- */

/* Returns 1 if the program has added, 0 if there is no entry, or -errno. */
static int run(struct bpf_step *s)
{
	const uint32_t index = 0;
	char byte = 0;
	const int result = bpf_map_update_elem(s->given, &index, &s->value, BPF_ANY);

	if (result)
		return result;
	if (send(s->sockets[ADDING], &byte, sizeof(byte), 0) < 0)
		return -errno;
	return recv(s->sockets[RECEIVING], &byte, sizeof(byte), MSG_DONTWAIT) == sizeof(byte);
}

int bpf_step_add(struct bpf_step *s, const void *key, const void *value, struct error *err)
{
	int result = -EEXIST;

	memcpy(&s->value.number, value, sizeof(s->value.number));
	memcpy(s->value.key, key, s->key_size);
	for (int i = 0; i < TRIES && result == -EEXIST; i++) {
		result = run(s);
		if (result > 0)
			return 0;
		if (!result)
			result = bpf_map_update_elem(s->map, key, value, BPF_NOEXIST);
		if (!result)
			return 1;
	}
	return result == -E2BIG ? fail(err, "the map %s is full", s->name) :
	       fail_with(err, -result, "can't add to an entry of the map %s: %m", s->name);
}
