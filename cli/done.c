/* SPDX-License-Identifier: MIT
 *
 * done.c - which files of a long list are done.
 *
 * Appending is one write in append mode, so that a record is in the file as a whole unless the machine or the disk
 * fails. The lock of fcntl keeps a second process off the same journal; where a file system has no locks there is none.
 * Closing any descriptor of a file drops its locks: the own journal is opened once.
 */
#include "done.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_BYTES = 65536, PATH_BYTES = 4096, PIECE = 16384, MOST_SOURCES = 65536, SYNC_SECONDS = 5 };

#define HEADING "loco journal 1 "

static loco_status cannot(loco_err *err, const char *verb, const char *path)
{
    return lc_cli_error(err, LOCO_EIO, "cannot %s %.150s: %s", verb, path, strerror(errno));
}

static void format_heading(char *line, size_t size, const lc_done *j)
{
    snprintf(line, size, HEADING "settings %016llx classes %zu\n", (unsigned long long)j->settings, j->classes);
}

/* ---- reading ---- */

typedef struct record_reader {
    FILE *file;
    char *line; /* LINE_BYTES */
    char *path; /* PATH_BYTES */
    const lc_done *journal;
} record_reader;

/* The next word of a line, which becomes a string; NULL at the end. */
static char *next_word(char **at)
{
    char *word = *at, *space = word != NULL ? strchr(word, ' ') : NULL;
    if (space != NULL)
        *space++ = 0;
    *at = space;
    return word;
}

/* A whole number of digits in base 10 or 16, no more than most. */
static bool read_whole(uint64_t *value, const char *word, int base, uint64_t most)
{
    char *end;
    if (word == NULL || strchr("0123456789abcdef", word[0]) == NULL || word[0] == 0)
        return false;
    errno = 0;
    *value = strtoull(word, &end, base);
    return *end == 0 && errno == 0 && *value <= most;
}

static bool read_seconds(double *value, const char *word)
{
    char *end;
    if (word == NULL || word[0] == 0)
        return false;
    *value = strtod(word, &end);
    return *end == 0 && isfinite(*value) && *value >= 0;
}

/* "3,0,12" */
static bool read_counts(uint32_t *counts, size_t n, char *word)
{
    uint64_t value;
    for (size_t k = 0; k < n; k++) {
        char *comma = word != NULL ? strchr(word, ',') : NULL;
        if (comma != NULL)
            *comma++ = 0;
        if (!read_whole(&value, word, 10, UINT32_MAX))
            return false;
        counts[k] = (uint32_t)value;
        word = comma;
    }
    return word == NULL;
}

/* The words of a first line; *path_len and e->text: what follows it. */
static bool read_words(lc_done_entry *e, uint64_t *path_len, char *line, size_t classes)
{
    uint64_t changed = 0;
    char *at = line, *first = next_word(&at);
    bool well = strcmp(first, "file") == 0 && read_whole(path_len, next_word(&at), 10, PATH_BYTES - 1) &&
                read_whole(&e->text, next_word(&at), 10, INT64_MAX / 2);
    const char *verdict = well ? next_word(&at) : NULL;
    e->good = verdict != NULL && strcmp(verdict, "good") == 0;
    well = verdict != NULL && (e->good || strcmp(verdict, "bad") == 0) &&
           read_whole(&e->size, next_word(&at), 10, UINT64_MAX) &&
           read_whole(&changed, next_word(&at), 10, INT64_MAX) && read_seconds(&e->seconds, next_word(&at)) &&
           read_counts(e->counts, classes, next_word(&at)) && at == NULL && *path_len > 0;
    e->changed = (int64_t)changed;
    return well;
}

/* Hashes and passes over length bytes of text and the line end behind them. */
static bool skip_text(FILE *file, uint64_t length, uint64_t *hash)
{
    char piece[PIECE];
    while (length > 0) {
        size_t n = length < sizeof piece ? (size_t)length : sizeof piece;
        if (fread(piece, 1, n, file) != n)
            return false;
        *hash = lc_hash(*hash, piece, n);
        length -= n;
    }
    return fgetc(file) == '\n';
}

