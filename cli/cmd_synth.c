/* SPDX-License-Identifier: MIT
 *
 * cmd_synth.c - `loco synth drums|piano|digits|spots`: a data set of made-up recordings or images, to try things out and
 *   to learn from.
 */
#include "args.h"
#include "files.h"
#include "studio/studio.h"
#include "synth_images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_LIST = 16384 };
enum { DRUMS, PIANO, DIGITS, SPOTS, KINDS };

static const char *const kinds[KINDS] = {"drums", "piano", "digits", "spots"};

typedef struct wishes {
    size_t kind;
    const char *folder, *patterns, *held_out, *classes;
    lc_list kits, fonts, midi, samples;
    uint64_t recordings, seed, rate, threads;
    double seconds, synth, background, ordinary, tuning;
    bool unseen, distractors, others, whole_kit;
    lc_image_wishes image;
    studio_image_options images;
    studio_spots_options spots;
} wishes;

#define USUAL_SYNTH 0.15
#define USUAL_RATE 22050
#define USUAL_SECONDS 20
#define USUAL_TUNING 440

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
    if (*terminal) {
        fprintf(stderr, "\r\033[K%zu of %zu%s", done, all, done == all ? "\r\033[K" : "");
        fflush(stderr);
    }
    return true;
}

static bool sampled(const wishes *w)
{
    return w->kits.len > 0 || w->fonts.len > 0 || w->patterns != NULL;
}

static loco_status refuse_long(const char *what, loco_err *err)
{
    snprintf(err->text, sizeof err->text, "the names of %s have more than %d bytes", what, LONGEST_LIST);
    return LOCO_EARG;
}

static loco_status make_piano(const wishes *w, const studio_synth_options *synthesis, loco_err *err)
{
    char midi_text[LONGEST_LIST], samples_text[LONGEST_LIST], fonts_text[LONGEST_LIST];
    bool terminal = isatty(2) == 1;
    studio_piano_options piano = {.size = sizeof piano,
                                  .held_out = w->held_out,
                                  .classes = w->classes,
                                  .tuning = w->tuning,
                                  .rate = (unsigned)w->rate,
                                  .threads = (unsigned)w->threads,
                                  .progress = show,
                                  .context = &terminal};
    if (!join(&w->midi, midi_text, &piano.midi) || !join(&w->samples, samples_text, &piano.samples) ||
        !join(&w->fonts, fonts_text, &piano.soundfonts))
        return refuse_long("MIDI files, samples and fonts", err);
    return studio_synth_piano(w->folder, synthesis, &piano, err);
}

static loco_status make_kits(const wishes *w, const studio_synth_options *synthesis, loco_err *err)
{
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
                               .others = w->others,
                               .whole_kit = w->whole_kit};
    if (!join(&w->kits, kits_text, &kits.kits) || !join(&w->fonts, fonts_text, &kits.soundfonts))
        return refuse_long("kits and fonts", err);
    return studio_synth_kits(w->folder, synthesis, &kits, err);
}

static loco_status make_images(const wishes *w, loco_err *err)
{
    bool terminal = isatty(2) == 1;
    studio_image_options options = w->images;
    studio_digits_options digits = {.size = sizeof digits,
                                    .from = w->image.from,
                                    .turn = w->image.turn,
                                    .scale = w->image.scale,
                                    .shear = w->image.shear,
                                    .each = w->image.each};
    options.size = sizeof options;
    options.images = (size_t)w->recordings;
    options.seed = w->seed;
    options.unseen = w->unseen;
    options.threads = (unsigned)w->threads;
    options.progress = show;
    options.context = &terminal;
    return w->kind == DIGITS ? studio_synth_digits(w->folder, &options, &digits, err)
                             : studio_synth_spots(w->folder, &options, &w->spots, err);
}

