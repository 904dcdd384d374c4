/* SPDX-License-Identifier: MIT
 * test_model_file.c - models to and from files: what is refused and with which message, then every bit restored.
 *   With a path as argument it only writes a model there, with parameters 0, 1, 2, ..., for test_model_python.py. */
#include "model_cases.h"

#include "base/file.h"

#include <stdint.h>

static case_model small;

/* ---- saving ---- */

static void check_unsavable(const case_model *m, const lc_model_info *info, loco_status want, const char *words,
                            int line)
{
    loco_err err = {""};
    const char *path = case_path("never");
    check_status(lc_model_file_save(path, &m->net, m->params, info, &err), want, __FILE__, line, "save");
    check_says(err.text, "never: ", __FILE__, line);
    check_says(err.text, words, __FILE__, line);
    check_true(access(path, F_OK) != 0, __FILE__, line, "no file");
}

static void wrong_models_are_not_saved(void)
{
    lc_model_info info = small.info;
    const char *twice[] = {"a", "b", "a"}, *empty[] = {"a", "", "b"}, *bytes[] = {"a", "\xff", "b"};
    lc_pair own[] =
        {
            {"loco", "x"}
    },
            format[] = {{"format", "x"}}, bad[] = {{"k", "\xff"}}, sum[] = {{"checksum", LC_SUM_ZEROS}};
    info.classes_len = 2;
    check_unsavable(&small, &info, LOCO_EDATA, "2 classes have a name, and the network gives 3", __LINE__);
    info = (lc_model_info){twice, 3, NULL, 0};
    check_unsavable(&small, &info, LOCO_EDATA, "class \"a\" is there twice", __LINE__);
    info.classes = empty;
    check_unsavable(&small, &info, LOCO_EDATA, "class \"\": a name has 1 to 255 bytes of UTF-8", __LINE__);
    info.classes = bytes;
    check_unsavable(&small, &info, LOCO_EDATA, "class \"?\": a name has", __LINE__);
    info = (lc_model_info){small.names, 3, own, 1};
    check_unsavable(&small, &info, LOCO_EARG, "the key \"loco\" is for the model itself", __LINE__);
    info.pairs = format;
    check_unsavable(&small, &info, LOCO_EARG, "the key \"format\" is for the model itself", __LINE__);
    info.pairs = sum;
    check_unsavable(&small, &info, LOCO_EARG, "the key \"checksum\" is for the model itself", __LINE__);
    info.pairs = bad;
    check_unsavable(&small, &info, LOCO_EARG, "metadata \"k\" must be at most", __LINE__);

    case_model diverged;
    case_model_make(&diverged, &case_nets[0], 3);
    diverged.params[4] = NAN;
    check_unsavable(&diverged, &diverged.info, LOCO_EDATA, "tensor \"0.dense.bias\": number 1 is not a number",
                    __LINE__);
    diverged.params[4] = -INFINITY;
    check_unsavable(&diverged, &diverged.info, LOCO_EDATA, "number 1 is infinite, and all must be finite", __LINE__);
    free(diverged.params);
}

/* ---- loading ---- */

/* Loads a file that must be refused with these words. */
static void check_unloadable(const char *path, loco_status want, const char *words, int line)
{
    loco_err err = {""};
    lc_model_file *model = NULL;
    check_status(lc_model_file_load(path, &model, &err), want, __FILE__, line, words);
    check_true(model == NULL, __FILE__, line, "untouched");
    check_says(err.text, words, __FILE__, line);
    lc_model_file_free(model);
    check_status(lc_model_file_load(path, &model, NULL), want, __FILE__, line, words);
}

static void check_changed(void (*change)(case_parts *parts), const char *words, int line)
{
    const char *path = case_path("changed");
    CHECK_STATUS(lc_model_file_save(path, &small.net, small.params, &small.info, NULL), LOCO_OK);
    case_rewrite(path, change);
    check_unloadable(path, LOCO_EDATA, words, line);
    check_unloadable(path, LOCO_EDATA, case_folder, line);
    unlink(path);
}

#define CHANGED(change, words) check_changed((change), (words), __LINE__)

static void missing(case_parts *p)
{
    p->arrays_len--;
}

static void extra(case_parts *p)
{
    p->arrays[p->arrays_len++] = (lc_array){"1.dense.weight", LC_F32, 0, {0}, "abcd"};
}

static void state_of_training(case_parts *p)
{
    p->arrays[p->arrays_len++] = (lc_array){"adam.m", LC_F32, 0, {0}, "abcd"};
}

