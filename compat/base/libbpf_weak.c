// SPDX-License-Identifier: GPL-2.0
/*
 * libbpf's wrappers of bpf(2) call its program loader: to ask what the kernel can do, and to print.
 * A static link of the wrappers (bpf.o) would bring the loader and its readers of ELF and BTF, 300
 * KB. These functions keep them out. A program that links the loader, or libbpf as a shared
 * library, has libbpf's own functions.
 *
 * The answers are always yes: then the wrappers leave RLIMIT_MEMLOCK alone and pass names on.
 */
#include <stdbool.h>

struct bpf_object;
struct kern_feature_cache;

bool kernel_supports(const struct bpf_object *object, int feature);	/* up to libbpf 1.3 */
bool feat_supported(struct kern_feature_cache *cache, int feature);	/* from 1.4 on */
void libbpf_print(int level, const char *format, ...);

__attribute__((weak)) bool kernel_supports(const struct bpf_object *object, int feature)
{
	(void)object;
	(void)feature;
	return true;
}

__attribute__((weak)) bool feat_supported(struct kern_feature_cache *cache, int feature)
{
	(void)cache;
	(void)feature;
	return true;
}

/* Prints nothing: the error that the wrapper returns says enough. */
__attribute__((weak)) void libbpf_print(int level, const char *format, ...)
{
	(void)level;
	(void)format;
}
