/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_METRICS_LISTENER_H
#define SONDE_METRICS_LISTENER_H

#include "src/lib/output/formats/formats.h"

/*
 * Adds what a tool shows to the metrics of its output's source (output.h). A row of an interval
 * adds its columns to counters; a row of an event counts one event, adds up its counts and sizes,
 * and puts its times into histograms. Histograms stay what they are. Stacks are left out. Without
 * metrics in the source nothing is added: the tool does so itself.
 */
extern const struct output_format metrics_format;

#endif
