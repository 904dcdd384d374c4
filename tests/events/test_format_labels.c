/* SPDX-License-Identifier: MIT
 * test_format_labels.c - label tracks as programs and people write them. */
#include "data_cases.h"

#include "events/event_list.h"

/* Parses a copy of exactly its length. */
static loco_status parse(lc_event_list **list, const char *text, size_t length, const char *const *classes, size_t n,
                         loco_err *err)
{
    char *copy = malloc(length > 0 ? length : 1);
    memcpy(copy, text, length);
    loco_status status = lc_event_list_parse(list, "a/take.txt", copy, length, classes, n, err);
    free(copy);
    return status;
}

static void wrong_lines_are_refused(void)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"1\t2\tkick\n\nsoon\t3\tkick\n", "a/take.txt:3: \"soon\" is not a time"                   },
        {"1\t2\tkick\n-1\t3\tkick\n",     "a/take.txt:2: times go from 0 to below 10000000 seconds"},
        {"1e7\t1e7\tkick\n",              "a/take.txt:1: times go from 0"                          },
        {"3\t2\tkick\n",                  "a/take.txt:1: the label ends at 2, before it starts"    },
        {"1.5\t1.5\t\n",                  "a/take.txt:1: no class"                                 },
        {"1.5\t1.5",                      "a/take.txt:1: no class"                                 },
        {"1.5\n",                         "a/take.txt:1: no class"                                 },
        {"1,5\t2,5\tkick\n",              "a/take.txt:1: \"1,5\" is not a time"                    },
        {"1\tk\x01k\n",                   "a/take.txt:1: the byte 0x01"                            },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lc_event_list *list = NULL;
        loco_err err = {""};
        CHECK_STATUS(parse(&list, wrong[i].text, strlen(wrong[i].text), NULL, 0, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, wrong[i].says);
        CHECK(list == NULL);
    }
}

static void check_events(const char *text, const char *const *classes, size_t classes_len, const double *times,
                         const size_t *kinds, size_t n)
{
    lc_event_list *list = NULL;
    loco_err err = {""};
    CHECK_STATUS(parse(&list, text, strlen(text), classes, classes_len, &err), LOCO_OK);
    if (list == NULL) {
        fprintf(stderr, "%s\n", err.text);
        return;
    }
    CHECK_EQ(list->files_len, 1);
    CHECK_STR(list->files[0].name, "take.txt");
    CHECK_EQ(list->files[0].events_len, n);
    for (size_t i = 0; i < n && i < list->files[0].events_len; i++) {
        CHECK_NEAR(list->files[0].events[i].time, times[i], 0);
        CHECK_EQ(list->files[0].events[i].kind, kinds[i]);
        CHECK_NEAR(list->files[0].events[i].probability, 1, 0);
    }
    lc_event_list_free(list);
}

static void all_ways_to_write_are_read(void)
{
    static const double times[] = {0.04, 0.5, 1.25, 2};
    static const size_t kinds[] = {0, 1, 0, 1};
    check_events("2.000000\t2.500000\tsnare\n\\\t100.0\t2000.0\n1.25\t1.25\tkick\n0.5\t0.5\tsnare\n.04\t1\tkick\n",
                 (const char *const[]){"kick", "snare"}, 2, times, kinds, 4);
    check_events("\xef\xbb\xbf# drums\n0.040000 \t KD \r\n0.5 \t SD\r\n\r\n1.25\tKD\n2\tSD", NULL, 0, times, kinds, 4);
    check_events("0.04 KD\n0.5   SD  \n  1.25 2.5 KD\n2 3 SD\n", NULL, 0, times, kinds, 4);
    check_events("0.04\t36\n0.5\t38\n1.25\t36\n2\t38\n", NULL, 0, times, kinds, 4);
    check_events("0.04\t2nd hat\n0.5\t3 sticks\n1.25\t2nd hat\n2\t3 sticks", NULL, 0, times, kinds, 4);
    check_events("", NULL, 0, NULL, NULL, 0);
    check_events("\n# nothing\n", NULL, 0, NULL, NULL, 0);
}

/* Labels without text are the only class there is. */
static void empty_labels_are_the_only_class(void)
{
    static const double times[] = {1, 2.5};
    static const size_t kinds[] = {0, 0};
    check_events("1.000000\t1.000000\t\n2.5\t2.5\n", (const char *const[]){"step"}, 1, times, kinds, 2);
}

static void unknown_classes_are_refused(void)
{
    static const char *const classes[] = {"kick", "snare"};
    lc_event_list *list = NULL;
    loco_err err = {""};
    CHECK_STATUS(parse(&list, "1\tkick\n2\tsnaer\n", 15, classes, 2, &err), LOCO_EDATA);
    CHECK_STR(err.text, "a/take.txt:2: \"snaer\" is not a class here; is it \"snare\"?");
    CHECK_STATUS(parse(&list, "1\tcowbell\n", 10, classes, 2, &err), LOCO_EDATA);
    CHECK_STR(err.text, "a/take.txt:1: \"cowbell\" is not one of the 2 classes");
    CHECK_STATUS(parse(&list, "1\t1\t\n", 5, classes, 2, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "no class");
}

static void limits_hold(void)
{
    char *text = malloc(LC_EVENTS_LABELS + 1);
    lc_event_list *list = NULL;
    loco_err err = {""};
    memset(text, '\n', LC_EVENTS_LABELS + 1);
    CHECK_STATUS(parse(&list, text, LC_EVENTS_LABELS + 1, NULL, 0, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "a label track of more than 16 MiB");
    text[0] = '1';
    text[1] = '\t';
    memset(text + 2, 'x', LC_EVENTS_LABEL + 1);
    CHECK_STATUS(parse(&list, text, LC_EVENTS_LABEL + 3, NULL, 0, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "a class of more than 4096 bytes");
    CHECK_STATUS(parse(&list, text, LC_EVENTS_LABEL + 2, NULL, 0, &err), LOCO_OK);
    lc_event_list_free(list);
    list = NULL;
    size_t length = 0;
    for (int i = 0; i <= LC_EVENTS_CLASSES; i++)
        length += (size_t)snprintf(text + length, 32, "1\tc%d\n", i);
    CHECK_STATUS(parse(&list, text, length, NULL, 0, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "a/take.txt:4097: more than 4096 classes");
    free(text);
}

int main(void)
{
    RUN(wrong_lines_are_refused);
    RUN(all_ways_to_write_are_read);
    RUN(empty_labels_are_the_only_class);
    RUN(unknown_classes_are_refused);
    RUN(limits_hold);
    return check_done();
}
