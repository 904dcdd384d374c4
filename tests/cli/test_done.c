/* SPDX-License-Identifier: MIT
 *
 * test_done.c - journals of files that are done: every cut of one is read up to its last whole record, and can be
 *   added to; shards have each file once.
 */
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "../cli/done.h"

enum { RECORDS = 5, CLASSES = 2 };

static loco_err err;
static char folder[] = "journal-XXXXXX";

static lc_done journal_of(uint64_t settings, bool strict)
{
    static char base[64];
    snprintf(base, sizeof base, "%s/x.done", folder);
    return (lc_done){.base = base, .settings = settings, .classes = CLASSES, .strict = strict};
}

static void add(lc_done *j, const char *path, bool good, const char *text)
{
    uint32_t counts[CLASSES] = {3, 40};
    lc_done_entry entry = {.path = path, .size = 17, .changed = 99, .good = good, .seconds = 1.5, .counts = counts};
    CHECK_STATUS(lc_done_append(j, &entry, text, strlen(text), &err), LOCO_OK);
}

static void fill(void)
{
    char path[32], text[64];
    lc_done j = journal_of(1, true);
    CHECK_STATUS(lc_done_open(&j, &err), LOCO_OK);
    for (int i = 0; i < RECORDS; i++) {
        snprintf(path, sizeof path, i == 2 ? "a\nb%d" : "tree/%d.wav", i);
        snprintf(text, sizeof text, "line %d\nfile 3 4 good\n", i);
        add(&j, path, i != 3, text);
    }
    lc_done_close(&j, false);
}

static size_t read_file(char *bytes, size_t size)
{
    lc_done j = journal_of(1, true);
    FILE *file = fopen(j.base, "rb");
    size_t length = file != NULL ? fread(bytes, 1, size, file) : 0;
    if (file != NULL)
        fclose(file);
    return length;
}

