/* SPDX-License-Identifier: MIT
 * tally_write.c - counts as lines.
 *
 *     file,start,end,class,expected,low,high,claimed[,label,probability]
 *     take1.wav,0.000,12.500,kick,17.84,17,19,0.9312,>=3,1.0000
 *
 *     {"file":"take1.wav","start":0.000,"end":12.500,"class":"kick","expected":17.84,"low":17,"high":19,...}
 *
 * Of images, x0, y0, x1 and y1, in pixels, stand in place of start and end. */
#include "base/csv.h"
#include "base/json.h"
#include "base/text.h"
#include "loco.h"

#include <string.h>

static void put_json(lc_text *out, const char *key, const char *text)
{
    lc_shown shown = lc_show(text);
    lc_text_format(out, "\"%s\":", key);
    lc_json_append(out, lc_utf8_valid(text, strlen(text)) ? text : shown.text);
}

enum { CORNERS = 4 };
static const char *const corner_names[CORNERS] = {"x0", "y0", "x1", "y1"};

static double corner(const loco_tally_row *row, size_t i)
{
    const double corners[CORNERS] = {row->left, row->start, row->right, row->end};
    return corners[i];
}

static void csv_part(lc_text *out, const loco_tally_row *row, bool places)
{
    for (size_t i = 0; places && i < CORNERS; i++) {
        lc_text_string(out, i > 0 ? "," : "");
        lc_text_number(out, corner(row, i), 3);
    }
    if (places)
        return;
    lc_text_fixed(out, row->start, 3);
    lc_text_string(out, ",");
    lc_text_fixed(out, row->end, 3);
}

static void json_part(lc_text *out, const loco_tally_row *row, bool places)
{
    for (size_t i = 0; places && i < CORNERS; i++) {
        lc_text_format(out, ",\"%s\":", corner_names[i]);
        lc_text_number(out, corner(row, i), 3);
    }
    if (places)
        return;
    lc_text_string(out, ",\"start\":");
    lc_text_fixed(out, row->start, 3);
    lc_text_string(out, ",\"end\":");
    lc_text_fixed(out, row->end, 3);
}

static void csv_line(lc_text *out, const char *class_name, const char *label, const loco_tally_row *row, bool places)
{
    lc_csv_quote(out, row->file);
    lc_text_string(out, ",");
    csv_part(out, row, places);
    lc_text_string(out, ",");
    lc_csv_quote(out, class_name);
    lc_text_string(out, ",");
    lc_text_fixed(out, row->expected, 2);
    lc_text_format(out, ",%zu,%zu,", row->low, row->high);
    lc_text_fixed(out, row->claimed, 4);
    if (label != NULL) {
        lc_text_string(out, ",");
        lc_csv_quote(out, label);
        lc_text_string(out, ",");
        lc_text_fixed(out, row->label, 4);
    }
    lc_text_string(out, "\n");
}

static void json_line(lc_text *out, const char *class_name, const char *label, const loco_tally_row *row, bool places)
{
    lc_text_string(out, "{");
    put_json(out, "file", row->file);
    json_part(out, row, places);
    lc_text_string(out, ",");
    put_json(out, "class", class_name);
    lc_text_string(out, ",\"expected\":");
    lc_text_fixed(out, row->expected, 2);
    lc_text_format(out, ",\"low\":%zu,\"high\":%zu,\"claimed\":", row->low, row->high);
    lc_text_fixed(out, row->claimed, 4);
    if (label != NULL) {
        lc_text_string(out, ",");
        put_json(out, "label", label);
        lc_text_string(out, ",\"probability\":");
        lc_text_fixed(out, row->label, 4);
    }
    lc_text_format(out, ",\"recordings\":%zu}\n", row->recordings);
}

size_t loco_tally_format(char *text, size_t size, const char *format, const char *class_name, const char *label,
                         const loco_tally_row *tallied)
{
    lc_text line = {0};
    bool places = strcmp(format, "csv places") == 0 || strcmp(format, "jsonl places") == 0;
    bool csv = strcmp(format, "csv") == 0 || strcmp(format, "csv places") == 0;
    bool json = strcmp(format, "jsonl") == 0 || strcmp(format, "jsonl places") == 0;
    if (tallied == NULL && csv)
        lc_text_format(&line, "file,%s,class,expected,low,high,claimed%s\n", places ? "x0,y0,x1,y1" : "start,end",
                       label != NULL ? ",label,probability" : "");
    else if (tallied != NULL && csv)
        csv_line(&line, class_name, label, tallied, places);
    else if (tallied != NULL && json)
        json_line(&line, class_name, label, tallied, places);
    size_t length = line.failed || line.bytes == NULL ? 0 : line.length;
    if (size > 0) {
        size_t kept = length < size - 1 ? length : size - 1;
        if (kept > 0)
            memcpy(text, line.bytes, kept);
        text[kept] = 0;
    }
    lc_text_free(&line);
    return length;
}
