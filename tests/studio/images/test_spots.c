/* SPDX-License-Identifier: MIT
 * test_spots.c - data sets of spots: arguments, brightness at the events, threads, seeds. */
#include "data_cases.h"

#include "studio/images/spots.h"

static const studio_image_options small = {
    .size = sizeof small, .images = 6, .width = 64, .height = 48, .least = 1, .most = 12, .seed = 4, .threads = 1};

static void refuse(studio_spots_options spots, const char *says)
{
    loco_err err = {""};
    CHECK_STATUS(studio_synth_spots(data_path("refused"), &small, &spots, &err), LOCO_EARG);
    CHECK_SAYS(err.text, says);
    CHECK(access(data_path("refused"), F_OK) != 0);
}

static void wrong_arguments_are_refused(void)
{
    refuse((studio_spots_options){0}, "sizeof(studio_spots_options)");
    refuse((studio_spots_options){sizeof(studio_spots_options), 5, 4}, "a radius of 5 to 4 pixels");
    refuse((studio_spots_options){sizeof(studio_spots_options), 0.1, 4}, "in order, 0.5 to 1000");
    refuse((studio_spots_options){sizeof(studio_spots_options), 1, NAN}, "in order, 0.5 to 1000");
}

/* Draws image `index`; the caller frees pixels and events. */
static lc_drawn draw(const lc_spots_settings *settings, size_t index)
{
    const studio_image_options *options = settings->options;
    lc_drawn drawn = {.pixels = calloc(options->height, options->width),
                      .height = options->height,
                      .width = options->width,
                      .events = calloc(options->most, sizeof *drawn.events)};
    CHECK_STATUS(lc_spots_make(settings, index, &drawn, NULL), LOCO_OK);
    return drawn;
}

static double mean_of(const lc_drawn *drawn)
{
    double sum = 0;
    for (size_t i = 0; i < drawn->height * drawn->width; i++)
        sum += drawn->pixels[i];
    return sum / (double)(drawn->height * drawn->width);
}

/* Of 40 images: numbers of spots within their limits, both ends drawn; middles inside, and brighter than the rest. */
static void spots_are_bright_and_inside(void)
{
    studio_image_options options = small;
    lc_spots_settings settings = {&options, 3, 4};
    size_t least = SIZE_MAX, most = 0, spots = 0, dim = 0;
    options.most = 5;
    for (size_t index = 0; index < 40; index++) {
        lc_drawn drawn = draw(&settings, index);
        double mean = mean_of(&drawn);
        least = drawn.events_len < least ? drawn.events_len : least;
        most = drawn.events_len > most ? drawn.events_len : most;
        for (size_t i = 0; i < drawn.events_len; i++) {
            double x = drawn.events[i].x, y = drawn.events[i].time;
            CHECK(x >= 0 && x <= 63 && y >= 0 && y <= 47 && drawn.events[i].kind == 0);
            dim += drawn.pixels[(size_t)lround(y) * 64 + (size_t)lround(x)] < mean + 15;
            spots++;
        }
        free(drawn.pixels);
        free(drawn.events);
    }
    CHECK(least == 1 && most == 5);
    CHECK(spots > 80 && dim * 50 < spots);
}

/* The mass of a single spot lies around its event: without a systematic shift. */
static void events_are_middles(void)
{
    studio_image_options options = small;
    lc_spots_settings settings = {&options, 4, 5};
    double shift_x = 0, shift_y = 0;
    size_t n = 0;
    options.most = 1;
    options.width = options.height = 96;
    for (size_t index = 0; index < 200; index++) {
        lc_drawn drawn = draw(&settings, index);
        double x = drawn.events[0].x, y = drawn.events[0].time, mass = 0, mx = 0, my = 0;
        long left = lround(x) - 8, top = lround(y) - 8;
        for (long i = top; left >= 0 && top >= 0 && left < 79 && top < 79 && i <= top + 16; i++)
            for (long j = left; j <= left + 16; j++) {
                double bright = fmax(0, drawn.pixels[i * 96 + j] - mean_of(&drawn) - 30);
                mass += bright;
                mx += bright * ((double)j - x);
                my += bright * ((double)i - y);
            }
        if (mass > 500) {
            shift_x += mx / mass;
            shift_y += my / mass;
            n++;
        }
        free(drawn.pixels);
        free(drawn.events);
    }
    CHECK(n > 80);
    CHECK_NEAR(shift_x / (double)n, 0, 0.05);
    CHECK_NEAR(shift_y / (double)n, 0, 0.05);
}

static void sets_depend_on_their_seed_alone(void)
{
    static const char *const files[] = {"000000.png", "000005.png", "events.csv", "counts.csv", "sources.txt"};
    studio_image_options how = small;
    CHECK_STATUS(studio_synth_spots(data_path("set"), &how, NULL, NULL), LOCO_OK);
    how.threads = 3;
    CHECK_STATUS(studio_synth_spots(data_path("threads"), &how, NULL, NULL), LOCO_OK);
    for (size_t i = 0; i < 5; i++)
        CHECK(data_same("set", "threads", files[i]));
    how.unseen = true;
    CHECK_STATUS(studio_synth_spots(data_path("unseen"), &how, NULL, NULL), LOCO_OK);
    CHECK(!data_same("set", "unseen", files[0]));
    size_t length;
    char *counts = data_read("set", "counts.csv", &length);
    CHECK(strncmp(counts, "file,spot\n000000.png,", 21) == 0);
    free(counts);
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(wrong_arguments_are_refused);
    RUN(spots_are_bright_and_inside);
    RUN(events_are_middles);
    RUN(sets_depend_on_their_seed_alone);
    return data_done();
}