static void write_file(const char *bytes, size_t length)
{
    lc_done j = journal_of(1, true);
    FILE *file = fopen(j.base, "wb");
    CHECK(file != NULL && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

static void records_come_back(void)
{
    fill();
    lc_done j = journal_of(1, true);
    CHECK_STATUS(lc_done_open(&j, &err), LOCO_OK);
    CHECK_EQ(j.len, RECORDS);
    const lc_done_entry *e = lc_done_find(&j, "a\nb2", 17, 99);
    CHECK(e != NULL && e->good && e->counts[1] == 40 && e->seconds > 1.4 && e->seconds < 1.6);
    CHECK(lc_done_find(&j, "a\nb2", 18, 99) == NULL);
    CHECK(lc_done_find(&j, "a\nb2", 17, 98) == NULL);
    CHECK(lc_done_find(&j, "a", 17, 99) == NULL);
    e = lc_done_find(&j, "tree/3.wav", 17, 99);
    CHECK(e != NULL && !e->good);
    /* tried again, and read */
    add(&j, "tree/3.wav", true, "now\n");
    CHECK_STATUS(lc_done_load(&j, &err), LOCO_OK);
    e = lc_done_find(&j, "tree/3.wav", 17, 99);
    CHECK(e != NULL && e->good && e->text == 4);
    FILE *copy = tmpfile();
    CHECK(copy != NULL && lc_done_copy(copy, &j, e) && ftell(copy) == 4);
    if (copy != NULL)
        fclose(copy);
    lc_done_close(&j, true);
    CHECK(access(j.base, F_OK) != 0);
}

/* A kill may leave any part of the file. */
static void every_cut_is_repaired(void)
{
    char bytes[4096], now[4096];
    fill();
    size_t length = read_file(bytes, sizeof bytes);
    size_t before = RECORDS + 1;
    for (size_t cut = length + 1; cut-- > 0;) {
        write_file(bytes, cut);
        lc_done j = journal_of(1, true);
        CHECK_STATUS(lc_done_open(&j, &err), LOCO_OK);
        CHECK(j.len == before || j.len + 1 == before);
        before = j.len;
        add(&j, "new.wav", true, "text");
        CHECK_STATUS(lc_done_load(&j, &err), LOCO_OK);
        CHECK_EQ(j.len, before + 1);
        lc_done_close(&j, false);
        CHECK(read_file(now, sizeof now) > 0 && memcmp(now, bytes, cut < 40 ? cut : 40) == 0);
    }
    CHECK_EQ(before, 0);
}

/* A byte that a disk has changed ends what is read. */
static void every_changed_byte_is_seen(void)
{
    char bytes[4096];
    write_file("", 0);
    fill();
    size_t length = read_file(bytes, sizeof bytes), first = strcspn(bytes, "\n") + 1;
    for (size_t i = first; i < length; i++) {
        bytes[i] ^= 1;
        write_file(bytes, length);
        bytes[i] ^= 1;
        lc_done j = journal_of(1, true);
        CHECK_STATUS(lc_done_open(&j, &err), LOCO_OK);
        CHECK(j.len < RECORDS);
        lc_done_close(&j, false);
    }
}

static void other_settings_do_not_count(void)
{
    write_file("", 0);
    fill();
    lc_done j = journal_of(2, true);
    CHECK_STATUS(lc_done_open(&j, &err), LOCO_EDATA);
    CHECK(strstr(err.text, "is of another model, other options or another version of loco; remove it") != NULL);
    lc_done_close(&j, false);
    j = journal_of(2, false);
    CHECK_STATUS(lc_done_open(&j, &err), LOCO_OK);
    CHECK_EQ(j.len, 0);
    lc_done_close(&j, false);
    j = journal_of(1, true); /* it began anew */
    CHECK_STATUS(lc_done_open(&j, &err), LOCO_EDATA);
    lc_done_close(&j, false);
    write_file("my own notes\n", 13);
    j = journal_of(2, false);
    CHECK_STATUS(lc_done_open(&j, &err), LOCO_EDATA);
    CHECK(strstr(err.text, "is not a journal of loco") != NULL);
    lc_done_close(&j, false);
    write_file("", 0);
}

static void shards_read_each_other(void)
{
    lc_done one = journal_of(1, true), two = journal_of(1, true);
    one.shard = (lc_shard){.number = 1, .of = 2};
    two.shard = (lc_shard){.number = 2, .of = 2};
    CHECK_STATUS(lc_done_open(&one, &err), LOCO_OK);
    CHECK_STATUS(lc_done_open(&two, &err), LOCO_OK);
    add(&one, "a.wav", true, "a");
    add(&two, "b.wav", true, "b");
    CHECK_STATUS(lc_done_load(&one, &err), LOCO_OK);
    CHECK_EQ(one.len, 2);
    CHECK(lc_done_find(&one, "b.wav", 17, 99) != NULL);
    lc_done_close(&one, true);
    lc_done_close(&two, true);
}

static void each_name_has_one_shard(void)
{
    char name[32];
    size_t sizes[8] = {0};
    for (int i = 0; i < 2000; i++) {
        unsigned owners = 0;
        snprintf(name, sizeof name, "night/rec_%04d.wav", i);
        for (unsigned n = 1; n <= 8; n++) {
            bool has = lc_shard_has(&(lc_shard){.number = n, .of = 8}, name);
            owners += has;
            sizes[n - 1] += has;
        }
        CHECK_EQ(owners, 1);
    }
    for (size_t n = 0; n < 8; n++)
        CHECK(sizes[n] > 190 && sizes[n] < 310);
    lc_shard shard = {.number = 5, .of = 6};
    static const char *const wrongs[] = {"", "1", "1/", "/2", "0/2", "3/2", "1/2x", "-1/2", "1/100001", "a/b", "1 /2"};
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++)
        CHECK(!lc_shard_parse(&shard, wrongs[i]) && shard.number == 5);
    CHECK(lc_shard_parse(&shard, "2/8") && shard.number == 2 && shard.of == 8);
}

static void launchers_are_found(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK",    "PMI_SIZE",
                                        "SLURM_PROCID",         "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
    CHECK_EQ(lc_shard_launched().of, 0);
    setenv("SLURM_PROCID", "0", 1);
    setenv("SLURM_NTASKS", "4", 1); /* a batch script, where one process runs */
    CHECK_EQ(lc_shard_launched().of, 0);
    setenv("SLURM_STEP_NUM_TASKS", "4", 1);
    CHECK(lc_shard_launched().of == 4 && lc_shard_launched().number == 1);
    setenv("OMPI_COMM_WORLD_RANK", "2", 1);
    setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
    CHECK(lc_shard_launched().of == 3 && lc_shard_launched().number == 3 && lc_shard_launched().launched);
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL);
    RUN(records_come_back);
    RUN(every_cut_is_repaired);
    RUN(every_changed_byte_is_seen);
    RUN(other_settings_do_not_count);
    RUN(shards_read_each_other);
    RUN(each_name_has_one_shard);
    RUN(launchers_are_found);
    lc_done j = journal_of(1, true);
    unlink(j.base);
    rmdir(folder);
    return check_done();
}
