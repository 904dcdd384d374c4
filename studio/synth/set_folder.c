/* SPDX-License-Identifier: MIT
 * set_folder.c - the folder of a data set that is being made. */
#include "studio/synth/set_folder.h"

#include "base/file.h"
#include "base/status.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static loco_status no_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory while writing a data set");
}

lc_text lc_set_folder_path(const char *folder, const char *name)
{
    lc_text path = {0};
    lc_text_format(&path, "%s/%s", folder, name);
    return path;
}

static loco_status make_folder(const char *folder, loco_err *err)
{
    if (strlen(folder) > LC_SET_FOLDER_LONGEST)
        return lc_err_set(err, LOCO_EARG, "the folder's name has more than %d bytes", LC_SET_FOLDER_LONGEST);
    if (mkdir(folder, 0777) == 0 || errno == EEXIST)
        return LOCO_OK;
    int cause = errno;
    char reason[80] = "unknown cause";
    (void)strerror_r(cause, reason, sizeof reason);
    return lc_err_set(err, LOCO_EIO, "cannot make the folder %.120s: %s", folder, reason);
}

loco_status lc_set_folder_prepare(const char *folder, loco_err *err)
{
    loco_status status = make_folder(folder, err);
    if (status != LOCO_OK)
        return status;
    lc_text path = lc_set_folder_path(folder, "counts.csv");
    struct stat info;
    if (path.failed)
        status = no_memory(err);
    else if (stat(path.bytes, &info) == 0)
        status = lc_err_set(err, LOCO_EARG, "%.200s exists already; name a new folder", path.bytes);
    lc_text_free(&path);
    return status;
}

loco_status lc_set_folder_save(const char *folder, const char *name, const lc_text *text, loco_err *err)
{
    if (text->failed)
        return no_memory(err);
    lc_text path = lc_set_folder_path(folder, name);
    loco_status status = path.failed ? no_memory(err) : lc_file_save(path.bytes, text->bytes, text->length, err);
    lc_text_free(&path);
    return status;
}