static void other_shape(case_parts *p)
{
    p->arrays[0].shape[0] = 3;
    p->arrays[0].shape[1] = 1;
}

static void other_type(case_parts *p)
{
    static const double doubles[3];
    p->arrays[1].dtype = LC_F64;
    p->arrays[1].data = doubles;
}

static void infinite(case_parts *p)
{
    static const float numbers[] = {1, 2, INFINITY};
    p->arrays[1].data = numbers;
}

static void wrong_tensors_are_refused(void)
{
    CHANGED(missing, "changed: tensor \"0.dense.bias\" is missing");
    CHANGED(extra, "changed: tensor \"1.dense.weight\" belongs to no layer of the network");
    CHANGED(state_of_training, "tensor \"adam.m\" belongs to no layer of the network");
    CHANGED(other_shape, "tensor \"0.dense.weight\" has shape [3,1], and must have [1,3]");
    CHANGED(other_type, "tensor \"0.dense.bias\" holds F64, and must hold F32");
    CHANGED(infinite, "tensor \"0.dense.bias\": number 2 is infinite, and all must be finite");
}

static void no_format(case_parts *p)
{
    p->pairs[0].key = "other";
}

static void other_format(case_parts *p)
{
    p->pairs[0].value = "pt";
}

static void no_description(case_parts *p)
{
    p->pairs[1].key = "other";
}

static const char *description;

static void other_description(case_parts *p)
{
    p->pairs[1].value = description;
}

#define DESCRIBED(text, words) (description = (text), check_changed(other_description, (words), __LINE__))
#define REST ",\"network\":\"dense 3\",\"input\":[1,1],\"classes\":[\"a\",\"b\",\"c\"]}"
#define FRONT "{\"version\":1,\"network\":\"dense 3\",\"input\":"

static void wrong_metadata_are_refused(void)
{
    CHANGED(no_format, "is a safetensors file, but not a LoCo model: its \"format\" is \"\", not \"loco-model\"");
    CHANGED(other_format, "not a LoCo model: its \"format\" is \"pt\", not \"loco-model\"");
    CHANGED(no_description, "the description is missing from the metadata, key \"loco\"");
    DESCRIBED("{\"version\":2,\"all\":\"new\"}",
              "has version 2 of the model format, and LoCo 0.2.0 reads up to 1: please update LoCo");
    DESCRIBED("{\"version\":\"1\"" REST, "the description's \"version\" must be a whole number from 1");
    DESCRIBED("{\"version\":0" REST, "the description's \"version\" must be a whole number from 1");
    DESCRIBED("{\"version\":1.5" REST, "the description's \"version\" must be a whole number from 1");
    DESCRIBED("{\"version\":1,\"clases\":[]" REST,
              "\"clases\" is unknown; the keys are version, network, input, classes");
    DESCRIBED("[1]", "the description must be a JSON object");
    DESCRIBED("{\"version\":1", "changed: description, byte 12: a comma or } is missing");
    DESCRIBED("{\"version\":1,\"version\":1" REST, "description: the key \"version\" is there twice");
    DESCRIBED("", "description, byte 0: a value is");
}

static void wrong_descriptions_are_refused(void)
{
    DESCRIBED("{\"version\":1,\"network\":3,\"input\":[1,1],\"classes\":[]}", "\"network\" must be a string");
    DESCRIBED("{\"version\":1,\"network\":\"dens 3\",\"input\":[1,1],\"classes\":[]}",
              "changed: network line, column 1: \"dens\" is wrong here");
    DESCRIBED("{\"version\":1,\"network\":\"dense 3\",\"classes\":[]}", "\"input\" must be bins and channels");
    DESCRIBED(FRONT "[1],\"classes\":[]}", "\"input\" must be bins and channels");
    DESCRIBED(FRONT "[1,-1],\"classes\":[]}", "\"input\" must be bins and channels");
    DESCRIBED(FRONT "[1,1]}", "\"classes\" must be an array of names");
    DESCRIBED(FRONT "[1,1],\"classes\":\"a\"}", "\"classes\" must be an array of names");
    DESCRIBED(FRONT "[1,1],\"classes\":[\"a\",\"b\",3]}", "\"classes\" must be an array of names");
    DESCRIBED(FRONT "[1,1],\"classes\":[\"a\",\"b\"]}", "2 classes have a name, and the network gives 3");
    DESCRIBED(FRONT "[1,1],\"classes\":[\"a\",\"b\",\"a\"]}", "class \"a\" is there twice");
    DESCRIBED(FRONT "[2,1],\"classes\":[\"a\",\"b\",\"c\"]}",
              "tensor \"0.dense.weight\" has shape [1,3], and must have [2,3]");
}

