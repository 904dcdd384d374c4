/* SPDX-License-Identifier: MIT
 * test_save.c - a data set in a scratch folder: sounds as rendered, counts that agree with the events. */
#include "check.h"

#include "base/file.h"
#include "studio/synth/drums.h"

#include <dirent.h>
#include <sndfile.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORDINGS = 3 };

static const lc_synth_settings plain = {.rate = 22050, .seconds = 5, .seed = 21, .distractors = true};
static char scratch[] = "/tmp/loco-synth-XXXXXX";

static const char *in_scratch(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
}

static void refuse(lc_synth_settings settings, size_t recordings, double shortest, double longest, const char *says)
{
    loco_err err = {""};
    CHECK_STATUS(lc_synth_save(in_scratch("refused"), &settings, recordings, shortest, longest, &err), LOCO_EARG);
    CHECK(strstr(err.text, says) != NULL);
    CHECK(access(in_scratch("refused"), F_OK) != 0);
}

static void wrong_arguments_are_refused(void)
{
    lc_synth_settings slow = plain;
    slow.rate = 100;
    refuse(slow, 1, 0.4, 0.8, "100");
    refuse(plain, 0, 0.4, 0.8, "0 recordings");
    refuse(plain, 100001, 0.4, 0.8, "100001");
    refuse(plain, 1, 0.001, 0.8, "0.001");
    refuse(plain, 1, 0.8, 0.4, "0.8 to 0.4");
    refuse(plain, 1, 0.4, 6, "0.4 to 6");
    refuse(plain, 1, NAN, 0.8, "nan");
    loco_err err = {""};
    CHECK_STATUS(lc_synth_save(in_scratch("no/such"), &plain, 1, 0.4, 0.8, &err), LOCO_EIO);
    CHECK(strstr(err.text, "no/such") != NULL);
}

static void folder_is_made_once(void)
{
    loco_err err = {""};
    CHECK_STATUS(lc_synth_save(in_scratch("set"), &plain, RECORDINGS, 0.4, 0.8, &err), LOCO_OK);
    CHECK_STATUS(lc_synth_save(in_scratch("set"), &plain, RECORDINGS, 0.4, 0.8, &err), LOCO_EARG);
    CHECK(strstr(err.text, "set/counts.csv") != NULL);
    CHECK(mkdir(in_scratch("empty"), 0777) == 0);
    CHECK_STATUS(lc_synth_save(in_scratch("empty"), &plain, 1, 5, 5, &err), LOCO_OK);
}

static void sounds_are_those_rendered(void)
{
    for (size_t r = 0; r < RECORDINGS; r++) {
        float *want = NULL, *got = calloc(5 * 22050 + 1, sizeof *got);
        loco_event *events = NULL;
        size_t n = 0, events_len = 0;
        char name[32];
        snprintf(name, sizeof name, "set/rec_%03zu.wav", r);
        CHECK_STATUS(lc_synth_drums(&plain, r, &want, &n, &events, &events_len, NULL), LOCO_OK);
        SF_INFO info = {0};
        SNDFILE *file = sf_open(in_scratch(name), SFM_READ, &info);
        CHECK(file != NULL && info.samplerate == 22050 && info.channels == 1 && info.frames == (sf_count_t)n);
        CHECK((info.format & SF_FORMAT_SUBMASK) == SF_FORMAT_PCM_16);
        CHECK(got != NULL && sf_read_float(file, got, 5 * 22050 + 1) == (sf_count_t)n);
        double worst = 0;
        for (size_t i = 0; got != NULL && i < n; i++)
            worst = fmax(worst, fabs((double)(got[i] - want[i])));
        CHECK(worst < 1.01 / 32768);
        sf_close(file);
        free(want);
        free(got);
        free(events);
    }
}

/* Parses the tables again, adds the events up clip by clip, and compares. */
static char *table(const char *name)
{
    char *data = NULL;
    size_t length = 0;
    CHECK_STATUS(lc_file_load(in_scratch(name), 1000000, &data, &length, NULL), LOCO_OK);
    return data;
}

static size_t count_events(const char *events, unsigned recording, double start, double end, const char *class)
{
    size_t n = 0;
    for (const char *line = strchr(events, '\n') + 1; *line != 0; line = strchr(line, '\n') + 1) {
        unsigned file;
        double time;
        char kind[16];
        CHECK(sscanf(line, "rec_%u.wav,%lf,%15[a-z]", &file, &time, kind) == 3);
        n += file == recording && time >= start && time < end && strcmp(kind, class) == 0;
    }
    return n;
}

/* Returns the sum of all counts. */
static size_t check_set(char *counts, char *events, double shortest, double longest)
{
    double before = 0;
    unsigned last = 0;
    size_t all = 0;
    CHECK(strncmp(counts, "file,start,end,kick,snare,hihat\n", 32) == 0);
    CHECK(strncmp(events, "file,time,class\n", 16) == 0);
    for (const char *line = strchr(counts, '\n') + 1; *line != 0; line = strchr(line, '\n') + 1) {
        unsigned file;
        double start, end;
        size_t kick, snare, hihat;
        CHECK(sscanf(line, "rec_%u.wav,%lf,%lf,%zu,%zu,%zu\n", &file, &start, &end, &kick, &snare, &hihat) == 6);
        CHECK_NEAR(start, file == last ? before : 0, 1e-9);
        CHECK(end - start > shortest - 0.0011 && end - start < longest + 0.0011 && end <= 5);
        CHECK_EQ(kick, count_events(events, file, start, end, "kick"));
        CHECK_EQ(snare, count_events(events, file, start, end, "snare"));
        CHECK_EQ(hihat, count_events(events, file, start, end, "hihat"));
        before = end;
        last = file;
        all += kick + snare + hihat;
    }
    CHECK_EQ(last, RECORDINGS - 1);
    free(counts);
    free(events);
    return all;
}

static void counts_agree_with_events(void)
{
    size_t all = check_set(table("set/counts.csv"), table("set/events.csv"), 0.4, 0.8);
    CHECK(all > 20);
}

/* In clips this short many events lie next to a border, and each still belongs to exactly one clip. */
static void events_at_borders_count_once(void)
{
    loco_err err = {""};
    CHECK_STATUS(lc_synth_save(in_scratch("short"), &plain, RECORDINGS, 0.01, 0.011, &err), LOCO_OK);
    char *events = table("short/events.csv");
    size_t lines = 0;
    for (const char *at = events; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    CHECK_EQ(check_set(table("short/counts.csv"), events, 0.01, 0.011), lines - 1);
}

static void one_clip_may_be_the_whole(void)
{
    char *counts = table("empty/counts.csv");
    CHECK(strstr(counts, "\nrec_000.wav,0,5,") != NULL);
    free(counts);
}

static void remove_set(const char *name)
{
    DIR *dir = opendir(in_scratch(name));
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s/%s", scratch, name, entry->d_name);
        unlink(path);
    }
    if (dir != NULL)
        closedir(dir);
    rmdir(in_scratch(name));
}

int main(void)
{
    if (mkdtemp(scratch) == NULL)
        return 1;
    RUN(wrong_arguments_are_refused);
    RUN(folder_is_made_once);
    RUN(sounds_are_those_rendered);
    RUN(counts_agree_with_events);
    RUN(events_at_borders_count_once);
    RUN(one_clip_may_be_the_whole);
    remove_set("set");
    remove_set("empty");
    remove_set("short");
    rmdir(scratch);
    return check_done();
}
