/* SPDX-License-Identifier: MIT
 *
 * fuzz_done.c - any bytes at all into the reader of journals of loco detect.
 *   Every record that is accepted lies within the input and before the end that is stated; reading up to there gives the
 *   same records again. The first line is added where the input lacks it, so that the records are reached. */
#include "../cli/done.c"
#include "../cli/launcher.c"
#include "../cli/output.c"
#include "../cli/shard.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static size_t read_bytes(char *bytes, size_t size, long long *whole)
{
    lc_done journal = {.settings = 7, .classes = 2};
    loco_err err = {""};
    FILE *file = fmemopen(bytes, size, "rb");
    require(file != NULL);
    loco_status status = lc_done_read(&journal, file, 0, whole, &err);
    require(status == LOCO_OK || status == LOCO_EARG || status == LOCO_EDATA);
    require((status == LOCO_OK) == (err.text[0] == 0));
    for (size_t i = 0; i < journal.len; i++) {
        const lc_done_entry *e = &journal.entries[i];
        require(e->path[0] != 0 && e->at + (long long)e->text < *whole && *whole <= (long long)size);
    }
    size_t len = journal.len;
    fclose(file);
    drop_entries(&journal);
    free(journal.entries);
    return len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char heading[128];
    lc_done journal = {.settings = 7, .classes = 2};
    long long whole = 0, again = 0;
    format_heading(heading, sizeof heading, &journal);
    size_t skip = size > 0 && data[0] == 'l' ? 0 : strlen(heading);
    char *bytes = malloc(skip + size + 1);
    if (bytes == NULL || skip + size == 0) {
        free(bytes);
        return 0;
    }
    memcpy(bytes, heading, skip);
    if (size > 0)
        memcpy(bytes + skip, data, size);
    size_t found = read_bytes(bytes, skip + size, &whole);
    if (whole > 0) {
        require(read_bytes(bytes, (size_t)whole, &again) == found);
        require(again == whole);
    }
    free(bytes);
    return 0;
}