/* Networks that no file can hold, some with sizes beyond size_t. */
static void huge_networks_are_refused(void)
{
    DESCRIBED(FRONT "[0,1],\"classes\":[]}", "changed: input frames of 0 bins and 1 channels");
    DESCRIBED(FRONT "[1048576,1048576],\"classes\":[]}", "changed: input frames of 1048576 bins and 1048576 channels");
    DESCRIBED("{\"version\":1,\"network\":\"dense 65536, dense 65536, dense 3\",\"input\":[1,1],\"classes\":[]}",
              "changed: network line, column ");
    lc_text text = {0};
    lc_text_string(&text, "{\"version\":1,\"network\":\"");
    for (int i = 0; i < 20; i++)
        lc_text_string(&text, "gather 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15, ");
    lc_text_string(&text, "dense 3\",\"input\":[64,1],\"classes\":[\"a\",\"b\",\"c\"]}");
    DESCRIBED(text.bytes, "changed: network line, column ");
    lc_text_free(&text);
}

/* A wrong LOCO_KERNELS is not the file's fault. */
static void kernels_are_not_the_files_fault(void)
{
    const char *path = case_path("kernels");
    CHECK_STATUS(lc_model_file_save(path, &small.net, small.params, &small.info, NULL), LOCO_OK);
    const char *old = getenv("LOCO_KERNELS");
    char *kept = old != NULL ? strdup(old) : NULL;
    CHECK(setenv("LOCO_KERNELS", "mmx", 1) == 0);
    check_unloadable(path, LOCO_EARG, "LOCO_KERNELS", __LINE__);
    CHECK(kept != NULL ? setenv("LOCO_KERNELS", kept, 1) == 0 : unsetenv("LOCO_KERNELS") == 0);
    free(kept);
    unlink(path);
}

static void wrong_files_are_refused(void)
{
    check_unloadable(case_path("missing"), LOCO_EIO, "missing", __LINE__);
    check_unloadable(case_folder, LOCO_EIO, case_folder, __LINE__);
    CHECK_STATUS(lc_file_save(case_path("text"), "not a model at all", 18, NULL), LOCO_OK);
    check_unloadable(case_path("text"), LOCO_EDATA, "text is not a LoCo model: it begins with", __LINE__);
    CHECK_STATUS(lc_file_save(case_path("text"), "", 0, NULL), LOCO_OK);
    check_unloadable(case_path("text"), LOCO_EDATA, "text is not a LoCo model: it is empty", __LINE__);
    unlink(case_path("text"));
}

/* ---- round trip ---- */

static void no_checksum(case_parts *p)
{
    CHECK_STR(p->pairs[p->pairs_len - 1].key, LC_SUM_KEY);
    p->pairs_len--;
}

/* Every bit of a file counts; files without a sum, of earlier versions, are read. */
static void flipped_bits_are_found(void)
{
    const char *path = case_path("flipped");
    char *bytes = NULL;
    size_t length = 0, accepted = 0;
    CHECK_STATUS(lc_model_file_save(path, &small.net, small.params, &small.info, NULL), LOCO_OK);
    CHECK_STATUS(lc_file_load(path, LC_FILE_BYTES, &bytes, &length, NULL), LOCO_OK);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        lc_tensors *file = NULL;
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        if (lc_tensors_parse(&file, bytes, length, NULL) == LOCO_OK) {
            accepted++;
            printf("    bit %zu of byte %zu\n", bit % 8, bit / 8);
        }
        lc_tensors_free(file);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    }
    CHECK_EQ(accepted, 0);
    lc_model_file *model = NULL;
    case_rewrite(path, no_checksum);
    CHECK_STATUS(lc_model_file_load(path, &model, NULL), LOCO_OK);
    lc_model_file_free(model);
    free(bytes);
    unlink(path);
}

static void check_same_info(const lc_model_info *a, const lc_model_info *b)
{
    CHECK_EQ(a->classes_len, b->classes_len);
    CHECK_EQ(a->pairs_len, b->pairs_len);
    for (size_t i = 0; i < a->classes_len && i < b->classes_len; i++)
        CHECK_STR(a->classes[i], b->classes[i]);
    for (size_t i = 0; i < a->pairs_len && i < b->pairs_len; i++) {
        CHECK_STR(a->pairs[i].key, b->pairs[i].key);
        CHECK_STR(a->pairs[i].value, b->pairs[i].value);
    }
}

