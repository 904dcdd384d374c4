/* SPDX-License-Identifier: MIT
 *
 * kit_ranges.h - how far recordings of kits differ from each other: chances, and ranges that values are drawn from.
 *
 * Two sets of ranges. Training wants more variety than life has: what was learnt over a wide range holds in a narrow one.
 * A test wants what people record: one kit, a drummer, microphones, a mix.
 */
#ifndef LC_DATA_KIT_RANGES_H
#define LC_DATA_KIT_RANGES_H

typedef struct lc_range {
    double from, to;
} lc_range;

typedef struct lc_ranges {
    /* who plays */
    double mixed;      /* chance that each group comes from a kit of its own */
    double layered;    /* chance that a group sounds together with instruments of another kit, as one */
    double percussion; /* chance that claps, shakers and hand drums play where the pattern has them */
    double free;       /* chance of a pattern without metre */
    /* each group of instruments */
    double level;       /* times the standard deviations of its level, see kit_band.c */
    double pitch;       /* times those of its pitch */
    double damped;      /* chance that its strokes are shorter */
    lc_range power;     /* level of a stroke = velocity^power */
    lc_range equalised; /* dB */
    double shaped;      /* chance of a stronger or weaker attack */
    double saturated;   /* chance of saturation, for the whole as well */
    /* room */
    double ring, bleed; /* chances */
    lc_range wet;       /* dB, of what the room answers */
    /* the whole */
    lc_range mastered;             /* dB of its equaliser */
    double old, coded, compressed; /* chances */
    double noisy;
    lc_range noise; /* dB below the whole */
} lc_ranges;

extern const lc_ranges lc_ranges_varied, lc_ranges_ordinary;

#endif
