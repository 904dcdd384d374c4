/* SPDX-License-Identifier: MIT
 * detect.c - from a sound to its events: as they come, by vote of several versions, or given the counts.
 *
 *   each       sound -> front end -> network -> decoder -> take, frame by frame
 *   ensemble   the sound at N speeds around 1, detections mapped back to the time of the original; places where enough
 *              versions agree are the events (ensemble.h)
 *   counts     all logits, then the most likely events given the known counts (decode_counts.h) */
#include "detect/detect.h"

#include "base/status.h"
#include "detect/decode_counts.h"
#include "detect/ensemble.h"

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

/* Raw samples have no header, so that their format must be said; a file has one, so that it must not, and a table too. */
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
static loco_status pass(loco_model *model, const char *path, const loco_detection *how, double speed, outlet *l,
                        loco_err *err)
{
    lc_input input = {NULL, NULL};
    lc_listener *listener = NULL;
    loco_status status = lc_listener_new(&listener, model, err);
    if (status == LOCO_OK)
        status = lc_listener_scale_file(listener, path, err);
    if (status == LOCO_OK)
        status = lc_input_open(&input, path, how->raw, model->frontend.rate * speed,
                               lc_frontend_apart(&model->frontend), err);
    if (status == LOCO_OK)
        status = lc_listen(listener, input.sound, decode_frame, l, err);
    if (status == LOCO_OK)
        lc_decoder_end(l->decoder, l->take, l->context);
    lc_input_close(&input);
    lc_listener_free(listener);
    return status;
}

/* ---- several versions ---- */

/* Speeds are spread evenly, the middle one is 1. */
static double version_speed(unsigned version, unsigned versions)
{
    return 1 + widest * (2.0 * version / (versions - 1) - 1);
}

/* How many vote: as many as the user wants, or else as the decoding says, but for standard input, which is heard once. */
static loco_status versions_of(unsigned *versions, const loco_model *model, const char *path, const loco_detection *how,
                               loco_err *err)
{
    lc_decoding decoding;
    bool common;
    loco_status status = decoding_of(&decoding, &common, model, how->decoding, err);
    if (status != LOCO_OK)
        return status;
    bool once = strcmp(path, "-") == 0 || decoding.method == LC_DECODE_COUNT;
    *versions = how->ensemble > 0 ? how->ensemble : once ? 1 : (unsigned)decoding.versions;
    return LOCO_OK;
}

/* Detects in one version. Where the user asks for a vote and says no more, the threshold is low: a weak event that all
 * versions hear is one, and the vote decides. */
