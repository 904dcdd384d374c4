/* SPDX-License-Identifier: MIT
 *
 * report_image.h - the page about a model of images.
 */
#ifndef LC_REPORT_REPORT_IMAGE_H
#define LC_REPORT_REPORT_IMAGE_H

#include "loco.h"

/* loco_report for such a model; options were read and checked. */
LOCO_MUST_USE loco_status lc_report_images(const char *path, const loco_model *model, const loco_report_options *asked,
                                           loco_err *err);

#endif
