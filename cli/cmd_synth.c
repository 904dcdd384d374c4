/* SPDX-License-Identifier: MIT
 *
 * cmd_synth.c - `loco synth drums`: a data set of made-up recordings, to try things out and to learn from.
 */
#include "args.h"
#include "studio/studio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_LIST = 16384 };

typedef struct wishes {
    const char *folder, *patterns, *held_out;
    lc_list kits, fonts;
    uint64_t recordings, seed, rate, threads;
    double seconds, synth, background, ordinary;
    bool unseen, distractors, others;
} wishes;

/* The values of a repeated option with colons between them; NULL where there is none. False when they are too long. */
static bool join(const lc_list *list, char text[LONGEST_LIST], const char **joined)
{
    size_t length = 0;
    for (size_t i = 0; i < list->len; i++) {
        size_t more = strlen(list->items[i]);
        if (length + more + 2 > LONGEST_LIST)
            return false;
        if (i > 0)
            text[length++] = ':';
        memcpy(text + length, list->items[i], more + 1);
        length += more;
    }
    *joined = list->len > 0 ? text : NULL;
    return true;
}

/* One line that renews itself, on a terminal alone. */
static bool show(void *context, size_t done, size_t all)
{
    const bool *terminal = context;
    if (*terminal)
        fprintf(stderr, "\r\033[K%zu of %zu recordings%s", done, all, done == all ? "\r\033[K" : "");
    return true;
}

static bool sampled(const wishes *w)
{
    return w->kits.len > 0 || w->fonts.len > 0 || w->patterns != NULL;
}

static loco_status make_set(const wishes *w, loco_err *err)
{
    studio_synth_options synthesis = {.size = sizeof synthesis,
                                      .recordings = (size_t)w->recordings,
                                      .seconds = w->seconds,
                                      .seed = w->seed,
                                      .unseen = w->unseen,
                                      .distractors = w->distractors};
    if (!sampled(w))
        return studio_synth_drums(w->folder, &synthesis, err);
    char kits_text[LONGEST_LIST], fonts_text[LONGEST_LIST];
    bool terminal = isatty(2) == 1;
    studio_kit_options kits = {.size = sizeof kits,
                               .patterns = w->patterns,
                               .held_out = w->held_out,
                               .synth = w->kits.len + w->fonts.len > 0 ? w->synth : 1,
                               .background = w->background,
                               .ordinary = w->ordinary,
                               .rate = (unsigned)w->rate,
                               .threads = (unsigned)w->threads,
                               .progress = show,
                               .context = &terminal,
                               .others = w->others};
    if (!join(&w->kits, kits_text, &kits.kits) || !join(&w->fonts, fonts_text, &kits.soundfonts)) {
        snprintf(err->text, sizeof err->text, "the names of kits and fonts have more than %d bytes", LONGEST_LIST);
        return LOCO_EARG;
    }
    return studio_synth_kits(w->folder, &synthesis, &kits, err);
}

/* An option that only sampled drums have, given without any; NULL: none. */
static const char *misplaced(const wishes *w, double usual_synth)
{
    if (sampled(w))
        return NULL;
    return w->held_out != NULL                                ? "--held-out"
           : w->others                                        ? "--others"
           : w->ordinary > 0                                  ? "--ordinary"
           : w->background > 0                                ? "--background"
           : w->synth < usual_synth || w->synth > usual_synth ? "--synth"
           : w->rate != 22050                                 ? "--rate"
                                                              : NULL;
}

static int check(const lc_usage *usage, const wishes *w, char **files, size_t files_len, double usual_synth)
{
    if (files_len == 0)
        return lc_args_wrong(usage, "say what to make: loco synth drums");
    if (files_len > 1 || strcmp(files[0], "drums") != 0)
        return lc_args_wrong(usage, "\"%s\" cannot be made; drums can", files[files_len > 1 ? 1 : 0]);
    if (w->folder == NULL)
        return lc_args_wrong(usage, "say where the data set goes: -o FOLDER");
    const char *alone = misplaced(w, usual_synth);
    if (alone != NULL)
        return lc_args_wrong(usage, "%s is for sampled drums: give --kits, --soundfonts or --patterns, too", alone);
    if (w->threads > 1024 || w->rate > 192000)
        return lc_args_wrong(usage, "--threads takes 1 to 1024, --rate 8000 to 192000");
    return LC_ARGS_GO;
}

