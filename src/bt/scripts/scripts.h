/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_SCRIPTS_H
#define SONDE_BT_SCRIPTS_H

#include <stdio.h>

/*
 * The bundled scripts: the files src/bt/scripts/NAME.bt, in the order of their names. A
 * text begins with a comment, whose first line is the question that the script answers.
 */
struct bt_script {
	const char *name, *text;
};

extern const struct bt_script bt_scripts[];	/* ends with an empty row */

/* Returns NULL if there is no script of that name. */
const struct bt_script *bt_script_named(const char *name);
/* Prints all names with their questions, a line each. */
void bt_scripts_list(FILE *to);

#endif
