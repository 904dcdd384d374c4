/* SPDX-License-Identifier: MIT
 *
 * runs.c - words NAME=FILE of a command line: runs of a method.
 */
#include "runs.h"

#include "files.h"

#include <stdlib.h>
#include <string.h>

loco_status lc_runs_split(loco_run **out, char **words, size_t words_len, loco_err *err)
{
    loco_run *runs = calloc(words_len + 1, sizeof *runs);
    if (runs == NULL)
        return lc_cli_error(err, LOCO_ENOMEM, "out of memory for %zu runs", words_len);
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < words_len; i++) {
        char *equals = strchr(words[i], '=');
        if (equals == NULL || equals == words[i]) {
            status = lc_cli_error(err, LOCO_EARG, "\"%s\" is not NAME=FILE, such as exact=first.json", words[i]);
            break;
        }
        *equals = 0;
        runs[i] = (loco_run){words[i], equals + 1};
        status = lc_files_check_input(runs[i].path, err);
    }
    if (status == LOCO_OK)
        *out = runs;
    else
        free(runs);
    return status;
}