static void check_same_net(const lc_net *a, const lc_net *b)
{
    lc_text line_a = {0}, line_b = {0};
    lc_net_format(a, &line_a);
    lc_net_format(b, &line_b);
    CHECK_STR(line_a.bytes, line_b.bytes);
    CHECK(a->in_F == b->in_F && a->in_C == b->in_C && a->classes == b->classes);
    CHECK_EQ(a->params, b->params);
    lc_text_free(&line_a);
    lc_text_free(&line_b);
}

static void models_come_back(void)
{
    for (size_t i = 0; i < CASE_NETS; i++) {
        case_model m;
        lc_model_file *model = NULL, *parsed = NULL;
        lc_tensors *tensors;
        char *first, *second;
        size_t first_len = 0, second_len = 1;
        const char *path = case_path("model");
        case_model_make(&m, &case_nets[i], i);
        CHECK_STATUS(lc_model_file_save(path, &m.net, m.params, &m.info, NULL), LOCO_OK);
        CHECK_STATUS(lc_model_file_load(path, &model, NULL), LOCO_OK);
        CHECK_STATUS(lc_file_load(path, SIZE_MAX, &first, &first_len, NULL), LOCO_OK);
        CHECK_STATUS(lc_tensors_parse(&tensors, first, first_len, NULL), LOCO_OK);
        CHECK_STATUS(lc_model_file_read(tensors, &parsed, NULL), LOCO_OK);
        lc_tensors_free(tensors);
        if (model == NULL || parsed == NULL)
            exit(1);
        check_same_net(&model->net, &m.net);
        check_same_info(&model->info, &m.info);
        CHECK(case_same(model->params, m.params, m.net.params * sizeof *m.params));
        CHECK(case_same(parsed->params, m.params, m.net.params * sizeof *m.params));
        CHECK((uintptr_t)model->params % LC_ALIGN == 0);

        /* Saved again, it is the same file. */
        CHECK_STATUS(lc_model_file_save(path, &model->net, model->params, &model->info, NULL), LOCO_OK);
        CHECK_STATUS(lc_file_load(path, SIZE_MAX, &second, &second_len, NULL), LOCO_OK);
        CHECK(first_len == second_len && memcmp(first, second, first_len) == 0);
        free(first);
        free(second);
        lc_model_file_free(model);
        lc_model_file_free(parsed);
        free(m.params);
        unlink(path);
    }
    lc_model_file_free(NULL);
}

static void tensors_have_their_names(void)
{
    static const char *const names[] = {"0.conv.weight", "0.conv.bias",      "1.conv.weight", "1.conv.bias",
                                        "2.lstm.weight", "2.lstm.recurrent", "2.lstm.bias",   "3.dense.weight",
                                        "3.dense.bias",  "4.dense.weight",   "4.dense.bias"};
    enum { NAMES = sizeof names / sizeof *names };
    case_model m;
    lc_tensors *file = NULL;
    case_model_make(&m, &case_nets[1], 1);
    CHECK_STATUS(lc_model_file_save(case_path("names"), &m.net, m.params, &m.info, NULL), LOCO_OK);
    CHECK_STATUS(lc_tensors_load(case_path("names"), &file, NULL), LOCO_OK);
    CHECK_EQ(file->arrays_len, NAMES);
    for (size_t i = 0; i < NAMES && i < file->arrays_len; i++)
        CHECK_STR(file->arrays[i].name, names[i]);
    lc_tensors_free(file);
    free(m.params);
    unlink(case_path("names"));
}

static int write_example(const char *path)
{
    case_model m;
    loco_err err;
    case_model_make(&m, &case_nets[1], 1);
    for (size_t i = 0; i < m.net.params; i++)
        m.params[i] = (float)i;
    loco_status status = lc_model_file_save(path, &m.net, m.params, &m.info, &err);
    if (status != LOCO_OK)
        fprintf(stderr, "%s\n", err.text);
    free(m.params);
    return status == LOCO_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return write_example(argv[1]);
    case_begin();
    case_model_make(&small, &case_nets[0], 9);
    RUN(wrong_models_are_not_saved);
    RUN(wrong_tensors_are_refused);
    RUN(wrong_metadata_are_refused);
    RUN(wrong_descriptions_are_refused);
    RUN(huge_networks_are_refused);
    RUN(kernels_are_not_the_files_fault);
    RUN(wrong_files_are_refused);
    RUN(flipped_bits_are_found);
    RUN(models_come_back);
    RUN(tensors_have_their_names);
    free(small.params);
    CHECK(rmdir(case_folder) == 0);
    return check_done();
}
