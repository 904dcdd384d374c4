/* SPDX-License-Identifier: MIT
 *
 * test_formats.c - formats by name and ending, and events as CSV, JSON lines and label tracks: wrong arguments,
 * exact bytes, names that need care, numbers in a locale with commas.
 */
#include "check.h"

#include "base/file.h"
#include "base/json.h"
#include "events/formats.h"

#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

static loco_err err;
static const char *const classes[] = {"kick", "snare, \"rim\"", "a\tb"};
static const loco_event events[] = {
    {0.5,       0, 0.97314, 0},
    {12.345678, 1, 1,       0},
    {12.5,      2, 0,       0},
};
static const lc_events_view view = {"take 1.wav", classes, 3, events, 3, 0, NULL, false};

static const lc_format *named(const char *name)
{
    const lc_format *format = NULL;
    CHECK_STATUS(lc_format_find(&format, name, NULL, &err), LOCO_OK);
    return format;
}

/* The name of the format that an ending stands for. */
static const char *format_of(const char *path)
{
    const lc_format *format = NULL;
    CHECK_STATUS(lc_format_find(&format, NULL, path, &err), LOCO_OK);
    return format != NULL ? format->name : "";
}

static void formats_by_name_or_ending(void)
{
    const lc_format *format = NULL;
    CHECK_STATUS(lc_format_find(&format, "mp3", NULL, &err), LOCO_EARG);
    CHECK(format == NULL);
    CHECK_STR(err.text,
              "format \"mp3\" is not a format of events; use one of csv (.csv), jsonl (.jsonl), labels (.txt), midi "
              "(.mid), roi (.roi), click (.wav), html (.html)");
    CHECK_STATUS(lc_format_find(&format, NULL, "x.doc", &err), LOCO_EARG);
    CHECK(strstr(err.text, "x.doc") != NULL && strstr(err.text, "jsonl") != NULL);
    CHECK_STATUS(lc_format_find(&format, NULL, ".csv", &err), LOCO_EARG); /* a hidden file has no ending */
    CHECK_STATUS(lc_format_find(&format, "", "", &err), LOCO_EARG);
    CHECK_STATUS(lc_format_find(&format, NULL, NULL, &err), LOCO_EARG);
    CHECK(named("midi") == &lc_format_midi && named("CSV") == &lc_format_csv);
    CHECK_STR(named("click")->name, "click");
    CHECK(named("click")->line == NULL && named("click")->write == NULL);
    CHECK_STR(format_of("a.csv"), "csv");
    CHECK_STR(format_of("dir.csv/a.ndjson"), "jsonl");
    CHECK_STR(format_of("A.MID"), "midi");
    CHECK_STR(format_of("a.midi"), "midi");
    CHECK_STR(format_of("a.txt"), "labels");
    CHECK_STR(format_of("a.wav"), "click");
    CHECK_STR(format_of("a.b.html"), "html");
    CHECK_STATUS(lc_format_find(&format, "jsonl", "x.mid", &err), LOCO_OK); /* a name outweighs an ending */
    CHECK(format == &lc_format_jsonl);
}

static const char *detected(const char *path, const char *bytes)
{
    return lc_format_detect(&(lc_event_bytes){"", path, bytes, strlen(bytes)})->name;
}

/* Magic before ending, ending before content; a table where nothing else fits. */
static void formats_by_content(void)
{
    CHECK_STR(detected("a.csv", "MThd"), "midi");
    CHECK_STR(detected("a.csv", "MTh"), "csv");
    CHECK_STR(detected("a.mid", "0.5 kick"), "midi");
    CHECK_STR(detected("a.TSV", "0.5 kick"), "csv");
    CHECK_STR(detected("a.txt", "0.5 kick"), "labels");
    CHECK_STR(detected("a.txt", "# note\n\\\t1\t2"), "labels");
    CHECK_STR(detected("a.txt", ""), "labels");
    CHECK_STR(detected("a.txt", "time,class"), "csv");
    CHECK_STR(detected(".mid", "time,class"), "csv");
}

