/* SPDX-License-Identifier: MIT
 * decoding.c - how probabilities become events: the table of methods and their settings. The tables drive parsing,
 * range checks and writing (base/settings.h); `rare` settings, the last of a table, are written only where they differ
 * from their default, so that the line of a model without them stays as it was before they existed. */
#include "model/decoding.h"

#include "base/settings.h"
#include "base/status.h"

#include <math.h>

#define AT(field) offsetof(lc_decoding, field)
#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* The least threshold is not 0: at 0 every frame of silence would be an event. */
static const lc_setting mass_keys[] = {
    {.key = "window",    .form = LC_SETTING_REAL,  .at = AT(window),    .usual = 0.01, .low = 0,    .high = 100 },
    {.key = "threshold", .form = LC_SETTING_REAL,  .at = AT(threshold), .usual = 0.3,  .low = 1e-6, .high = 1   },
    {.key = "gap",       .form = LC_SETTING_REAL,  .at = AT(gap),       .usual = 0.04, .low = 0,    .high = 1000},
    {.key = "versions",  .form = LC_SETTING_WHOLE, .at = AT(versions),  .usual = 1,    .low = 0,    .high = 64  },
    {.key = "snap",      .form = LC_SETTING_REAL,  .at = AT(snap),      .usual = 0,    .low = 0,    .high = 0.1 },
};
static const lc_setting peak_keys[] = {
    {.key = "threshold", .form = LC_SETTING_REAL,  .at = AT(threshold), .usual = 0.3,  .low = 1e-6, .high = 1   },
    {.key = "gap",       .form = LC_SETTING_REAL,  .at = AT(gap),       .usual = 0.03, .low = 0,    .high = 1000},
    {.key = "versions",  .form = LC_SETTING_WHOLE, .at = AT(versions),  .usual = 1,    .low = 0,    .high = 64  },
    {.key = "snap",      .form = LC_SETTING_REAL,  .at = AT(snap),      .usual = 0,    .low = 0,    .high = 0.1 },
};
static const lc_setting count_keys[] = {
    {.key = "reset", .at = AT(reset), .usual = 0.25, .low = 0, .high = 3600},
    {.key = "quiet", .at = AT(quiet), .usual = 0.02, .low = 0, .high = 1   },
};

static const lc_settings_kind methods[] = {
    [LC_DECODE_MASS] = {.name = "mass",  .keys = mass_keys,  .keys_len = LENGTH(mass_keys),  .rare = 2},
    [LC_DECODE_PEAK] = {.name = "peak",  .keys = peak_keys,  .keys_len = LENGTH(peak_keys),  .rare = 2},
    [LC_DECODE_COUNT] = {.name = "count", .keys = count_keys, .keys_len = LENGTH(count_keys), .rare = 0},
};

static bool known(lc_decode_method method)
{
    return method == LC_DECODE_MASS || method == LC_DECODE_PEAK || method == LC_DECODE_COUNT;
}

lc_decoding lc_decoding_default(lc_decode_method method)
{
    lc_decoding decoding = {.method = known(method) ? method : LC_DECODE_MASS};
    lc_settings_usual(&decoding, &methods[decoding.method]);
    return decoding;
}

loco_status lc_decoding_parse(lc_decoding *decoding, const char *line, size_t length, loco_err *err)
{
    lc_decoding result = {.method = LC_DECODE_MASS};
    size_t method;
    loco_status status = lc_settings_parse(&result, &method, methods, LENGTH(methods), line, length, err);
    if (status != LOCO_OK)
        return status;
    result.method = (lc_decode_method)method;
    *decoding = result;
    return LOCO_OK;
}

loco_status lc_decoding_set(lc_decoding *decoding, const char *setting, size_t length, loco_err *err)
{
    if (!known(decoding->method))
        return lc_err_set(err, LOCO_EARG, "decoding method %d; there are mass, peak and count", (int)decoding->method);
    return lc_settings_set(decoding, &methods[decoding->method], setting, length, err);
}

loco_status lc_decoding_check(const lc_decoding *decoding, loco_err *err)
{
    if (!known(decoding->method))
        return lc_err_set(err, LOCO_EARG, "decoding method %d; there are mass, peak and count", (int)decoding->method);
    return lc_settings_check(decoding, &methods[decoding->method], err);
}

void lc_decoding_format(const lc_decoding *decoding, lc_text *text)
{
    if (known(decoding->method))
        lc_settings_format(decoding, &methods[decoding->method], text);
}

bool lc_decoding_plain(const lc_decoding *decoding)
{
    return decoding->method == LC_DECODE_COUNT || (decoding->versions <= 1 && !(decoding->snap > 0));
}

double lc_probability(float logit)
{
    double e = exp(-fabs((double)logit));
    if (isnan(logit))
        return 0;
    return logit >= 0 ? 1 / (1 + e) : e / (1 + e);
}
