/* SPDX-License-Identifier: MIT
 * presets.c - networks by name: those of the ICML 2019 paper and of its authors' later work, as published, and ours for piano.
 *   drums-paper  72 mel bands and their differences in time, side by side; 18,395 parameters
 *   piano-paper  384 mel bands and their differences; 10 pitches a model; 278,730 parameters
 *   piano-shared 294 bands in log frequency of three windows and their differences; all 88 pitches share their weights; of
 *                the training preset "piano" (train/recipe.c); 66,987 parameters
 *   digits-dense cells of 4 x 4 pixels, here of images of 128 x 128; of the training preset "digits" (train/recipe.c); 281,546
 *                parameters
 *   digits-paper windows of 32x32 pixels along a Hilbert curve (image/hilbert.h), VGG-13's convolutions; 9.5 million
 *                parameters */
#include "model/presets.h"

#include <string.h>

const lc_preset lc_presets[] = {
    {
     .name = "drums-paper",
     .alias = "drums",
     .line =
            "conv 3x4 8, pool 2, conv 3x4 16, pool 2, conv 3x4 16, pool 2, conv 3x4 16, pool 2, conv 3x4 16, pool 3, "
            "conv 3x4 16, pool 3, lstm 24, dense 16 sigmoid, dense 3", .F = 144,
     .C = 1,
     },
    {
     .name = "piano-paper",
     .alias = "piano",
     .line =
            "conv 3x4 16, pool 3, conv 3x4 16, pool 2, conv 3x4 32, pool 2, conv 3x4 32, pool 2, conv 3x4 64, pool 2, "
            "conv 3x4 64, pool 2, conv 3x4 64, pool 2, conv 3x4 64, pool 2, conv 3x4 64, pool 2, lstm 64, "
            "dense 32 sigmoid, "
            "dense 10", .F = 768,
     .C = 1,
     },
    {
     .name = "piano-shared",
     .line = "conv 3x9 24 stride 3 norm, gather -24 -19 -12 0 12 19 24 28 31 34 36 38, conv 1x1 48 norm, bias, "
                "conv 3x3 48 norm, conv 5x1 48 norm, conv 5x1 48 dilate 2 norm, conv 1x1 1 linear, bias, crop 0 88", .F = 294,
     .C = 6,
     },
    {
     .name = "digits-dense",
     .line = "conv 3x3 64 local, conv 1x1 64 local, conv 3x3 96 local, conv 3x3 96 local, conv 3x3 128 local, "
                "conv 1x1 128 local, conv 1x1 10 linear, places", .F = 32,
     .C = 16,
     },
    {
     .name = "digits-paper",
     .alias = "digits",
     .line =
            "image 32x32 64 64, pool 2x2, image 128 128, pool 2x2, image 256 256, pool 2x2, image 512 512, pool 2x2, "
            "image 512 512, pool 2x2, lstm 48, dense 24 sigmoid, dense 10", .F = 1024,
     .C = 1,
     },
    {.name = NULL                                                       },
};

const lc_preset *lc_preset_find(const char *name)
{
    for (const lc_preset *p = lc_presets; p->name != NULL; p++)
        if (strcmp(p->name, name) == 0 || (p->alias != NULL && strcmp(p->alias, name) == 0))
            return p;
    return NULL;
}
