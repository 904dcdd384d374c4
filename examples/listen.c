/* SPDX-License-Identifier: MIT
 *
 * listen.c - prints the events of a live stream: raw 32-bit float mono samples on standard input, 64 at a time.
 *
 *     cc listen.c -lloco && arecord -f FLOAT_LE -r 44100 | ./a.out drums 44100
 */
#include <loco.h>

#include <stdio.h>
#include <stdlib.h>

static void print_event(void *model, const loco_event *event)
{
    printf("%.6f,%s,%.4f\n", event->time, loco_model_class(model, event->kind), event->probability);
}

int main(int argc, char **argv)
{
    float samples[64];
    loco_err err = {"usage: listen MODEL RATE <samples"};
    loco_model *model = NULL;
    loco_listener *listener = NULL;
    loco_listen_options how = {.size = sizeof how, .channels = 1, .take = print_event};
    loco_status status = argc == 3 ? loco_model_open(&model, argv[1], &err) : LOCO_EARG;
    if (status == LOCO_OK) {
        how.rate = strtod(argv[2], NULL);
        how.context = model;
        status = loco_listener_new(&listener, model, &how, &err);
    }
    for (size_t n; status == LOCO_OK && (n = fread(samples, sizeof *samples, 64, stdin)) > 0;)
        status = loco_listener_push(listener, samples, n, &err);
    if (status == LOCO_OK)
        status = loco_listener_flush(listener, &err);
    if (status != LOCO_OK)
        fprintf(stderr, "%s\n", err.text);
    loco_listener_free(listener);
    loco_model_free(model);
    return status != LOCO_OK;
}
