/* SPDX-License-Identifier: MIT
 * digits_load.c - finds and reads the files of MNIST: images and labels, for training or for tests. */
#include "base/folder.h"
#include "base/status.h"
#include "image/idx.h"
#include "studio/images/digits.h"

#include <stdlib.h>
#include <string.h>

/* Sets of digits that are known by a hash of their labels. */
typedef struct known_digits {
    uint64_t labels;
    const char *about;
} known_digits;

static const known_digits known[] = {
    {0xe3a35dee662474a5u, "MNIST, training digits, by LeCun, Cortes and Burges, CC BY-SA 3.0"},
    {0xfca1a11d31bd96bbu, "MNIST, test digits, by LeCun, Cortes and Burges, CC BY-SA 3.0"    },
};

typedef struct digit_files {
    lc_store store;
    const char *images, *labels;
} digit_files;

static loco_status no_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for digits");
}

/* ---- names ---- */

/* folder/name or folder/name.gz, whichever is there. */
static loco_status find(const char **found, lc_store *store, const char *folder, const char *name, loco_err *err)
{
    lc_text packed = {0};
    lc_text_format(&packed, "%s.gz", name);
    const char *plain = lc_path_join(store, folder, strlen(folder), name);
    const char *gzipped = packed.failed ? NULL : lc_path_join(store, folder, strlen(folder), packed.bytes);
    lc_text_free(&packed);
    if (plain == NULL || gzipped == NULL)
        return no_memory(err);
    *found = lc_path_is_file(plain) ? plain : gzipped;
    if (!lc_path_is_file(*found))
        return lc_err_set(err, LOCO_EDATA,
                          "%.150s has no %s, with or without .gz, which is one of the four files of MNIST", folder,
                          name);
    return LOCO_OK;
}

static loco_status find_in_folder(digit_files *files, const char *folder, bool unseen, loco_err *err)
{
    const char *images = unseen ? "t10k-images-idx3-ubyte" : "train-images-idx3-ubyte";
    const char *labels = unseen ? "t10k-labels-idx1-ubyte" : "train-labels-idx1-ubyte";
    loco_status status = find(&files->images, &files->store, folder, images, err);
    return status == LOCO_OK ? find(&files->labels, &files->store, folder, labels, err) : status;
}

/* Replaces the last `word` in a path by one of the same length. */
static bool rename_part(char *path, const char *word, const char *by)
{
    char *last = NULL;
    for (char *at = path + lc_path_folder(path); (at = strstr(at, word)) != NULL; at++)
        last = at;
    for (size_t i = 0; last != NULL && by[i] != 0; i++)
        last[i] = by[i];
    return last != NULL;
}

/* a/train-images-idx3-ubyte.gz has its labels in a/train-labels-idx1-ubyte.gz. */
static loco_status find_beside(digit_files *files, const char *images, loco_err *err)
{
    char *labels = lc_store_string(&files->store, images, strlen(images));
    if (labels == NULL)
        return no_memory(err);
    bool named = rename_part(labels, "images", "labels");
    (void)rename_part(labels, "idx3", "idx1");
    if (!named)
        return lc_err_set(err, LOCO_EDATA,
                          "%.150s: a file of images has \"images\" in its name, so that its labels are found", images);
    files->images = images;
    files->labels = labels;
    return LOCO_OK;
}

/* ---- content ---- */

static uint64_t hash(const unsigned char *bytes, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < n; i++)
        h = (h ^ bytes[i]) * 0x100000001b3u;
    return h;
}

static void describe(lc_text *sources, const lc_digits *digits, const char *images)
{
    const char *about = "author and licence not stated";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].labels == hash(digits->labels, digits->n))
            about = known[i].about;
    lc_text_format(sources, "digits\t%s\t%s\t%zu digits of %zu x %zu\n", images + lc_path_folder(images), about,
                   digits->n, digits->width, digits->height);
}

static loco_status check(const lc_idx *images, const lc_idx *labels, const digit_files *files, loco_err *err)
{
    if (images->height < 2 || images->width < 2)
        return lc_err_set(err, LOCO_EDATA, "%.150s does not hold images; name the file of images", files->images);
    if (labels->n != images->n || labels->height != 1 || labels->width != 1)
        return lc_err_set(err, LOCO_EDATA, "%.150s does not hold a label for each of %zu images", files->labels,
                          images->n);
    for (size_t i = 0; i < labels->n; i++)
        if (labels->values[i] >= LC_DIGIT_CLASSES)
            return lc_err_set(err, LOCO_EDATA, "%.150s: label %zu is %d; digits are 0 to 9", files->labels, i,
                              labels->values[i]);
    return LOCO_OK;
}

static loco_status load(lc_digits *digits, const digit_files *files, loco_err *err)
{
    lc_idx images = {0}, labels = {0};
    loco_status status = lc_idx_load(&images, files->images, err);
    if (status == LOCO_OK)
        status = lc_idx_load(&labels, files->labels, err);
    if (status == LOCO_OK)
        status = check(&images, &labels, files, err);
    if (status == LOCO_OK) {
        *digits = (lc_digits){images.n, images.height, images.width, images.values, labels.values};
    } else {
        lc_idx_free(&images);
        lc_idx_free(&labels);
    }
    return status;
}

loco_status lc_digits_load(lc_digits *digits, lc_text *sources, const char *from, bool unseen, loco_err *err)
{
    digit_files files = {0};
    loco_status status = LOCO_OK;
    if (lc_path_is_folder(from))
        status = find_in_folder(&files, from, unseen, err);
    else if (unseen)
        status = lc_err_set(err, LOCO_EARG, "%.150s: unseen digits come from a folder that also has the t10k files",
                            from);
    else
        status = find_beside(&files, from, err);
    if (status == LOCO_OK)
        status = load(digits, &files, err);
    if (status == LOCO_OK) {
        describe(sources, digits, files.images);
        if (sources->failed) {
            lc_digits_free(digits);
            status = no_memory(err);
        }
    }
    lc_store_free(&files.store);
    return status;
}

void lc_digits_free(lc_digits *digits)
{
    free(digits->pixels);
    free(digits->labels);
    *digits = (lc_digits){0};
}
