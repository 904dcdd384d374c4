/* SPDX-License-Identifier: MIT
 *
 * temp.c - names of temporary files: temp.h describes them.
 */
#include "base/temp.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HOST_BYTES = 256, HOST_DIGITS = 8 };

static const char ending[] = ".loco-tmp";

/* FNV-1a of the machine's name. */
static uint32_t machine(void)
{
    char name[HOST_BYTES] = "";
    uint32_t hash = 2166136261U;
    (void)gethostname(name, sizeof name - 1);
    for (const char *c = name; *c != 0; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619U;
    return hash;
}

void lc_temp_name(char *name, size_t size, const char *path, size_t length, unsigned attempt)
{
    snprintf(name, size, "%.*s.%08lx-%ld-%u%s", (int)length, path, (unsigned long)machine(), (long)getpid(), attempt,
             ending);
}

bool lc_temp_is_of(const char *name, const char *base)
{
    size_t length = strlen(base), digits;
    if (strncmp(name, base, length) != 0 || name[length] != '.')
        return false;
    name += length + 1;
    if (strspn(name, "0123456789abcdef") != HOST_DIGITS || name[HOST_DIGITS] != '-')
        return false;
    name += HOST_DIGITS + 1;
    digits = strspn(name, "0123456789");
    if (digits == 0 || name[digits] != '-')
        return false;
    name += digits + 1;
    digits = strspn(name, "0123456789");
    return digits > 0 && strcmp(name + digits, ending) == 0;
}
