/* SPDX-License-Identifier: MIT
 * png_guard.h - libpng with its errors caught and its memory taken from us, for reading and for writing.
 *
 * libpng reports an error by a function that must not return. So each of its calls lies below lc_png_guard, to which that
 * function jumps. That memory is taken by a function of ours keeps a lack of it apart from a damaged file. */
#ifndef LC_IMAGE_PNG_GUARD_H
#define LC_IMAGE_PNG_GUARD_H

#include "loco.h"

#include <png.h>
#include <setjmp.h>
#include <stdbool.h>

typedef struct lc_png {
    png_structp png;
    png_infop info;
    bool no_memory;
    char problem[64]; /* what libpng said */
    jmp_buf jump;
} lc_png;

/* Runs work(context), which may call libpng; false when libpng reported an error. */
bool lc_png_guard(lc_png *p, void (*work)(void *context), void *context);

/* Makes png and info; to be called below the guard, as all else. */
void lc_png_new(lc_png *p, bool write);
void lc_png_free(lc_png *p, bool write);

/* Values of 16 bits lie in memory in the machine's order. */
void lc_png_set_order(lc_png *p);

#endif
