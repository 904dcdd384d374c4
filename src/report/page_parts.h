/* SPDX-License-Identifier: MIT
 *
 * page_parts.h - the parts of the report that page.c puts together.
 */
#ifndef LC_REPORT_PAGE_PARTS_H
#define LC_REPORT_PAGE_PARTS_H

#include "report/page.h"

/* page_check.c */
LOCO_MUST_USE loco_status lc_page_check(const lc_page *page, loco_err *err);

/* page_recording.c: one recording with its picture, sound and list of events; place counts from 0. */
LOCO_MUST_USE loco_status lc_page_recording_write(lc_text *out, const lc_page *page, size_t place, loco_err *err);

/* Text from outside, escaped for elements and attributes. */
void lc_page_escape(lc_text *out, const char *string);

/* src/report/assets/page.css and page.js, put into the library by cmake/embed.cmake; of images picture.css besides, and
 * picture.js instead. */
extern const unsigned char lc_page_css[], lc_page_js[], lc_picture_css[], lc_picture_js[];
extern const size_t lc_page_css_len, lc_page_js_len, lc_picture_css_len, lc_picture_js_len;

#endif
