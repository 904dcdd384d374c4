/* SPDX-License-Identifier: MIT
 * options.h - structs of options that can grow: each begins with its size, as the program that fills it was compiled. */
#ifndef LC_BASE_OPTIONS_H
#define LC_BASE_OPTIONS_H

#include "loco.h"

/* Copies the options `from`, whose first member is their size, to a struct of to_size bytes of ours. NULL: all zeros, the
 * defaults. name: that of the struct, for the sentence. LOCO_EARG: the size is not set, or there is something in fields
 * that we do not know. */
LOCO_MUST_USE loco_status lc_options_read(void *to, size_t to_size, const void *from, const char *name, loco_err *err);

#endif
