/* SPDX-License-Identifier: MIT
 *
 * sweep.c - `loco train --sweep`: runs that share the cores, and a table of their scores.
 *
 *     OUT/sweep.txt                     what all runs have in common
 *     OUT/split/train, OUT/split/test   where no --test is given
 *     OUT/rate=0.001,seed=1.loco        the model, once its training is finished
 *     OUT/rate=0.001,seed=1.jsonl       its log, for loco plot runs
 *     OUT/rate=0.001,seed=1.json        its scores, for loco table: with this file the run is done
 *
 * A run has one thread, or more where there are fewer runs than cores: so each is the same, bit for bit, as when it is
 * trained alone. Until it is finished its model is called .part.loco; --resume goes on from the checkpoint beside it.
 * Run i of n processes belongs to process i modulo n: the list of runs is the same for all of them, and they are few.
 */
#include "sweep.h"

#include "files.h"
#include "parallel.h"
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_RUNS = 10000,
    NAME_BYTES = 200,
    PATH_BYTES = 4096,
    MOST_KEYS = 8,
    MOST_SETS = LC_LIST_MOST + MOST_KEYS + 1
};

static const double test_share = 0.2;

typedef struct sweep_run {
    char name[NAME_BYTES];   /* of the files */
    char method[NAME_BYTES]; /* of the table: without the seed */
    char *sets[MOST_KEYS + 1];
    size_t sets_len;
    int code;
    loco_err err;
    double f1; /* below 0: unknown */
} sweep_run;

typedef struct sweep_state {
    const lc_train_sweep *sweep;
    sweep_run *runs;
    size_t runs_len, capacity;
    size_t *todo, todo_len;
    const char *data, *test;
    char train_path[PATH_BYTES], test_path[PATH_BYTES];
    unsigned threads; /* of a run */
} sweep_state;

/* ---- which runs ---- */

static void run_free(sweep_run *run)
{
    for (size_t i = 0; i < run->sets_len; i++)
        free(run->sets[i]);
}

/* Copies characters that are safe in names of files; others become a dash. */
static void append_name(char *name, const char *text)
{
    size_t used = strlen(name);
    for (; *text != 0 && used + 1 < NAME_BYTES; text++)
        name[used++] = strchr("/ '\"\\*?|<>:;", *text) != NULL ? '-' : *text;
    name[used] = 0;
}

/* Adds "key=value" to a run: false without memory. */
static bool add_set(sweep_run *run, const char *key, size_t key_len, const char *value, size_t value_len, bool seed)
{
    size_t size = key_len + value_len + 2;
    char *set = malloc(size);
    if (set == NULL)
        return false;
    snprintf(set, size, "%.*s=%.*s", (int)key_len, key, (int)value_len, value);
    run->sets[run->sets_len++] = set;
    append_name(run->name, run->name[0] != 0 ? "," : "");
    append_name(run->name, set);
    if (!seed) {
        append_name(run->method, run->method[0] != 0 ? "," : "");
        append_name(run->method, set);
    }
    return true;
}

/* Every run there is, once for each value: the first ones take the first value. */
static loco_status multiply(sweep_state *s, const char *key, size_t key_len, char **values, size_t n, loco_err *err)
{
    bool seed = key_len == 4 && strncmp(key, "seed", 4) == 0;
    if (n > MOST_RUNS / s->runs_len)
        return lc_cli_error(err, LOCO_EARG, "more than %d runs", MOST_RUNS);
    sweep_run *more = calloc(s->runs_len * n, sizeof *more);
    bool well = more != NULL;
    for (size_t i = 0; well && i < s->runs_len * n; i++) {
        const sweep_run *base = &s->runs[i / n];
        for (size_t k = 0; well && k < base->sets_len; k++) {
            const char *equals = strchr(base->sets[k], '=');
            well = add_set(&more[i], base->sets[k], (size_t)(equals - base->sets[k]), equals + 1, strlen(equals + 1),
                           false);
        }
        well = well && add_set(&more[i], key, key_len, values[i % n], strlen(values[i % n]), seed);
    }
    for (size_t i = 0; i < s->runs_len; i++)
        run_free(&s->runs[i]);
    free(s->runs);
    s->runs = more;
    s->runs_len = more != NULL ? s->runs_len * n : 0;
    return well ? LOCO_OK : lc_cli_error(err, LOCO_ENOMEM, "out of memory for the runs");
}

