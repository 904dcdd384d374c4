/* SPDX-License-Identifier: MIT
 * team.c - processes that work on one task together: the calls that all parts of the library make, on top of the two
 * that a plug-in has.
 *
 * A plug-in is loco_mpi_NAME.so in the first of these folders that has it:
 *
 *   beside the running program          of the build tree
 *   ../lib/loco, ../lib/ARCH/loco       of an installed tree, wherever it was moved to
 *   <prefix>/lib/loco                   where it was first installed: for other programs that use the library
 */
#include "base/team.h"

#include "base/folder.h"
#include "base/status.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, NAME_BYTES = 64 };

struct lc_team {
    const lc_team_ops *ops;
    void *context;
    unsigned rank, size;
    size_t *borders; /* size + 1 */
    uint64_t *words; /* size */
};

/* ---- joining ---- */

loco_status lc_team_new(lc_team **out, const lc_team_ops *ops, void *context, loco_err *err)
{
    lc_team *team = calloc(1, sizeof *team);
    if (team == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a team of processes");
    *team = (lc_team){.ops = ops, .context = context};
    ops->begin(context, &team->rank, &team->size);
    team->borders = calloc(team->size + 1, sizeof *team->borders);
    team->words = calloc(team->size, sizeof *team->words);
    if (team->borders == NULL || team->words == NULL) {
        lc_team_leave(team);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a team of processes");
    }
    *out = team;
    return LOCO_OK;
}

void lc_team_leave(lc_team *team)
{
    if (team == NULL)
        return;
    team->ops->end(team->context);
    free(team->borders);
    free(team->words);
    free(team);
}

/* The file in one folder, or NULL when it is not there. Global, since parts of MPI that are loaded later look for the
 * first one's symbols. It stays loaded until the program ends: MPI has threads of its own. */
static void *open_in(lc_store *store, const char *folder, size_t folder_len, const char *file)
{
    const char *path = lc_path_join(store, folder, folder_len, file);
    return path != NULL && lc_path_is_file(path) ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
}

static void *open_named(lc_store *store, const char *file)
{
    static const char *const places[] = {"", "../" LOCO_LIBRARIES_TEXT "/loco", "../lib/loco"};
    char program[PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    void *library = NULL;
    program[length > 0 ? length : 0] = 0;
    for (size_t i = 0; library == NULL && length > 0 && i < sizeof places / sizeof places[0]; i++) {
        const char *folder = lc_path_join(store, program, lc_path_folder(program), places[i]);
        if (folder != NULL)
            library = open_in(store, folder, strlen(folder), file);
    }
    return library != NULL ? library : open_in(store, LOCO_PLUGINS_TEXT, strlen(LOCO_PLUGINS_TEXT), file);
}

/* The table of a plug-in. */
static loco_status load(const lc_team_ops **ops, const char *plugin, loco_err *err)
{
    lc_store store = {0};
    char file[NAME_BYTES];
    bool named = strchr(plugin, '/') == NULL;
    snprintf(file, sizeof file, "loco_mpi_%.40s.so", plugin);
    dlerror();
    void *library = named ? open_named(&store, file) : dlopen(plugin, RTLD_NOW | RTLD_GLOBAL);
    const char *why = dlerror();
    lc_store_free(&store);
    if (library == NULL)
        return lc_err_set(err, LOCO_EIO,
                          "several processes need the plug-in %.80s: %.80s; build it with this MPI's mpicc "
                          "(docs/scale.md), or name it in LOCO_MPI",
                          named ? file : plugin, why != NULL ? why : "it is not installed");
    *ops = dlsym(library, LC_TEAM_SYMBOL);
    if (*ops == NULL || (*ops)->version != LC_TEAM_VERSION)
        return lc_err_set(err, LOCO_EIO, "%.150s is not a plug-in of this version of LoCo; build it again", plugin);
    return LOCO_OK;
}

loco_status lc_team_join(lc_team **out, const char *plugin, unsigned processes, loco_err *err)
{
    const lc_team_ops *ops = NULL;
    lc_team *team = NULL;
    loco_status status = load(&ops, plugin, err);
    if (status == LOCO_OK)
        status = lc_team_new(&team, ops, NULL, err);
    if (status == LOCO_OK && team->size != processes) {
        unsigned found = team->size;
        lc_team_leave(team);
        return lc_err_set(
            err, LOCO_EARG,
            "the launcher started %u processes, and %.60s sees %u: launch with the MPI of the plug-in, or "
            "set LOCO_MPI to openmpi, mpich or the path of another",
            processes, plugin, found);
    }
    if (status == LOCO_OK)
        *out = team;
    return status;
}

/* ---- a team at work ---- */

unsigned lc_team_rank(const lc_team *team)
{
    return team != NULL ? team->rank : 0;
}

unsigned lc_team_size(const lc_team *team)
{
    return team != NULL ? team->size : 1;
}

size_t lc_team_border(const lc_team *team, size_t n, unsigned rank)
{
    size_t size = lc_team_size(team);
    return n / size * rank + n % size * rank / size;
}

static bool has(const lc_team *team, unsigned rank, size_t lanes, size_t item)
{
    size_t lane = item % lanes;
    return lc_team_border(team, lanes, rank) <= lane && lane < lc_team_border(team, lanes, rank + 1);
}

bool lc_team_has(const lc_team *team, size_t lanes, size_t item)
{
    return team == NULL || has(team, team->rank, lanes, item);
}

/* In room, the items of a process are in a row. */
void lc_team_gather_items(lc_team *team, size_t lanes, void *items, size_t n, size_t bytes, void *room)
{
    char *from = items, *packed = room;
    size_t at = 0;
    if (team == NULL)
        return;
    for (unsigned r = 0; r < team->size; r++) {
        team->borders[r] = at * bytes;
        for (size_t i = 0; i < n; i++)
            if (has(team, r, lanes, i))
                memcpy(packed + bytes * at++, from + bytes * i, bytes);
    }
    team->borders[team->size] = at * bytes;
    team->ops->gather(team->context, room, team->borders);
    at = 0;
    for (unsigned r = 0; r < team->size; r++)
        for (size_t i = 0; i < n; i++)
            if (has(team, r, lanes, i))
                memcpy(from + bytes * i, packed + bytes * at++, bytes);
}

void lc_team_gather(lc_team *team, void *all, const size_t *borders)
{
    if (team != NULL)
        team->ops->gather(team->context, all, borders);
}

void lc_team_deal(lc_team *team, const void *out, const size_t *out_borders, void *in, const size_t *in_borders)
{
    if (team != NULL)
        team->ops->deal(team->context, out, out_borders, in, in_borders);
}

/* All of the bytes are the part of one process. */
static void spread_from(lc_team *team, unsigned rank, void *bytes, size_t n)
{
    for (unsigned r = 0; r <= team->size; r++)
        team->borders[r] = r > rank ? n : 0;
    team->ops->gather(team->context, bytes, team->borders);
}

void lc_team_spread(lc_team *team, void *bytes, size_t n)
{
    if (team != NULL)
        spread_from(team, 0, bytes, n);
}

/* One word of every process. */
static void gather_words(lc_team *team, uint64_t own)
{
    team->words[team->rank] = own;
    for (unsigned r = 0; r <= team->size; r++)
        team->borders[r] = r * sizeof *team->words;
    team->ops->gather(team->context, team->words, team->borders);
}

loco_status lc_team_settle(lc_team *team, loco_status status, loco_err *err)
{
    unsigned first = 0;
    loco_err own = {""};
    if (team == NULL)
        return status;
    gather_words(team, (uint64_t)status);
    while (first < team->size && team->words[first] == LOCO_OK)
        first++;
    if (first == team->size)
        return LOCO_OK;
    if (err != NULL && status != LOCO_OK)
        own = *err;
    spread_from(team, first, &own, sizeof own);
    loco_status failed = (loco_status)team->words[first];
    if (first == 0)
        return lc_err_set(err, failed, "%s", own.text);
    return lc_err_set(err, failed, "process %u of %u: %.200s", first, team->size, own.text);
}

/* FNV-1a. */
uint64_t lc_team_hash(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    hash = hash != 0 ? hash : 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

bool lc_team_agree(lc_team *team, uint64_t hash, unsigned *other)
{
    if (team == NULL)
        return true;
    gather_words(team, hash);
    for (unsigned r = 1; r < team->size; r++)
        if (team->words[r] != team->words[0]) {
            *other = r;
            return false;
        }
    return true;
}
