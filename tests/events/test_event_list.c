/* SPDX-License-Identifier: MIT
 * test_event_list.c - lists of events: tables, the choice of reader, folders, and writing. */
#include "data_cases.h"

#include "base/rng.h"
#include "events/event_list.h"

static const char midi_file[] = "MThd\0\0\0\6\0\0\0\1\0\5MTrk\0\0\0\4\1\x99\x24\x40"; /* kick at 0.1 s */

static lc_event_list *list_of(const char *name, const char *text)
{
    lc_event_list *list = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_event_list_parse(&list, name, text, strlen(text), NULL, 0, &err), LOCO_OK);
    if (list == NULL) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return list;
}

static void wrong_tables_are_refused(void)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"file,when,class\n",                        "e.csv: no column \"time\""                                     },
        {"file,time,classs\n",                       "e.csv: no column \"class\" in the header; is it \"classs\"?"   },
        {"file,time,class\n,1,kick\n",               "e.csv:2: column \"file\": no file"                             },
        {"file,time,class\na,,kick\n",               "e.csv:2: column \"time\": \"\" is not a number"                },
        {"file,time,class\na,1,\n",                  "e.csv:2: column \"class\": no class"                           },
        {"file,time,class\na,1,kick\na,-0.5,kick\n", "e.csv:3: column \"time\": -0.5 is not a time in seconds"       },
        {"file,time,class\na,nan,kick\n",            "e.csv:2: column \"time\": \"nan\" is not a number"             },
        {"time,class,probability\n1,kick,1.5\n",     "e.csv:2: column \"probability\": \"1.5\" is not a probability" },
        {"time,class,probability\n1,kick,high\n",    "e.csv:2: column \"probability\": \"high\" is not a probability"},
        {"1.5,kick\n",                               "e.csv: no column \"time\""                                     },
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

static void tables_are_read(void)
{
    lc_event_list *list = list_of("e.csv",
                                  "class,note,time,probability,file\nsnare,x,2.5,0.25,b.wav\nkick,,1,,./a.wav\n"
                                  "kick,y,0.5,1,b.wav\n,,,,c.wav\n");
    CHECK_EQ(list->classes_len, 2);
    CHECK_STR(list->classes[0], "snare");
    CHECK_STR(list->classes[1], "kick");
    CHECK_EQ(list->files_len, 3);
    CHECK_STR(list->files[0].name, "b.wav");
    CHECK_STR(list->files[1].name, "a.wav");
    CHECK_STR(list->files[2].name, "c.wav");
    CHECK_EQ(list->files[0].events_len, 2);
    CHECK_EQ(list->files[2].events_len, 0);
    CHECK_NEAR(list->files[0].events[0].time, 0.5, 0);
    CHECK_EQ(list->files[0].events[0].kind, 1);
    CHECK_NEAR(list->files[0].events[1].probability, 0.25, 0);
    CHECK_NEAR(list->files[1].events[0].probability, 1, 0);
    lc_event_list_free(list);
    list = list_of("e.csv", "time,class\n");
    CHECK_EQ(list->files_len, 1);
    CHECK_STR(list->files[0].name, "");
    lc_event_list_free(list);
}