static loco_status make_set(const wishes *w, loco_err *err)
{
    if (w->kind == DIGITS || w->kind == SPOTS)
        return make_images(w, err);
    studio_synth_options synthesis = {.size = sizeof synthesis,
                                      .recordings = (size_t)w->recordings,
                                      .seconds = w->seconds,
                                      .seed = w->seed,
                                      .unseen = w->unseen,
                                      .distractors = w->distractors || w->whole_kit};
    if (w->kind == PIANO)
        return make_piano(w, &synthesis, err);
    return sampled(w) ? make_kits(w, &synthesis, err) : studio_synth_drums(w->folder, &synthesis, err);
}

static bool differs(double value, double usual)
{
    return value < usual || value > usual;
}

/* An option that only drums have; NULL: none was given. */
static const char *for_drums(const wishes *w)
{
    return w->distractors                   ? "--distractors"
           : w->others                      ? "--others"
           : w->whole_kit                   ? "--whole-kit"
           : w->kits.len > 0                ? "--kits"
           : w->patterns != NULL            ? "--patterns"
           : w->background > 0              ? "--background"
           : w->ordinary > 0                ? "--ordinary"
           : differs(w->synth, USUAL_SYNTH) ? "--synth"
                                            : NULL;
}

/* An option that only sampled drums have, given without any; NULL: none. */
static const char *for_sampled(const wishes *w)
{
    if (sampled(w))
        return NULL;
    return w->held_out != NULL              ? "--held-out"
           : w->others                      ? "--others"
           : w->whole_kit                   ? "--whole-kit"
           : w->ordinary > 0                ? "--ordinary"
           : w->background > 0              ? "--background"
           : differs(w->synth, USUAL_SYNTH) ? "--synth"
           : w->rate != USUAL_RATE          ? "--rate"
                                            : NULL;
}

/* An option that only pianos have; NULL: none. */
static const char *for_piano(const wishes *w)
{
    return w->midi.len > 0                    ? "--midi"
           : w->samples.len > 0               ? "--samples"
           : w->classes != NULL               ? "--classes"
           : differs(w->tuning, USUAL_TUNING) ? "--tuning"
                                              : NULL;
}

/* An option that all sounds have, and images not; NULL: none. */
static const char *for_sounds(const wishes *w)
{
    return w->fonts.len > 0                     ? "--soundfonts"
           : w->held_out != NULL                ? "--held-out"
           : w->rate != USUAL_RATE              ? "--rate"
           : differs(w->seconds, USUAL_SECONDS) ? "--seconds"
                                                : NULL;
}

/* Refuses an option that another kind has. */
static int check_kind(const lc_usage *usage, const wishes *w)
{
    bool sound = w->kind == DRUMS || w->kind == PIANO;
    const char *image_kind, *drums = for_drums(w), *piano = for_piano(w), *alone = for_sampled(w);
    const char *image = lc_image_misplaced(&w->image, w->kind == DIGITS, w->kind == SPOTS, &image_kind);
    if (image != NULL)
        return lc_args_wrong(usage, "%s is for %s: loco synth %s", image, image_kind,
                             strcmp(image_kind, "images") == 0 ? "digits, loco synth spots" : image_kind);
    if (w->kind != DRUMS && drums != NULL)
        return lc_args_wrong(usage, "%s is for drums", drums);
    if (w->kind == DRUMS && alone != NULL)
        return lc_args_wrong(usage, "%s is for sampled drums: give --kits, --soundfonts or --patterns, too", alone);
    if (w->kind != PIANO && piano != NULL)
        return lc_args_wrong(usage, "%s is for pianos: loco synth piano", piano);
    if (!sound && for_sounds(w) != NULL)
        return lc_args_wrong(usage, "%s is for sounds; images have --size", for_sounds(w));
    return LC_ARGS_GO;
}

