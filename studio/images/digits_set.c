/* SPDX-License-Identifier: MIT
 * digits_set.c - the public function for data sets of digits. */
#include "base/options.h"
#include "base/status.h"
#include "studio/images/digits.h"
#include "studio/images/place.h"

enum { MOST_DIGITS = 4, MOST_TURN = 180, MOST_SHEAR = 2 };

#define MOST_SCALE 0.9

static loco_status check(const studio_digits_options *digits, const studio_image_options *options, loco_err *err)
{
    if (digits->from == NULL)
        return lc_err_set(err, LOCO_EARG, "digits of nothing: name a folder with the files of MNIST");
    if (!(digits->turn >= 0 && digits->turn <= MOST_TURN))
        return lc_err_set(err, LOCO_EARG, "digits turned by %g degrees; expected 0 to %d", digits->turn, MOST_TURN);
    if (!(digits->scale >= 0 && digits->scale <= MOST_SCALE))
        return lc_err_set(err, LOCO_EARG, "digits scaled by a share of %g; expected 0 to %g", digits->scale,
                          MOST_SCALE);
    if (!(digits->shear >= 0 && digits->shear <= MOST_SHEAR))
        return lc_err_set(err, LOCO_EARG, "digits sheared by %g; expected 0 to %d", digits->shear, MOST_SHEAR);
    if (digits->each && options->least != options->most)
        return lc_err_set(err, LOCO_EARG, "each digit in turn, and %zu to %zu of them; give one number of digits",
                          options->least, options->most);
    return LOCO_OK;
}

static loco_status check_room(const lc_digits *digits, const studio_image_options *options, loco_err *err)
{
    size_t room = lc_place_most(options->width, options->height, digits->width, digits->height);
    if (room < options->most)
        return lc_err_set(
            err, LOCO_EARG,
            "%zu digits of %zu x %zu do not fit on %zu x %zu pixels; at most %zu do: give fewer digits or a "
            "larger size",
            options->most, digits->width, digits->height, options->width, options->height, room);
    return LOCO_OK;
}

static loco_status write_set(const char *folder, const lc_canvas_settings *settings, const char *sources, loco_err *err)
{
    static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    lc_image_job job = {.options = settings->options,
                        .names = names,
                        .classes = LC_DIGIT_CLASSES,
                        .make = lc_canvas_make,
                        .context = settings,
                        .sources = sources};
    loco_status status = check_room(settings->digits, settings->options, err);
    return status == LOCO_OK ? lc_image_set_write(folder, &job, err) : status;
}

loco_status studio_synth_digits(const char *folder, const studio_image_options *given,
                                const studio_digits_options *given_digits, loco_err *err)
{
    studio_image_options options;
    studio_digits_options wanted;
    loco_status status = lc_image_options_read(&options, given, 1, MOST_DIGITS, err);
    if (status == LOCO_OK)
        status = lc_options_read(&wanted, sizeof wanted, given_digits, "studio_digits_options", err);
    if (status == LOCO_OK)
        status = check(&wanted, &options, err);
    if (status != LOCO_OK)
        return status;
    lc_digits digits = {0};
    lc_text sources = {0};
    status = lc_digits_load(&digits, &sources, wanted.from, options.unseen, err);
    if (status != LOCO_OK)
        return status;
    lc_canvas_settings settings = {
        &options, &digits, {wanted.turn, wanted.scale, wanted.shear},
          wanted.each
    };
    status = write_set(folder, &settings, sources.bytes, err);
    lc_digits_free(&digits);
    lc_text_free(&sources);
    return status;
}
