/* SPDX-License-Identifier: MIT
 * png_guard.c - libpng with its errors caught and its memory taken from us. */
#include "image/png_guard.h"

#include <stdio.h>
#include <stdlib.h>

static PNG_NORETURN void on_error(png_structp png, png_const_charp text)
{
    lc_png *p = png_get_error_ptr(png);
    snprintf(p->problem, sizeof p->problem, "%s", text);
    longjmp(p->jump, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static png_voidp take_memory(png_structp png, png_alloc_size_t size)
{
    lc_png *p = png_get_mem_ptr(png);
    void *memory = malloc(size);
    p->no_memory = p->no_memory || memory == NULL;
    return memory;
}

static void free_memory(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

bool lc_png_guard(lc_png *p, void (*work)(void *context), void *context)
{
    if (setjmp(p->jump) != 0)
        return false;
    work(context);
    return true;
}

void lc_png_new(lc_png *p, bool write)
{
    p->png = (write ? png_create_write_struct_2 : png_create_read_struct_2)(PNG_LIBPNG_VER_STRING, p, on_error,
                                                                            on_warning, p, take_memory, free_memory);
    if (p->png != NULL)
        p->info = png_create_info_struct(p->png);
    if (p->info == NULL)
        longjmp(p->jump, 1);
}

void lc_png_free(lc_png *p, bool write)
{
    if (p->png != NULL && write)
        png_destroy_write_struct(&p->png, &p->info);
    else if (p->png != NULL)
        png_destroy_read_struct(&p->png, &p->info, NULL);
}

void lc_png_set_order(lc_png *p)
{
    static const unsigned short one = 1;
    if (*(const unsigned char *)&one == 1)
        png_set_swap(p->png);
}
