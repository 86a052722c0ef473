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

/*
 * biolatency's array of slots. r0 = the address of the slot that r2 has; sets frame.slot. Goes to
 * NONE if there is no array. The multiplication mixes the bits.
 */
#define SLOT_BITS 10
#define SLOT_OF_R2(NONE) \
	BPF_ALU64_IMM(BPF_MUL, R2, 0x61c88647), \
	BPF_ALU64_IMM(BPF_LSH, R2, 32), \
	BPF_ALU64_IMM(BPF_RSH, R2, 64 - SLOT_BITS), \
	SET(slot, R2), \
	LOOKUP_OR("slots", slot, NONE)

#endif
