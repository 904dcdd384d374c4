/* SPDX-License-Identifier: MIT
 * detect.c - from a recording to its events: one by one, by vote of several versions, or given the counts.
 *
 *   each       input -> front end -> network -> decoder -> take, frame by frame
 *   ensemble   the input at N speeds around 1, detections mapped back to the time of the original; places where enough
 *              versions agree are the events (ensemble.h)
 *   snap       if the decoding has it, each event moves to where its sound begins (snap.h): in the same pass, or after a vote
 *   counts     all logits, then the most likely events given the known counts (decode_counts.h)
 *   images     the same three, in the plane (detect_image.h) */
#include "detect/detect.h"

#include "base/options.h"
#include "base/status.h"
#include "detect/decode_counts.h"
#include "detect/detect_image.h"
#include "detect/ensemble.h"
#include "detect/infer.h"
#include "detect/listener.h"
#include "detect/snap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VERSIONS = 64 };

/* Of versions that vote, as a decoding setting: the default of lc_voting.select. */
static const char ballot_threshold[] = "threshold=0.2";

/* The library's own free: a program may be linked with another allocator than the library. */
void loco_free(void *memory)
{
    free(memory);
}

double lc_detect_hop(const loco_model *model)
{
    return (double)lc_frontend_cell(&model->frontend) / model->frontend.rate;
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

/* The model's decoding with the user's changes; *common: they hold a threshold for all classes. */
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
 * gives a common threshold or another method. Time offsets stay: they belong to the network. */
loco_status lc_detect_decoder(lc_decoder **decoder, const loco_model *model, const char *settings, loco_err *err)
{
    lc_decoding decoding;
    bool common;
    loco_status status = decoding_of(&decoding, &common, model, settings, err);
    if (status == LOCO_OK && model->frontend.ops->picture && decoding.method == LC_DECODE_COUNT)
        status = lc_err_set(err, LOCO_EARG, "decoding \"count\" follows time; of images use mass or peak");
    if (status != LOCO_OK)
        return status;
    status = lc_decoder_new(decoder, &decoding, model->net->classes, lc_detect_hop(model),
                            common || decoding.method != model->decoding.method ? NULL : model->thresholds,
                            model->offsets, err);
    if (status == LOCO_OK && model->frontend.ops->picture)
        lc_decoder_widen(*decoder, model->net->places, model->offsets_x);
    return status;
}

/* ---- one file ---- */

typedef struct detect_job {
    const loco_model *model;
    lc_input input;
    const loco_detect_options *how;
    lc_scale scale;    /* of the recording */
    bool scaled;       /* scale was measured */
    unsigned versions; /* that vote */
    double snap;       /* seconds; 0: events stay */
} detect_job;

/* Standard input is read once. */
static bool is_standard(const detect_job *j)
{
    return j->input.path != NULL && strcmp(j->input.path, "-") == 0;
}

/* How far events may move: at most half the least distance of two, so that no two move to the same sound. LOCO_EARG
 * where the user asks for a snap and the model has no bands. */
static loco_status plan_snap(detect_job *j, const lc_decoding *decoding, loco_err *err)
{
    double apart = j->versions > 1 ? lc_voting_default().gap : decoding->gap;
    if (j->model->bands != NULL)
        j->snap = fmin(decoding->snap, apart / 2);
    else if (decoding->snap > 0 && j->how->decoding != NULL && strstr(j->how->decoding, "snap=") != NULL)
        return lc_err_set(
            err, LOCO_EARG,
            "snap=%g: this model does not know in which bands its sounds begin; for a model of sound, loco "
            "calibrate measures them",
            decoding->snap);
    return LOCO_OK;
}

/* What has no meaning in images. */
static loco_status check_image(const detect_job *j, const lc_decoding *decoding, loco_err *err)
{
    if (decoding->snap > 0 && j->how->decoding != NULL && strstr(j->how->decoding, "snap=") != NULL)
        return lc_err_set(err, LOCO_EARG, "snap=%g moves events to where a sound begins; leave it out for images",
                          decoding->snap);
    if (j->versions > MOST_VERSIONS)
        return lc_err_set(err, LOCO_EARG, "an ensemble of %u shifts; at most %d are possible", j->versions,
                          MOST_VERSIONS);
    return LOCO_OK;
}

/* Versions: the user's number, or else that of the decoding. Standard input can be read only once, and has neither vote
 * nor snap; events of known counts have no least distance. */
static loco_status plan(detect_job *j, loco_err *err)
{
    lc_decoding decoding;
    bool common;
    loco_status status = decoding_of(&decoding, &common, j->model, j->how->decoding, err);
    if (status != LOCO_OK)
        return status;
    bool single = is_standard(j) || decoding.method == LC_DECODE_COUNT;
    j->versions = j->how->ensemble > 0 ? j->how->ensemble : single ? 1 : (unsigned)decoding.versions;
    if (j->model->frontend.ops->picture)
        return check_image(j, &decoding, err);
    return single || j->how->counts != NULL ? LOCO_OK : plan_snap(j, &decoding, err);
}

/* What all detections begin with; there is nothing to free. */
static loco_status begin(detect_job *j, const loco_model *model, const lc_input *input, const loco_detect_options *how,
                         loco_err *err)
{
    *j = (detect_job){.model = model, .input = *input, .how = how};
    loco_status status = plan(j, err);
    if (status == LOCO_OK && !model->frontend.ops->picture)
        status = lc_infer_measure(&j->scale, &j->scaled, model, input, err);
    return status;
}

/* ---- one pass ---- */

/* Where the events of one pass go, and how they are decoded. snapped: the list that they go to, where they move to where
 * their sound begins; else NULL. */
typedef struct outlet {
    const char *decoding;
    loco_event_take *take;
    void *context;
    lc_event_array *snapped;
} outlet;

/* Events that move come in the order of their former times, up to what classes differ in lateness, for which there is a
 * second. */
static loco_status read_snapped(const detect_job *j, loco_listener *listener, lc_reader *reader, lc_event_array *list,
                                loco_err *err)
{
    lc_snapper *snapper = NULL;
    double late = lc_listener_tap(listener, NULL, NULL) + 1;
    loco_status status = lc_snapper_new(&snapper, j->model, j->snap, late, list, err);
    if (status != LOCO_OK)
        return status;
    lc_listener_tap(listener, lc_snapper_push, snapper);
    status = lc_listener_read(listener, reader, err);
    if (status == LOCO_OK)
        lc_snapper_end(snapper);
    lc_snapper_free(snapper);
    return status;
}

static loco_status read_all(const detect_job *j, double speed, lc_reader *reader, const outlet *out, loco_err *err)
{
    loco_listener *listener = NULL;
    lc_listening how = {.rate = reader->rate,
                        .channels = reader->channels,
                        .speed = speed,
                        .scale = j->scaled ? &j->scale : NULL,
                        .decoding = out->decoding,
                        .take = out->take,
                        .context = out->context};
    loco_status status = lc_listener_make(&listener, j->model, &how, err);
    if (status == LOCO_OK)
        status = out->snapped != NULL ? read_snapped(j, listener, reader, out->snapped, err)
                                      : lc_listener_read(listener, reader, err);
    loco_listener_free(listener);
    return status;
}

static void state_length(const detect_job *j, double seconds)
{
    if (j->how->seconds != NULL)
        *j->how->seconds = seconds;
}

/* One pass at a speed: the network reads the recording so many times as long. */
static loco_status pass(const detect_job *j, double speed, const outlet *out, loco_err *err)
{
    lc_reader reader;
    loco_status status = lc_reader_open(&reader, &j->input, &j->model->frontend, err);
    if (status != LOCO_OK)
        return status;
    status = read_all(j, speed, &reader, out, err);
    state_length(j, (double)reader.frames / reader.rate);
    lc_reader_close(&reader);
    return status;
}

/* ---- several versions ---- */

/* Speeds are spread evenly over 1 - speeds to 1 + speeds. */
static double version_speed(double speeds, unsigned version, unsigned versions)
{
    return 1 + speeds * (2.0 * version / (versions - 1) - 1);
}

/* Detects in one version. With an ensemble option and no decoding of the user the threshold is low: a weak event in all
 * versions is an event, and the vote decides. */
static loco_status add_version(const detect_job *j, double speed, lc_vote *vote, loco_err *err)
{
    lc_event_array list = {0};
    bool low = j->how->ensemble > 0 && j->how->decoding == NULL;
    outlet out = {low ? ballot_threshold : j->how->decoding, lc_event_array_take, &list, NULL};
    loco_status status = pass(j, speed, &out, err);
    if (status == LOCO_OK && list.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of %.150s", lc_input_name(&j->input));
    /* a second of the original is `speed` seconds of the version */
    lc_version version = lc_version_of(1 / speed, 0);
    if (status == LOCO_OK)
        status = lc_vote_add(vote, &version, list.events, list.len, err);
    lc_event_array_free(&list);
    return status;
}

static loco_status vote_all(const detect_job *j, lc_event_array *list, loco_err *err)
{
    lc_vote *vote = NULL;
    lc_voting voting = lc_voting_default();
    if (j->versions > MOST_VERSIONS || is_standard(j))
        return lc_err_set(err, LOCO_EARG,
                          "an ensemble of %u versions; it needs a file, not standard input, and at most %d versions",
                          j->versions, MOST_VERSIONS);
    loco_status status = lc_vote_new(&vote, &voting, j->model->net->classes, err);
    for (unsigned v = 0; status == LOCO_OK && v < j->versions; v++)
        status = add_version(j, version_speed(voting.speeds, v, j->versions), vote, err);
    if (status == LOCO_OK)
        status = lc_vote_events(vote, list, err);
    lc_vote_free(vote);
    return status;
}

/* ---- known counts ---- */

/* More events than frames: lc_decode_counts would refuse it too, but knows neither the names nor the file. */
static loco_status check_counts(const loco_model *model, const char *path, const loco_label *counts, size_t frames,
                                const char *unit, loco_err *err)
{
    for (size_t k = 0; k < model->net->classes; k++)
        if (counts[k].lo > frames)
            return lc_err_set(err, LOCO_EDATA, "%.100s: %zu events of %.60s do not fit into its %zu %s", path,
                              counts[k].lo, model->classes[k], frames, unit);
    return LOCO_OK;
}

/* All logits are kept, 4 bytes for each class and frame: at 100 frames a second and 5 classes 7 MB an hour. The count
 * of a whole recording binds all of its frames, so that no event is certain before the last one is read. */
static loco_status given_counts(const detect_job *j, lc_event_array *list, loco_err *err)
{
    const loco_model *model = j->model;
    lc_logits logits = {0};
    loco_count *count = NULL;
    loco_status status = lc_infer_logits(&logits, model, &j->input, err);
    state_length(j, (double)logits.T * lc_detect_hop(model));
    if (status == LOCO_OK)
        status = check_counts(model, lc_input_name(&j->input), j->how->counts, logits.T, "frames", err);
    if (status == LOCO_OK)
        status = loco_count_new(&count, 1, err);
    if (status == LOCO_OK) {
        lc_known_counts known = {.logits = logits.data,
                                 .T = logits.T,
                                 .K = logits.K,
                                 .labels = j->how->counts,
                                 .hop = lc_detect_hop(model),
                                 .offsets = model->offsets};
        status = lc_decode_counts(list, count, &known, err);
    }
    loco_count_free(count);
    free(logits.data);
    return status;
}

/* ---- public ---- */

/* Each event as soon as it is certain, from one pass. */
static loco_status once(const detect_job *j, loco_event_take *take, void *context, loco_err *err)
{
    return pass(j, 1, &(outlet){j->how->decoding, take, context, NULL}, err);
}

/* All of them, where their sound begins if the decoding wants that. */
static loco_status list_once(const detect_job *j, lc_event_array *list, loco_err *err)
{
    return pass(j, 1, &(outlet){j->how->decoding, lc_event_array_take, list, j->snap > 0 ? list : NULL}, err);
}

static loco_status snap_all(const detect_job *j, lc_event_array *list, loco_err *err)
{
    lc_sound *sound;
    double rate = j->model->frontend.rate;
    loco_status status = j->input.path != NULL
                             ? lc_sound_open(&sound, j->input.path, rate, err)
                             : lc_sound_open_samples(&sound, j->input.samples, rate, (lc_columns){0, NULL}, err);
    if (status != LOCO_OK)
        return status;
    lc_events_sort(list->events, list->len);
    status = lc_snap(j->model, j->snap, sound, list->events, list->len, err);
    lc_sound_close(sound);
    return status;
}

/* The most likely events of an image given its counts. */
static loco_status place_in_image(const detect_job *j, const lc_decoder *decoder, lc_event_array *list, loco_err *err)
{
    const lc_plane_box all = {0, 0, INFINITY, INFINITY};
    lc_logits logits = {0};
    loco_status status = lc_infer_logits(&logits, j->model, &j->input, err);
    if (status == LOCO_OK)
        status = check_counts(j->model, j->input.path, j->how->counts, logits.T, "places", err);
    if (status == LOCO_OK)
        status = lc_detect_known(list, j->model, decoder, &logits, &all, j->how->counts, err);
    free(logits.data);
    return status;
}

static loco_status detect_image(const detect_job *j, lc_event_array *list, loco_err *err)
{
    lc_decoder *decoder = NULL;
    state_length(j, 0);
    loco_status status = lc_detect_decoder(&decoder, j->model, j->how->decoding, err);
    if (status == LOCO_OK)
        status = j->how->counts != NULL ? place_in_image(j, decoder, list, err)
                                        : lc_detect_image(list, j->model, decoder, &j->input, j->versions, err);
    lc_decoder_free(decoder);
    return status;
}

/* All events, sorted. */
static loco_status detect_list(const detect_job *j, lc_event_array *list, loco_err *err)
{
    loco_status status = LOCO_OK;
    if (j->model->frontend.ops->picture)
        status = detect_image(j, list, err);
    else if (j->how->counts != NULL)
        status = given_counts(j, list, err);
    else if (j->versions > 1)
        status = vote_all(j, list, err);
    else
        status = list_once(j, list, err);
    if (status == LOCO_OK && list->failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of %.150s", lc_input_name(&j->input));
    if (status == LOCO_OK && j->snap > 0 && j->versions > 1 && list->len > 0)
        status = snap_all(j, list, err);
    if (status == LOCO_OK)
        lc_events_sort(list->events, list->len);
    return status;
}

static loco_status detect_input(loco_event **events, size_t *events_len, const loco_model *model, const lc_input *input,
                                const loco_detect_options *how, loco_err *err)
{
    detect_job j;
    lc_event_array list = {0};
    loco_status status = begin(&j, model, input, how, err);
    if (status == LOCO_OK)
        status = detect_list(&j, &list, err);
    if (status != LOCO_OK) {
        lc_event_array_free(&list);
        return status;
    }
    *events = list.events;
    *events_len = list.len;
    return LOCO_OK;
}

loco_status loco_detect(loco_event **events, size_t *events_len, const loco_model *model, const char *path,
                        const loco_detect_options *options, loco_err *err)
{
    loco_detect_options how;
    loco_status status = lc_options_read(&how, sizeof how, options, "loco_detect_options", err);
    lc_input_notice notice = {.notice = how.notice, .context = how.context};
    lc_input input = {.path = path, .raw = how.raw, .notice = &notice};
    if (status == LOCO_OK)
        status = detect_input(events, events_len, model, &input, &how, err);
    return status;
}

loco_status loco_detect_samples(loco_event **events, size_t *events_len, const loco_model *model,
                                const loco_samples *samples, const loco_detect_options *options, loco_err *err)
{
    loco_detect_options how;
    loco_status status = lc_options_read(&how, sizeof how, options, "loco_detect_options", err);
    if (status == LOCO_OK && how.raw != NULL)
        status = lc_err_set(err, LOCO_EARG, "raw is a format of standard input, and these are samples in memory");
    if (status == LOCO_OK)
        status = detect_input(events, events_len, model, &(lc_input){.samples = samples}, &how, err);
    return status;
}

/* Where a result needs the whole recording, all events come at the end, in order; else each as soon as it is
 * certain. */
loco_status loco_detect_each(loco_event_take *take, void *context, const loco_model *model, const char *path,
                             const loco_detect_options *options, loco_err *err)
{
    detect_job j = {.model = NULL};
    lc_event_array list = {0};
    loco_detect_options how;
    loco_status status = lc_options_read(&how, sizeof how, options, "loco_detect_options", err);
    lc_input_notice notice = {.notice = how.notice, .context = how.context};
    lc_input input = {.path = path, .raw = how.raw, .notice = &notice};
    if (status == LOCO_OK)
        status = begin(&j, model, &input, &how, err);
    bool whole = model->frontend.ops->picture || how.counts != NULL || j.versions > 1 || j.snap > 0;
    if (status == LOCO_OK && !whole) {
        status = once(&j, take, context, err);
    } else if (status == LOCO_OK) {
        status = detect_list(&j, &list, err);
        for (size_t i = 0; status == LOCO_OK && i < list.len; i++)
            take(context, &list.events[i]);
    }
    lc_event_array_free(&list);
    return status;
}