/* Cuts text at each separator, without spaces around the parts; the number of parts. */
static size_t cut(char *text, char separator, char **parts, size_t most)
{
    size_t n = 0;
    for (char *next = text; next != NULL && n < most; n++) {
        char *part = next;
        next = strchr(part, separator);
        if (next != NULL)
            *next++ = 0;
        part += strspn(part, " ");
        for (size_t length = strlen(part); length > 0 && part[length - 1] == ' ';)
            part[--length] = 0;
        parts[n] = part;
    }
    return n;
}

/* "rate=0.001,0.003"; values that hold commas have semicolons between them: "network=conv 3x5 16, gru 24;gru 48". */
static loco_status add_values(sweep_state *s, const char *word, loco_err *err)
{
    const char *equals = strchr(word, '=');
    char *values[LC_LIST_MOST], *text = equals != NULL ? strdup(equals + 1) : NULL;
    if (equals == NULL || equals == word || equals[1] == 0) {
        free(text);
        return lc_cli_error(err, LOCO_EARG,
                            "--sweep takes KEY=VALUE,VALUE,..., such as rate=0.001,0.003, not \"%.100s\"", word);
    }
    if (text == NULL)
        return lc_cli_error(err, LOCO_ENOMEM, "out of memory for the runs");
    size_t n = cut(text, strchr(text, ';') != NULL ? ';' : ',', values, LC_LIST_MOST);
    loco_status status = multiply(s, word, (size_t)(equals - word), values, n, err);
    free(text);
    return status;
}

/* "1..6" or "1,2,5". */
static loco_status add_seeds(sweep_state *s, const char *seeds, loco_err *err)
{
    unsigned long long first, last;
    int length = 0;
    char *values[MOST_RUNS], *text = NULL, numbers[16];
    size_t n = 0;
    loco_status status = LOCO_OK;
    if (sscanf(seeds, "%9llu..%9llu%n", &first, &last, &length) == 2 && seeds[length] == 0 && first <= last) {
        if (last - first >= MOST_RUNS)
            return lc_cli_error(err, LOCO_EARG, "--seeds %.60s: more than %d runs", seeds, MOST_RUNS);
        for (unsigned long long seed = first; status == LOCO_OK && seed <= last; seed++) {
            snprintf(numbers, sizeof numbers, "%llu", seed);
            values[n] = strdup(numbers);
            status = values[n] != NULL ? LOCO_OK : lc_cli_error(err, LOCO_ENOMEM, "out of memory for the runs");
            n += status == LOCO_OK;
        }
        if (status == LOCO_OK)
            status = multiply(s, "seed", 4, values, n, err);
        for (size_t i = 0; i < n; i++)
            free(values[i]);
        return status;
    }
    if (seeds[0] == 0 || strspn(seeds, "0123456789,") != strlen(seeds) || strstr(seeds, ",,") != NULL)
        return lc_cli_error(err, LOCO_EARG, "--seeds takes numbers, such as 1..6 or 1,2,5, not \"%.60s\"", seeds);
    if ((text = strdup(seeds)) == NULL)
        return lc_cli_error(err, LOCO_ENOMEM, "out of memory for the runs");
    n = cut(text, ',', values, LC_LIST_MOST);
    status = multiply(s, "seed", 4, values, n, err);
    free(text);
    return status;
}

static loco_status list_runs(sweep_state *s, loco_err *err)
{
    const lc_train_sweep *sweep = s->sweep;
    loco_status status = LOCO_OK;
    s->runs = calloc(1, sizeof *s->runs);
    s->runs_len = s->runs != NULL ? 1 : 0;
    if (s->runs == NULL)
        return lc_cli_error(err, LOCO_ENOMEM, "out of memory for the runs");
    if (sweep->values.len > MOST_KEYS)
        return lc_cli_error(err, LOCO_EARG, "--sweep takes up to %d settings", MOST_KEYS);
    for (size_t i = 0; status == LOCO_OK && i < sweep->values.len; i++)
        status = add_values(s, sweep->values.items[i], err);
    if (status == LOCO_OK && sweep->seeds != NULL)
        status = add_seeds(s, sweep->seeds, err);
    for (size_t i = 0; status == LOCO_OK && i < s->runs_len; i++)
        if (s->runs[i].method[0] == 0)
            snprintf(s->runs[i].method, NAME_BYTES, "all seeds");
    return status;
}

