/* SPDX-License-Identifier: MIT
 *
 * ranges.h - how far recordings of kits differ from each other: probabilities, and ranges that values are drawn from.
 *
 * Three sets of ranges. Training needs more variety than real recordings have: what was learned over a wide range holds
 * in a narrow one. A test needs what people record: one kit, a drummer, microphones, a mix. Sets of the
 * whole kit have more of what is mistaken for something else: clicky kicks, rattling wires, leaks from one microphone to
 * the other, and percussion.
 */
#ifndef LC_STUDIO_KITS_RANGES_H
#define LC_STUDIO_KITS_RANGES_H

typedef struct lc_range {
    double from, to;
} lc_range;

typedef struct lc_ranges {
    /* who plays */
    double mixed;      /* probability that each group comes from a kit of its own */
    double layered;    /* probability that a group sounds together with instruments of another kit, as one */
    double percussion; /* probability that claps, shakers and hand drums play where the pattern has them */
    double free;       /* probability of a pattern without metre */
    /* each group of instruments */
    double level;       /* times the standard deviations of its level, see backing.c */
    double pitch;       /* times those of its pitch */
    double damped;      /* probability that its strokes are shorter */
    lc_range power;     /* level of a stroke = velocity^power */
    lc_range equalised; /* dB */
    double shaped;      /* probability of a stronger or weaker attack */
    double saturated;   /* probability of saturation, for the whole as well */
    /* room */
    double clicky;      /* probability of a kick whose beater is as loud as a stick */
    double buzz;        /* probability of snare wires that rattle with kick and toms */
    double ring, bleed; /* probabilities */
    lc_range wet;       /* dB, of what the room answers */
    /* the whole */
    lc_range mastered;             /* dB of its equaliser */
    double old, coded, compressed; /* probabilities */
    double noisy;
    lc_range noise; /* dB below the whole */
} lc_ranges;

extern const lc_ranges lc_ranges_varied, lc_ranges_ordinary, lc_ranges_whole_kit;

#endif
