/* SPDX-License-Identifier: MIT
 *
 * listen.c - prints the events of a live stream: raw 16-bit mono samples on standard input, 64 at a time.
 *
 *     cc listen.c -lloco -lm && arecord -f S16_LE -r 44100 | ./a.out drums 44100
 */
#include <loco.h>

#include <stdio.h>
#include <stdlib.h>

static void print_event(void *model, const loco_event *event)
{
    printf("%.6f,%s,%.4f\n", event->time, loco_model_class(model, event->kind), event->probability);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    enum { BLOCK = 64 };
    int16_t raw[BLOCK];
    float samples[BLOCK];
    loco_err err = {"usage: listen MODEL RATE <samples"};
    loco_model *model = NULL;
    loco_listener *listener = NULL;
    loco_status status = argc == 3 ? loco_model_open(&model, argv[1], &err) : LOCO_EARG;
    loco_listen_options how = {.size = sizeof how, .channels = 1, .take = print_event, .context = model};
    how.rate = argc == 3 ? strtod(argv[2], NULL) : 0;
    if (status == LOCO_OK)
        status = loco_listener_new(&listener, model, &how, &err);
    for (size_t n; status == LOCO_OK && (n = fread(raw, sizeof *raw, BLOCK, stdin)) > 0;) {
        for (size_t i = 0; i < n; i++)
            samples[i] = (float)raw[i] / 32768;
        status = loco_listener_push(listener, samples, n, &err);
    }
    if (status == LOCO_OK)
        status = loco_listener_flush(listener, &err);
    if (status != LOCO_OK)
        fprintf(stderr, "%s\n", err.text);
    loco_listener_free(listener);
    loco_model_free(model);
    return status != LOCO_OK;
}
