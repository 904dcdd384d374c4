/* SPDX-License-Identifier: MIT
 * detect.c - from a sound to its events: as they come, by vote of several versions, or given the counts.
 *
 *   each       sound -> front end -> network -> decoder -> take, frame by frame
 *   ensemble   the sound at N speeds around 1, detections mapped back to the time of the original; places where enough
 *              versions agree are the events (ensemble.h)
 *   snap       then, where the model or the user wants it, each moved to where its sound begins (snap.h)
 *   counts     all logits, then the most likely events given the known counts (decode_counts.h) */
#include "detect/detect.h"

#include "base/status.h"
#include "detect/decode_counts.h"
#include "detect/ensemble.h"
#include "detect/snap.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double widest = 0.06; /* an ensemble's speeds: 1 - widest to 1 + widest */
enum { MOST_VERSIONS = 64 };

/* The library's own free: a program may be linked with another allocator than the library. */
void loco_free(void *memory)
{
    free(memory);
}

double lc_detect_hop(const loco_model *model)
{
    return (double)model->frontend.hop / model->frontend.rate;
}

lc_frames lc_detect_frames(const loco_model *model, size_t kind, double start, double end, size_t T)
{
    double hop = lc_detect_hop(model), late = model->offsets[kind], most = (double)T;
    double first = start > 0 ? fmin(fmax(ceil((start + late) / hop), 0), most) : 0;
    return (lc_frames){(size_t)first, isfinite(end) ? (size_t)fmin(fmax(ceil((end + late) / hop), first), most) : T};
}

/* ---- the parts ---- */

/* A line that begins with a method replaces the model's; else each word changes one setting. */
static loco_status change_decoding(lc_decoding *decoding, bool *threshold, const char *settings, loco_err *err)
{
    loco_status status = LOCO_OK;
    size_t first = strcspn(settings, " ="), length = strlen(settings);
    *threshold = strstr(settings, "threshold=") != NULL;
    if (settings[first] != '=')
        return lc_decoding_parse(decoding, settings, length, err);
    while (status == LOCO_OK && *settings != 0) {
        settings += strspn(settings, " ");
        size_t word = strcspn(settings, " ");
        if (word > 0)
            status = lc_decoding_set(decoding, settings, word, err);
        settings += word;
    }
    return status;
}

/* The model's decoding, with what the user changes of it; common: a threshold for all classes is among that. */
static loco_status decoding_of(lc_decoding *decoding, bool *common, const loco_model *model, const char *settings,
                               loco_err *err)
{
    loco_err cause;
    *decoding = model->decoding;
    *common = false;
    if (settings != NULL && change_decoding(decoding, common, settings, &cause) != LOCO_OK)
        return lc_err_set(err, LOCO_EARG, "decoding \"%.60s\": %.170s", settings, cause.text);
    return LOCO_OK;
}

/* The model's thresholds, one for each class, were measured with its own method; they hold no longer where the user
 * gives a common threshold or another method. Offsets in time stay: they are of the network. */
loco_status lc_detect_decoder(lc_decoder **decoder, const loco_model *model, const char *settings, loco_err *err)
{
    lc_decoding decoding;
    bool common;
    loco_status status = decoding_of(&decoding, &common, model, settings, err);
    if (status != LOCO_OK)
        return status;
    return lc_decoder_new(decoder, &decoding, model->net->classes, lc_detect_hop(model),
                          common || decoding.method != model->decoding.method ? NULL : model->thresholds,
                          model->offsets, err);
}

/* A stream of our own over standard input, so that closing it leaves the program's. */
static loco_status open_standard(lc_input *input, const char *raw, double rate, lc_columns columns, loco_err *err)
{
    lc_raw_format format = {0};
    if (raw != NULL && lc_raw_parse(&format, raw, err) != LOCO_OK)
        return LOCO_EARG;
    int descriptor = dup(STDIN_FILENO);
    input->raw = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (input->raw == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        return lc_err_set(err, LOCO_EDATA, "standard input cannot be read: %s", strerror(errno));
    }
    loco_status status = raw != NULL
                             ? lc_sound_open_raw_channels(&input->sound, input->raw, "standard input", &format, rate,
                                                          columns.n, err)
                             : lc_sound_open_rows(&input->sound, input->raw, "standard input", rate, columns, err);
    if (status != LOCO_OK)
        lc_input_close(input);
    return status;
}

/* Raw samples have no header, so that their format must be said; a file has one, so that it must not, and a table
 * too. */
loco_status lc_input_open(lc_input *input, const char *path, const char *raw, double rate, lc_columns columns,
                          loco_err *err)
{
    bool standard = strcmp(path, "-") == 0;
    *input = (lc_input){NULL, NULL};
    if (!standard && raw == NULL)
        return lc_sound_open_channels(&input->sound, path, rate, columns, err);
    if (!standard)
        return lc_err_set(err, LOCO_EARG, "%.100s: raw samples are read from standard input: loco detect ... - <FILE",
                          path);
    if (raw == NULL && columns.n == 0)
        return lc_err_set(err, LOCO_EARG,
                          "standard input needs its format: --raw s16le,1,44100 (type, channels, samples a second)");
    return open_standard(input, raw, rate, columns, err);
}

