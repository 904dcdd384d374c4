/* SPDX-License-Identifier: MIT
 * calibrate_counts_set.c - calibration of counts on a data set: the logits of its clips, class by class. The fit is in
 *   calibrate_counts.c.
 * A clip of an image is a rectangle of places; these are copied, since the fit reads a sequence. Of many large images only
 * the first are read: the fit takes some hundred passes over all places. 1000 images of 64 x 64 with ten classes take 6 s
 * and 44 MB, 30 of 1000 x 1000 take 51 s and 112 MB. */
#include "base/status.h"
#include "calibrate/calibrate_counts.h"
#include "detect/detect_image.h"
#include "detect/infer.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_VALUES = 1 << 24 }; /* logits of all images */

typedef struct counts_state {
    const lc_calibration *calibration;
    const lc_dataset *set;  /* with clips */
    lc_logits *logits;      /* one a recording */
    float *gathered;        /* of images: the logits of all clips of one class, each without gaps */
    lc_event_array *events; /* the same: what the model detects */
    double *seconds;        /* of each recording that are read */
    lc_counted_clip *clips;
} counts_state;

static loco_status read_recording(counts_state *s, lc_infer *infer, size_t i, loco_err *err)
{
    const lc_calibration *c = s->calibration;
    if (c->model->frontend.ops->picture)
        return lc_infer_counted(&s->logits[i], c->model, &(lc_input){.path = s->set->recordings[i].path}, err);
    return lc_infer_recording(&s->logits[i], infer, c->sounds, i, s->seconds[i], err);
}

/* As much of each recording as the seconds that are left allow. */
static loco_status read_recordings(counts_state *s, loco_err *err)
{
    lc_infer *infer = NULL;
    lc_decoder *decoder = NULL;
    double left = s->calibration->most_seconds, values = 0;
    loco_status status = lc_infer_new(&infer, s->calibration->model, s->calibration->model->frontend.rate, 1, err);
    if (status == LOCO_OK)
        status = lc_detect_decoder(&decoder, s->calibration->model, NULL, err);
    for (size_t i = 0; status == LOCO_OK && i < s->set->recordings_len && left > 1 && values < MOST_VALUES; i++) {
        if (s->calibration->recordings != NULL && !s->calibration->recordings[i])
            continue;
        s->seconds[i] = fmin(left, lc_sounds_seconds(s->calibration->sounds, i));
        status = read_recording(s, infer, i, err);
        if (status == LOCO_OK)
            status = lc_decoder_run_wide(decoder, s->logits[i].data, s->logits[i].T, s->logits[i].columns,
                                         &s->events[i], err);
        left -= s->seconds[i];
        values += s->logits[i].columns > 0 ? (double)(s->logits[i].T * s->logits[i].K) : 0;
    }
    lc_decoder_free(decoder);
    lc_infer_free(infer);
    return status;
}

/* Clips of a recording in a row, and in the order of their frames. */
static int by_recording(const void *a, const void *b)
{
    const lc_counted_clip *x = a, *y = b;
    if (x->recording != y->recording)
        return x->recording < y->recording ? -1 : 1;
    return x->logits < y->logits ? -1 : x->logits > y->logits;
}

/* Whether the end of a clip was read. */
static bool was_read(const counts_state *s, const lc_clip *clip)
{
    double end = fmin(clip->end, lc_sounds_seconds(s->calibration->sounds, clip->recording));
    return s->logits[clip->recording].T > 0 && end <= s->seconds[clip->recording] + 0.01;
}

static lc_counted_clip clip_of(const counts_state *s, const lc_clip *clip, size_t k)
{
    const lc_logits *logits = &s->logits[clip->recording];
    double seconds = lc_sounds_seconds(s->calibration->sounds, clip->recording);
    lc_frames frames = lc_detect_frames(s->calibration->model, k, clip->start, clip->end, logits->T);
    return (lc_counted_clip){.logits = logits->data + frames.first * logits->K + k,
                             .frames = frames.end - frames.first,
                             .stride = logits->K,
                             .label = clip->labels[k],
                             .recording = clip->recording,
                             .detected = lc_events_count(&s->events[clip->recording], k, clip->start,
                                                         clip->end < seconds ? clip->end : INFINITY)};
}

static lc_places places_of(const counts_state *s, const lc_clip *clip, size_t k)
{
    const lc_logits *logits = &s->logits[clip->recording];
    lc_plane_box box = lc_clip_box(clip, lc_sounds_seconds(s->calibration->sounds, clip->recording));
    return lc_detect_places(s->calibration->model, k, &box, logits->T / logits->columns, logits->columns);
}

/* The places of a clip of an image, row after row, are copied to `to`. */
static lc_counted_clip gather(const counts_state *s, const lc_clip *clip, size_t k, float *to)
{
    const lc_logits *logits = &s->logits[clip->recording];
    lc_plane_box box = lc_clip_box(clip, lc_sounds_seconds(s->calibration->sounds, clip->recording));
    lc_places p = places_of(s, clip, k);
    lc_counted_clip made = {.logits = to,
                            .frames = lc_places_len(&p),
                            .stride = 1,
                            .label = clip->labels[k],
                            .recording = clip->recording,
                            .detected = lc_box_count(&box, &s->events[clip->recording], k)};
    for (size_t r = p.row; r < p.row_end; r++)
        for (size_t c = p.column; c < p.column_end; c++)
            *to++ = logits->data[(r * logits->columns + c) * logits->K + k];
    return made;
}

/* Room for the logits of all clips of images. */
static loco_status make_room(counts_state *s, size_t k, loco_err *err)
{
    size_t places = 1;
    for (size_t i = 0; i < s->set->clips_len; i++)
        if (was_read(s, &s->set->clips[i])) {
            lc_places p = places_of(s, &s->set->clips[i], k);
            places += lc_places_len(&p);
        }
    free(s->gathered);
    s->gathered = malloc(places * sizeof *s->gathered);
    return s->gathered == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts") : LOCO_OK;
}

