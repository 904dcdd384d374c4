/* SPDX-License-Identifier: MIT
 *
 * detect_buffer.c - the events in samples that a program already has.
 *
 * The samples come from standard input here, 16 bits each, mono, and are all in memory before detection begins; a
 * program that must report events while samples come uses a loco_listener instead (listen.c).
 *
 *     cc detect_buffer.c -lloco -lm
 *     sox song.wav -t raw -e signed -b 16 -c 1 -r 44100 - | ./a.out drums 44100
 */
#include <loco.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct sound {
    float *samples;
    size_t len, capacity;
} sound;

/* Doubles the room when it is full; false without memory. */
static bool add(sound *s, float sample)
{
    if (s->len == s->capacity) {
        size_t capacity = s->capacity > 0 ? 2 * s->capacity : 1 << 16;
        float *grown = realloc(s->samples, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        s->samples = grown;
        s->capacity = capacity;
    }
    s->samples[s->len++] = sample;
    return true;
}

/* 16-bit samples, the low byte first, to -1..1. */
static bool read_all(sound *s, FILE *file)
{
    unsigned char bytes[2];
    while (fread(bytes, sizeof bytes, 1, file) == 1)
        if (!add(s, (float)(int16_t)(uint16_t)(bytes[0] | bytes[1] << 8) / 32768))
            return false;
    return !ferror(file);
}

static loco_status print_events(const sound *s, const char *name, double rate, loco_err *err)
{
    loco_model *model = NULL;
    loco_event *events = NULL;
    size_t n = 0;
    const loco_samples samples = {.data = s->samples, .frames = s->len, .channels = 1, .rate = rate};
    loco_status status = loco_model_open(&model, name, err);
    if (status == LOCO_OK)
        status = loco_detect_samples(&events, &n, model, &samples, NULL, err);
    for (size_t i = 0; i < n; i++)
        printf("%.3f s  %-8s %.2f\n", events[i].time, loco_model_class(model, events[i].kind), events[i].probability);
    loco_free(events);
    loco_model_free(model);
    return status;
}

int main(int argc, char **argv)
{
    sound s = {NULL, 0, 0};
    loco_err err;
    double rate = argc == 3 ? strtod(argv[2], NULL) : 0;
    if (!(rate > 0)) {
        fprintf(stderr, "usage: %s MODEL RATE <SAMPLES\n", argv[0]);
        return 2;
    }
    if (!read_all(&s, stdin)) {
        fprintf(stderr, "standard input cannot be read\n");
        return 1;
    }
    loco_status status = print_events(&s, argv[1], rate, &err);
    if (status != LOCO_OK)
        fprintf(stderr, "%s\n", err.text);
    free(s.samples);
    return status != LOCO_OK;
}
