/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DISK_MAPS_H
#define SONDE_DISK_MAPS_H

/* Entries of the maps of requests to disks. */

#define DISK_WAITING 16384	/* requests that wait for their issue, and entries of merged ones */
/*
 * Requests under way; a power of two, like the number of buckets. Each request is in another
 * bucket: with twice as many entries the buckets take more of the CPU's cache, and a request costs
 * 7 % more.
 */
#define DISK_REQUESTS 4096

#endif