/* False where no whole record follows. e->counts has room; the path is in r->path. */
static bool read_record(record_reader *r, lc_done_entry *e)
{
    uint64_t check, path_len, hash;
    if (fgets(r->line, LINE_BYTES, r->file) == NULL)
        return false;
    size_t length = strlen(r->line);
    char *last = strrchr(r->line, ' ');
    if (last == NULL || length == 0 || r->line[length - 1] != '\n')
        return false;
    r->line[length - 1] = 0;
    *last = 0;
    hash = lc_hash(LC_HASH_START, r->line, (size_t)(last - r->line));
    if (!read_whole(&check, last + 1, 16, UINT64_MAX) || !read_words(e, &path_len, r->line, r->journal->classes))
        return false;
    if (fread(r->path, 1, path_len, r->file) != path_len || fgetc(r->file) != '\n')
        return false;
    r->path[path_len] = 0;
    hash = lc_hash(hash, r->path, path_len);
    e->at = (long long)ftello(r->file);
    return strlen(r->path) == path_len && skip_text(r->file, e->text, &hash) && hash == check;
}

static loco_status out_of_memory(loco_err *err)
{
    return lc_cli_error(err, LOCO_ENOMEM, "out of memory for the files that are done");
}

/* Room for one more, with counts of its own. */
static lc_done_entry *next_entry(lc_done *j)
{
    if (j->len == j->capacity) {
        size_t wanted = j->capacity > 0 ? 2 * j->capacity : 256;
        lc_done_entry *grown = realloc(j->entries, wanted * sizeof *grown);
        if (grown == NULL)
            return NULL;
        j->entries = grown;
        j->capacity = wanted;
    }
    lc_done_entry *e = &j->entries[j->len];
    *e = (lc_done_entry){.counts = calloc(j->classes + 1, sizeof *e->counts)};
    return e->counts != NULL ? e : NULL;
}

static loco_status read_records(lc_done *j, record_reader *r, size_t source, long long *whole, loco_err *err)
{
    for (;;) {
        lc_done_entry *e = next_entry(j);
        if (e == NULL)
            return out_of_memory(err);
        e->source = source;
        if (!read_record(r, e)) {
            free(e->counts);
            return ferror(r->file) ? lc_cli_error(err, LOCO_EIO, "cannot read the journal") : LOCO_OK;
        }
        e->path = strdup(r->path);
        if (e->path == NULL) {
            free(e->counts);
            return out_of_memory(err);
        }
        j->len++;
        *whole = (long long)ftello(r->file);
    }
}

/* The first line, or what was written of it before a kill. */
static loco_status read_heading(record_reader *r, long long *whole, loco_err *err)
{
    char expected[128];
    format_heading(expected, sizeof expected, r->journal);
    *whole = 0;
    if (fgets(r->line, LINE_BYTES, r->file) == NULL)
        return LOCO_OK;
    size_t length = strlen(r->line);
    if (strcmp(r->line, expected) == 0)
        *whole = (long long)length;
    else if (strncmp(r->line, expected, strlen(HEADING)) == 0 && feof(r->file) == 0)
        return lc_cli_error(err, LOCO_EARG, "is of another model, other options or another version of loco");
    else if (feof(r->file) == 0 || strncmp(r->line, expected, length) != 0)
        return lc_cli_error(err, LOCO_EDATA, "is not a journal of loco");
    return LOCO_OK;
}

loco_status lc_done_read(lc_done *j, FILE *file, size_t source, long long *whole, loco_err *err)
{
    record_reader r = {.file = file, .line = malloc(LINE_BYTES), .path = malloc(PATH_BYTES), .journal = j};
    loco_status status = r.line == NULL || r.path == NULL ? out_of_memory(err) : read_heading(&r, whole, err);
    if (status == LOCO_OK && *whole > 0)
        status = read_records(j, &r, source, whole, err);
    free(r.line);
    free(r.path);
    return status;
}

/* ---- all journals ---- */

static int by_path(const void *a, const void *b)
{
    const lc_done_entry *one = a, *other = b;
    return strcmp(one->path, other->path);
}

static void drop_entries(lc_done *j)
{
    for (size_t i = 0; i < j->len; i++) {
        free((char *)(uintptr_t)j->entries[i].path);
        free(j->entries[i].counts);
    }
    j->len = 0;
}

static void drop_source(lc_done_source *source)
{
    if (source->file != NULL)
        fclose(source->file);
    free(source->path);
    *source = (lc_done_source){0};
}

/* Whether text behind the base is that of a journal: "" or "-2-of-8". */
static bool is_of_shard(const char *rest)
{
    unsigned number, of;
    int length = 0;
    return rest[0] == 0 || (sscanf(rest, "-%5u-of-%5u%n", &number, &of, &length) == 2 && rest[length] == 0);
}

