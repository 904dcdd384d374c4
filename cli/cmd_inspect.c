/* SPDX-License-Identifier: MIT
 *
 * cmd_inspect.c - `loco inspect`: what a model file holds.
 */
#include "args.h"
#include "files.h"

#include <stdio.h>

static void say_model(const char *path, const char *text)
{
    lc_cli_print(stdout, path);
    printf("\n%s", text);
}

int lc_command_inspect(int argc, char **argv)
{
    const lc_usage usage = {
        .command = "inspect",
        .line = "MODEL...",
        .about =
            "Prints what a model file holds: classes, network, front end, decoding, calibration, latency and training.",
        .example = "loco inspect drums.loco",
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (files_len == 0)
        return lc_args_wrong(&usage, "name a model file");
    for (size_t i = 0; i < files_len; i++) {
        loco_model *model = NULL;
        loco_err err = {""};
        char *text = NULL, *path = NULL;
        loco_status status = lc_files_model(&path, argv[i], &err);
        if (status == LOCO_OK)
            status = loco_model_load(&model, path, &err);
        if (status == LOCO_OK)
            status = loco_model_describe(&text, model, &err);
        loco_model_free(model);
        if (status == LOCO_OK)
            say_model(path, text);
        loco_free(path);
        loco_free(text);
        if (status != LOCO_OK)
            return lc_cli_unread(status, &err);
    }
    return LC_EXIT_OK;
}
