/* SPDX-License-Identifier: MIT
 *
 * detect_archive.c - `loco detect FOLDER -o OUTPUT`: many files, over hours, on one process or several.
 *
 *     night.csv          all events, in the order of the files; written once all files are done, whole
 *     night.csv.done     the journal: which files are done, and their events (done.h)
 *     night.csv.done-2-of-8              that of the second of eight shards
 *     out/take.mid, out/.detect.done     where there is a file for each recording: each is written whole
 *
 * A worker that is through with a file saves its result and adds a record. So whatever ends the program, files that are
 * done stay done, and those under way are done again: no event is lost or there twice. The process that finds all files
 * in the journals, its own and others, puts the output together: the last one, or two at a time, with the same bytes.
 *
 * A file that cannot be read is recorded, too: it does not end the night, and --resume passes over it until it changes.
 * The journal is removed when all is well, unless --resume wants it for the files that will come.
 */
#include "detect.h"

#include "clock.h"
#include "done.h"
#include "files.h"
#include "parallel.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_BYTES = 8192, FEW_CLASSES = 12 };

/* What a file is now, and how far it is. */
typedef struct archive_file {
    uint64_t size;
    int64_t changed;
    bool mine, earlier;         /* of this shard; done before this run */
    const lc_done_entry *entry; /* at the end; NULL: not done */
} archive_file;

typedef struct archive {
    lc_detect_request *asked;
    const lc_files *files;
    archive_file *all; /* one a file */
    size_t *todo;
    size_t todo_len;
    char **said, **notices; /* one for each of todo; NULL: nothing */
    int *codes;             /* exit status of each */
    lc_done journal;
    pthread_rwlock_t saving; /* held by workers while they save, and for good once the program ends */
    pthread_mutex_t adding;  /* of records */
    double seconds, wall;    /* seconds of recordings in this run, and that it took */
    int worst;
} archive;

/* ---- what is to be done ---- */

/* All that the events depend on: the model's bytes, the options, and the version. */
static loco_status hash_settings(uint64_t *settings, const lc_detect_request *asked, loco_err *err)
{
    char line[512], piece[16384];
    FILE *file = fopen(asked->path, "rb");
    if (file == NULL)
        return lc_cli_error(err, LOCO_EDATA, "cannot read %.150s: %s", asked->path, strerror(errno));
    uint64_t hash = LC_HASH_START;
    for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;)
        hash = lc_hash(hash, piece, n);
    fclose(file);
    snprintf(line, sizeof line, "|%s|%s|%s|%s|%s|%u|%d|%d|%.9g", loco_version(), asked->format->name,
             asked->fold != NULL ? asked->fold : "", asked->how.decoding != NULL ? asked->how.decoding : "",
             asked->counts != NULL ? asked->counts : "", asked->how.ensemble, asked->notes, asked->folder,
             asked->tempo);
    *settings = lc_hash(hash, line, strlen(line));
    return LOCO_OK;
}

/* A file that is missing has neither size nor time: it is tried, and recorded as one that cannot be read. */
static void look_at(archive_file *file, const char *path)
{
    struct stat now;
    if (stat(path, &now) != 0)
        return;
    long long nanoseconds = (long long)now.st_mtim.tv_sec * 1000000000 + now.st_mtim.tv_nsec;
    file->size = (uint64_t)now.st_size;
    file->changed = nanoseconds > 0 ? nanoseconds : 0;
}

static void choose_todo(archive *a)
{
    for (size_t i = 0; i < a->files->len; i++) {
        archive_file *file = &a->all[i];
        look_at(file, a->files->paths[i]);
        const lc_done_entry *entry = lc_done_find(&a->journal, a->files->paths[i], file->size, file->changed);
        file->mine = lc_shard_has(&a->asked->shard, a->files->paths[i]);
        file->earlier = entry != NULL && (entry->good || (a->asked->resume && !a->asked->retry));
        if (file->mine && !file->earlier)
            a->todo[a->todo_len++] = i;
    }
}

/* ---- one file ---- */

/* Kept until the file's turn to be reported; as notice of loco_detect_options. */
static void keep_notice(void *context, const char *sentence)
{
    char **kept = context;
    free(*kept);
    *kept = strdup(sentence);
}

/* The lines of a common file; NULL without memory. */
static char *format_events(size_t *length, const lc_detect_request *asked, const loco_events *list)
{
    char line[LINE_BYTES], format[32];
    char *text = NULL;
    size_t capacity = 0;
    FILE *stream = open_memstream(&text, &capacity);
    if (stream == NULL)
        return NULL;
    snprintf(format, sizeof format, asked->places ? "%s places" : "%s", asked->format->name);
    for (size_t i = 0; i < list->events_len; i++) {
        const loco_event *event = &list->events[i];
        loco_event_format(line, sizeof line, format, list->file, asked->classes[event->kind], event);
        fputs(line, stream);
    }
    bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed) {
        free(text);
        return NULL;
    }
    *length = strlen(text);
    return text;
}