/* By name or by content. */
static void readers_are_chosen(void)
{
    lc_event_list *list = list_of("x", "1.5\tkick\n");
    CHECK_STR(list->files[0].name, "x");
    lc_event_list_free(list);
    list = list_of("a/x.txt", "# table\nfile\ttime\tclass\ny.wav\t1\tkick\n");
    CHECK_STR(list->files[0].name, "y.wav");
    lc_event_list_free(list);
    loco_err err = {""};
    list = NULL;
    CHECK_STATUS(lc_event_list_parse(&list, "x.txt", midi_file, sizeof midi_file - 1, NULL, 0, &err), LOCO_OK);
    CHECK_STR(list->classes[0], "36");
    lc_event_list_free(list);
    CHECK_STATUS(lc_event_list_parse(&list, "x.MID", "1.5\tkick\n", 9, NULL, 0, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "x.MID, byte 0: this is not a MIDI file");
    CHECK_STATUS(lc_event_list_parse(&list, "README.txt", "Some words.\n", 12, NULL, 0, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "README.txt: no column \"time\"");
}

static void entries_are_found(void)
{
    lc_event_list *list = list_of("e.csv", "file,time,class\nx.txt,1,k\nd/y.wav,1,k\nx.wav,1,k\nz,1,k\n");
    CHECK(lc_event_list_find(list, "x.wav") == &list->files[2]);
    CHECK(lc_event_list_find(list, "x.flac") == &list->files[0]);
    CHECK(lc_event_list_find(list, "d/y.mp3") == &list->files[1]);
    CHECK(lc_event_list_find(list, "y.mp3") == NULL);
    CHECK(lc_event_list_find(list, "z.wav") == &list->files[3]);
    CHECK(lc_event_list_find(list, "zz.wav") == NULL);
    lc_event_list_free(list);
    list = list_of("e.csv", "time,class\n1,k\n");
    CHECK(lc_event_list_find(list, "anything") == &list->files[0]);
    lc_event_list_free(list);
}

static loco_status load(lc_event_list **list, const char *name, loco_err *err)
{
    return lc_event_list_load(list, data_path(name), (const char *const[]){"kick", "snare"}, 2, err);
}

static void folders_are_read(void)
{
    lc_event_list *list = NULL;
    loco_err err = {""};
    CHECK_STATUS(load(&list, "", &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "no events.csv, and no .txt or .mid file");
    CHECK_STATUS(load(&list, "missing.txt", &err), LOCO_EIO);
    data_write("b.txt", "1\tkick\n2\tsnare\n");
    CHECK_STATUS(lc_file_save(data_path("a.mid"), midi_file, sizeof midi_file - 1, NULL), LOCO_OK);
    data_write("README.txt", "Words.");
    CHECK_STATUS(load(&list, "", &err), LOCO_OK); /* without sounds */
    CHECK_EQ(list->files_len, 2);
    CHECK_STR(list->files[0].name, "a.mid");
    CHECK_STR(list->files[1].name, "b.txt");
    CHECK_EQ(list->files[1].events_len, 2);
    lc_event_list_free(list);
    data_write("b.wav", "");
    data_write("z.wav", "");
    CHECK_STATUS(load(&list, "", &err), LOCO_OK); /* those of the sounds alone */
    CHECK_EQ(list->files_len, 1);
    CHECK_STR(list->files[0].name, "b.wav");
    lc_event_list_free(list);
    list = NULL;
    CHECK_STATUS(lc_file_save(data_path("b.mid"), midi_file, sizeof midi_file - 1, NULL), LOCO_OK);
    CHECK_STATUS(load(&list, "", &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "b.txt: events also in .mid; keep one of the two");
    data_write("events.csv", "file,time,class\nq.wav,1,kick\n");
    CHECK_STATUS(load(&list, "", &err), LOCO_OK);
    CHECK_STR(list->files[0].name, "q.wav");
    lc_event_list_free(list);
    data_clear();
}

static void events_beside_sounds_are_found(void)
{
    lc_event_list *list = NULL;
    data_write("b.txt", "1\tkick\n");
    data_write("a.lab", "1\tsnare\n2\tsnare\n");
    char a[600], b[600], c[600];
    snprintf(a, sizeof a, "%s", data_path("a.flac"));
    snprintf(b, sizeof b, "%s", data_path("b.flac"));
    snprintf(c, sizeof c, "%s", data_path("c.flac"));
    const char *const sounds[] = {a, c, b};
    CHECK_STATUS(lc_event_list_beside(&list, sounds, 3, NULL, 0, NULL), LOCO_OK);
    CHECK_EQ(list->files_len, 2);
    CHECK_STR(list->files[0].name, a);
    CHECK_EQ(list->files[0].events_len, 2);
    CHECK_STR(list->files[1].name, b);
    lc_event_list_free(list);
    CHECK_STATUS(lc_event_list_beside(&list, sounds + 1, 1, NULL, 0, NULL), LOCO_OK);
    CHECK_EQ(list->files_len, 0);
    lc_event_list_free(list);
    data_clear();
}

static void writing_looks_as_it_should(void)
{
    static const loco_event events[] =
        {
            {0.5,        1, 1, 0},
            {12.3456784, 0, 1, 0}
    },
                            doubtful[] = {{1, 0, 0.25, 0}};
    static const char *const classes[] = {"a,b", "kick"};
    lc_event_file files[] = {
        {"#x y.wav", events, 2},
        {"z",        NULL,   0}
    };
    lc_event_list list = {.classes = classes, .classes_len = 2, .files = files, .files_len = 2};
    lc_text text = {0};
    lc_events_format(&text, &list);
    CHECK_STR(text.bytes, "file,time,class\n\"#x y.wav\",0.500000,kick\n\"#x y.wav\",12.345678,\"a,b\"\nz,,\n");
    lc_text_free(&text);
    files[0] = (lc_event_file){"", doubtful, 1};
    list.files_len = 1;
    lc_events_format(&text, &list);
    CHECK_STR(text.bytes, "time,class,probability\n1.000000,\"a,b\",0.25\n");
    lc_text_free(&text);
}

/* Random lists of whole microseconds come back as they were. */
static void written_is_read(void)
{
    static const char *const classes[] = {"kick", "s,n\"are", " hat", "36"};
    static const char *const names[] = {"a.wav", "b c.wav", "#d", "e;f\tg", "\xc3\xa4.wav"};
    lc_rng rng = lc_rng_seed(7);
    for (int round = 0; round < 100; round++) {
        loco_event events[5][8];
        lc_event_file files[5];
        lc_event_list list = {.classes = classes, .classes_len = 4, .files = files, .files_len = 5}, *again = NULL;
        for (size_t f = 0; f < 5; f++) {
            size_t n = lc_rng_next(&rng) % 8;
            double time = 0;
            for (size_t e = 0; e < n; e++) {
                time += (double)(1 + lc_rng_next(&rng) % 1000000000);
                events[f][e] = (loco_event){time / 1e6, lc_rng_next(&rng) % 4,
                                            round % 2 ? 1 : (double)(lc_rng_next(&rng) % 1000) / 1e3, 0};
            }
            files[f] = (lc_event_file){names[f], events[f], n};
        }
        CHECK_STATUS(lc_event_list_save_csv(data_path("e.csv"), &list, NULL), LOCO_OK);
        CHECK_STATUS(lc_event_list_load(&again, data_path("e.csv"), classes, 4, NULL), LOCO_OK);
        CHECK_EQ(again->files_len, 5);
        for (size_t f = 0; f < 5; f++) {
            CHECK_STR(again->files[f].name, names[f]);
            CHECK_EQ(again->files[f].events_len, files[f].events_len);
            CHECK(files[f].events_len == 0 ||
                  memcmp(again->files[f].events, events[f], files[f].events_len * sizeof(loco_event)) == 0);
        }
        lc_event_list_free(again);
    }
    loco_err err = {""};
    lc_event_list none = {.files_len = 0};
    CHECK_STATUS(lc_event_list_save_csv(data_path("no/such/folder.csv"), &none, &err), LOCO_EIO);
    data_clear();
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(wrong_tables_are_refused);
    RUN(tables_are_read);
    RUN(readers_are_chosen);
    RUN(entries_are_found);
    RUN(folders_are_read);
    RUN(events_beside_sounds_are_found);
    RUN(writing_looks_as_it_should);
    RUN(written_is_read);
    return data_done();
}
