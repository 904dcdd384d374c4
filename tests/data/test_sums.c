/* SPDX-License-Identifier: MIT
 * test_sums.c - columns of several classes together: what is refused, what follows from what, and which classes no
 *   label distinguishes; against all counts that are possible. */
#include "data_cases.h"

#include "base/rng.h"
#include "data/sums.h"

static lc_dataset *parse(const char *text)
{
    lc_dataset *set = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_counts_parse(&set, "c.csv", text, strlen(text), &err), LOCO_OK);
    CHECK_STR(err.text, "");
    if (set == NULL)
        exit(1);
    return set;
}

static void wrong_sums_are_refused(void)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"file,kick+\na,1\n",                              "c.csv: column \"kick+\": + stands between two classes"  },
        {"file,+\na,1\n",                                  "+ stands between two classes"                           },
        {"file,a+end\na,1\n",                              "\"end\" is not a class"                                 },
        {"file,a++b\na,1\n",                               "+ stands between two classes"                           },
        {"file,kick+kick\na,1\n",                          "a class is there twice"                                 },
        {"file,a+b,b + a\nx,1,1\n",                        "column \"b + a\": the same classes as in column \"a+b\""},
        {"file,a+b\nx,one\n",                              "column \"a+b\": \"one\" is not a count"                 },
        {"file,kick,snare,kick+snare\na,1,1,2\na,3,2,4\n",
         "c.csv:3: kick+snare is 4, but kick 3, snare 2 make at least 5"                                            },
        {"file,kick,snare,kick+snare\na,<=1,2,>=4\n",
         "c.csv:2: kick+snare is >=4, but kick <=1, snare 2 make at most 3"                                         },
        {"file,a,a+b,b+c,c\nx,3,4,9,<=7\n",                "b+c is 9, but b 1, c <=7 make at most 8"                },
        {"file,a+b,b+c,a+c\nx,1,1,1\n",                    "c.csv:2: a+b 1, b+c 1, a+c 1 cannot all be met at once" },
        {"file,a+b+d,a+b+c+d\nx,1,2\ny,5,4\n",             "c.csv:3: a+b+d 5, a+b+c+d 4 cannot all be met"          },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lc_dataset *set = NULL;
        loco_err err = {""};
        CHECK_STATUS(lc_counts_parse(&set, "c.csv", wrong[i].text, strlen(wrong[i].text), &err), LOCO_EDATA);
        CHECK_SAYS(err.text, wrong[i].says);
        CHECK(set == NULL);
    }
}

static void check_label(const lc_dataset *set, size_t clip, size_t number, const char *want)
{
    char text[64];
    loco_label_format(text, sizeof text, set->clips[clip].labels[number]);
    CHECK_STR(text, want);
}

static void classes_come_from_sums_too(void)
{
    lc_dataset *set = parse("file,kick,hihat + snare,tom,kick+snare\na.wav,3,?,1,5\na.wav,,4,,\nb.wav,?,>=1,?,0\n");
    static const char *const want[] = {"kick", "hihat", "snare", "tom"};
    CHECK_EQ(set->classes_len, 4);
    CHECK_EQ(set->sums_len, 2);
    for (size_t k = 0; k < 4 && set->classes_len == 4; k++)
        CHECK_STR(set->classes[k], want[k]);
    CHECK_STR(set->sums[0].name, "hihat + snare");
    CHECK(set->sums[1].members[0] == 0 && set->sums[1].members[1] == 2);
    CHECK_STR(lc_label_name(set, 3), "tom");
    CHECK_STR(lc_label_name(set, 5), "kick+snare");
    check_label(set, 0, 2, "2"); /* 5 less 3 */
    check_label(set, 0, 4, "?");
    check_label(set, 1, 4, "4");
    check_label(set, 1, 1, "?"); /* <=4 says nothing that the sum does not say */
    check_label(set, 2, 0, "0");
    check_label(set, 2, 2, "0");
    check_label(set, 2, 4, ">=1");
    CHECK(lc_clip_says(set, &set->clips[1]));
    lc_dataset_free(set);
}

/* What is written is read as the same. */
static void sums_are_written(void)
{
    lc_dataset *set = parse("file,kick,kick+snare\na.wav,3,5\na.wav,?,2..4\n");
    lc_text text = {0};
    lc_counts_format(&text, set);
    CHECK_STR(text.bytes, "file,start,end,kick,snare,kick+snare\na.wav,,,3,2,5\na.wav,,,?,?,2..4\n");
    lc_dataset *again = parse(text.bytes);
    CHECK(again->classes_len == 2 && again->sums_len == 1);
    check_label(again, 1, 2, "2..4");
    lc_dataset_free(again);
    lc_dataset_free(set);
    lc_text_free(&text);
}