static int check(const lc_usage *usage, wishes *w, char **files, size_t files_len)
{
    if (files_len == 0)
        return lc_args_wrong(usage, "say what to make: loco synth drums, piano, digits or spots");
    while (w->kind < KINDS && strcmp(files[0], kinds[w->kind]) != 0)
        w->kind++;
    if (files_len > 1 || w->kind == KINDS)
        return lc_args_wrong(usage, "\"%s\" cannot be made; drums, piano, digits and spots can",
                             files[files_len > 1 ? 1 : 0]);
    if (w->folder == NULL)
        return lc_args_wrong(usage, "say where the data set goes: -o FOLDER");
    int done = check_kind(usage, w);
    if (done != LC_ARGS_GO)
        return done;
    if (w->threads > 1024 || w->rate > 192000)
        return lc_args_wrong(usage, "--threads takes 1 to 1024, --rate 8000 to 192000");
    if (!(w->tuning >= 380 && w->tuning <= 480))
        return lc_args_wrong(usage, "--tuning takes 380 to 480 Hz, not %g", w->tuning);
    bool images = w->kind == DIGITS || w->kind == SPOTS;
    return images ? lc_image_check(usage, &w->image, w->kind == DIGITS, &w->images, &w->spots) : LC_ARGS_GO;
}

static void say_done(const wishes *w)
{
    unsigned long long n = (unsigned long long)w->recordings;
    if (w->kind == DIGITS || w->kind == SPOTS)
        lc_cli_say("%llu images are in %s, with counts.csv, events.csv and sources.txt", n, w->folder);
    else
        lc_cli_say("%llu recordings of %g s are in %s, with counts.csv and events.csv%s", n, w->seconds, w->folder,
                   sampled(w) || w->kind == PIANO ? " and sources.txt" : "");
}

static const lc_moved moved[] = {
    {"f", "-f is --format; write --soundfonts PATH"},
    {"p", "-p is --preset; write --patterns FOLDER"},
    {"b", "-b is --blind; write --background SHARE"},
};

static const char about[] =
    "Writes a data set of made-up recordings: sound files, counts.csv with the counts of kick, snare and hi-hat,\n"
    "or of the 88 pitches of a piano, in clips of 0.4 to 0.8 s, and events.csv with all times, to score with.\n"
    "With --kits or --soundfonts the drums are sampled ones. A piano plays --midi files, or music of our own,\n"
    "on --samples and --soundfonts, or on the fonts of Debian. sources.txt names sounds and licences.\n"
    "digits: images with digits of MNIST, which do not overlap, on black. spots: images like those of cells under a\n"
    "microscope. Their counts.csv has one row an image, their events.csv x and y of each middle.";

static const char notes[] =
    "--kits, --soundfonts, --midi and --samples may be given several times; each may hold several paths with :\n"
    "between them.\n"
    "Some of the kits and fonts, and a quarter of all patterns and MIDI files, by name, occur with --unseen alone; a file of\n"
    "lines such as \"test colombo\" or \"train fluidr3\" (--held-out) decides otherwise.\n"
    "A piano without any file of your own: loco synth piano -o piano-set -n 4\n"
    "Test digits: loco synth digits --from mnist -o test-digits -n 1000 --unseen\n";