void lc_input_close(lc_input *input)
{
    lc_sound_close(input->sound);
    if (input->raw != NULL)
        fclose(input->raw);
    *input = (lc_input){NULL, NULL};
}

/* ---- one file ---- */

typedef struct job {
    loco_model *model;
    const char *path;
    const loco_detection *how;
    lc_listener *listener;
    unsigned versions; /* that vote */
    double snap;       /* seconds; 0: events stay */
} job;

static const loco_detection as_the_model_says;

/* How far events may move: half the least distance of two at most, so that no two move to one sound. Refused where the
 * user asks for it and the model cannot. */
static loco_status plan_snap(job *j, const lc_decoding *decoding, loco_err *err)
{
    double apart = j->versions > 1 ? lc_voting_usual().gap : decoding->gap;
    if (j->model->bands != NULL)
        j->snap = fmin(decoding->snap, apart / 2);
    else if (decoding->snap > 0 && j->how->decoding != NULL && strstr(j->how->decoding, "snap=") != NULL)
        return lc_err_set(
            err, LOCO_EARG,
            "snap=%g: this model has not learned in which bands its sounds begin; a model of sound learns "
            "it by loco calibrate",
            decoding->snap);
    return LOCO_OK;
}

/* Versions: as many as the user wants, or else as the decoding says. Standard input is heard once, and has neither vote
 * nor snap; events of known counts have no least distance. */
static loco_status plan(job *j, loco_err *err)
{
    lc_decoding decoding;
    bool common;
    loco_status status = decoding_of(&decoding, &common, j->model, j->how->decoding, err);
    if (status != LOCO_OK)
        return status;
    bool single = strcmp(j->path, "-") == 0 || decoding.method == LC_DECODE_COUNT;
    j->versions = j->how->ensemble > 0 ? j->how->ensemble : single ? 1 : (unsigned)decoding.versions;
    return single || j->how->counts != NULL ? LOCO_OK : plan_snap(j, &decoding, err);
}

/* What loco_detect and loco_detect_each begin with; the listener is all there is to free. */
static loco_status begin(job *j, loco_model *model, const char *path, const loco_detection *how, loco_err *err)
{
    *j = (job){.model = model, .path = path, .how = how != NULL ? how : &as_the_model_says};
    loco_status status = plan(j, err);
    if (status == LOCO_OK)
        status = lc_listener_new(&j->listener, model, err);
    if (status == LOCO_OK)
        status = lc_listener_scale_file(j->listener, path, err);
    return status;
}

/* ---- as they come ---- */

typedef struct outlet {
    lc_decoder *decoder;
    loco_event_take *take;
    void *context;
} outlet;

/* Between network and decoder: one frame of logits, as a lc_logits_take. */
static void decode_frame(void *context, const float *logits)
{
    outlet *l = context;
    lc_decoder_push(l->decoder, logits, l->take, l->context);
}

/* One pass at `speed` times the model's rate: the network hears the sound slower or faster. */
static loco_status pass(const job *j, double speed, outlet *l, loco_err *err)
{
    const lc_frontend_settings *front = &j->model->frontend;
    lc_input input = {NULL, NULL};
    loco_status status = lc_input_open(&input, j->path, j->how->raw, front->rate * speed, lc_frontend_apart(front),
                                       err);
    if (status == LOCO_OK)
        status = lc_listen(j->listener, input.sound, decode_frame, l, err);
    if (status == LOCO_OK)
        lc_decoder_end(l->decoder, l->take, l->context);
    lc_input_close(&input);
    return status;
}

/* ---- several versions ---- */

/* Speeds are spread evenly, the middle one is 1. */
static double version_speed(unsigned version, unsigned versions)
{
    return 1 + widest * (2.0 * version / (versions - 1) - 1);
}

/* Detects in one version. Where the user asks for a vote and says no more, the threshold is low: a weak event that all
 * versions hear is one, and the vote decides. */
