/* SPDX-License-Identifier: MIT
 * test_places.c - events of images: tables with x and y, formats that hold them and those that do not, points for
 * ImageJ. */
#include "data_cases.h"

#include "base/rng.h"
#include "events/event_list.h"
#include "events/formats.h"

static const char *const classes[] = {"cell", "dead, cell"};

static void wrong_tables_are_refused(void)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"file,time,x,y,class\n",           "e.csv: columns time, x and y; an event has a time or a place"       },
        {"file,x,class\n",                  "e.csv: no column \"y\""                                             },
        {"file,y,class\n",                  "e.csv: no column \"x\""                                             },
        {"file,x,y\n",                      "e.csv: no column \"class\""                                         },
        {"file,x,y,class\na,1,,cell\n",     "e.csv:2: column \"y\": \"\" is not a number; write pixels"          },
        {"file,x,y,class\na,,1,cell\n",     "e.csv:2: column \"x\": \"\" is not a number; write pixels"          },
        {"file,x,y,class\na,,,cell\n",      "e.csv:2: column \"x\": \"\" is not a number"                        },
        {"file,x,y,class\na,1,2,\n",        "e.csv:2: column \"class\": no class"                                },
        {"file,x,y,class\na,1,-0.5,cell\n", "e.csv:2: column \"y\": -0.5 is not a position in pixels; expected 0"},
        {"file,x,y,class\na,1e7,1,cell\n",  "e.csv:2: column \"x\": 1e7 is not a position in pixels"             },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lc_event_list *list = NULL;
        loco_err err = {""};
        CHECK_STATUS(lc_event_list_parse(&list, "e.csv", wrong[i].text, strlen(wrong[i].text), NULL, 0, &err),
                     LOCO_EDATA);
        CHECK_SAYS(err.text, wrong[i].says);
        CHECK(list == NULL);
    }
}

