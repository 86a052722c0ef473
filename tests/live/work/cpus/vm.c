// SPDX-License-Identifier: GPL-2.0
/* A virtual machine with two CPUs, each of which leaves a known number of times. */
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <string.h>

#include "../work.h"

#define CPUS 2

#if defined(__x86_64__) || defined(__i386__)

/* Some other machines have no such header. */
#include <linux/kvm.h>

/* 16 bits: si times CPUID, di times an OUT, then HLT. */
static const unsigned char code[] = {
	0x66, 0x31, 0xc0,	/* cpuids: xor eax, eax */
	0x0f, 0xa2,		/* cpuid */
	0x4e,			/* dec si */
	0x75, 0xf8,		/* jnz cpuids */
	0xe6, 0x10,		/* outs: out 16, al */
	0x4f,			/* dec di */
	0x75, 0xfb,		/* jnz outs */
	0xf4,			/* hlt */
};

struct vcpu {
	int fd;
	struct kvm_run *run;
	long cpuids, outs, us;
	unsigned int number;
	pthread_t thread;
};

static int make_vm(int kvm)
{
	const int vm = ioctl(kvm, KVM_CREATE_VM, 0);
	struct kvm_userspace_memory_region memory = { .memory_size = 4096 };
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (vm < 0)
		die("KVM_CREATE_VM");
	if (page == MAP_FAILED)
		die("mmap");
	memcpy(page, code, sizeof(code));
	memory.userspace_addr = (uintptr_t)page;
	if (ioctl(vm, KVM_SET_USER_MEMORY_REGION, &memory))
		die("KVM_SET_USER_MEMORY_REGION");
	return vm;
}

static void make_vcpu(struct vcpu *v, int kvm, int vm)
{
	const int size = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	struct kvm_regs regs = { .rflags = 2, .rsi = v->cpuids, .rdi = v->outs };
	struct kvm_sregs sregs;

	v->fd = ioctl(vm, KVM_CREATE_VCPU, v->number);
	if (v->fd < 0 || ioctl(v->fd, KVM_GET_SREGS, &sregs))
		die("KVM_CREATE_VCPU");
	sregs.cs.base = 0;
	sregs.cs.selector = 0;
	if (ioctl(v->fd, KVM_SET_SREGS, &sregs) || ioctl(v->fd, KVM_SET_REGS, &regs))
		die("KVM_SET_REGS");
	v->run = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, v->fd, 0);
	if (v->run == MAP_FAILED)
		die("mmap");
}

static void *run_vcpu(void *arg)
{
	const struct vcpu *v = arg;
	long outs = 0;

	for (;;) {
		if (ioctl(v->fd, KVM_RUN, 0)) {
			if (errno == EINTR)
				continue;
			die("KVM_RUN");
		}
		if (v->run->exit_reason != KVM_EXIT_IO)
			break;
		outs++;
		usleep(v->us);
	}
	if (v->run->exit_reason != KVM_EXIT_HLT || outs != v->outs) {
		fprintf(stderr, "work: the guest left for reason %u after %ld of %ld outs\n",
			v->run->exit_reason, outs, v->outs);
		exit(1);
	}
	say("vcpu\t%d\t%d\t%u\t%ld\t%ld\n", getpid(), thread_id(), v->number, v->cpuids, v->outs);
	return NULL;
}

/* One after the other, so that their lines are in this order. */
static int job_vm(int argc, char **argv)
{
	const int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	struct vcpu vcpus[CPUS];
	int vm;

	(void)argc;
	if (kvm < 0)
		die("/dev/kvm");
	vm = make_vm(kvm);
	for (unsigned int i = 0; i < CPUS; i++) {
		vcpus[i] = (struct vcpu){
			.number = i, .cpuids = number(argv[1]) * (i + 1),
			.outs = number(argv[2]) * (i + 1), .us = number(argv[3]),
		};
		make_vcpu(&vcpus[i], kvm, vm);
		if (pthread_create(&vcpus[i].thread, NULL, run_vcpu, &vcpus[i]))
			die("pthread_create");
		pthread_join(vcpus[i].thread, NULL);
	}
	return 0;
}

#else

static int job_vm(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	fprintf(stderr, "work: it has no guest for this machine\n");
	return 1;
}

#endif

const struct job vm_jobs[] = {
	{ "vm", "CPUIDS OUTS US", 3, job_vm,
	  "vcpu PID TID VCPU CPUIDS OUTS: a guest's two CPUs, the second with twice as many; "
	  "US microseconds pass outside of it at each OUT; at last each has a HLT" },
	{ 0 }
};
