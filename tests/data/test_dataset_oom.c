/* SPDX-License-Identifier: MIT
 * test_dataset_oom.c - lets the n-th allocation fail, for every n, while data sets are read, cut and written: the
 *   caller gets an error, nothing leaks, and no result is touched. */
#include "data_cases.h"
#include "oom.h"

#include "data/dataset.h"

static const char midi_file[] = "MThd\0\0\0\6\0\0\0\1\0\5MTrk\0\0\0\x0b\0\xff\x51\3\1\2\3\1\x99\x24\x40";
static lc_dataset *loaded;

typedef loco_status work(loco_err *err);

static loco_status load_set(const char *name, loco_err *err)
{
    lc_dataset *set = NULL;
    loco_status status = lc_dataset_load(&set, data_path(name), err);
    if ((set != NULL) != (status == LOCO_OK))
        abort();
    lc_dataset_free(set);
    return status;
}

static loco_status load_counts(loco_err *err)
{
    return load_set("counts", err);
}

static loco_status load_beside(loco_err *err)
{
    return load_set("beside", err);
}

static loco_status load_events(loco_err *err)
{
    return load_set("events", err);
}

static loco_status cut(loco_err *err)
{
    lc_dataset *out = NULL;
    const lc_cut how = {
        (const double[]){100, 100},
         1, 2, 0, 1
    };
    loco_status status = lc_dataset_cut(&out, loaded, &how, err);
    if ((out != NULL) != (status == LOCO_OK))
        abort();
    lc_dataset_free(out);
    return status;
}

static loco_status save(loco_err *err)
{
    loco_status status = lc_dataset_save_counts(data_path("saved.csv"), loaded, err);
    return status == LOCO_OK ? lc_event_list_save_csv(data_path("saved.csv"), loaded->list, err) : status;
}

static loco_status advise(loco_err *err)
{
    lc_text text = {0};
    lc_dataset_advice(loaded, &text);
    bool failed = text.failed;
    lc_text_free(&text);
    snprintf(err->text, sizeof err->text, failed ? "out of memory" : "");
    return failed ? LOCO_ENOMEM : LOCO_OK;
}

static void fail_each(work *run, size_t fewest)
{
    for (size_t n = 1; n < 10000; n++) {
        loco_err err = {""};
        oom_begin(n);
        loco_status status = run(&err);
        if (oom_end() < n) {
            CHECK_STATUS(status, LOCO_OK);
            CHECK(n > fewest);
            return;
        }
        CHECK_STATUS(status, LOCO_ENOMEM);
        CHECK_SAYS(err.text, "out of memory");
    }
    CHECK(0);
}

static void every_failing_allocation_is_reported(void)
{
    fail_each(load_counts, 20);
    fail_each(load_beside, 20);
    fail_each(load_events, 20);
    fail_each(cut, 4);
    fail_each(save, 3);
    fail_each(advise, 2);
}

static void make_files(void)
{
    CHECK(mkdir(data_path("counts"), 0700) == 0 && mkdir(data_path("beside"), 0700) == 0);
    CHECK(mkdir(data_path("events"), 0700) == 0);
    data_write("counts/counts.csv", "file,kick,snare\na.wav,1,1\nb.wav,0,0\nb.wav,0,0\n");
    data_write("counts/events.csv", "file,time,class\na.wav,1,kick\na.wav,2,snare\nb.wav,,\n");
    data_write("counts/a.wav", "");
    data_write("counts/b.wav", "");
    data_write("beside/counts.csv", "file,kick\na.wav,1\nb.wav,0\n");
    data_write("beside/a.wav", "");
    data_write("beside/b.wav", "");
    data_write("beside/a.txt", "1\tkick\n");
    CHECK_STATUS(lc_file_save(data_path("beside/b.mid"), midi_file, sizeof midi_file - 1, NULL), LOCO_OK);
    data_write("events/events.csv", "time,class\n1,kick\n");
    data_write("events/only.wav", "");
}

int main(void)
{
    if (!data_begin())
        return 1;
    make_files();
    CHECK_STATUS(lc_dataset_load(&loaded, data_path("counts"), NULL), LOCO_OK);
    if (loaded != NULL)
        RUN(every_failing_allocation_is_reported);
    lc_dataset_free(loaded);
    return data_done();
}
