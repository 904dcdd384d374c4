/* SPDX-License-Identifier: MIT
 *
 * fuzz_numbers.c - any bytes at all into the reader of logits.
 *   What is accepted must be numbers, at least one, none of them NaN, and no more than there are bytes; whatever is
 *   refused must leave the result untouched and say why. The input is a copy of exactly its length, so that one byte
 *   too far is seen. */
#include "../cli/numbers.c"
#include "../cli/output.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_accepted(const lc_numbers *numbers, size_t size)
{
    require(numbers->values != NULL && numbers->len > 0 && numbers->len <= size);
    for (size_t i = 0; i < numbers->len; i++)
        require(!isnan(numbers->values[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size > 0 ? size : 1);
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    lc_numbers numbers = {0};
    loco_err err = {""};
    loco_status status = lc_numbers_parse(&numbers, "input", text, size, &err);
    free(text);
    if (status == LOCO_OK) {
        check_accepted(&numbers, size);
    } else {
        require(status == LOCO_EDATA && numbers.values == NULL && numbers.len == 0);
        require(strncmp(err.text, "input:", 6) == 0 && memchr(err.text, 0, sizeof err.text) != NULL);
    }
    lc_numbers_free(&numbers);
    return 0;
}