static loco_label random_label(lc_rng *rng)
{
    size_t lo = (size_t)(lc_rng_next(rng) % 4), more = (size_t)(lc_rng_next(rng) % 3);
    switch (lc_rng_next(rng) % 4) {
    case 0: return loco_label_unknown();
    case 1: return loco_label_at_least(lo);
    case 2: return loco_label_exact(lo + more);
    default: return loco_label_range(lo, lo + more);
    }
}

/* Three classes and two to four sums, against all counts up to 9: what no counts meet is refused, what some meet is not,
 * and what is filled in is the only possibility. */
static void check_settling(size_t sums_len)
{
    enum { N = 7 };
    const size_t first[] = {0, 1}, second[] = {1, 2}, third[] = {0, 2}, all[] = {0, 1, 2};
    const char *const classes[] = {"a", "b", "c"};
    const lc_sum sums[] = {
        {"a+b",   first,  2},
        {"b+c",   second, 2},
        {"a+c",   third,  2},
        {"a+b+c", all,    3}
    };
    const lc_dataset set = {.classes = classes, .classes_len = 3, .sums = sums, .sums_len = sums_len};
    const size_t n_labels = 3 + sums_len;
    lc_rng rng = lc_rng_seed(8);
    size_t refused = 0, missed = 0, filled = 0;
    for (int round = 0; round < 3000; round++) {
        loco_label labels[N], given[N], bounds[N];
        size_t possible = 0, least[N] = {99, 99, 99, 99, 99, 99, 99}, most[N] = {0};
        for (size_t i = 0; i < n_labels; i++)
            labels[i] = given[i] = random_label(&rng);
        for (size_t n = 0; n < 1000; n++) {
            size_t counts[N] = {n % 10, n / 10 % 10, n / 100};
            for (size_t j = 0; j < sums_len; j++)
                for (size_t i = 0; i < sums[j].members_len; i++)
                    counts[3 + j] += counts[sums[j].members[i]];
            bool meets = true;
            for (size_t i = 0; i < n_labels; i++)
                meets &= counts[i] >= given[i].lo && counts[i] <= given[i].hi;
            possible += meets;
            for (size_t i = 0; meets && i < n_labels; i++) {
                least[i] = counts[i] < least[i] ? counts[i] : least[i];
                most[i] = counts[i] > most[i] ? counts[i] : most[i];
            }
        }
        loco_status status = lc_sums_settle(&set, labels, bounds, (lc_place){"c.csv", 2, NULL}, NULL);
        refused += status != LOCO_OK;
        missed += status == LOCO_OK && possible == 0;
        CHECK(status == LOCO_OK || possible == 0);
        for (size_t i = 0; status == LOCO_OK && i < n_labels; i++) {
            bool same = labels[i].lo == given[i].lo && labels[i].hi == given[i].hi;
            filled += !same;
            CHECK(same || (labels[i].lo == labels[i].hi &&
                           (possible == 0 || (least[i] == most[i] && least[i] == labels[i].lo))));
        }
    }
    printf("    %zu of 3000 refused, %zu missed, %zu labels filled in\n", refused, missed, filled);
    CHECK(refused > 300 && missed == 0 && filled > 300);
}

static void settling_is_sound(void)
{
    for (size_t sums_len = 2; sums_len <= 4; sums_len++)
        check_settling(sums_len);
}

static void check_advice(const char *counts, const char *says)
{
    lc_dataset *set = parse(counts);
    lc_text text = {0};
    lc_text_string(&text, "");
    lc_sums_advice(set, &text);
    if (says == NULL)
        CHECK_STR(text.bytes, "");
    else
        CHECK_SAYS(text.bytes, says);
    lc_text_free(&text);
    lc_dataset_free(set);
}

static void classes_without_a_difference_are_reported(void)
{
    check_advice("file,a,b\nx,1,2\n", NULL);
    check_advice("file,a+b\nx,1\ny,0\n", "classes \"a\" and \"b\" are only ever counted together, in a+b");
    check_advice("file,a+b,c\nx,1,2\n", "add a column \"a\"");
    check_advice("file,a+b+c,c\nx,1,\ny,2,1\n", "classes \"a\" and \"b\" are only ever counted together, in a+b+c");
    check_advice("file,a+b+c\nx,1\n", "classes \"a\" and \"b\" and \"c\" are");
    check_advice("file,a,a+b\nx,?,4\ny,1,?\n", NULL);
    check_advice("file,a,a+b\nx,?,4\ny,?,5\n", "classes \"a\" and \"b\"");
    check_advice("file,a+b,b+c\nx,2,3\n", NULL);
    check_advice("file,a+b,b+c\nx,2,?\n", "\"a\" and \"b\"");
}

int main(void)
{
    RUN(wrong_sums_are_refused);
    RUN(classes_come_from_sums_too);
    RUN(sums_are_written);
    RUN(settling_is_sound);
    RUN(classes_without_a_difference_are_reported);
    return check_done();
}
