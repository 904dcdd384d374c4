/* SPDX-License-Identifier: MIT
 *
 * cmd_models.c - `loco models`: the models that can be given by name, and what each is good for.
 *
 *     name      classes             parameters  latency  look-ahead     size  licence
 *     drums     kick, snare, hihat       46163    38 ms        0 ms   190 KB  MIT
 *               Kick, snare and hi-hat, live.
 *               trained on: 96 recordings, 3100 clips
 *
 * A file that cannot be read is reported, and the others are still listed.
 */
#include "args.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FEW_CLASSES = 12, CLASSES_BYTES = 200 };

/* What is printed about a model. */
typedef struct facts {
    const char *name, *path;
    char classes[CLASSES_BYTES];
    double latency, look_ahead, kilobytes;
} facts;

/* All names, or of many the first and the last. */
static void list_classes(char *out, const loco_model *model)
{
    size_t used = 0, K = loco_model_classes(model);
    if (K > FEW_CLASSES)
        snprintf(out, CLASSES_BYTES, "%s to %s: %zu", loco_model_class(model, 0), loco_model_class(model, K - 1), K);
    for (size_t k = 0; K <= FEW_CLASSES && k < K && used < CLASSES_BYTES; k++) {
        int written = snprintf(out + used, CLASSES_BYTES - used, "%s%s", k > 0 ? ", " : "", loco_model_class(model, k));
        used += written > 0 ? (size_t)written : 0;
    }
}

static void gather(facts *f, const loco_model_name *named, const loco_model *model)
{
    struct stat file;
    *f = (facts){.name = named->name, .path = named->path};
    list_classes(f->classes, model);
    f->latency = loco_model_latency(model);
    f->look_ahead = loco_model_look_ahead(model);
    f->kilobytes = stat(named->path, &file) == 0 ? (double)file.st_size / 1024 : 0;
}

/* ---- for people ---- */

/* What the file states under the key: its line or, of several lines, their number and the beginning of the first, up to
 * the second tab. Nothing when it states nothing. */
static void print_text(const loco_model *model, const char *key, const char *before)
{
    const char *text = loco_model_text(model, key);
    size_t more = 0, tabs = 0;
    if (text == NULL || text[0] == 0)
        return;
    for (const char *at = strchr(text, '\n'); at != NULL && at[1] != 0; at = strchr(at + 1, '\n'))
        more++;
    printf("%11s%s", "", before);
    if (more > 0)
        printf("%zu sources, named by loco inspect, among them ", more + 1);
    for (const char *at = text; *at != 0 && *at != '\n'; at++) {
        tabs += *at == '\t';
        if (more > 0 && tabs == 2)
            break;
        putchar(*at == '\t' ? ' ' : *at);
    }
    putchar('\n');
}

/* Right-aligned, with its unit, rounded up. */
static void print_milliseconds(double seconds, int width)
{
    if (isfinite(seconds) && seconds >= 10)
        printf("  %*.0f s", width - 2, ceil(seconds));
    else if (isfinite(seconds))
        printf("  %*.0f ms", width - 3, fabs(ceil(1000 * seconds - 1e-9)));
    else
        printf("  %*s", width, "all");
}

static void print_row(const facts *f, const loco_model *model)
{
    const char *licence = loco_model_text(model, "licence");
    lc_cli_print(stdout, f->name);
    printf("%*s %-24s %10zu", (int)(strlen(f->name) < 10 ? 10 - strlen(f->name) : 0), "", f->classes,
           loco_model_parameters(model));
    print_milliseconds(f->latency, 7);
    print_milliseconds(f->look_ahead, 10);
    printf("  %6.0f KB  ", ceil(f->kilobytes));
    lc_cli_print(stdout, licence != NULL ? licence : "-");
    putchar('\n');
    print_text(model, "about", "");
    print_text(model, "trained_on", "trained on: ");
}

/* ---- for programs ---- */

static void print_pair(const char *key, const char *value)
{
    printf(",\"%s\":", key);
    if (value != NULL)
        lc_cli_json_string(value);
    else
        fputs("null", stdout);
}

static void print_number(const char *key, double value)
{
    printf(",\"%s\":", key);
    lc_cli_json_number(value);
}

static void print_object(const facts *f, const loco_model *model)
{
    static const char *const keys[] = {"licence", "about",   "trained_on", "from",
                                       "version", "command", "scores",     "recipe"};
    fputs("{\"name\":", stdout);
    lc_cli_json_string(f->name);
    print_pair("path", f->path);
    fputs(",\"classes\":", stdout);
    for (size_t k = 0; k < loco_model_classes(model); k++) {
        fputs(k > 0 ? "," : "[", stdout);
        lc_cli_json_string(loco_model_class(model, k));
    }
    printf("],\"parameters\":%zu", loco_model_parameters(model));
    print_number("latency", f->latency);
    print_number("look_ahead", f->look_ahead);
    print_number("bytes", f->kilobytes * 1024);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        print_pair(keys[i], loco_model_text(model, keys[i]));
    fputs("}", stdout);
}

/* ---- the command ---- */

static int list(const loco_model_name *models, size_t len, bool json)
{
    int worst = LC_EXIT_OK;
    size_t listed = 0;
    for (size_t i = 0; i < len; i++) {
        facts f;
        loco_model *model = NULL;
        loco_err err = {""};
        loco_status status = loco_model_load(&model, models[i].path, &err);
        if (status != LOCO_OK) {
            worst = lc_cli_unread(status, &err);
            continue;
        }
        gather(&f, &models[i], model);
        if (json)
            fputs(listed++ > 0 ? ",\n" : "", stdout);
        else if (listed++ == 0)
            printf("%-10s %-24s %10s  %7s  %10s  %9s  %s\n", "name", "classes", "parameters", "latency", "look-ahead",
                   "size", "licence");
        (json ? print_object : print_row)(&f, model);
        loco_model_free(model);
    }
    return worst;
}

int lc_command_models(int argc, char **argv)
{
    bool json = false;
    const lc_option options[] = {
        lc_option_flag("json", 'j', &json, "a JSON array of objects instead of a table"),
    };
    const lc_usage usage = {
        .command = "models",
        .line = "[--json]",
        .about =
            "Lists the models that can be given by name, as in loco detect -m drums: the files NAME.loco in the folders\n"
            "of LOCO_MODELS, which has ':' between them, and those that came with LoCo. Latency is how much sound after\n"
            "an event must be read before the event is reported, look-ahead how much of it the network needs.",
        .example = "loco models",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
    };
    size_t files_len, len = 0;
    loco_model_name *models = NULL;
    loco_err err = {""};
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done != LC_ARGS_GO)
        return done;
    if (files_len > 0)
        return lc_args_wrong(&usage, "it lists all models, and takes no file; loco inspect %s describes one", argv[0]);
    loco_status status = loco_model_list(&models, &len, &err);
    if (status != LOCO_OK)
        return lc_cli_unread(status, &err);
    fputs(json ? "[" : "", stdout);
    int code = list(models, len, json);
    fputs(json ? "]\n" : "", stdout);
    loco_free(models);
    if (len == 0)
        fputs("no models found; loco train makes one, and LOCO_MODELS names the folders to search\n", stderr);
    return code;
}