static const lc_moved moved[] = {
    {"f", "-f is --format; write --soundfonts PATH"},
    {"p", "-p is --preset; write --patterns FOLDER"},
    {"b", "-b is --blind; write --background SHARE"},
};

int lc_command_synth(int argc, char **argv)
{
    const double usual_synth = 0.15;
    wishes w = {.recordings = 24, .seed = 1, .seconds = 20, .rate = 22050, .threads = 2, .synth = usual_synth};
    const lc_option options[] = {
        lc_option_text("output", 'o', "FOLDER", &w.folder, "where the data set goes; made when missing; required"),
        lc_option_amount("recordings", 'n', "N", &w.recordings, "how many (24)"),
        {.name = "seconds",
                                                                  .value = "S",
                                                                  .time = &w.seconds,
                                                                  .bare = true,
                                                                  .help = "length of each: 20, 20s or 2min (20)"},
        lc_option_integer("seed", 's', "N", &w.seed, "random seed (1)"),
        lc_option_flag("unseen", 0, &w.unseen, "timbres that never occur without this option: a test set"),
        lc_option_flag("distractors", 0, &w.distractors, "also toms, claps, cymbals and others that no column counts"),
        lc_option_flag("others", 0, &w.others, "columns for these, too: tom, cymbal, hand, shaker"),
        lc_option_list("kits", 'k', "FOLDER", &w.kits, "sampled drums: Hydrogen kits, or folders of them"),
        lc_option_list("soundfonts", 0, "PATH", &w.fonts, "sampled drums of .sf2 files, by the command fluidsynth"),
        lc_option_text("patterns", 0, "FOLDER", &w.patterns, "MIDI files of drummers, beside grooves of our own"),
        lc_option_text("held-out", 0, "FILE", &w.held_out, "rules about names: which are for --unseen sets"),
        lc_option_real("synth", 0, "SHARE", &w.synth, "instruments synthesised among sampled ones (0.15)"),
        lc_option_real("background", 0, "SHARE", &w.background, "recordings with music from the soundfonts (0)"),
        lc_option_real("ordinary", 0, "SHARE", &w.ordinary, "recordings as people make them; others vary more (0)"),
        lc_option_amount("rate", 'r', "N", &w.rate, "sample rate of sampled drums, in Hz (22050)"),
        lc_option_amount("threads", 't', "N", &w.threads, "threads; same result for any number (2)"),
    };
    const lc_usage usage = {
        .command = "synth",
        .line = "drums -o FOLDER [options]",
        .about =
            "Writes a data set of made-up drum recordings: sound files, counts.csv with the counts of kick, snare and\n"
            "hi-hat in clips of 0.4 to 0.8 s, and events.csv with all times, to score with. With --kits or\n"
            "--soundfonts the drums are sampled ones, and sources.txt names them and their licences.",
        .notes =
            "--kits and --soundfonts may be given several times; each may hold several paths with : between them.\n"
            "Some of the kits and fonts, and a quarter of all patterns, by name, occur with --unseen alone; a file of\n"
            "lines such as \"test colombo\" or \"train fluidr3\" (--held-out) decides otherwise.\n",
        .example = "loco synth drums -o more-drums --recordings 4 --seed 2",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
        .moved = moved,
        .moved_len = sizeof moved / sizeof moved[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done == LC_ARGS_GO)
        done = check(&usage, &w, argv, files_len, usual_synth);
    if (done != LC_ARGS_GO)
        return done;
    loco_err err = {""};
    loco_status status = make_set(&w, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    fprintf(stderr, "%llu recordings of %g s are in %s, with counts.csv and events.csv%s\n",
            (unsigned long long)w.recordings, w.seconds, w.folder, sampled(&w) ? " and sources.txt" : "");
    return LC_EXIT_OK;
}