static void files_beside_recordings(void)
{
    static const char *const want[] = {".txt", ".lab", ".mid", ".midi"};
    for (size_t i = 0; i < 4; i++)
        CHECK_STR(lc_format_beside(i), want[i]);
    CHECK(lc_format_beside(4) == NULL);
    CHECK(lc_format_is_beside("a.txt") && lc_format_is_beside("a.MID") && !lc_format_is_beside("a.csv"));
    CHECK(!lc_format_is_beside("x/.lab") && !lc_format_is_beside("a.labels"));
}

static void wrong_arguments(void)
{
    lc_text out = {0};
    lc_text_string(&out, "before");
    lc_events_view two[] = {view, view};
    CHECK_STATUS(lc_events_write(&out, NULL, &view, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_events_write(&out, named("csv"), NULL, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_events_write(&out, named("click"), &view, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_events_write(&out, named("labels"), two, 2, &err), LOCO_EARG);
    CHECK(strstr(err.text, "one recording") != NULL);
    CHECK_STATUS(lc_events_line(&out, named("midi"), &view, &events[0], &err), LOCO_EARG);
    CHECK_STATUS(lc_events_save("", named("csv"), &view, 1, &err), LOCO_EARG);
    const loco_event wrong[] = {
        {NAN,      0, 1,   0},
        {INFINITY, 0, 1,   0},
        {1e9,      0, 1,   0},
        {1,        3, 1,   0},
        {1,        0, 1.1, 0},
        {1,        0, NAN, 0}
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const loco_event both[] = {events[0], wrong[i]};
        const lc_events_view bad = {"x", classes, 3, both, 2, 0, NULL, false};
        CHECK_STATUS(lc_events_write(&out, named("csv"), &bad, 1, &err), LOCO_EDATA);
        CHECK_STATUS(lc_events_write(&out, named("midi"), &bad, 1, &err), LOCO_EDATA);
        CHECK_STATUS(lc_events_line(&out, named("csv"), &bad, &wrong[i], &err), LOCO_EDATA);
    }
    CHECK_STR(out.bytes, "before");
    lc_text_free(&out);
}

static void expect(const char *name, const lc_events_view *views, size_t views_len, const char *want)
{
    lc_text out = {0};
    CHECK_STATUS(lc_events_write(&out, named(name), views, views_len, &err), LOCO_OK);
    CHECK_STR(out.bytes != NULL ? out.bytes : "", want);
    lc_text_free(&out);
}

static void exact_bytes(void)
{
    expect("csv", &view, 1,
           "file,time,class,probability\n"
           "take 1.wav,0.500000,kick,0.9731\n"
           "take 1.wav,12.345678,\"snare, \"\"rim\"\"\",1.0000\n"
           "take 1.wav,12.500000,\"a\tb\",0.0000\n");
    expect("jsonl", &view, 1,
           "{\"file\":\"take 1.wav\",\"time\":0.500000,\"class\":\"kick\",\"probability\":0.9731}\n"
           "{\"file\":\"take 1.wav\",\"time\":12.345678,\"class\":\"snare, \\\"rim\\\"\",\"probability\":1.0000}\n"
           "{\"file\":\"take 1.wav\",\"time\":12.500000,\"class\":\"a\\u0009b\",\"probability\":0.0000}\n");
    expect("labels", &view, 1,
           "0.500000\t0.500000\tkick\n"
           "12.345678\t12.345678\tsnare, \"rim\"\n"
           "12.500000\t12.500000\ta b\n");
    lc_events_view empty = {"x", NULL, 0, NULL, 0, 0, NULL, false};
    expect("csv", &empty, 1, "file,time,class,probability\n");
    expect("csv", NULL, 0, "file,time,class,probability\n");
    expect("jsonl", &empty, 1, "");
}

static void several_recordings(void)
{
    const lc_events_view two[] = {
        {"b.wav", classes, 3, events, 1, 0, NULL, false},
        {" a",    classes, 3, events, 1, 0, NULL, false}
    };
    expect("csv", two, 2, "file,time,class,probability\nb.wav,0.500000,kick,0.9731\n\" a\",0.500000,kick,0.9731\n");
}

/* Any bytes give JSON that a strict reader takes. */
static void json_of_any_bytes(void)
{
    const char *const names[] = {"caf\xc3\xa9",  "\xff\xfe",   "\xe2\x82",
                                 "\xed\xa0\x80", "a\nb\\\x01", "\xf0\x9f\xa5\x81"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const lc_events_view any = {names[i], &names[i], 1, events, 1, 0, NULL, false};
        lc_text out = {0};
        cJSON *root = NULL;
        CHECK_STATUS(lc_events_write(&out, named("jsonl"), &any, 1, &err), LOCO_OK);
        CHECK_STATUS(lc_json_parse(&root, "line", out.bytes, out.length, &err), LOCO_OK);
        const cJSON *file = cJSON_GetObjectItem(root, "file");
        CHECK(cJSON_IsString(file));
        if (i == 0 || i >= 4)
            CHECK_STR(file != NULL ? file->valuestring : NULL, names[i]);
        else
            CHECK(file != NULL && strstr(file->valuestring, "\xef\xbf\xbd") != NULL);
        cJSON_Delete(root);
        lc_text_free(&out);
    }
}

/* Lines one by one are the same bytes as the whole. */
static void lines_make_the_file(void)
{
    const char *const formats[] = {"csv", "jsonl", "labels"};
    for (size_t i = 0; i < 3; i++) {
        lc_text whole = {0}, lines = {0};
        CHECK_STATUS(lc_events_write(&whole, named(formats[i]), &view, 1, &err), LOCO_OK);
        lc_events_head(&lines, named(formats[i]), false);
        for (size_t e = 0; e < 3; e++)
            CHECK_STATUS(lc_events_line(&lines, named(formats[i]), &view, &events[e], &err), LOCO_OK);
        CHECK_STR(lines.bytes, whole.bytes);
        lc_text_free(&whole);
        lc_text_free(&lines);
    }
}

static void commas_of_the_locale(void)
{
    const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    bool set = false;
    for (size_t i = 0; i < 3 && !set; i++)
        set = setlocale(LC_ALL, locales[i]) != NULL;
    if (!set)
        printf("    no locale with commas here\n");
    exact_bytes();
    setlocale(LC_ALL, "C");
}

static void saved_whole(void)
{
    char folder[] = "/tmp/loco-events-XXXXXX", path[64], *text = NULL;
    size_t length = 0;
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/x.csv", folder);
    CHECK_STATUS(lc_events_save(path, named("csv"), &view, 1, &err), LOCO_OK);
    CHECK_STATUS(lc_file_load(path, 10000, &text, &length, &err), LOCO_OK);
    CHECK(text != NULL && strncmp(text, "file,time", 9) == 0);
    free(text);
    lc_events_view bad = view;
    bad.classes_len = 1;
    CHECK_STATUS(lc_events_save(path, named("jsonl"), &bad, 1, &err), LOCO_EDATA);
    CHECK_STATUS(lc_file_load(path, 10000, &text, &length, &err), LOCO_OK);
    CHECK(text != NULL && strncmp(text, "file,time", 9) == 0); /* the old file is still there */
    free(text);
    CHECK_STATUS(lc_events_save("/nowhere/x.csv", named("csv"), &view, 1, &err), LOCO_EIO);
    unlink(path);
    CHECK(rmdir(folder) == 0);
}

int main(void)
{
    RUN(formats_by_name_or_ending);
    RUN(formats_by_content);
    RUN(files_beside_recordings);
    RUN(wrong_arguments);
    RUN(exact_bytes);
    RUN(several_recordings);
    RUN(json_of_any_bytes);
    RUN(lines_make_the_file);
    RUN(commas_of_the_locale);
    RUN(saved_whole);
    return check_done();
}