static bool file_of(char path[PATH_BYTES], const sweep_state *s, const sweep_run *run, const char *ending)
{
    const char *folder = s->sweep->folder;
    bool slash = folder[strlen(folder) - 1] == '/';
    int length = snprintf(path, PATH_BYTES, "%s%s%s%s", folder, slash ? "" : "/", run != NULL ? run->name : "", ending);
    return length > 0 && length < PATH_BYTES;
}

static bool exists(const sweep_state *s, const sweep_run *run, const char *ending)
{
    char path[PATH_BYTES];
    return file_of(path, s, run, ending) && access(path, F_OK) == 0;
}

/* ---- one run ---- */

/* The text goes to a new file that takes the name of the old one. shared: other processes may write it at the same time; else
 * what a killed one has left is written over. */
static loco_status save_text(const char *path, const char *text, bool shared, loco_err *err)
{
    char temp[PATH_BYTES + LC_FILES_TEMP];
    lc_files_temp(temp, sizeof temp, path, shared ? (long)getpid() : 0);
    FILE *file = fopen(temp, "w");
    bool well = file != NULL && fputs(text, file) >= 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    int cause = errno;
    if (file != NULL && fclose(file) != 0)
        well = false;
    if (well && rename(temp, path) == 0)
        return LOCO_OK;
    unlink(temp);
    return lc_cli_error(err, LOCO_EIO, "cannot write %.150s: %s", path, strerror(cause));
}

static bool go_on(void *context, const loco_train_state *state)
{
    (void)context;
    (void)state;
    return !lc_progress_interrupted();
}

/* Trains until the run is finished, from its checkpoint where there is one; *finished: it was not stopped. */
static loco_status train_run(const sweep_state *s, const sweep_run *run, bool *finished, loco_err *err)
{
    char part[PATH_BYTES], model[PATH_BYTES], log[PATH_BYTES], checkpoint[PATH_BYTES];
    const char *sets[MOST_SETS];
    loco_train_options how = s->sweep->training;
    size_t n = 0;
    for (; n < how.sets_len; n++)
        sets[n] = how.sets[n];
    for (size_t i = 0; i < run->sets_len; i++)
        sets[n++] = run->sets[i];
    file_of(part, s, run, ".part.loco");
    file_of(model, s, run, ".loco");
    file_of(log, s, run, ".jsonl");
    file_of(checkpoint, s, run, ".part.loco.checkpoint");
    how.sets = sets;
    how.sets_len = n;
    how.log = log;
    how.threads = s->threads;
    how.resume = access(checkpoint, F_OK) == 0;
    how.progress = go_on;
    loco_status status = loco_train(finished, part, s->data, &how, err);
    if (status == LOCO_OK && *finished && rename(part, model) != 0)
        status = lc_cli_error(err, LOCO_EIO, "cannot write %.150s: %s", model, strerror(errno));
    if (status == LOCO_OK && *finished)
        unlink(checkpoint);
    return status;
}

static loco_status score_run(const sweep_state *s, sweep_run *run, loco_err *err)
{
    char path[PATH_BYTES], *text = NULL;
    loco_model *model = NULL;
    loco_scores *scores = NULL;
    loco_score score;
    file_of(path, s, run, ".loco");
    loco_status status = loco_model_load(&model, path, err);
    if (status == LOCO_OK)
        status = loco_evaluate(&scores, model, s->test, NULL, err);
    if (status == LOCO_OK)
        status = loco_scores_format(&text, scores, "json", err);
    if (status == LOCO_OK && loco_scores_read(&score, scores, LOCO_SCORE_POOLED, 0, NULL) == LOCO_OK &&
        score.reference > 0)
        run->f1 = score.f1;
    file_of(path, s, run, ".json");
    if (status == LOCO_OK)
        status = save_text(path, text, false, err);
    loco_free(text);
    loco_scores_free(scores);
    loco_model_free(model);
    return status;
}

static void do_run(void *context, size_t item)
{
    sweep_state *s = context;
    sweep_run *run = &s->runs[s->todo[item]];
    bool finished = true;
    loco_status status = LOCO_OK;
    run->f1 = -1;
    if (!exists(s, run, ".loco"))
        status = train_run(s, run, &finished, &run->err);
    if (status == LOCO_OK && finished)
        status = score_run(s, run, &run->err);
    run->code = status == LOCO_OK                             ? LC_EXIT_OK
                : status == LOCO_ENOMEM || status == LOCO_EIO ? LC_EXIT_SYSTEM
                : status == LOCO_EARG                         ? LC_EXIT_USAGE
                                                              : LC_EXIT_INPUT;
}