static loco_status add_record(archive *a, const lc_done_entry *entry, const char *text, size_t length, loco_err *err)
{
    pthread_mutex_lock(&a->adding);
    loco_status status = lc_done_append(&a->journal, entry, text, length, err);
    a->seconds += status == LOCO_OK ? entry->seconds : 0;
    pthread_mutex_unlock(&a->adding);
    return status;
}

/* Of a file for each recording it is saved, and the record has no text. */
static loco_status keep_events(archive *a, lc_done_entry *entry, loco_events *list, loco_err *err)
{
    char path[LC_DETECT_PATH], *text = NULL;
    size_t length = 0;
    loco_status status = LOCO_OK;
    entry->good = true;
    entry->counts = calloc(a->asked->classes_len + 1, sizeof *entry->counts);
    if (!a->asked->folder)
        text = format_events(&length, a->asked, list);
    if (entry->counts == NULL || (!a->asked->folder && text == NULL))
        status = lc_cli_error(err, LOCO_ENOMEM, "out of memory for the events of %.150s", list->file);
    for (size_t i = 0; status == LOCO_OK && i < list->events_len; i++)
        entry->counts[list->events[i].kind]++;
    if (status == LOCO_OK && a->asked->folder && lc_detect_path(a->asked, list->file, path))
        status = lc_detect_save(a->asked, path, list, 1, err);
    if (status == LOCO_OK)
        status = add_record(a, entry, text != NULL ? text : "", length, err);
    free(entry->counts);
    free(text);
    return status;
}

/* Exit status of one file, and its sentence. Without memory it is not recorded: there may be more of it next time. */
static int keep(archive *a, lc_done_entry *entry, loco_events *list, loco_status detected, loco_err *err)
{
    loco_status status;
    int code = LC_EXIT_SYSTEM;
    pthread_rwlock_rdlock(&a->saving);
    if (detected == LOCO_OK) {
        status = keep_events(a, entry, list, err);
        code = status == LOCO_OK ? LC_EXIT_OK : LC_EXIT_SYSTEM;
    } else if (detected != LOCO_ENOMEM) {
        loco_err unwritten = {""};
        entry->seconds = 0;
        status = add_record(a, entry, err->text, strlen(err->text), &unwritten);
        code = status == LOCO_OK ? LC_EXIT_INPUT : LC_EXIT_SYSTEM;
        if (status != LOCO_OK)
            *err = unwritten;
    }
    pthread_rwlock_unlock(&a->saving);
    return code;
}

static void work_on(void *context, size_t item)
{
    archive *a = context;
    size_t index = a->todo[item];
    loco_err err = {""};
    loco_events list = {.file = a->files->paths[index]};
    lc_done_entry entry = {.path = list.file, .size = a->all[index].size, .changed = a->all[index].changed};
    loco_detect_options how = a->asked->how;
    how.notice = keep_notice;
    how.context = &a->notices[item];
    how.seconds = &entry.seconds;
    loco_status status = lc_detect_one(a->asked, &list, &how, &err);
    a->codes[item] = keep(a, &entry, &list, status, &err);
    if (a->codes[item] != LC_EXIT_OK)
        a->said[item] = strdup(err.text);
    loco_free(list.events);
}

static bool report(void *context, size_t item)
{
    archive *a = context;
    if (a->notices[item] != NULL)
        lc_cli_notice(NULL, a->notices[item]);
    if (a->said[item] != NULL)
        lc_cli_complain("%s", a->said[item]);
    a->worst = a->codes[item] == LC_EXIT_SYSTEM ? LC_EXIT_SYSTEM : a->worst;
    return !a->journal.broken;
}

/* No worker is in the middle of saving when the program ends. */
static void before_end(void *context)
{
    archive *a = context;
    pthread_rwlock_wrlock(&a->saving);
    fprintf(stderr, "files that are done stay done; the same command goes on where it stopped\n");
}

static loco_status run_todo(archive *a, loco_err *err)
{
    lc_parallel job = {.items = a->todo_len,
                       .threads = a->asked->threads,
                       .work = work_on,
                       .finish = report,
                       .interrupted = before_end,
                       .context = a};
    double began = lc_clock_seconds();
    loco_status status = LOCO_OK;
    if (a->todo_len > 0)
        status = lc_detect_open_cage(a->asked, lc_parallel_threads(&job), err);
    if (a->todo_len > 0 && status == LOCO_OK)
        status = lc_parallel_run(&job, err);
    lc_detect_close_cage(a->asked);
    a->wall = lc_clock_seconds() - began;
    return status;
}

