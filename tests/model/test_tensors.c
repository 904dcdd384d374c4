/* SPDX-License-Identifier: MIT
 * test_tensors.c - safetensors files: what may not be written, the bytes as documented, every bit back, and every rule
 *   of the format broken once, with its message. */
#include "cases.h"

#include "model/tensors.h"

#include <stdint.h>
#include <unistd.h>

/* ---- writing ---- */

static void check_unwritable(lc_array array, lc_pair pair, const char *words, int line)
{
    lc_array arrays[] = {
        {"a", LC_F32, 0, {0}, "abcd"},
        array
    };
    lc_pair pairs[] = {
        {"k", "v"},
        pair
    };
    char *bytes = NULL;
    size_t length = 77;
    loco_err err = {""};
    check_status(lc_tensors_format(&bytes, &length, arrays, 2, pairs, 2, &err), LOCO_EARG, __FILE__, line, "format");
    check_true(bytes == NULL && length == 77, __FILE__, line, "untouched");
    check_says(err.text, words, __FILE__, line);
    check_status(lc_tensors_save("no folder/x", arrays, 2, pairs, 2, &err), LOCO_EARG, __FILE__, line, "save");
    check_says(err.text, "no folder/x: ", __FILE__, line);
}

#define UNWRITABLE_ARRAY(array, words) check_unwritable((array), (lc_pair){"l", "v"}, (words), __LINE__)
#define UNWRITABLE_PAIR(key, value, words) \
    check_unwritable((lc_array){"b", LC_F32, 0, {0}, "abcd"}, (lc_pair){(key), (value)}, (words), __LINE__)