int lc_command_synth(int argc, char **argv)
{
    wishes w = {.recordings = 24,
                .seed = 1,
                .seconds = USUAL_SECONDS,
                .rate = USUAL_RATE,
                .threads = 2,
                .synth = USUAL_SYNTH,
                .tuning = USUAL_TUNING,
                .spots = {.size = sizeof w.spots}};
    const lc_option options[] = {
        lc_option_text("output", 'o', "FOLDER", &w.folder, "where the data set goes; made when missing; required"),
        lc_option_amount("recordings", 'n', "N", &w.recordings, "how many recordings or images (24)"),
        {.name = "seconds",
                                                                                       .value = "S",
                                                                                       .time = &w.seconds,
                                                                                       .bare = true,
                                                                                       .help = "length of each: 20, 20s or 2min (20)"},
        lc_option_integer("seed", 's', "N", &w.seed, "random seed (1)"),
        lc_option_flag("unseen", 0, &w.unseen, "a test set: timbres or digits that never occur without this option"),
        lc_option_flag("distractors", 0, &w.distractors, "also toms, claps, cymbals and others that no column counts"),
        lc_option_flag("others", 0, &w.others, "columns for these, too: tom, cymbal, hand, shaker"),
        lc_option_flag("whole-kit", 0, &w.whole_kit, "columns for all 16 drums of a kit, from kick to percussion"),
        lc_option_list("kits", 'k', "FOLDER", &w.kits, "sampled drums: Hydrogen kits, or folders of them"),
        lc_option_list("soundfonts", 0, "PATH", &w.fonts, "drums or pianos of .sf2 files, by the command fluidsynth"),
        lc_option_text("patterns", 0, "FOLDER", &w.patterns, "MIDI files of drummers, beside grooves of our own"),
        lc_option_list("midi", 0, "PATH", &w.midi, "piano: what is played, MIDI files or folders of them"),
        lc_option_list("samples", 0, "PATH", &w.samples, "piano: sampled pianos, .sfz files or folders with some"),
        lc_option_text("classes", 0, "LIST", &w.classes, "piano: the pitches that are counted (21-108)"),
        lc_option_real("tuning", 0, "HZ", &w.tuning, "piano: the a above middle c (440)"),
        lc_option_text("size", 0, "PIXELS", &w.image.size, "images: a side, or WIDTHxHEIGHT (128)"),
        lc_option_text("from", 0, "PATH", &w.image.from, "digits: a folder with MNIST's files, or a file of images"),
        lc_option_text("digits", 0, "N..M", &w.image.digits, "digits: how many on a canvas (1..4)"),
        lc_option_flag("each", 0, &w.image.each, "digits: in the order of the file, each once"),
        lc_option_real("turn", 0, "DEG", &w.image.turn, "digits: turned by up to this (0)"),
        lc_option_real("scale", 0, "SHARE", &w.image.scale, "digits: larger or smaller by up to this (0)"),
        lc_option_real("shear", 0, "SHARE", &w.image.shear, "digits: leaning by up to this (0)"),
        lc_option_text("spots", 0, "N..M", &w.image.spots, "spots: how many in an image (1..20)"),
        lc_option_text("radius", 0, "R..S", &w.image.radius, "spots: their radius in pixels (3..7)"),
        lc_option_text("held-out", 0, "FILE", &w.held_out, "rules about names: which are for --unseen sets"),
        lc_option_real("synth", 0, "SHARE", &w.synth, "instruments synthesised among sampled ones (0.15)"),
        lc_option_real("background", 0, "SHARE", &w.background, "recordings with music from the soundfonts (0)"),
        lc_option_real("ordinary", 0, "SHARE", &w.ordinary, "recordings as people make them; others vary more (0)"),
        lc_option_amount("rate", 'r', "N", &w.rate, "sample rate of pianos and sampled drums, in Hz (22050)"),
        lc_option_amount("threads", 't', "N", &w.threads, "threads; same result for any number (2)"),
    };
    const lc_usage usage = {
        .command = "synth",
        .line = "drums|piano|digits|spots -o FOLDER [options]",
        .about = about,
        .notes = notes,
        .example = "loco synth drums -o more-drums --recordings 4 --seed 2",
        .options = options,
        .options_len = sizeof options / sizeof options[0],
        .moved = moved,
        .moved_len = sizeof moved / sizeof moved[0],
    };
    size_t files_len;
    int done = lc_args_parse(&usage, argc, argv, &files_len);
    if (done == LC_ARGS_GO)
        done = check(&usage, &w, argv, files_len);
    if (done != LC_ARGS_GO)
        return done;
    loco_err err = {""};
    lc_files_clean(w.folder);
    loco_status status = make_set(&w, &err);
    if (status != LOCO_OK)
        return lc_cli_failure(status, &err);
    say_done(&w);
    return LC_EXIT_OK;
}