static loco_status add_version(const job *j, double speed, lc_vote *vote, loco_err *err)
{
    lc_found list = {0};
    outlet l = {NULL, lc_found_take, &list};
    bool low = j->how->ensemble > 0 && j->how->decoding == NULL;
    loco_status status = lc_detect_decoder(&l.decoder, j->model, low ? "threshold=0.2" : j->how->decoding, err);
    if (status == LOCO_OK)
        status = pass(j, speed, &l, err);
    if (status == LOCO_OK && list.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of %.150s", j->path);
    /* a second of the original is `speed` seconds of the version */
    lc_version version = lc_version_of(1 / speed, 0);
    if (status == LOCO_OK)
        status = lc_vote_add(vote, &version, list.events, list.len, err);
    lc_found_free(&list);
    lc_decoder_free(l.decoder);
    return status;
}

static loco_status vote_all(const job *j, lc_found *list, loco_err *err)
{
    lc_vote *vote = NULL;
    lc_voting voting = lc_voting_usual();
    if (j->versions > MOST_VERSIONS || strcmp(j->path, "-") == 0)
        return lc_err_set(err, LOCO_EARG,
                          "an ensemble needs a file, which is read once a version, and at most %d of "
                          "them",
                          MOST_VERSIONS);
    loco_status status = lc_vote_new(&vote, &voting, j->model->net->classes, err);
    for (unsigned v = 0; status == LOCO_OK && v < j->versions; v++)
        status = add_version(j, version_speed(v, j->versions), vote, err);
    if (status == LOCO_OK)
        status = lc_vote_events(vote, list, err);
    lc_vote_free(vote);
    return status;
}

/* ---- known counts ---- */

/* More events than frames: lc_decode_counts would refuse it too, but knows neither the names nor the file. */
static loco_status check_counts(const loco_model *model, const char *path, const loco_label *counts, size_t frames,
                                loco_err *err)
{
    for (size_t k = 0; k < model->net->classes; k++)
        if (counts[k].lo > frames)
            return lc_err_set(err, LOCO_EDATA, "%.100s: %zu events of %.60s do not fit into its %zu frames", path,
                              counts[k].lo, model->classes[k], frames);
    return LOCO_OK;
}

/* All logits are kept, 4 bytes for each class and frame: at 100 frames a second and 5 classes 7 MB an hour. The count
 * of a whole recording binds all of its frames, so that no event is certain before the last one is heard. */
static loco_status given_counts(const job *j, lc_found *list, loco_err *err)
{
    const loco_model *model = j->model;
    lc_series series = {.K = model->net->classes};
    lc_input input = {NULL, NULL};
    loco_count *count = NULL;
    loco_status status = lc_input_open(&input, j->path, j->how->raw, model->frontend.rate,
                                       lc_frontend_apart(&model->frontend), err);
    if (status == LOCO_OK)
        status = lc_listen(j->listener, input.sound, lc_series_take, &series, err);
    if (status == LOCO_OK && series.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the probabilities of %.150s", j->path);
    if (status == LOCO_OK)
        status = check_counts(model, j->path, j->how->counts, series.T, err);
    if (status == LOCO_OK)
        status = loco_count_new(&count, 1, err);
    if (status == LOCO_OK)
        status = lc_decode_counts(count, series.logits, series.T, series.K, j->how->counts, lc_detect_hop(model), 0,
                                  model->offsets, list, err);
    loco_count_free(count);
    free(series.logits);
    lc_input_close(&input);
    return status;
}

/* ---- public ---- */

/* Events as they come, from one pass. */
static loco_status once(const job *j, loco_event_take *take, void *context, loco_err *err)
{
    outlet l = {NULL, take, context};
    loco_status status = lc_detect_decoder(&l.decoder, j->model, j->how->decoding, err);
    if (status == LOCO_OK)
        status = pass(j, 1, &l, err);
    lc_decoder_free(l.decoder);
    return status;
}

static loco_status snap_all(const job *j, lc_found *list, loco_err *err)
{
    lc_sound *sound;
    loco_status status = lc_sound_open(&sound, j->path, j->model->frontend.rate, err);
    if (status != LOCO_OK)
        return status;
    lc_events_sort(list->events, list->len);
    status = lc_snap(j->model, j->snap, sound, list->events, list->len, err);
    lc_sound_close(sound);
    return status;
}

/* All events, sorted. */
static loco_status detect_list(const job *j, lc_found *list, loco_err *err)
{
    loco_status status = LOCO_OK;
    if (j->how->counts != NULL)
        status = given_counts(j, list, err);
    else if (j->versions > 1)
        status = vote_all(j, list, err);
    else
        status = once(j, lc_found_take, list, err);
    if (status == LOCO_OK && list->failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of %.150s", j->path);
    if (status == LOCO_OK && j->snap > 0 && list->len > 0)
        status = snap_all(j, list, err);
    if (status == LOCO_OK)
        lc_events_sort(list->events, list->len);
    return status;
}

loco_status loco_detect(loco_model *model, const char *path, const loco_detection *how, loco_event **events,
                        size_t *events_len, loco_err *err)
{
    job j;
    lc_found list = {0};
    loco_status status = begin(&j, model, path, how, err);
    if (status == LOCO_OK)
        status = detect_list(&j, &list, err);
    lc_listener_free(j.listener);
    if (status != LOCO_OK) {
        lc_found_free(&list);
        return status;
    }
    *events = list.events;
    *events_len = list.len;
    return LOCO_OK;
}

/* Where a result needs the whole recording, all events come at the end, in order; else each as soon as it is
 * certain. */
loco_status loco_detect_each(loco_model *model, const char *path, const loco_detection *how, loco_event_take *take,
                             void *context, loco_err *err)
{
    job j;
    lc_found list = {0};
    loco_status status = begin(&j, model, path, how, err);
    if (status == LOCO_OK && j.how->counts == NULL && j.versions <= 1 && !(j.snap > 0)) {
        status = once(&j, take, context, err);
    } else if (status == LOCO_OK) {
        status = detect_list(&j, &list, err);
        for (size_t i = 0; status == LOCO_OK && i < list.len; i++)
            take(context, &list.events[i]);
    }
    lc_found_free(&list);
    lc_listener_free(j.listener);
    return status;
}