static loco_status add_version(loco_model *model, const char *path, const loco_detection *how, double speed,
                               lc_vote *vote, loco_err *err)
{
    lc_found list = {0};
    outlet l = {NULL, lc_found_take, &list};
    bool low = how->ensemble > 0 && how->decoding == NULL;
    loco_status status = lc_detect_decoder(&l.decoder, model, low ? "threshold=0.2" : how->decoding, err);
    if (status == LOCO_OK)
        status = pass(model, path, how, speed, &l, err);
    if (status == LOCO_OK && list.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of %.150s", path);
    /* a second of the original is `speed` seconds of the version */
    lc_version version = lc_version_of(1 / speed, 0);
    if (status == LOCO_OK)
        status = lc_vote_add(vote, &version, list.events, list.len, err);
    lc_found_free(&list);
    lc_decoder_free(l.decoder);
    return status;
}

static loco_status vote_all(loco_model *model, const char *path, const loco_detection *how, unsigned versions,
                            lc_found *list, loco_err *err)
{
    lc_vote *vote = NULL;
    lc_voting voting = lc_voting_usual();
    if (versions > MOST_VERSIONS || strcmp(path, "-") == 0)
        return lc_err_set(err, LOCO_EARG,
                          "an ensemble needs a file, which is read once a version, and at most %d of "
                          "them",
                          MOST_VERSIONS);
    loco_status status = lc_vote_new(&vote, &voting, model->net->classes, err);
    for (unsigned v = 0; status == LOCO_OK && v < versions; v++)
        status = add_version(model, path, how, version_speed(v, versions), vote, err);
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
static loco_status given_counts(loco_model *model, const char *path, const loco_detection *how, lc_found *list,
                                loco_err *err)
{
    lc_series series = {.K = model->net->classes};
    lc_listener *listener = NULL;
    lc_input input = {NULL, NULL};
    loco_count *count = NULL;
    loco_status status = lc_listener_new(&listener, model, err);
    if (status == LOCO_OK)
        status = lc_listener_scale_file(listener, path, err);
    if (status == LOCO_OK)
        status = lc_input_open(&input, path, how->raw, model->frontend.rate, lc_frontend_apart(&model->frontend), err);
    if (status == LOCO_OK)
        status = lc_listen(listener, input.sound, lc_series_take, &series, err);
    if (status == LOCO_OK && series.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the probabilities of %.150s", path);
    if (status == LOCO_OK)
        status = check_counts(model, path, how->counts, series.T, err);
    if (status == LOCO_OK)
        status = loco_count_new(&count, 1, err);
    if (status == LOCO_OK)
        status = lc_decode_counts(count, series.logits, series.T, series.K, how->counts, lc_detect_hop(model), 0,
                                  model->offsets, list, err);
    loco_count_free(count);
    free(series.logits);
    lc_input_close(&input);
    lc_listener_free(listener);
    return status;
}

/* ---- public ---- */

static const loco_detection as_the_model_says;

static loco_status detect_list(loco_model *model, const char *path, const loco_detection *how, unsigned versions,
                               lc_found *list, loco_err *err)
{
    if (how->counts != NULL)
        return given_counts(model, path, how, list, err);
    if (versions > 1)
        return vote_all(model, path, how, versions, list, err);
    outlet l = {NULL, lc_found_take, list};
    loco_status status = lc_detect_decoder(&l.decoder, model, how->decoding, err);
    if (status == LOCO_OK)
        status = pass(model, path, how, 1, &l, err);
    if (status == LOCO_OK && list->failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of %.150s", path);
    lc_decoder_free(l.decoder);
    return status;
}

loco_status loco_detect(loco_model *model, const char *path, const loco_detection *how, loco_event **events,
                        size_t *events_len, loco_err *err)
{
    const loco_detection *asked = how != NULL ? how : &as_the_model_says;
    lc_found list = {0};
    unsigned versions = 1;
    loco_status status = versions_of(&versions, model, path, asked, err);
    if (status == LOCO_OK)
        status = detect_list(model, path, asked, versions, &list, err);
    if (status != LOCO_OK) {
        lc_found_free(&list);
        return status;
    }
    lc_events_sort(list.events, list.len);
    *events = list.events;
    *events_len = list.len;
    return LOCO_OK;
}

/* Where a result needs the whole recording, all events come at the end, in order; else each as soon as it is
 * certain. */
loco_status loco_detect_each(loco_model *model, const char *path, const loco_detection *how, loco_event_take *take,
                             void *context, loco_err *err)
{
    const loco_detection *asked = how != NULL ? how : &as_the_model_says;
    unsigned versions = 1;
    loco_status status = versions_of(&versions, model, path, asked, err);
    if (status != LOCO_OK)
        return status;
    if (asked->counts != NULL || versions > 1) {
        lc_found list = {0};
        status = detect_list(model, path, asked, versions, &list, err);
        lc_events_sort(list.events, status == LOCO_OK ? list.len : 0);
        for (size_t i = 0; status == LOCO_OK && i < list.len; i++)
            take(context, &list.events[i]);
        lc_found_free(&list);
        return status;
    }
    outlet l = {NULL, take, context};
    status = lc_detect_decoder(&l.decoder, model, asked->decoding, err);
    if (status == LOCO_OK)
        status = pass(model, path, asked, 1, &l, err);
    lc_decoder_free(l.decoder);
    return status;
}
