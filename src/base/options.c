/* SPDX-License-Identifier: MIT
 * options.c - structs of options that can grow.
 *
 *   size   of the caller's struct   what is read
 *   0      was not set              refused: with a size that is not known, no field is
 *   < ours of an older loco.h       its bytes; the fields that came later are 0, the default
 *   = ours                          its bytes
 *   > ours of a newer loco.h        our bytes, where all others are 0: the program asks for nothing that is new */
#include "base/options.h"

#include "base/status.h"

#include <string.h>

loco_status lc_options_read(void *to, size_t to_size, const void *from, const char *name, loco_err *err)
{
    size_t size = to_size;
    const unsigned char *bytes = from;
    if (from != NULL)
        memcpy(&size, from, sizeof size);
    if (size < sizeof size)
        return lc_err_set(err, LOCO_EARG, "%s: size is %zu; set it to sizeof(%s)", name, size, name);
    for (size_t i = to_size; i < size; i++)
        if (bytes[i] != 0)
            return lc_err_set(
                err, LOCO_EARG,
                "%s of %zu bytes was made for a newer LoCo; LoCo %s knows %zu of them: update the library", name, size,
                loco_version(), to_size);
    memset(to, 0, to_size);
    if (from != NULL)
        memcpy(to, from, size < to_size ? size : to_size);
    memcpy(to, &to_size, sizeof to_size);
    return LOCO_OK;
}