/* ---- the end ---- */

/* Writes heading and events of all files, in their order. */
static bool write_common(FILE *to, const archive *a)
{
    char line[LINE_BYTES], format[32];
    bool well = true;
    snprintf(format, sizeof format, a->asked->places ? "%s places" : "%s", a->asked->format->name);
    if (loco_event_format(line, sizeof line, format, NULL, NULL, NULL) > 0)
        fputs(line, to);
    for (size_t i = 0; well && i < a->files->len; i++)
        if (a->all[i].entry->good)
            well = lc_done_copy(to, &a->journal, a->all[i].entry);
    return well && fflush(to) == 0 && ferror(to) == 0;
}

/* A new file takes the place of the old one, with its permissions; a link stays one. */
static loco_status join_events(const archive *a, loco_err *err)
{
    char temp[LC_DETECT_PATH + LC_FILES_TEMP];
    struct stat old;
    char *target = realpath(a->asked->output, NULL);
    const char *path = target != NULL ? target : a->asked->output;
    lc_files_temp(temp, sizeof temp, path, (long)getpid());
    FILE *to = fopen(temp, "wb");
    bool well = to != NULL && write_common(to, a);
    if (well && stat(path, &old) == 0)
        well = fchmod(fileno(to), old.st_mode & 07777) == 0;
    if (well && fsync(fileno(to)) != 0)
        well = errno == EINVAL; /* there is none on some file systems */
    int cause = errno;
    if (to != NULL && fclose(to) != 0)
        well = false;
    well = well && rename(temp, path) == 0;
    if (!well && to != NULL)
        unlink(temp);
    free(target);
    return well ? LOCO_OK : lc_cli_error(err, LOCO_EIO, "cannot write %.150s: %s", a->asked->output, strerror(cause));
}

typedef struct archive_total {
    size_t files, done, good, earlier;
    double seconds;
    uint64_t events, *counts;
} archive_total;

/* Of the files of this shard, or of all. */
static void add_up(archive_total *total, const archive *a, bool all)
{
    for (size_t i = 0; i < a->files->len; i++) {
        const archive_file *file = &a->all[i];
        if (!all && !file->mine)
            continue;
        total->files++;
        total->earlier += file->earlier;
        total->done += file->entry != NULL;
        if (file->entry == NULL || !file->entry->good)
            continue;
        total->good++;
        total->seconds += file->entry->seconds;
        for (size_t k = 0; k < a->asked->classes_len; k++) {
            total->counts[k] += file->entry->counts[k];
            total->events += file->entry->counts[k];
        }
    }
}

static void print_duration(double seconds)
{
    if (seconds >= 3600)
        fprintf(stderr, "%.2f h", seconds / 3600);
    else
        fprintf(stderr, seconds >= 60 ? "%.1f min" : "%.1f s", seconds >= 60 ? seconds / 60 : seconds);
}

static void print_total(const archive *a, const archive_total *total)
{
    if (a->asked->shard.of > 0)
        fprintf(stderr, "shard %u/%u: ", a->asked->shard.number, a->asked->shard.of);
    fprintf(stderr, "%zu %s, %zu read", total->files, total->files == 1 ? "file" : "files", total->good);
    if (total->earlier > 0)
        fprintf(stderr, ", %zu done earlier", total->earlier);
    if (total->seconds > 0) {
        fputs(", ", stderr);
        print_duration(total->seconds);
    }
    fprintf(stderr, ", %llu events", (unsigned long long)total->events);
    for (size_t k = 0; k < a->asked->classes_len && a->asked->classes_len <= FEW_CLASSES; k++) {
        fputs(k > 0 ? ", " : ": ", stderr);
        lc_cli_print(stderr, a->asked->classes[k]);
        fprintf(stderr, " %llu", (unsigned long long)total->counts[k]);
    }
    if (a->seconds > 0 && a->wall > 0) {
        fputs("; ", stderr);
        print_duration(a->seconds);
        fputs(" in ", stderr);
        print_duration(a->wall);
        fprintf(stderr, ", %.0f times real time", a->seconds / a->wall);
    }
    fputc('\n', stderr);
}

/* The journal may come from a stranger, as the folder that it is in. */
static void print_cause(const archive *a, const lc_done_entry *entry)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return;
    bool well = lc_done_copy(stream, &a->journal, entry);
    if (fclose(stream) == 0 && well)
        lc_cli_print(stderr, text);
    free(text);
}

/* Which files could not be read, and why; those of earlier runs, too. */
static void list_bad(const archive *a, const archive_total *total, bool all)
{
    if (total->done == total->good)
        return;
    fprintf(stderr, "%zu of %zu files failed:\n", total->done - total->good, total->files);
    for (size_t i = 0; i < a->files->len; i++) {
        const archive_file *file = &a->all[i];
        if ((!all && !file->mine) || file->entry == NULL || file->entry->good)
            continue;
        fputs("  ", stderr);
        print_cause(a, file->entry);
        fputs(file->earlier ? " (not tried again; --retry does)\n" : "\n", stderr);
    }
}

