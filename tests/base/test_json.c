/* SPDX-License-Identifier: MIT
 * test_json.c - what counts as JSON: all of RFC 8259 within limits, and nothing else; each refusal with its place. */
#include "cases.h"

#include "base/json.h"

static void check_refused(const char *text, size_t length, const char *words, const char *file, int line)
{
    loco_err err = {""};
    cJSON *root = NULL;
    check_status(lc_json_parse(&root, "x", text, length, &err), LOCO_EDATA, file, line, text);
    check_true(root == NULL && strncmp(err.text, "x", 1) == 0, file, line, text);
    check_says(err.text, words, file, line);
    cJSON_Delete(root);
    check_status(lc_json_parse(&root, "x", text, length, NULL), LOCO_EDATA, file, line, text);
}

#define REFUSED(text, words) check_refused((text), sizeof(text) - 1, (words), __FILE__, __LINE__)

static void what_is_no_value_is_refused(void)
{
    REFUSED("", "byte 0: a value is");
    REFUSED("  ", "byte 2: a value is");
    REFUSED("nul", "byte 0: a value is");
    REFUSED("True", "a value is");
    REFUSED("NaN", "a value is");
    REFUSED("+1", "a value is");
    REFUSED("'a'", "a value is");
    REFUSED("\xef\xbb\xbf{}", "a value is");
    REFUSED("{} x", "byte 3: something follows");
    REFUSED("{}\0", "byte 2: something follows");
    REFUSED("[1,]", "byte 3: a value is");
    REFUSED("[1 2]", "byte 3: a comma or ] is missing");
    REFUSED("[1", "byte 2: a comma or ] is missing");
    REFUSED("{\"a\":1", "byte 6: a comma or } is missing");
    REFUSED("{\"a\" 1}", "byte 5: a colon is missing");
    REFUSED("{a:1}", "byte 1: a string in quotation marks");
    REFUSED("{\"a\":1,}", "byte 7: a string in quotation marks");
    REFUSED("{1:2}", "byte 1: a string in quotation marks");
}

static void wrong_numbers_are_refused(void)
{
    REFUSED("01", "byte 1: something follows");
    REFUSED("-", "byte 1: a digit is missing");
    REFUSED("1.", "byte 2: a digit is missing");
    REFUSED(".5", "a value is");
    REFUSED("1e", "byte 2: a digit is missing");
    REFUSED("1e+", "byte 3: a digit is missing");
    REFUSED("0x10", "byte 1: something follows");
    REFUSED("11111111111111111111111111111111111111111", "40 characters");
}

static void wrong_strings_are_refused(void)
{
    REFUSED("\"a", "byte 2: the string has no end");
    REFUSED("\"a\\", "byte 3: a backslash is followed by");
    REFUSED("\"a\\\0\"", "byte 3: a backslash is followed by");
    REFUSED("\"a\\x\"", "byte 3: a backslash is followed by");
    REFUSED("\"\\u12\"", "byte 5: \\u needs four");
    REFUSED("\"\\u12g4\"", "byte 5: \\u needs four");
    REFUSED("\"\\u12\0\"", "byte 5: \\u needs four");
    REFUSED("\"\\u0000\"", "\\u0000 is not allowed");
    REFUSED("\"\\ud800\"", "half of a pair");
    REFUSED("\"\\udc00\"", "half of a pair");
    REFUSED("\"\\ud800\\u0041\"", "half of a pair");
    REFUSED("\"\\ud800\\n\"", "half of a pair");
    REFUSED("\"\\ud800\\ue000\"", "half of a pair");
    REFUSED("\"\\udc00\\udc00\"", "half of a pair");
    REFUSED("\"a\nb\"", "byte 2: a control character");
    REFUSED("\"a\0b\"", "byte 2: a control character");
    REFUSED("\"a\x1f\"", "byte 2: a control character");
    REFUSED("\"\xff\"", "byte 1: the string is not UTF-8");
    REFUSED("\"\xc0\x80\"", "not UTF-8");
    REFUSED("\"\xc3\"", "not UTF-8");
    REFUSED("\"\xe0\x80\x80\"", "not UTF-8");
    REFUSED("\"\xed\xa0\x80\"", "not UTF-8");
    REFUSED("\"\xf4\x90\x80\x80\"", "not UTF-8");
    REFUSED("\"\xe2\x82\"", "not UTF-8");
    REFUSED("\"\xe2\x82", "not UTF-8");
}

static void keys_are_unique(void)
{
    REFUSED("{\"a\":1,\"b\":2,\"a\":3}", "the key \"a\" is there twice");
    REFUSED("{\"\\u0061\":1,\"a\":3}", "the key \"a\" is there twice");
    REFUSED("[{\"o\":{\"b\":1,\"b\":2}}]", "the key \"b\" is there twice");
    REFUSED("{\"a\\u001b[2J\":1,\"a\\u001b[2J\":2}", "\"a?[2J\"");
}