static bool report_run(void *context, size_t item)
{
    const sweep_state *s = context;
    const sweep_run *run = &s->runs[s->todo[item]];
    if (run->code != LC_EXIT_OK)
        lc_cli_complain("%s: %s", run->name, run->err.text);
    else if (run->f1 >= 0)
        lc_cli_say("%s: F1 %.3f at the first tolerance", run->name, run->f1);
    else
        lc_cli_say("%s: done", run->name);
    return true;
}

static void before_end(void *context)
{
    (void)context;
    fprintf(stderr, "what is trained is saved; the same command with --resume goes on\n");
}

/* ---- all runs ---- */

/* What all runs share; another value would make the table wrong. */
static loco_status format_common(char *text, size_t size, const sweep_state *s, loco_err *err)
{
    const loco_train_options *t = &s->sweep->training;
    int used = snprintf(text, size, "loco sweep 1\ndata %s\ntest %s\npreset %s\nfrom %s\n%s", s->sweep->data,
                        s->sweep->test != NULL ? s->sweep->test : "", t->preset != NULL ? t->preset : "",
                        t->from != NULL ? t->from : "", t->no_calibration ? "no calibration\n" : "");
    for (size_t i = 0; i < t->sets_len && used > 0 && (size_t)used < size; i++)
        used += snprintf(text + used, size - (size_t)used, "set %s\n", t->sets[i]);
    return used > 0 && (size_t)used < size ? LOCO_OK
                                           : lc_cli_error(err, LOCO_EARG, "the settings of the sweep are too long");
}

/* A folder with a sweep of the same settings, or a new one. */
static loco_status claim_folder(const sweep_state *s, loco_err *err)
{
    static const char *const note = "sweep.txt";
    char now[PATH_BYTES], then[PATH_BYTES] = "", path[PATH_BYTES];
    loco_status status = format_common(now, sizeof now, s, err);
    if (status == LOCO_OK)
        status = lc_files_make_folder(s->sweep->folder, err);
    if (status != LOCO_OK)
        return status;
    file_of(path, s, NULL, note);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return save_text(path, now, true, err);
    size_t length = fread(then, 1, sizeof then - 1, file);
    then[length] = 0;
    fclose(file);
    if (strcmp(then, now) != 0)
        return lc_cli_error(err, LOCO_EDATA, "%.100s is of a sweep with other data or settings; choose another -o",
                            path);
    if (!s->sweep->training.resume && s->sweep->shard.of == 0)
        return lc_cli_error(err, LOCO_EDATA, "%.100s holds a sweep; --resume goes on with it, or choose another -o",
                            s->sweep->folder);
    return LOCO_OK;
}

/* Two processes must not train the same run: a lock, for as long as the process lives. */
static loco_status lock_folder(const sweep_state *s, loco_err *err)
{
    char path[PATH_BYTES], name[64] = ".lock";
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (s->sweep->shard.of > 0)
        snprintf(name, sizeof name, ".lock-%u-of-%u", s->sweep->shard.number, s->sweep->shard.of);
    file_of(path, s, NULL, name);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return lc_cli_error(err, LOCO_EIO, "cannot write %.150s: %s", path, strerror(errno));
    if (fcntl(fd, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN)) {
        close(fd);
        return lc_cli_error(err, LOCO_EIO, "another process works on the sweep in %.150s; wait for it",
                            s->sweep->folder);
    }
    return LOCO_OK; /* the descriptor stays open on purpose */
}

/* The sets to train on and to score with: given, or split once. */
static loco_status choose_data(sweep_state *s, loco_err *err)
{
    char part[PATH_BYTES], made[PATH_BYTES], name[LC_FILES_TEMP + sizeof "split"];
    size_t recordings[LOCO_SPLIT_PARTS];
    const loco_split_options how = {.size = sizeof how, .test = test_share, .seed = 1};
    s->data = s->sweep->data;
    s->test = s->sweep->test;
    if (s->test != NULL)
        return lc_files_check_data(s->test, err);
    file_of(made, s, NULL, "split");
    lc_files_temp(name, sizeof name, "split", (long)getpid());
    file_of(part, s, NULL, name);
    if (access(made, F_OK) != 0) {
        loco_status status = loco_split(recordings, part, s->data, &how, err);
        if (status != LOCO_OK)
            return status;
        if (rename(part, made) != 0)
            return lc_cli_error(err, LOCO_EIO, "cannot write %.150s: %s", made, strerror(errno));
        fprintf(stderr, "%zu recordings to train on, %zu to score with; --test DATA gives others\n",
                recordings[LOCO_SPLIT_TRAIN], recordings[LOCO_SPLIT_TEST]);
    }
    file_of(s->train_path, s, NULL, "split/train");
    file_of(s->test_path, s, NULL, "split/test");
    s->data = s->train_path;
    s->test = s->test_path;
    return LOCO_OK;
}