static loco_status add_source(lc_done *j, const char *path, FILE *file, loco_err *err)
{
    lc_done_source *grown = realloc(j->sources, (j->sources_len + 1) * sizeof *grown);
    if (grown == NULL)
        return out_of_memory(err);
    j->sources = grown;
    grown[j->sources_len] = (lc_done_source){.path = strdup(path), .file = file};
    j->sources_len++;
    return grown[j->sources_len - 1].path != NULL ? LOCO_OK : out_of_memory(err);
}

/* One name in the folder of the base: opened when it is a journal, and not the own one. */
static loco_status open_other(lc_done *j, const char *folder, const char *name, loco_err *err)
{
    char path[PATH_BYTES];
    const char *slash = strrchr(j->base, '/'), *base = slash != NULL ? slash + 1 : j->base;
    if (strncmp(name, base, strlen(base)) != 0 || !is_of_shard(name + strlen(base)))
        return LOCO_OK;
    int length = snprintf(path, sizeof path, "%s%s", folder, name);
    if (length < 0 || length >= PATH_BYTES || strcmp(path, j->sources[0].path) == 0)
        return LOCO_OK;
    FILE *file = fopen(path, "rb");
    if (file == NULL && errno == ENOENT) /* removed a moment ago */
        return LOCO_OK;
    if (file == NULL)
        return cannot(err, "read", path);
    loco_status status = add_source(j, path, file, err);
    if (status != LOCO_OK && j->sources[j->sources_len - 1].file != file)
        fclose(file);
    return status;
}

/* Opened anew each time, so that a shared file system shows what others have written. */
static loco_status open_others(lc_done *j, loco_err *err)
{
    char folder[PATH_BYTES] = "";
    const char *slash = strrchr(j->base, '/');
    loco_status status = LOCO_OK;
    if (slash != NULL)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - j->base) + 1, j->base);
    DIR *directory = opendir(folder[0] != 0 ? folder : ".");
    if (directory == NULL)
        return cannot(err, "read", folder);
    for (struct dirent *entry = readdir(directory); status == LOCO_OK && entry != NULL && j->sources_len < MOST_SOURCES;
         entry = readdir(directory))
        status = open_other(j, folder, entry->d_name, err);
    closedir(directory);
    return status;
}

static loco_status read_source(lc_done *j, size_t source, loco_err *err)
{
    long long whole = 0;
    loco_err cause = {""};
    FILE *file = j->sources[source].file;
    rewind(file);
    loco_status status = lc_done_read(j, file, source, &whole, &cause);
    if (status == LOCO_EARG && !j->strict)
        status = LOCO_OK;
    if (status == LOCO_EDATA || status == LOCO_EARG)
        return lc_cli_error(err, LOCO_EDATA, "%.150s %s; remove it, or choose another -o", j->sources[source].path,
                            cause.text);
    if (status != LOCO_OK)
        return lc_cli_error(err, status, "%.150s: %.200s", j->sources[source].path, cause.text);
    if (source == 0)
        j->end = whole;
    return LOCO_OK;
}

loco_status lc_done_load(lc_done *j, loco_err *err)
{
    drop_entries(j);
    while (j->sources_len > 1)
        drop_source(&j->sources[--j->sources_len]);
    loco_status status = open_others(j, err);
    for (size_t i = 0; status == LOCO_OK && i < j->sources_len; i++)
        status = read_source(j, i, err);
    if (j->len > 0)
        qsort(j->entries, j->len, sizeof *j->entries, by_path);
    return status;
}

const lc_done_entry *lc_done_find(const lc_done *j, const char *path, uint64_t size, int64_t changed)
{
    size_t low = 0, high = j->len;
    const lc_done_entry *found = NULL;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(j->entries[middle].path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < j->len && strcmp(j->entries[low].path, path) == 0; low++) {
        const lc_done_entry *e = &j->entries[low];
        if (e->size == size && e->changed == changed && (found == NULL || e->good))
            found = e;
    }
    return found;
}

/* ---- writing ---- */

/* All bytes; false and errno when that fails. */
static bool write_all(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, bytes, length);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Opens it, and keeps others off. */
static loco_status open_own(lc_done *j, const char *path, loco_err *err)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    FILE *file = fd >= 0 ? fdopen(fd, "a+") : NULL;
    if (file == NULL)
        return cannot(err, "write", path);
    loco_status status = add_source(j, path, file, err);
    if (status != LOCO_OK)
        return status;
    if (fcntl(fd, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN))
        return lc_cli_error(err, LOCO_EIO, "another process writes %.150s; wait for it, or share the files by --shard",
                            path);
    return LOCO_OK;
}

