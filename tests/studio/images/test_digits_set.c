/* SPDX-License-Identifier: MIT
 * test_digits_set.c - whole data sets of digits: arguments, files, canvases, threads, seeds. */
#include "digit_cases.h"

#include "image/image.h"
#include "studio/studio.h"

static const studio_image_options small = {
    .size = sizeof small, .images = 20, .width = 24, .height = 18, .seed = 2, .threads = 1};
static char mnist[256];

static studio_digits_options defaults(void)
{
    return (studio_digits_options){.size = sizeof(studio_digits_options), .from = mnist};
}

static void refuse(studio_image_options how, studio_digits_options digits, loco_status want, const char *says)
{
    loco_err err = {""};
    CHECK_STATUS(studio_synth_digits(data_path("refused"), &how, &digits, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(access(data_path("refused"), F_OK) != 0);
}

static void wrong_numbers_are_refused(void)
{
    studio_image_options how = small;
    how.images = 2000000;
    refuse(how, defaults(), LOCO_EARG, "2000000 images; there can be 1 to 1000000");
    how = small;
    how.width = 7;
    refuse(how, defaults(), LOCO_EARG, "images of 7 x 18 pixels; a side has 8 to 16384");
    how = small;
    how.least = 3;
    how.most = 2;
    refuse(how, defaults(), LOCO_EARG, "3 to 2 objects");
    how.least = how.most = 13;
    refuse(how, defaults(), LOCO_EARG, "13 digits of 5 x 5 do not fit on 24 x 18 pixels; at most 12 do");
    how = small;
    how.threads = 2000;
    refuse(how, defaults(), LOCO_EARG, "2000 threads");
    refuse((studio_image_options){0}, defaults(), LOCO_EARG, "sizeof(studio_image_options)");
}

static void wrong_digits_are_refused(void)
{
    studio_digits_options digits = defaults();
    char path[300];
    digits.turn = 181;
    refuse(small, digits, LOCO_EARG, "turned by 181 degrees; expected 0 to 180");
    digits = defaults();
    digits.scale = NAN;
    refuse(small, digits, LOCO_EARG, "expected 0 to 0.9");
    digits = defaults();
    digits.shear = -1;
    refuse(small, digits, LOCO_EARG, "sheared by -1; expected 0 to 2");
    digits = defaults();
    digits.each = true;
    refuse(small, digits, LOCO_EARG, "give one number of digits");
    refuse(small, (studio_digits_options){0}, LOCO_EARG, "sizeof(studio_digits_options)");
    digits = defaults();
    digits.from = NULL;
    refuse(small, digits, LOCO_EARG, "name a folder");
    digits.from = data_path("");
    refuse(small, digits, LOCO_EDATA, "has no train-images-idx3-ubyte, with or without .gz");
    snprintf(path, sizeof path, "%s/train-images-idx3-ubyte", mnist);
    digits.from = path;
    studio_image_options unseen = small;
    unseen.unseen = true;
    refuse(unseen, digits, LOCO_EARG, "unseen digits come from a folder");
    digits.from = "digits.idx";
    refuse(small, digits, LOCO_EDATA, "\"images\" in its name");
}

static void wrong_files_are_refused(void)
{
    studio_digits_options digits = defaults();
    char path[256];
    snprintf(path, sizeof path, "%s", data_path("a-images"));
    digits.from = path;
    refuse(small, digits, LOCO_EIO, "a-images");
    digit_file("a-images", 4, true, false);
    digit_file("a-labels", 5, false, false);
    refuse(small, digits, LOCO_EDATA, "does not hold a label for each of 4 images");
    digit_file("a-images", 4, false, false);
    refuse(small, digits, LOCO_EDATA, "a-images does not hold images");
    digit_file("a-images", 4, true, false);
    data_write("a-labels", "text");
    refuse(small, digits, LOCO_EDATA, "a-labels");
}

static void make(const char *folder, studio_digits_options digits, studio_image_options how)
{
    loco_err err = {""};
    CHECK_STATUS(studio_synth_digits(data_path(folder), &how, &digits, &err), LOCO_OK);
    CHECK_STR(err.text, "");
}

static const char *next_line(const char *text)
{
    return text + strcspn(text, "\n") + 1;
}

static lc_image load(const char *folder, size_t index)
{
    char path[300];
    lc_image image = {0};
    snprintf(path, sizeof path, "%s/%06zu.png", folder, index);
    CHECK_STATUS(lc_image_load(&image, data_path(path), NULL), LOCO_OK);
    return image;
}

/* The digit whose pixels lie around a middle; SIZE_MAX: none. */
static size_t find_digit(const lc_image *image, double x, double y, bool unseen)
{
    size_t left = (size_t)(x - 2), top = (size_t)(y - 2), n = unseen ? DIGITS_UNSEEN : DIGITS_SEEN;
    CHECK_NEAR(x, (double)left + 2, 0);
    CHECK_NEAR(y, (double)top + 2, 0);
    for (size_t which = 0; which < n; which++) {
        bool same = true;
        for (size_t i = 0; same && i < 25; i++)
            same = image->values[(top + i / 5) * image->width + left + i % 5] == digit_pixel(which, i, unseen);
        if (same)
            return which;
    }
    return SIZE_MAX;
}

/* Every event is a whole digit of its class, and there is nothing else; rows of counts.csv say the same. */
static void check_canvases(const char *folder, size_t images, bool unseen)
{
    size_t length;
    char *events = data_read(folder, "events.csv", &length), *counts = data_read(folder, "counts.csv", &length);
    const char *event = next_line(events), *row = next_line(counts);
    for (size_t i = 0; i < images; i++) {
        lc_image image = load(folder, i);
        unsigned long file, class, counted[10] = {0};
        size_t lit = 0, here = 0;
        double x, y;
        while (sscanf(event, "%lu.png,%lf,%lf,%lu", &file, &x, &y, &class) == 4 && file == i) {
            size_t which = find_digit(&image, x, y, unseen);
            CHECK(which != SIZE_MAX && which % 10 == class);
            counted[class % 10]++;
            here++;
            event = next_line(event);
        }
        for (size_t k = 0; k < image.width * image.height; k++)
            lit += image.values[k] > 0;
        CHECK_EQ(lit, 25 * here);
        CHECK(here >= 1 && here <= 4);
        row = strchr(row, ',');
        for (size_t k = 0; k < 10; k++)
            CHECK_EQ(strtoul(row + 1, (char **)&row, 10), counted[k]);
        row++;
        lc_image_free(&image);
    }
    CHECK(*event == 0 && *row == 0);
    free(events);
    free(counts);
}

static void canvases_hold_whole_digits(void)
{
    studio_image_options unseen = small;
    size_t length;
    make("seen", defaults(), small);
    check_canvases("seen", small.images, false);
    unseen.unseen = true;
    make("unseen", defaults(), unseen);
    check_canvases("unseen", small.images, true);
    lc_image image = load("seen", 0);
    CHECK(image.width == 24 && image.height == 18 && image.channels == 1 && image.bytes == 1);
    lc_image_free(&image);
    char *counts = data_read("seen", "counts.csv", &length), *sources = data_read("unseen", "sources.txt", &length);
    CHECK(strncmp(counts, "file,0,1,2,3,4,5,6,7,8,9\n000000.png,", 36) == 0);
    CHECK_STR(sources, "digits\tt10k-images-idx3-ubyte\tauthor and licence not stated\t20 digits of 5 x 5\n");
    free(counts);
    free(sources);
}

static bool same_image(const char *a, const char *b, size_t index)
{
    lc_image first = load(a, index), second = load(b, index);
    bool equal = memcmp(first.values, second.values, first.width * first.height) == 0;
    lc_image_free(&first);
    lc_image_free(&second);
    return equal;
}

static void sets_depend_on_their_seed_alone(void)
{
    studio_image_options how = small;
    studio_digits_options digits = defaults();
    char path[300];
    how.threads = 3;
    snprintf(path, sizeof path, "%s/train-images-idx3-ubyte", mnist);
    digits.from = path;
    make("threads", digits, how);
    CHECK(data_same("seen", "threads", "events.csv") && data_same("seen", "threads", "counts.csv"));
    for (size_t i = 0; i < small.images; i++)
        CHECK(same_image("seen", "threads", i));
    how.seed = 3;
    make("seed", digits, how);
    CHECK(!data_same("seen", "seed", "events.csv"));
    how = small;
    digits.turn = 10;
    make("turned", digits, how);
    CHECK(!same_image("seen", "turned", 0));
}

/* One on a canvas: the i-th canvas has the i-th digit, and begins anew after the last. */
static void digits_come_in_turn(void)
{
    studio_image_options how = small;
    studio_digits_options digits = defaults();
    size_t length;
    digits.each = true;
    how.images = DIGITS_UNSEEN + 3;
    how.least = how.most = 1;
    how.unseen = true;
    make("each", digits, how);
    char *events = data_read("each", "events.csv", &length);
    const char *event = next_line(events);
    for (size_t i = 0; i < how.images; i++) {
        unsigned long file;
        double x, y;
        lc_image image = load("each", i);
        CHECK(sscanf(event, "%lu.png,%lf,%lf", &file, &x, &y) == 3 && file == i);
        CHECK_EQ(find_digit(&image, x, y, true), i % DIGITS_UNSEEN);
        event = next_line(event);
        lc_image_free(&image);
    }
    free(events);
}

static bool stop(void *context, size_t done, size_t all)
{
    size_t *last = context;
    *last = done;
    CHECK_EQ(all, small.images);
    return false;
}

static void sets_are_whole_or_have_no_counts(void)
{
    loco_err err = {""};
    size_t last = 0;
    studio_image_options how = small;
    studio_digits_options digits = defaults();
    how.progress = stop;
    how.context = &last;
    CHECK_STATUS(studio_synth_digits(data_path("stopped"), &how, &digits, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "stopped after 20 of 20 images");
    CHECK(last == 20 && access(data_path("stopped/counts.csv"), F_OK) != 0);
    CHECK_STATUS(studio_synth_digits(data_path("seen"), &small, &digits, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "seen/counts.csv exists already");
    CHECK_STATUS(studio_synth_digits(data_path("no/such"), &small, &digits, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "cannot make the folder");
}

int main(void)
{
    if (!data_begin())
        return 1;
    digit_files();
    snprintf(mnist, sizeof mnist, "%s", data_path("mnist"));
    RUN(wrong_numbers_are_refused);
    RUN(wrong_digits_are_refused);
    RUN(wrong_files_are_refused);
    RUN(canvases_hold_whole_digits);
    RUN(sets_depend_on_their_seed_alone);
    RUN(digits_come_in_turn);
    RUN(sets_are_whole_or_have_no_counts);
    return data_done();
}