static lc_event_list *list_of(const char *text)
{
    lc_event_list *list = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_event_list_parse(&list, "e.csv", text, strlen(text), NULL, 0, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    return list;
}

/* Columns in any order; events by y, then x. */
static void tables_are_read(void)
{
    lc_event_list *list = list_of("y,class,file,x,probability\n7,cell,b.png,30.5,0.25\n7,dead,b.png,2,\n"
                                  "3.25,dead,b.png,90,1\n,,a.png,,\n");
    CHECK(list->places && list->files_len == 2);
    const loco_event *e = list->files[0].events;
    CHECK(list->files[0].events_len == 3 && list->files[1].events_len == 0);
    CHECK_NEAR(e[0].time, 3.25, 0);
    CHECK_NEAR(e[0].x, 90, 0);
    CHECK_NEAR(e[1].x, 2, 0);
    CHECK_NEAR(e[2].x, 30.5, 0);
    CHECK_NEAR(e[2].time, 7, 0);
    CHECK_NEAR(e[2].probability, 0.25, 0);
    CHECK(e[0].kind == 1 && e[1].kind == 1 && e[2].kind == 0);
    CHECK_EQ(list->origins[0].lines[1], 3);
    lc_event_list_free(list);
    list = list_of("time,class,x\n1,kick,9\n"); /* x alone is one of the columns that are not read */
    CHECK(!list->places && list->files[0].events_len == 1);
    CHECK_NEAR(list->files[0].events[0].x, 0, 0);
    lc_event_list_free(list);
}

static void lists_are_written(void)
{
    static const char *const texts[] = {
        "file,x,y,class\nb.png,101.25,3,cell\nb.png,2,7.000001,dead\na.png,,,\n",
        "file,x,y,class,probability\nb.png,0,3,cell,0.5\na.png,,,,\n",
        "x,y,class\n5,3,cell\n",
    };
    for (size_t i = 0; i < 3; i++) {
        lc_event_list *list = list_of(texts[i]);
        lc_text text = {0};
        lc_events_format(&text, list);
        CHECK_STR(text.bytes, texts[i]);
        lc_text_free(&text);
        lc_event_list_free(list);
    }
}

static loco_event some[] = {
    {37.6666, 0, 0.75, 101.25},
    {40,      1, 1,    2     }
};
static const loco_events one[] = {
    {"f 1.png", some, 2}
};

static void check_file(const char *name, const char *format, const char *want)
{
    loco_err err = {""};
    char *text = NULL;
    size_t length = 0;
    CHECK_STATUS(loco_events_save(data_path(name), format, one, 1, classes, 2, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK_STATUS(lc_file_load(data_path(name), 1000, &text, &length, NULL), LOCO_OK);
    CHECK_STR(text, want);
    free(text);
}

static void refuse(const char *name, const char *format, const char *says)
{
    loco_err err = {""};
    CHECK_STATUS(loco_events_save(data_path(name), format, one, 1, classes, 2, &err), LOCO_EARG);
    CHECK_SAYS(err.text, says);
    CHECK(access(data_path(name), F_OK) != 0);
}

static void files_are_as_promised(void)
{
    static const char csv[] =
        "file,x,y,class,probability\nf 1.png,101.250,37.667,cell,0.7500\nf 1.png,2.000,40.000,\"dead, cell\",1.0000\n";
    check_file("e.csv", "csv places", csv);
    check_file("f.csv", "places", csv);
    check_file("e.jsonl", "places",
               "{\"file\":\"f 1.png\",\"x\":101.250,\"y\":37.667,\"class\":\"cell\",\"probability\":0.7500}\n"
               "{\"file\":\"f 1.png\",\"x\":2.000,\"y\":40.000,\"class\":\"dead, cell\",\"probability\":1.0000}\n");
    refuse("x.mid", "places", "midi holds times, and the events of an image have x and y; use csv, jsonl or roi");
    refuse("x.txt", "labels places", "labels holds times");
    refuse("x.roi", NULL, "roi holds places in an image, and these events have times; use csv or jsonl");
    refuse("x.csv", "cvs places", "\"cvs\" is not a format");
    refuse("x.csv", "csvplaces", "\"csvplaces\" is not a format");
    some[0].x = NAN;
    loco_err err = {""};
    CHECK_STATUS(loco_events_save(data_path("x.csv"), "csv places", one, 1, classes, 2, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "pixels must be within");
    some[0].x = 101.25;
    char text[128];
    CHECK(loco_event_format(text, sizeof text, "csv places", NULL, NULL, NULL) > 0);
    CHECK_STR(text, "file,x,y,class,probability\n");
    CHECK(loco_event_format(text, sizeof text, "csv places", "f", "cell", &some[0]) > 0);
    CHECK_STR(text, "f,101.250,37.667,cell,0.7500\n");
    CHECK_EQ(loco_event_format(text, sizeof text, "labels places", "f", "cell", &some[0]), 0);
}

/* ---- points for ImageJ: a reader by the published layout of the format ---- */

typedef struct roi_reader {
    const unsigned char *bytes;
    size_t length;
} roi_reader;

static unsigned long number(const roi_reader *r, size_t at, size_t size)
{
    unsigned long value = 0;
    CHECK(at + size <= r->length);
    for (size_t i = 0; i < size && at + size <= r->length; i++)
        value = value << 8 | r->bytes[at + i];
    return value;
}

static double real(const roi_reader *r, size_t at)
{
    uint32_t bits = (uint32_t)number(r, at, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static void check_points(const loco_event *events, size_t n)
{
    loco_events list = {"a.png", (loco_event *)events, n};
    loco_err err = {""};
    char *bytes = NULL;
    roi_reader r = {0};
    CHECK_STATUS(loco_events_save(data_path("p.roi"), "places", &list, 1, classes, 2, &err), LOCO_OK);
    CHECK_STATUS(lc_file_load(data_path("p.roi"), 10000000, &bytes, &r.length, NULL), LOCO_OK);
    r.bytes = (const unsigned char *)bytes;
    CHECK(memcmp(bytes, "Iout", 4) == 0);
    CHECK_EQ(number(&r, 4, 2), 227);
    CHECK_EQ(number(&r, 6, 1), 10);
    size_t count = number(&r, 16, 2);
    CHECK_EQ(count > 0 ? count : number(&r, 18, 4), n);
    CHECK((number(&r, 50, 2) & 128) != 0);
    size_t top = number(&r, 8, 2), left = number(&r, 10, 2), bottom = number(&r, 12, 2), right = number(&r, 14, 2);
    size_t second = number(&r, 60, 4), counters = number(&r, second + 48, 4);
    CHECK_EQ(r.length, counters + 4 * n);
    for (size_t i = 0; i < n; i++) {
        double x = (double)(left + number(&r, 64 + 2 * i, 2)), y = (double)(top + number(&r, 64 + 2 * (n + i), 2));
        CHECK(x <= events[i].x + 0.5 && x > events[i].x - 0.5 - 1e-9 && x < (double)right);
        CHECK(y <= events[i].time + 0.5 && y > events[i].time - 0.5 - 1e-9 && y < (double)bottom);
        CHECK_NEAR(real(&r, 64 + 4 * n + 4 * i), events[i].x, 0.01);
        CHECK_NEAR(real(&r, 64 + 8 * n + 4 * i), events[i].time, 0.01);
        CHECK_EQ(number(&r, counters + 4 * i, 4) & 255, events[i].kind);
    }
    free(bytes);
}

static void points_are_read_back(void)
{
    enum { MANY = 70000 };
    loco_event *events = calloc(MANY, sizeof *events);
    lc_rng rng = lc_rng_seed(4);
    for (size_t i = 0; i < MANY; i++)
        events[i] = (loco_event){.time = 10 + 40000 * lc_rng_uniform(&rng),
                                 .x = 20 + 60000 * lc_rng_uniform(&rng),
                                 .kind = i % 2,
                                 .probability = 1};
    check_points(events, 0);
    check_points(some, 2);
    check_points(events, 1000);
    check_points(events, 65535);
    check_points(events, MANY); /* too many for 16 bits */
    free(events);
    loco_err err = {""};
    const loco_events two[] = {one[0], one[0]};
    CHECK_STATUS(loco_events_save(data_path("q.roi"), "places", two, 2, classes, 2, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "one recording");
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(wrong_tables_are_refused);
    RUN(tables_are_read);
    RUN(lists_are_written);
    RUN(files_are_as_promised);
    RUN(points_are_read_back);
    return data_done();
}
