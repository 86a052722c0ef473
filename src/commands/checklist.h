/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHECKLIST_H
#define SONDE_CHECKLIST_H

/* Runs `sonde checklist [general|disk|network] [SECONDS]`. Returns the exit status. */
int checklist_main(int argc, char **argv);

#endif