/* Clips whose end was read. */
static loco_status list_clips(counts_state *s, size_t k, size_t *len, loco_err *err)
{
    bool images = s->calibration->model->frontend.ops->picture;
    size_t n = 0;
    loco_status status = images ? make_room(s, k, err) : LOCO_OK;
    if (status != LOCO_OK)
        return status;
    float *to = s->gathered;
    for (size_t i = 0; i < s->set->clips_len; i++) {
        const lc_clip *clip = &s->set->clips[i];
        if (!was_read(s, clip))
            continue;
        s->clips[n] = images ? gather(s, clip, k, to) : clip_of(s, clip, k);
        to = images ? to + s->clips[n].frames : NULL;
        n++;
    }
    qsort(s->clips, n, sizeof *s->clips, by_recording);
    *len = n;
    return LOCO_OK;
}

static void describe(lc_text *findings, const lc_count_calibration *c, const char *thing)
{
    lc_text_format(findings, " of %zu %s%s; a count is the %s, within ", c->recordings, thing,
                   c->recordings == 1 ? "" : "s", c->detections ? "number of detections" : "expected number");
    lc_text_number(findings, 100 * c->spread, 1);
    lc_text_format(findings, " %% in other %ss", thing);
    if (c->recordings < 2)
        lc_text_format(findings, ", a guess from one %s: calibrate on several", thing);
    lc_text_string(findings, "\n");
}

/* Of many classes, their numbers instead of a line for each. */
static void summarise(lc_text *findings, size_t fitted, size_t classes)
{
    lc_text_format(findings, "counts of %zu of %zu classes are calibrated", fitted, classes);
    if (fitted < classes)
        lc_text_format(findings, "; the others have less than %d clips with an exact count", LC_COUNTS_COMPARED);
    lc_text_string(findings, "\n");
}

static loco_status fit_all(counts_state *s, lc_text *findings, loco_err *err)
{
    loco_model *model = s->calibration->model;
    loco_status status = LOCO_OK;
    size_t K = model->net->classes, fitted = 0;
    lc_text unread = {0}, *lines = K > LC_POOL_CLASSES ? &unread : findings;
    for (size_t k = 0; status == LOCO_OK && k < K; k++) {
        size_t n = 0, exact = 0;
        status = list_clips(s, k, &n, err);
        if (status == LOCO_OK)
            status = lc_count_calibration_fit(&model->count_calibration[k], &exact, s->clips, n, k, err);
        if (status != LOCO_OK)
            break;
        lc_text_format(lines, "%s: ", model->classes[k]);
        if (exact < LC_COUNTS_COMPARED) {
            lc_text_format(lines, "counts not calibrated: %zu clips with an exact count, %d are needed\n", exact,
                           LC_COUNTS_FEWEST);
            continue;
        }
        lc_text_format(lines, "counts %s by %zu clips", exact < LC_COUNTS_FEWEST ? "compared" : "calibrated", exact);
        model->count_calibrated = true;
        fitted++;
        describe(lines, &model->count_calibration[k], model->frontend.ops->picture ? "image" : "recording");
    }
    if (K > LC_POOL_CLASSES)
        summarise(findings, fitted, K);
    lc_text_free(&unread);
    return status;
}

/* Clips of 1 to 10 s, or whole images, with the counts of their events; *cut stays NULL when the recordings are too
 * short. */
static loco_status cut_clips(const lc_calibration *c, lc_dataset **cut, loco_err *err)
{
    size_t n = c->set->recordings_len;
    double *seconds = calloc(n + 1, sizeof *seconds);
    if (seconds == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts");
    for (size_t i = 0; i < n; i++)
        seconds[i] = lc_sounds_seconds(c->sounds, i);
    lc_cut how = {.seconds = seconds, .shortest = 1, .longest = c->model->frontend.ops->picture ? 1e6 : 10, .seed = 1};
    loco_status status = lc_dataset_cut(cut, c->set, &how, err);
    free(seconds);
    return status == LOCO_EDATA ? LOCO_OK : status; /* too short to cut: nothing is calibrated */
}

loco_status lc_calibrate_counts(const lc_calibration *calibration, lc_text *findings, loco_err *err)
{
    lc_dataset *cut = NULL;
    loco_status status = calibration->set->clips_len > 0 ? LOCO_OK : cut_clips(calibration, &cut, err);
    counts_state s = {.calibration = calibration, .set = cut != NULL ? cut : calibration->set};
    size_t recordings = s.set->recordings_len;
    s.logits = calloc(recordings + 1, sizeof *s.logits);
    s.events = calloc(recordings + 1, sizeof *s.events);
    s.seconds = calloc(recordings + 1, sizeof *s.seconds);
    s.clips = calloc(s.set->clips_len + 1, sizeof *s.clips);
    if (status == LOCO_OK && (s.logits == NULL || s.events == NULL || s.seconds == NULL || s.clips == NULL))
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts");
    if (status == LOCO_OK)
        status = read_recordings(&s, err);
    if (status == LOCO_OK)
        status = fit_all(&s, findings, err);
    if (status == LOCO_OK && findings->failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate counts");
    for (size_t i = 0; s.logits != NULL && i < recordings; i++)
        free(s.logits[i].data);
    for (size_t i = 0; s.events != NULL && i < recordings; i++)
        lc_event_array_free(&s.events[i]);
    free(s.logits);
    free(s.events);
    free(s.seconds);
    free(s.clips);
    free(s.gathered);
    lc_dataset_free(cut);
    return status;
}
