/* SPDX-License-Identifier: MIT
 * input.h - what a model reads: a file, standard input, or samples in memory, block by block at its own rate.
 *
 *     lc_reader reader;
 *     status = lc_reader_open(&reader, &(lc_input){.path = "take.wav"}, &model->frontend, err);
 *     if (status == LOCO_OK)
 *         status = lc_reader_each(&reader, push, context, err);
 *     lc_reader_close(&reader);
 */
#ifndef LC_DETECT_INPUT_H
#define LC_DETECT_INPUT_H

#include "signal/frontend.h"
#include "signal/source.h"

/* Who receives what is odd about an input, once. */
typedef struct lc_input_notice {
    void (*notice)(void *context, const char *sentence);
    void *context;
    bool given;
} lc_input_notice;

typedef struct lc_input {
    const char *path;            /* "-": standard input; NULL: samples */
    const char *raw;             /* standard input without a header: "s16le,1,44100"; NULL: rows of a table or WAV */
    const loco_samples *samples; /* in memory */
    const char *whole; /* of samples that are part of a recording: the file whose scale holds; NULL: the samples' own */
    lc_input_notice *notice; /* NULL: nobody */
} lc_input;

/* For messages: the path, or "the samples". */
const char *lc_input_name(const lc_input *input);

/* An input that is being read. Sound is mixed to one channel, the channels of a series stay apart. */
typedef struct lc_reader {
    double rate;
    size_t channels;
    lc_source *source;
    FILE *standard;        /* standard input; NULL: a file or samples */
    const lc_input *input; /* must outlive the reader */
    float *block;          /* (BLOCK, channels) */
    uint64_t frames;       /* handed on so far */
} lc_reader;

/* Opens an input for a front end: its columns, or all channels mixed. On failure there is nothing to close. */
LOCO_MUST_USE loco_status lc_reader_open(lc_reader *reader, const lc_input *input, const lc_frontend_settings *front,
                                         loco_err *err);
void lc_reader_close(lc_reader *reader);

/* Receives the next block of frames; another status than LOCO_OK ends the reading. */
typedef loco_status lc_block_take(void *context, const float *samples, size_t frames, loco_err *err);

/* Hands on all blocks, in order: of a live stream what there is, as soon as it is there; of others large blocks. */
LOCO_MUST_USE loco_status lc_reader_each(lc_reader *reader, lc_block_take *take, void *context, loco_err *err);

#endif