/* Looks at all journals again; *complete: every file is done. */
static loco_status settle(archive *a, bool *complete, loco_err *err)
{
    loco_status status = lc_done_load(&a->journal, err);
    *complete = status == LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < a->files->len; i++) {
        archive_file *file = &a->all[i];
        file->entry = lc_done_find(&a->journal, a->files->paths[i], file->size, file->changed);
        *complete = *complete && file->entry != NULL;
    }
    return status;
}

/* A launcher ends all processes when one fails: what could not be read is the last one's to report. */
static int exit_status(const archive *a, const archive_total *total, bool complete)
{
    bool quiet = a->asked->shard.launched && !complete;
    return a->worst != LC_EXIT_OK ? a->worst : total->done > total->good && !quiet ? LC_EXIT_INPUT : LC_EXIT_OK;
}

/* *keep: the journal is still of use. */
static loco_status conclude(archive *a, bool *keep, loco_err *err)
{
    bool complete = false;
    archive_total total = {.counts = calloc(a->asked->classes_len + 1, sizeof *total.counts)};
    loco_status status = settle(a, &complete, err);
    if (status == LOCO_OK && total.counts == NULL)
        status = lc_cli_error(err, LOCO_ENOMEM, "out of memory for a summary");
    if (status == LOCO_OK) {
        add_up(&total, a, complete);
        if (complete && !a->asked->folder && total.good > 0)
            status = join_events(a, err);
        print_total(a, &total);
        list_bad(a, &total, complete);
        if (a->asked->shard.of > 0 && complete)
            fprintf(stderr, "all %zu files are done\n", a->files->len);
        a->worst = exit_status(a, &total, complete);
        *keep = a->asked->resume || a->worst != LC_EXIT_OK;
    }
    free(total.counts);
    return status;
}

/* ---- all of it ---- */

static bool allocate(archive *a)
{
    size_t n = a->files->len + 1;
    a->all = calloc(n, sizeof *a->all);
    a->todo = calloc(n, sizeof *a->todo);
    a->said = calloc(n, sizeof *a->said);
    a->notices = calloc(n, sizeof *a->notices);
    a->codes = calloc(n, sizeof *a->codes);
    return a->all != NULL && a->todo != NULL && a->said != NULL && a->notices != NULL && a->codes != NULL;
}

static void release(archive *a)
{
    for (size_t i = 0; i < a->todo_len; i++) {
        free(a->said[i]);
        free(a->notices[i]);
    }
    free(a->all);
    free(a->todo);
    free(a->said);
    free(a->notices);
    free(a->codes);
    pthread_rwlock_destroy(&a->saving);
    pthread_mutex_destroy(&a->adding);
}

static loco_status open_journal(archive *a, char *base, size_t size, loco_err *err)
{
    const char *output = a->asked->output;
    bool slash = output[strlen(output) - 1] == '/';
    int length = snprintf(base, size, a->asked->folder ? "%s%s.detect.done" : "%s%s.done", output,
                          a->asked->folder && !slash ? "/" : "");
    a->journal = (lc_done){
        .base = base, .classes = a->asked->classes_len, .strict = a->asked->resume, .shard = a->asked->shard};
    if (length < 0 || (size_t)length >= size)
        return lc_cli_error(err, LOCO_EIO, "the path %.150s is too long", output);
    loco_status status = hash_settings(&a->journal.settings, a->asked, err);
    return status == LOCO_OK ? lc_done_open(&a->journal, err) : status;
}

int lc_detect_archive(lc_detect_request *asked, const lc_files *files)
{
    loco_err err = {""};
    char base[LC_DETECT_PATH];
    bool keep = true;
    archive a = {.asked = asked, .files = files, .worst = LC_EXIT_OK};
    pthread_rwlock_init(&a.saving, NULL);
    pthread_mutex_init(&a.adding, NULL);
    loco_status status = allocate(&a) ? LOCO_OK
                                      : lc_cli_error(&err, LOCO_ENOMEM, "out of memory for %zu files", files->len);
    if (status == LOCO_OK)
        status = open_journal(&a, base, sizeof base, &err);
    if (status == LOCO_OK) {
        choose_todo(&a);
        status = run_todo(&a, &err);
    }
    if (status == LOCO_OK)
        status = conclude(&a, &keep, &err);
    lc_done_close(&a.journal, status == LOCO_OK && !keep);
    release(&a);
    return status == LOCO_OK ? a.worst : lc_cli_failure(status, &err);
}