/* Cuts off what a kill left of a record, and begins an empty one. */
static loco_status repair(lc_done *j, loco_err *err)
{
    char heading[128];
    int fd = fileno(j->sources[0].file);
    if (ftruncate(fd, (off_t)j->end) != 0)
        return cannot(err, "write", j->sources[0].path);
    format_heading(heading, sizeof heading, j);
    if (j->end == 0 && !write_all(fd, heading, strlen(heading)))
        return cannot(err, "write", j->sources[0].path);
    return LOCO_OK;
}

loco_status lc_done_open(lc_done *j, loco_err *err)
{
    char path[PATH_BYTES];
    int length = snprintf(path, sizeof path, j->shard.of > 0 ? "%s-%u-of-%u" : "%s", j->base, j->shard.number,
                          j->shard.of);
    if (length < 0 || length >= PATH_BYTES)
        return lc_cli_error(err, LOCO_EIO, "the path %.150s is too long", j->base);
    loco_status status = open_own(j, path, err);
    if (status == LOCO_OK)
        status = lc_done_load(j, err);
    return status == LOCO_OK ? repair(j, err) : status;
}

void lc_done_close(lc_done *j, bool remove)
{
    if (remove && j->sources_len > 0)
        unlink(j->sources[0].path);
    drop_entries(j);
    for (size_t i = 0; i < j->sources_len; i++)
        drop_source(&j->sources[i]);
    free(j->sources);
    free(j->entries);
}

/* The first line without its checksum, the path and the text, as one block; NULL without memory. */
static char *format_record(size_t *size, const lc_done *j, const lc_done_entry *e, const char *text, size_t length)
{
    size_t path_len = strlen(e->path), room = 256 + 11 * j->classes + path_len + length, used;
    char *record = malloc(room);
    if (record == NULL)
        return NULL;
    used = (size_t)snprintf(record, room, "file %zu %zu %s %llu %lld %.17g", path_len, length, e->good ? "good" : "bad",
                            (unsigned long long)e->size, (long long)e->changed, e->seconds);
    for (size_t k = 0; k < j->classes; k++)
        used += (size_t)snprintf(record + used, room - used, "%c%u", k > 0 ? ',' : ' ',
                                 e->counts != NULL ? e->counts[k] : 0);
    uint64_t hash = lc_hash(LC_HASH_START, record, used);
    hash = lc_hash(lc_hash(hash, e->path, path_len), text, length);
    used += (size_t)snprintf(record + used, room - used, " %016llx\n%s\n", (unsigned long long)hash, e->path);
    memcpy(record + used, text, length);
    record[used + length] = '\n';
    *size = used + length + 1;
    return record;
}

/* After a failure nothing more is written: it would lie behind half a record. */
static loco_status write_record(lc_done *j, const char *record, size_t size, loco_err *err)
{
    int fd = fileno(j->sources[0].file);
    if (j->broken)
        return lc_cli_error(err, LOCO_EIO, "%.150s could not be written before", j->sources[0].path);
    if (!write_all(fd, record, size)) {
        j->broken = true;
        return cannot(err, "write", j->sources[0].path);
    }
    time_t now = time(NULL);
    if (now - j->synced >= SYNC_SECONDS) {
        fdatasync(fd);
        j->synced = now;
    }
    return LOCO_OK;
}

loco_status lc_done_append(lc_done *j, const lc_done_entry *entry, const char *text, size_t length, loco_err *err)
{
    size_t size = 0;
    char *record = format_record(&size, j, entry, text, length);
    if (record == NULL)
        return out_of_memory(err);
    loco_status status = write_record(j, record, size, err);
    free(record);
    return status;
}

bool lc_done_copy(FILE *to, const lc_done *j, const lc_done_entry *e)
{
    char piece[PIECE];
    FILE *from = j->sources[e->source].file;
    if (fseeko(from, (off_t)e->at, SEEK_SET) != 0)
        return false;
    for (uint64_t left = e->text; left > 0;) {
        size_t n = left < sizeof piece ? (size_t)left : sizeof piece;
        if (fread(piece, 1, n, from) != n || fwrite(piece, 1, n, to) != n)
            return false;
        left -= n;
    }
    return true;
}