static loco_status choose_todo(sweep_state *s, loco_err *err)
{
    const lc_shard *shard = &s->sweep->shard;
    s->todo = calloc(s->runs_len + 1, sizeof *s->todo);
    if (s->todo == NULL)
        return lc_cli_error(err, LOCO_ENOMEM, "out of memory for the runs");
    for (size_t i = 0; i < s->runs_len; i++)
        if (!exists(s, &s->runs[i], ".json") && (shard->of == 0 || i % shard->of == shard->number - 1))
            s->todo[s->todo_len++] = i;
    return LOCO_OK;
}

/* Threads are shared out evenly where there are more of them than runs. */
static loco_status do_runs(sweep_state *s, loco_err *err)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t threads = s->sweep->threads > 0 ? s->sweep->threads : cores > 0 ? (uint64_t)cores : 1;
    uint64_t at_a_time = threads < s->todo_len ? threads : s->todo_len;
    lc_parallel job = {.items = s->todo_len,
                       .threads = at_a_time,
                       .work = do_run,
                       .finish = report_run,
                       .interrupted = before_end,
                       .patient = true,
                       .what = "runs",
                       .context = s};
    if (s->todo_len == 0)
        return LOCO_OK;
    s->threads = (unsigned)(threads / at_a_time);
    fprintf(stderr, "%zu runs, %zu of them to do, %u at a time\n", s->runs_len, s->todo_len, (unsigned)at_a_time);
    return lc_parallel_run(&job, err);
}

/* Of the runs that are done; where another process has some left, that one prints it. */
static loco_status print_table(const sweep_state *s, loco_err *err)
{
    loco_run *done = calloc(s->runs_len + 1, sizeof *done);
    char(*paths)[PATH_BYTES] = calloc(s->runs_len + 1, sizeof *paths), *text = NULL;
    size_t n = 0;
    loco_status status = done != NULL && paths != NULL ? LOCO_OK
                                                       : lc_cli_error(err, LOCO_ENOMEM, "out of memory for a table");
    for (size_t i = 0; status == LOCO_OK && i < s->runs_len; i++)
        if (exists(s, &s->runs[i], ".json") && file_of(paths[n], s, &s->runs[i], ".json")) {
            done[n] = (loco_run){.method = s->runs[i].method, .path = paths[n]};
            n++;
        }
    if (status == LOCO_OK && n > 0 && (n == s->runs_len || s->sweep->shard.of == 0))
        status = loco_table(&text, done, n, false, err);
    if (text != NULL)
        fputs(text, stdout);
    if (status == LOCO_OK && n < s->runs_len)
        fprintf(stderr, "%zu of %zu runs are done\n", n, s->runs_len);
    loco_free(text);
    free(done);
    free(paths);
    return status;
}

static loco_status run_all(sweep_state *s, loco_err *err)
{
    loco_status status = list_runs(s, err);
    if (status == LOCO_OK)
        status = lc_files_check_data(s->sweep->data, err);
    if (status == LOCO_OK)
        status = claim_folder(s, err);
    if (status == LOCO_OK)
        status = lock_folder(s, err);
    if (status == LOCO_OK)
        status = choose_data(s, err);
    if (status == LOCO_OK)
        status = choose_todo(s, err);
    if (status == LOCO_OK)
        status = do_runs(s, err);
    return status == LOCO_OK ? print_table(s, err) : status;
}

int lc_sweep_run(const lc_train_sweep *sweep, const lc_usage *usage)
{
    loco_err err = {""};
    sweep_state s = {.sweep = sweep};
    if (sweep->test == NULL && sweep->shard.of > 0)
        return lc_args_wrong(usage, "several processes need a data set to score with: --test DATA");
    loco_status status = run_all(&s, &err);
    int code = status == LOCO_OK ? LC_EXIT_OK : lc_cli_failure(status, &err);
    for (size_t i = 0; i < s.runs_len; i++) {
        code = s.runs[i].code > code ? s.runs[i].code : code;
        run_free(&s.runs[i]);
    }
    free(s.runs);
    free(s.todo);
    return code;
}
