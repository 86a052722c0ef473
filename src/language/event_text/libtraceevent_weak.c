// SPDX-License-Identifier: GPL-2.0
/*
 * libtraceevent's parser (event-parse.o) frees lists of plugins, which sonde has none of: a static
 * link would take what loads plugins too, with the C library's dynamic loader. Who links that, or
 * libtraceevent as a shared library, has its own.
 */
struct tep_handle;

void free_tep_plugin_paths(struct tep_handle *tep);

__attribute__((weak)) void free_tep_plugin_paths(struct tep_handle *tep)
{
	(void)tep;
}
