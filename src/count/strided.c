/* SPDX-License-Identifier: MIT
 * strided.c - an array of floats or doubles with a stride, read and written as doubles. */
#include "count/strided.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* One type for what is read and what is written, so const goes; lc_strided_write is never given the logits. */
lc_strided lc_strided_float(const float *data, size_t stride)
{
    return (lc_strided){.data = (void *)(uintptr_t)data, .stride = stride, .single = true};
}

lc_strided lc_strided_double(const double *data)
{
    return (lc_strided){.data = (void *)(uintptr_t)data, .stride = 1};
}

/* n values from number `begin` on, each `step` further in to: so lanes.c fills its lanes side by side. */
void lc_strided_read(const lc_strided *s, size_t begin, size_t n, double *to, size_t step)
{
    size_t stride = s->stride;
    if (s->single) {
        const float *from = (const float *)s->data + begin * stride;
        for (size_t i = 0; i < n; i++)
            to[i * step] = (double)from[i * stride];
    } else {
        const double *from = (const double *)s->data + begin * stride;
        for (size_t i = 0; i < n; i++)
            to[i * step] = from[i * stride];
    }
}

/* The same from doubles; nothing for an array that the caller did not ask for (data NULL). */
void lc_strided_write(const lc_strided *s, size_t begin, size_t n, const double *from, size_t step)
{
    size_t stride = s->stride;
    if (s->data == NULL)
        return;
    if (s->single) {
        float *to = (float *)s->data + begin * stride;
        for (size_t i = 0; i < n; i++)
            to[i * stride] = (float)from[i * step];
    } else {
        double *to = (double *)s->data + begin * stride;
        for (size_t i = 0; i < n; i++)
            to[i * stride] = from[i * step];
    }
}

/* The bits of |x| are ordered like |x|, with infinity and then NaN above all: one integer maximum answers both
 * questions. */
static double reach_float(const float *x, size_t stride, size_t n)
{
    int32_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        int32_t bits;
        memcpy(&bits, x + i * stride, sizeof bits);
        bits &= INT32_MAX;
        largest = bits > largest ? bits : largest;
    }
    float value;
    memcpy(&value, &largest, sizeof value);
    return (double)value;
}

static double reach_double(const double *x, size_t stride, size_t n)
{
    int64_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t bits;
        memcpy(&bits, x + i * stride, sizeof bits);
        bits &= INT64_MAX;
        largest = bits > largest ? bits : largest;
    }
    double value;
    memcpy(&value, &largest, sizeof value);
    return value;
}

/* The place of a NaN is looked for only when there is one, which is then an error. */
double lc_strided_reach(const lc_strided *s, size_t n, size_t *nan_at)
{
    double reach = s->single ? reach_float(s->data, s->stride, n) : reach_double(s->data, s->stride, n);
    *nan_at = n;
    if (isnan(reach)) {
        double value = 0;
        for (*nan_at = 0; lc_strided_read(s, *nan_at, 1, &value, 1), !isnan(value);)
            ++*nan_at;
    }
    return reach;
}
