#ifndef SONDE_BOOT_KEEP_H
#define SONDE_BOOT_KEEP_H

/*
 * Copies the recording, a file in the recorder's own root, to where init and its children find it,
 * and says where: to a path, or with NULL to a usual place. A boot is under way: for a minute it
 * waits for a path whose folder is missing or can't be written, and then for another it sees to it
 * that the copy is not covered by a later mount. Returns an exit status.
 */
int boot_keep(const char *recording, const char *path);

#endif