/* The deepest that passes, and one more. */
static void depth_has_a_limit(void)
{
    char text[2 * LC_JSON_DEPTH + 3] = "";
    for (size_t depth = LC_JSON_DEPTH; depth <= LC_JSON_DEPTH + 1; depth++) {
        loco_err err = {""};
        cJSON *root = NULL;
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        loco_status status = lc_json_parse(&root, "x", text, 2 * depth, &err);
        CHECK_STATUS(status, depth <= LC_JSON_DEPTH ? LOCO_OK : LOCO_EDATA);
        if (status != LOCO_OK)
            CHECK_SAYS(err.text, "byte 17: nested more than 16 deep");
        cJSON_Delete(root);
    }
    size_t length = 1000000;
    char *deep = case_array(length + 1, 1);
    memset(deep, '[', length);
    check_refused(deep, length, "nested more than 16 deep", __FILE__, __LINE__);
    free(deep);
}

static void values_have_a_limit(void)
{
    size_t values = LC_JSON_VALUES; /* the array is one, so that this has one too many */
    char *text = case_array(2 * values + 2, 1);
    text[0] = '[';
    for (size_t i = 1; i < 2 * values; i++)
        text[i] = i % 2 == 0 ? ',' : '1';
    text[2 * values] = ']';
    check_refused(text, 2 * values + 1, "more than 131072 values", __FILE__, __LINE__);
    cJSON *root = NULL;
    text[2 * values - 2] = ']';
    CHECK_STATUS(lc_json_parse(&root, "x", text, 2 * values - 1, NULL), LOCO_OK);
    cJSON_Delete(root);
    free(text);
}

static void what_is_json_is_read(void)
{
    const char text[] =
        " {\"a\\n\\u00e9\\ud83d\\ude00\":[0,-0,1.5,-2e3,12E-1,true,false,null,\"\"],\"\":{},\"e\":[ ]}\n\t\r ";
    cJSON *root = NULL;
    CHECK_STATUS(lc_json_parse(&root, "x", text, sizeof text - 1, NULL), LOCO_OK);
    CHECK(cJSON_IsObject(root) && cJSON_GetArraySize(root) == 3);
    if (root != NULL) {
        CHECK_STR(root->child->string, "a\n\xc3\xa9\xf0\x9f\x98\x80");
        CHECK(cJSON_GetArraySize(root->child) == 9);
        CHECK_NEAR(cJSON_GetArrayItem(root->child, 3)->valuedouble, -2000, 0);
    }
    cJSON_Delete(root);
}

/* A text cut anywhere is refused, at or before the cut. */
static void cut_text_is_refused(void)
{
    const char text[] = "{\"a\":[1.5e3,\"\\ud83d\\ude00\xc3\xa9\",{\"b\":true}],\"c\":null}";
    for (size_t length = 0; length < sizeof text - 1; length++) {
        char *copy = case_array(length + 1, 1);
        memcpy(copy, text, length);
        check_refused(copy, length, ", byte ", __FILE__, __LINE__);
        free(copy);
    }
}

static bool size_of(const char *number, size_t *size)
{
    cJSON *root = NULL;
    CHECK_STATUS(lc_json_parse(&root, "x", number, strlen(number), NULL), LOCO_OK);
    bool is_size = lc_json_size(root, size);
    cJSON_Delete(root);
    return is_size;
}

static void sizes_are_whole(void)
{
    size_t size = 77;
    CHECK(!lc_json_size(NULL, &size));
    CHECK(!size_of("-1", &size) && !size_of("0.5", &size) && !size_of("1e300", &size) && !size_of("1e999", &size));
    CHECK(!size_of("9007199254740994", &size) && !size_of("\"1\"", &size) && !size_of("true", &size) &&
          !size_of("[1]", &size));
    CHECK_EQ(size, 77);
    CHECK(size_of("0", &size) && size == 0);
    CHECK(size_of("1e3", &size) && size == 1000);
    CHECK(size_of("9007199254740992", &size) && size == (size_t)1 << 53);
}

/* Every character that a string may hold comes back. */
static void written_strings_are_read(void)
{
    char string[300] = "";
    size_t used = 0;
    for (int c = 1; c < 128; c++)
        string[used++] = (char)c;
    memcpy(string + used, "\xc2\x80\xe2\x82\xac\xe2\x80\xae\xf4\x8f\xbf\xbf", 13);
    lc_text text = {0};
    lc_json_append(&text, string);
    CHECK_SAYS(text.bytes, "\\u0080\xe2\x82\xac\\u202e\xf4"); /* what would reorder a line is escaped */
    cJSON *root = NULL;
    CHECK_STATUS(lc_json_parse(&root, "x", text.bytes, text.length, NULL), LOCO_OK);
    CHECK_STR(cJSON_GetStringValue(root), string);
    cJSON_Delete(root);
    lc_text_free(&text);
}

int main(void)
{
    RUN(what_is_no_value_is_refused);
    RUN(wrong_numbers_are_refused);
    RUN(wrong_strings_are_refused);
    RUN(keys_are_unique);
    RUN(depth_has_a_limit);
    RUN(values_have_a_limit);
    RUN(what_is_json_is_read);
    RUN(cut_text_is_refused);
    RUN(sizes_are_whole);
    RUN(written_strings_are_read);
    return check_done();
}
