/* SPDX-License-Identifier: MIT
 * status.c - status codes with one sentence about what went wrong.
 *   A sentence is cleaned as a whole: also where it quotes a path or a cause as it is, no control character of a file
 *   or a name reaches a terminal. */
#include "base/status.h"

#include "base/show.h"

#include <stdarg.h>
#include <stdio.h>

void lc_err_write(loco_err *err, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        lc_show_clean(err->text);
    }
}

const char *loco_version(void)
{
    return LOCO_VERSION_TEXT;
}

const char *loco_status_name(loco_status status)
{
    switch (status) {
    case LOCO_OK: return "success";
    case LOCO_EARG: return "wrong argument";
    case LOCO_EDATA: return "wrong data";
    case LOCO_ENOMEM: return "out of memory";
    case LOCO_EIO: return "input or output failed";
    }
    return "unknown status";
}