static void wrong_arguments_are_refused(void)
{
    char long_name[LC_NAME_BYTES + 2];
    memset(long_name, 'n', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    char *long_value = case_array(LC_VALUE_BYTES + 2, 1);
    memset(long_value, 'v', LC_VALUE_BYTES + 1);

    UNWRITABLE_ARRAY(((lc_array){"a", LC_F32, 0, {0}, "abcd"}), "model: the name \"a\" is there twice");
    UNWRITABLE_ARRAY(((lc_array){"", LC_F32, 0, {0}, "abcd"}), "tensor \"\" must be 1 to 255 bytes");
    UNWRITABLE_ARRAY(((lc_array){long_name, LC_F32, 0, {0}, "abcd"}), "must be 1 to 255 bytes");
    UNWRITABLE_ARRAY(((lc_array){"\xff", LC_F32, 0, {0}, "abcd"}), "tensor \"?\" must be 1 to 255 bytes of UTF-8");
    UNWRITABLE_ARRAY(((lc_array){"__metadata__", LC_F32, 0, {0}, "abcd"}), "no tensor may be called __metadata__");
    UNWRITABLE_ARRAY(((lc_array){"b", LC_F32, 9, {0}, "abcd"}), "\"b\" is too large");
    UNWRITABLE_ARRAY(((lc_array){"b", LC_F32, 1, {1 << 28}, "abcd"}), "\"b\" is too large");
    UNWRITABLE_ARRAY(((lc_array){
                         "b", LC_F32, 2, {SIZE_MAX, SIZE_MAX},
                            "abcd"
    }),
                     "\"b\" is too large");
    UNWRITABLE_PAIR("k", "v", "the name \"k\" is there twice");
    UNWRITABLE_PAIR("", "v", "metadata \"\" must be 1 to 255 bytes");
    UNWRITABLE_PAIR("\xc0", "v", "metadata \"?\" must be 1 to 255 bytes of UTF-8");
    UNWRITABLE_PAIR("l", "\xed\xa0\x80", "metadata \"l\" must be at most 1048576 bytes of UTF-8");
    UNWRITABLE_PAIR("l", long_value, "metadata \"l\" must be at most 1048576 bytes");
    free(long_value);
}

static void too_many_are_refused(void)
{
    char *bytes = NULL;
    size_t length = 0;
    loco_err err = {""};
    CHECK_STATUS(lc_tensors_format(&bytes, &length, NULL, LC_ARRAYS_MAX + 1, NULL, 0, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "4097 tensors and 0 metadata; a file has at most 4096 and 256");
    CHECK_STATUS(lc_tensors_format(&bytes, &length, NULL, 0, NULL, LC_PAIRS_MAX + 1, &err), LOCO_EARG);

    /* Each within its limit, all together not. */
    lc_pair pairs[20];
    char keys[20][4];
    char *value = case_array(LC_VALUE_BYTES + 1, 1);
    memset(value, 'v', LC_VALUE_BYTES);
    for (int i = 0; i < 20; i++) {
        snprintf(keys[i], sizeof keys[i], "%d", i);
        pairs[i] = (lc_pair){keys[i], value};
    }
    CHECK_STATUS(lc_tensors_format(&bytes, &length, NULL, 0, pairs, 20, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "are too much for one file");
    CHECK(bytes == NULL);
    free(value);
}

static void bytes_are_as_documented(void)
{
    const float weights[] = {1, -2};
    const uint64_t step = 0x0102030405060708;
    lc_array arrays[] = {
        {"w\"", LC_F32, 2, {1, 2}, weights},
        {"s",   LC_U64, 0, {0},    &step  }
    };
    lc_pair pairs[] = {
        {"format", "x\n"}
    };
    const char want[] = "\x98\0\0\0\0\0\0\0"
                        "{\"__metadata__\":{\"format\":\"x\\u000a\"},"
                        "\"s\":{\"dtype\":\"U64\",\"shape\":[],\"data_offsets\":[0,8]},"
                        "\"w\\\"\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[8,16]}}     "
                        "\x08\x07\x06\x05\x04\x03\x02\x01\0\0\x80\x3f\0\0\0\xc0";
    char *bytes = NULL;
    size_t length = 0;
    CHECK_STATUS(lc_tensors_format(&bytes, &length, arrays, 2, pairs, 1, NULL), LOCO_OK);
    CHECK_EQ(length, sizeof want - 1);
    CHECK_EQ(length % 8, 0);
    CHECK(bytes != NULL && length == sizeof want - 1 && memcmp(bytes, want, length) == 0);
    free(bytes);

    CHECK_STATUS(lc_tensors_format(&bytes, &length, NULL, 0, NULL, 0, NULL), LOCO_OK);
    CHECK(length == 16 && memcmp(bytes, "\x08\0\0\0\0\0\0\0{}      ", 16) == 0);
    free(bytes);
}

/* ---- round trip ---- */

enum { MOST = 40 };

/* Arrays of all types and ranks with any bits at all: NaNs with their payload, denormals, -0. */
typedef struct sample {
    lc_array arrays[MOST];
    lc_pair pairs[3];
    char names[MOST][64];
    uint64_t bits[MOST][64];
    size_t n;
} sample;

static void fill(sample *s, lc_rng *rng)
{
    s->n = case_below(rng, MOST + 1);
    s->pairs[0] = (lc_pair){"k\xc3\xa9y", "a \"text\"\\\n\x01\xf0\x9f\x98\x80"};
    s->pairs[1] = (lc_pair){"empty", ""};
    s->pairs[2] = (lc_pair){"dtype", "F32"};
    for (size_t i = 0; i < s->n; i++) {
        lc_array *array = &s->arrays[i];
        snprintf(s->names[i], sizeof s->names[i], "%zu.\t\xe2\x82\xac\"%zu", i, case_below(rng, 100));
        *array = (lc_array){.name = s->names[i], .dtype = (lc_dtype)case_below(rng, 3), .data = s->bits[i]};
        for (array->rank = case_below(rng, LC_ARRAY_RANK + 1); array->rank > 4;)
            array->shape[--array->rank] = 1;
        for (size_t d = 0; d < array->rank; d++)
            array->shape[d] = case_below(rng, 20) == 0 ? 0 : 1 + case_below(rng, 2);
        for (size_t k = 0; k < 64; k++)
            s->bits[i][k] = lc_rng_next(rng) | (case_below(rng, 4) == 0 ? 0x7ff000007f800000 : 0);
    }
}

static void check_same_content(const lc_tensors *file, const sample *s)
{
    CHECK_EQ(file->arrays_len, s->n);
    CHECK_EQ(file->pairs_len, 3);
    for (size_t i = 0; i < s->n; i++) {
        const lc_array *want = &s->arrays[i], *got = lc_tensors_find(file, want->name);
        size_t bytes = 0;
        char copy[512];
        CHECK(got != NULL && lc_array_bytes(want, &bytes) && bytes <= sizeof copy);
        CHECK_STATUS(lc_tensors_expect(file, want, NULL), LOCO_OK);
        if (got == NULL)
            continue;
        lc_array_copy(got, copy);
        CHECK(memcmp(copy, want->data, bytes) == 0);
    }
    for (size_t i = 0; i < 3; i++)
        CHECK_STR(lc_tensors_value(file, s->pairs[i].key), s->pairs[i].value);
    CHECK(lc_tensors_find(file, "none") == NULL && lc_tensors_value(file, "none") == NULL);
}

static void every_bit_comes_back(void)
{
    static sample s;
    lc_rng rng = lc_rng_seed(7);
    for (int round = 0; round < 200; round++) {
        char *bytes = NULL, *again = NULL;
        size_t length = 0, again_length = 0;
        lc_tensors *file = NULL;
        fill(&s, &rng);
        CHECK_STATUS(lc_tensors_format(&bytes, &length, s.arrays, s.n, s.pairs, 3, NULL), LOCO_OK);
        CHECK_STATUS(lc_tensors_parse(&file, bytes, length, NULL), LOCO_OK);
        if (file != NULL) {
            check_same_content(file, &s);
            /* What was read is in the order of the file, so that writing it gives the same bytes. */
            CHECK_STATUS(lc_tensors_format(&again, &again_length, file->arrays, file->arrays_len, file->pairs,
                                           file->pairs_len, NULL),
                         LOCO_OK);
            CHECK(length == again_length && memcmp(bytes, again, length) == 0);
        }
        lc_tensors_free(file);
        free(bytes);
        free(again);
    }
    lc_tensors_free(NULL);
}

/* ---- rules of the format ---- */

/* A file with this header and data_len bytes of data; the caller frees. */
static char *file_of(const char *header, size_t header_len, size_t data_len, size_t *length)
{
    *length = 8 + header_len + data_len;
    char *bytes = case_array(*length, 1);
    for (size_t i = 0; i < 8; i++)
        bytes[i] = (char)(header_len >> 8 * i & 0xff);
    memcpy(bytes + 8, header, header_len);
    return bytes;
}

static loco_status parse_header(const char *header, size_t data_len, loco_err *err)
{
    size_t length;
    char *bytes = file_of(header, strlen(header), data_len, &length);
    lc_tensors *file = NULL;
    loco_status status = lc_tensors_parse(&file, bytes, length, err);
    CHECK((file != NULL) == (status == LOCO_OK));
    free(bytes);
    lc_tensors_free(file);
    return status;
}

static void check_broken(const char *header, size_t data_len, const char *words, int line)
{
    loco_err err = {""};
    check_status(parse_header(header, data_len, &err), LOCO_EDATA, __FILE__, line, header);
    check_true(strncmp(err.text, "model", 5) == 0, __FILE__, line, header);
    check_says(err.text, words, __FILE__, line);
}

#define BROKEN(header, data_len, words) check_broken((header), (data_len), (words), __LINE__)
#define A(dtype, shape, offsets) "{\"a\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

static void entries_have_three_parts(void)
{
    CHECK_STATUS(parse_header(A("\"F32\"", "[2]", "[0,8]"), 8, NULL), LOCO_OK);
    CHECK_STATUS(parse_header(A("\"F32\"", "[2]", "[0,8]") "  \n", 8, NULL), LOCO_OK);
    BROKEN("{\"a\":1}", 0, "model: tensor \"a\": it must be an object of dtype, shape and data_offsets");
    BROKEN("{\"a\":{}}", 0, "tensor \"a\": it must be an object of dtype");
    BROKEN("{\"a\":[\"F32\",[],[0,4]]}", 4, "tensor \"a\": it must be an object of dtype");
    BROKEN("{\"a\":{\"dtype\":\"F32\",\"shape\":[]}}", 0, "it must be an object of dtype");
    BROKEN("{\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4],\"x\":1}}", 4,
           "it must be an object of dtype");
    BROKEN("{\"a\":{\"dtype\":\"F32\",\"shape\":[],\"DATA_offsets\":[0,4]}}", 4, "it must be an object of dtype");
    BROKEN("{\"\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}", 4, "a name has 1 to 255 bytes");
    BROKEN("[]", 0, "is not a LoCo model: it begins with ");
    BROKEN(" {}", 0, "is not a LoCo model: it begins with ");
    BROKEN("{", 0, "model: header, byte 1: a string in quotation marks is missing");
    BROKEN("{}x", 0, "header, byte 2: something follows");
    BROKEN("{\"\xff\":1}", 0, "header, byte 2: the string is not UTF-8");
    BROKEN("{\"a\":[[[[[[[[[[[[[[[[[[", 0, "nested more than 16 deep");
}

static void dtypes_are_known(void)
{
    BROKEN(A("\"F16\"", "[2]", "[0,4]"), 4, "model: tensor \"a\": dtype \"F16\" is invalid; use F32, F64 or U64");
    BROKEN(A("\"f32\"", "[1]", "[0,4]"), 4, "dtype \"f32\" is invalid; use F32");
    BROKEN(A("5", "[1]", "[0,4]"), 4, "dtype must be a string");
    BROKEN(A("null", "[1]", "[0,4]"), 4, "dtype must be a string");
}

static void shapes_are_sizes(void)
{
    CHECK_STATUS(parse_header(A("\"F32\"", "[1,1,1,1,1,1,1,1]", "[0,4]"), 4, NULL), LOCO_OK);
    CHECK_STATUS(parse_header(A("\"F32\"", "[]", "[0,4]"), 4, NULL), LOCO_OK);
    CHECK_STATUS(parse_header(A("\"F32\"", "[0,9007199254740992]", "[0,0]"), 0, NULL), LOCO_OK);
    BROKEN(A("\"F32\"", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), 4, "shape has more than 8 sizes");
    BROKEN(A("\"F32\"", "2", "[0,8]"), 8, "shape must be an array");
    BROKEN(A("\"F32\"", "{\"x\":2}", "[0,8]"), 8, "shape must be an array");
    BROKEN(A("\"F32\"", "[\"2\"]", "[0,8]"), 8, "each size of shape must be a whole number");
    BROKEN(A("\"F32\"", "[-2]", "[0,8]"), 8, "each size of shape must be a whole number");
    BROKEN(A("\"F32\"", "[0.5,4]", "[0,8]"), 8, "each size of shape must be a whole number");
    BROKEN(A("\"F32\"", "[1e999]", "[0,8]"), 8, "each size of shape must be a whole number");
    BROKEN(A("\"F32\"", "[9007199254740993]", "[0,8]"), 8, "shape needs");
    BROKEN(A("\"F32\"", "[9007199254740994]", "[0,8]"), 8, "each size of shape must be a whole number");
    BROKEN(A("\"F32\"", "[4294967296,4294967296]", "[0,0]"), 0, "shape is larger than memory can be");
    BROKEN(A("\"F32\"", "[2147483648,2147483648]", "[0,0]"), 0, "shape is larger than memory can be");
    BROKEN(A("\"F32\"", "[2147483648,1073741824]", "[0,0]"), 0,
           "shape needs 9223372036854775808 bytes, and data_offsets give 0");
    BROKEN(A("\"F32\"", "[3]", "[0,8]"), 8, "tensor \"a\": shape needs 12 bytes, and data_offsets give 8");
    BROKEN(A("\"F32\"", "[1]", "[0,8]"), 8, "shape needs 4 bytes, and data_offsets give 8");
    BROKEN(A("\"F64\"", "[2]", "[0,8]"), 8, "shape needs 16 bytes, and data_offsets give 8");
}

static void offsets_lie_in_the_data(void)
{
    BROKEN(A("\"F32\"", "[2]", "[0,12]"), 8, "tensor \"a\": data_offsets [0, 12] do not lie in the 8 bytes of data");
    BROKEN(A("\"F32\"", "[2]", "[8,0]"), 8, "data_offsets [8, 0] do not lie in");
    BROKEN(A("\"F32\"", "[2]", "[9007199254740984,9007199254740992]"), 8, "do not lie in the 8 bytes");
    BROKEN(A("\"F32\"", "[2]", "[-8,0]"), 8, "data_offsets must be two whole numbers");
    BROKEN(A("\"F32\"", "[2]", "[0]"), 8, "data_offsets must be two whole numbers");
    BROKEN(A("\"F32\"", "[2]", "[0,8,8]"), 8, "data_offsets must be two whole numbers");
    BROKEN(A("\"F32\"", "[2]", "[0,8.5]"), 8, "data_offsets must be two whole numbers");
    BROKEN(A("\"F32\"", "[2]", "[0,\"8\"]"), 8, "data_offsets must be two whole numbers");
    BROKEN(A("\"F32\"", "[2]", "8"), 8, "data_offsets must be two whole numbers");
    BROKEN(A("\"F32\"", "[2]", "{\"a\":0,\"b\":8}"), 8, "data_offsets must be two whole numbers");
}

#define TWO(offsets_a, offsets_b)                                         \
    "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":" offsets_a \
    "},\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":" offsets_b "}}"

static void every_byte_has_one_owner(void)
{
    CHECK_STATUS(parse_header(TWO("[0,8]", "[8,16]"), 16, NULL), LOCO_OK);
    CHECK_STATUS(parse_header(TWO("[8,16]", "[0,8]"), 16, NULL), LOCO_OK);
    BROKEN(TWO("[0,8]", "[0,8]"), 8, "tensor \"b\": it must begin at byte 8, where the one before ends, not at 0");
    BROKEN(TWO("[0,8]", "[4,12]"), 12, "tensor \"b\": it must begin at byte 8, where the one before ends, not at 4");
    BROKEN(TWO("[0,8]", "[12,20]"), 20, "it must begin at byte 8, where the one before ends, not at 12");
    BROKEN(TWO("[4,12]", "[12,20]"), 20, "tensor \"a\": it must begin at byte 0");
    BROKEN(TWO("[0,8]", "[8,16]"), 19, "model: the last 3 bytes belong to no tensor");
    BROKEN("{}", 1, "the last 1 bytes belong to no tensor");
    BROKEN("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
           "\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}}",
           16, "model: header: the key \"a\" is there twice");
}

static void metadata_are_strings(void)
{
    char text[LC_NAME_BYTES + 100], name[LC_NAME_BYTES + 2];
    CHECK_STATUS(parse_header("{\"__metadata__\":{}}", 0, NULL), LOCO_OK);
    CHECK_STATUS(parse_header("{\"__metadata__\":{\"__metadata__\":\"\"}}", 0, NULL), LOCO_OK);
    BROKEN("{\"__metadata__\":1}", 0, "model: __metadata__ must be an object of strings");
    BROKEN("{\"__metadata__\":[\"a\"]}", 0, "__metadata__ must be an object of strings");
    BROKEN("{\"__metadata__\":{\"a\":1}}", 0, "__metadata__ \"a\" must be a string");
    BROKEN("{\"__metadata__\":{\"a\":null}}", 0, "__metadata__ \"a\" must be a string");
    BROKEN("{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}", 0, "the key \"a\" is there twice");
    BROKEN("{\"__metadata__\":{\"\":\"1\"}}", 0, "__metadata__ \"\": a key has 1 to 255 bytes");
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    snprintf(text, sizeof text, "{\"__metadata__\":{\"%s\":\"\"}}", name);
    BROKEN(text, 0, "a key has 1 to 255 bytes, its string up to 1048576");
    snprintf(text, sizeof text, "{\"%s\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}", name);
    BROKEN(text, 4, "...\": a name has 1 to 255 bytes");
}

/* n entries of a kind; the caller frees. */
static char *many(const char *begin, const char *entry, size_t n, const char *end)
{
    size_t size = n * (strlen(entry) + 12) + 100, used;
    char *text = case_array(size, 1);
    used = (size_t)snprintf(text, size, "%s", begin);
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, size - used, "%s\"%zu\":%s", i > 0 ? "," : "", i, entry);
    snprintf(text + used, size - used, "%s", end);
    return text;
}

static void numbers_of_entries_are_limited(void)
{
    const char *empty = "{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}";
    for (size_t more = 0; more < 2; more++) {
        char *arrays = many("{", empty, LC_ARRAYS_MAX + more, "}");
        char *both = many("{\"__metadata__\":{},", empty, LC_ARRAYS_MAX + more, "}");
        char *pairs = many("{\"__metadata__\":{", "\"v\"", LC_PAIRS_MAX + more, "}}");
        loco_status want = more ? LOCO_EDATA : LOCO_OK;
        loco_err err = {""};
        CHECK_STATUS(parse_header(arrays, 0, &err), want);
        CHECK(!more || strstr(err.text, "model: 4097 tensors, and at most 4096 are read") != NULL);
        CHECK_STATUS(parse_header(both, 0, &err), want);
        CHECK_STATUS(parse_header(pairs, 0, &err), want);
        CHECK(!more || strstr(err.text, "__metadata__ has more than 256 entries") != NULL);
        free(arrays);
        free(both);
        free(pairs);
    }
    size_t size = LC_VALUE_BYTES + 100;
    char *text = case_array(size, 1), *value = case_array(LC_VALUE_BYTES + 2, 1);
    memset(value, 'v', LC_VALUE_BYTES + 1);
    snprintf(text, size, "{\"__metadata__\":{\"k\":\"%s\"}}", value);
    BROKEN(text, 0, "__metadata__ \"k\": a key has 1 to 255 bytes, its string up to 1048576");
    snprintf(text, size, "{\"__metadata__\":{\"k\":\"%s\"}}", value + 1);
    CHECK_STATUS(parse_header(text, 0, NULL), LOCO_OK);
    free(text);
    free(value);
}

static void check_raw(const char *bytes, size_t length, const char *words, int line)
{
    loco_err err = {""};
    lc_tensors *file = NULL;
    check_status(lc_tensors_parse(&file, bytes, length, &err), LOCO_EDATA, __FILE__, line, words);
    check_says(err.text, words, __FILE__, line);
}

static void header_lengths_are_checked(void)
{
    check_raw("", 0, "model is not a LoCo model: it is empty; loco train makes one", __LINE__);
    check_raw("\x02\0\0\0\0\0\0", 7, "it begins with \"???????\"", __LINE__);
    check_raw("\x02\0\0\0\0\0\0\0", 8, "it begins with \"????????\"; loco train makes one", __LINE__);
    check_raw("\x02\0\0\0\0\0\0\0{", 9, "model is cut short: its header has 2 bytes, and only 1 are there", __LINE__);
    check_raw("\0\0\0\0\0\0\0\0{}", 10, "model is not a LoCo model: it begins with \"????????{}\"", __LINE__);
    check_raw("\x03\0\0\0\0\0\0\0{}", 10, "its header has 3 bytes, and only 2 are there", __LINE__);
    check_raw("\x01\0\0\x01\0\0\0\0{}", 10, "its header would have 16777217 bytes, and at most 16777216 are read",
              __LINE__);
    check_raw("\0\0\0\x01\0\0\0\0{}", 10, "its header has 16777216 bytes, and only 2 are there", __LINE__);
    check_raw("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10, "would have 18446744073709551615 bytes", __LINE__);
    check_raw("RIFF\x24\x08\0\0WAVEfmt ", 16, "model is not a LoCo model: it begins with \"RIFF$???WAVEfmt \"",
              __LINE__);
    check_raw("time,class\r\n0.5,kick\n", 22, "not a LoCo model: it begins with \"time,class\"; loco train", __LINE__);
    check_raw("\x02\0\0\0\0\0\0\0{}", (size_t)LC_FILE_BYTES + 1, "model has 1073741825 bytes, and at most 1073741824",
              __LINE__);
}

/* A small file with one of everything. */
static char *small_file(size_t *length)
{
    const float w[] = {1, 2, 3};
    const uint64_t r[] = {5, 6};
    lc_array arrays[] = {
        {"w", LC_F32, 1, {3}, w},
        {"e", LC_F64, 1, {0}, w},
        {"r", LC_U64, 1, {2}, r}
    };
    lc_pair pairs[] = {
        {"k", "\xc3\xa9\n"}
    };
    char *bytes = NULL;
    CHECK_STATUS(lc_tensors_format(&bytes, length, arrays, 3, pairs, 1, NULL), LOCO_OK);
    return bytes;
}

/* In a block of exactly its length, so that a byte too far is seen. */
static void cut_files_are_refused(void)
{
    size_t length;
    char *bytes = small_file(&length);
    for (size_t cut = 0; cut < length; cut++) {
        char *part = case_array(cut, 1);
        memcpy(part, bytes, cut);
        check_raw(part, cut, "model", __LINE__);
        free(part);
    }
    free(bytes);
}

/* Whatever one wrong byte does, it is either refused with a message or read within bounds. */
static void wrong_bytes_do_no_harm(void)
{
    size_t length, refused = 0;
    char *bytes = small_file(&length);
    for (size_t i = 0; i < length; i++) {
        char old = bytes[i];
        for (int value = 0; value < 256; value++) {
            lc_tensors *file = NULL;
            loco_err err = {""};
            bytes[i] = (char)value;
            if (lc_tensors_parse(&file, bytes, length, &err) != LOCO_OK)
                refused += file == NULL && err.text[0] != 0;
            lc_tensors_free(file);
        }
        bytes[i] = old;
    }
    CHECK(refused > length * 100);
    free(bytes);
}

/* ---- expectations and paths ---- */

static void expectations_are_explained(void)
{
    size_t length;
    char *bytes = small_file(&length);
    lc_tensors *file = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_tensors_parse(&file, bytes, length, NULL), LOCO_OK);
    CHECK_STATUS(lc_tensors_expect(file, &(lc_array){"x", LC_F32, 1, {3}, NULL}, &err), LOCO_EDATA);
    CHECK_STR(err.text, "model: tensor \"x\" is missing");
    CHECK_STATUS(lc_tensors_expect(file, &(lc_array){"w", LC_U64, 1, {3}, NULL}, &err), LOCO_EDATA);
    CHECK_STR(err.text, "model: tensor \"w\" holds F32, and must hold U64");
    CHECK_STATUS(lc_tensors_expect(file,
                                   &(lc_array){
                                       "w", LC_F32, 2, {3, 4},
                                          NULL
    },
                                   &err),
                 LOCO_EDATA);
    CHECK_STR(err.text, "model: tensor \"w\" has shape [3], and must have [3,4]");
    CHECK_STATUS(lc_tensors_expect(file, &(lc_array){"w", LC_F32, 0, {0}, NULL}, &err), LOCO_EDATA);
    CHECK_STR(err.text, "model: tensor \"w\" has shape [3], and must have []");
    CHECK_STATUS(lc_tensors_expect(file, &(lc_array){"w", LC_F32, 1, {3}, NULL}, &err), LOCO_OK);
    lc_tensors_free(file);
    free(bytes);
}

static void files_are_saved_and_loaded(void)
{
    char folder[] = "/tmp/loco-tensors-XXXXXX", path[300], deep[200];
    CHECK(mkdtemp(folder) != NULL);
    memset(deep, 'd', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    snprintf(path, sizeof path, "%s/%s", folder, deep);
    const float w = 5;
    lc_tensors *file = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_tensors_save(path, &(lc_array){"w", LC_F32, 0, {0}, &w}, 1, NULL, 0, &err), LOCO_OK);
    CHECK_STATUS(lc_tensors_load(path, &file, &err), LOCO_OK);
    CHECK(file != NULL && file->arrays_len == 1 && strlen(file->where) == LC_WHERE_BYTES - 1);
    CHECK(file != NULL && strncmp(file->where, "...ddd", 6) == 0);
    CHECK(unlink(path) == 0);
    lc_tensors_free(file);
    file = NULL;
    CHECK_STATUS(lc_tensors_load(path, &file, &err), LOCO_EIO);
    CHECK_STATUS(lc_tensors_load(folder, &file, &err), LOCO_EIO);
    CHECK_STATUS(lc_tensors_save(folder, &(lc_array){"w", LC_F32, 0, {0}, &w}, 1, NULL, 0, &err), LOCO_EIO);
    CHECK(file == NULL);
    CHECK(rmdir(folder) == 0);
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(too_many_are_refused);
    RUN(bytes_are_as_documented);
    RUN(every_bit_comes_back);
    RUN(entries_have_three_parts);
    RUN(dtypes_are_known);
    RUN(shapes_are_sizes);
    RUN(offsets_lie_in_the_data);
    RUN(every_byte_has_one_owner);
    RUN(metadata_are_strings);
    RUN(numbers_of_entries_are_limited);
    RUN(header_lengths_are_checked);
    RUN(cut_files_are_refused);
    RUN(wrong_bytes_do_no_harm);
    RUN(expectations_are_explained);
    RUN(files_are_saved_and_loaded);
    return check_done();
}
