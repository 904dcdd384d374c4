/* SPDX-License-Identifier: MIT
 * test_torch_reference.c - whole networks, the published ones for drums and piano and one for images among them,
 * against
 *   PyTorch in double: the exact count loss of a batch, and every gradient tensor. The numbers, and how they were made,
 *   are in torch_reference.py.
 *
 * Errors are relative to the largest entry of the tensor. Of no tensor may it be more than three times the one that
 * PyTorch makes in float, the largest of many draws of weights and inputs.
 *
 * For test_torch_gradients.py, which compares all draws:
 *   test_torch_reference sets        prints the names of the sets of kernels that run here
 *   test_torch_reference gradients   reads such networks and draws, without numbers, from standard input, and writes
 *   all
 *                                    gradients as floats */
#include "train.h"

#include <inttypes.h>

enum { SEQUENCES = 2, FRAMES = 24, CLASSES = 16 };

enum { TENSORS = 64 };

static const double ceiling_error = 2e-3;

static FILE *file;

/* The end of the test when the file is not as it should be. */
static void need(int good)
{
    if (!good) {
        fprintf(stderr, "%s: not as expected near byte %ld\n",
                file == stdin ? "standard input" : "tests/data/torch_reference.txt", ftell(file));
        exit(1);
    }
}

/* The same numbers as noise() in torch_reference.py. */
static void noise(uint64_t state, size_t n, double scale, float *x)
{
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[i] = (float)(((double)(state >> 40) / 8388608.0 - 1) * scale);
    }
}

static size_t tensor_size(const lc_tensor *tensor)
{
    size_t size = 1;
    for (size_t r = 0; r < tensor->rank; r++)
        size *= tensor->shape[r];
    return size;
}

static double tensor_scale(const lc_tensor *tensor)
{
    if (tensor->rank == 1)
        return 0.1;
    size_t inputs = tensor_size(tensor) / tensor->shape[tensor->rank - 1];
    return sqrt((tensor->rank == 4 ? 6.0 : 2.0) / (double)inputs);
}

static void fill_weights(const lc_net *net, float *params, uint64_t seed)
{
    size_t at = 0, number = 0;
    for (size_t l = 0; l < net->layers_len; l++) {
        lc_tensor tensors[LC_TENSORS_MAX];
        size_t n = net->layers[l].ops->tensors(&net->layers[l], tensors);
        for (size_t i = 0; i < n; i++) {
            noise(seed + 1000 * ++number, tensor_size(&tensors[i]), tensor_scale(&tensors[i]), params + at);
            at += tensor_size(&tensors[i]);
        }
    }
    CHECK_EQ(at, net->params);
}

/* ---- one draw ---- */

/* Reads one tensor's lines and compares its part of the gradient; the error. */
static double check_tensor(const lc_tensor *tensor, size_t layer, size_t number, uint64_t seed, const float *grad)
{
    size_t got_layer, size, entries, index;
    char name[32];
    double largest, want[2], value, error = 0, most = 0;
    need(fscanf(file, " tensor %zu %31s %zu %lf %lf %lf %zu", &got_layer, name, &size, &largest, &want[0], &want[1],
                &entries) == 7);
    CHECK_EQ(got_layer, layer);
    CHECK_STR(name, tensor->name);
    need(size == tensor_size(tensor));
    for (size_t i = 0; i < entries; i++) {
        need(fscanf(file, "%zu %lf", &index, &value) == 2 && index < size);
        worst_note(&error, (double)grad[index], value, largest);
    }
    float *random = case_array(size, sizeof *random);
    for (size_t d = 0; d < 2; d++) {
        double dot = 0;
        noise(seed + 500000 + 2 * number + d, size, 1, random);
        for (size_t i = 0; i < size; i++)
            dot += (double)random[i] * (double)grad[i];
        worst_note(&error, dot, want[d], largest * sqrt((double)size));
    }
    for (size_t i = 0; i < size; i++)
        most = fmax(most, (double)fabsf(grad[i]));
    worst_note(&error, most, largest, largest);
    free(random);
    return error;
}

/* of_torch: the errors of PyTorch. The largest ratio to them. */
static double check_gradients(const lc_net *net, const double *of_torch, size_t tensors_len, uint64_t seed,
                              const float *grads)
{
    size_t number = 0, at = 0;
    double ratio = 0;
    for (size_t l = 0; l < net->layers_len; l++) {
        lc_tensor tensors[LC_TENSORS_MAX];
        size_t n = net->layers[l].ops->tensors(&net->layers[l], tensors);
        for (size_t i = 0; i < n; i++, number++) {
            need(number < tensors_len);
            double error = check_tensor(&tensors[i], l, number, seed, grads + at);
            CHECK_NEAR(error, 0, fmin(3 * of_torch[number], ceiling_error));
            ratio = fmax(ratio, error / of_torch[number]);
            at += tensor_size(&tensors[i]);
        }
    }
    CHECK_EQ(number, tensors_len);
    return ratio;
}

/* The sequences of a network. */
typedef struct batch {
    lc_example examples[SEQUENCES];
    loco_label labels[SEQUENCES][CLASSES];
    float *frames[SEQUENCES];
    size_t n, draws, tensors;
} batch;

/* The next network of the file, and the shapes and labels of its sequences; false at its end. */
static bool read_network(lc_net *net, batch *b)
{
    char line[1024];
    size_t F, C, T, count;
    memset(b, 0, sizeof *b);
    if (fscanf(file, " network %1023[^\n]", line) != 1)
        return false;
    need(fscanf(file, " input %zu %zu %zu %zu %zu", &F, &C, &b->n, &b->draws, &b->tensors) == 5);
    need(b->n <= SEQUENCES && b->tensors <= TENSORS);
    net_of(net, line, F, C);
    need(net->classes <= CLASSES);
    for (size_t i = 0; i < b->n; i++) {
        need(fscanf(file, " sequence %zu", &T) == 1 && T <= FRAMES);
        for (size_t k = 0; k < net->classes; k++) {
            need(fscanf(file, "%zu", &count) == 1);
            b->labels[i][k] = loco_label_exact(count);
        }
        b->frames[i] = case_array(T * F * C, sizeof(float));
        b->examples[i] = (lc_example){.frames = b->frames[i], .T = T, .end = T, .labels = b->labels[i]};
    }
    return true;
}

/* Loss and gradients of the draw that belongs to a seed. */
static double step(lc_trainer *trainer, const lc_net *net, batch *b, uint64_t seed)
{
    lc_step_report report = {0};
    for (size_t i = 0; i < b->n; i++)
        noise(seed + i + 1, b->examples[i].T * net->in_F * net->in_C, 1, b->frames[i]);
    fill_weights(net, lc_trainer_state(trainer)->params, seed);
    CHECK_STATUS(lc_trainer_step(trainer, b->examples, b->n, &report, NULL), LOCO_OK);
    return report.loss;
}

/* A trainer that leaves the weights as they are. */
static lc_trainer *trainer_of(const lc_net *net, const batch *b)
{
    const lc_schedule still = {.rate = 0};
    return train_new(net, &still, FRAMES, b->n, 1);
}

static void free_frames(batch *b)
{
    for (size_t i = 0; i < SEQUENCES; i++)
        free(b->frames[i]);
}

/* ---- against the numbers of the file ---- */

/* The next network; false at the end. */
static bool check_network(void)
{
    lc_net net;
    batch b;
    double of_torch[TENSORS], ratio = 0, want;
    uint64_t seed;
    if (!read_network(&net, &b))
        return false;
    need(fscanf(file, " errors") == 0);
    for (size_t i = 0; i < b.tensors; i++)
        need(fscanf(file, "%lf", &of_torch[i]) == 1);
    lc_trainer *trainer = trainer_of(&net, &b);
    for (size_t d = 0; d < b.draws; d++) {
        need(fscanf(file, " draw %" SCNu64 " %lf", &seed, &want) == 2);
        CHECK_NEAR(step(trainer, &net, &b, seed), want, 1e-5 * want);
        ratio = fmax(ratio, check_gradients(&net, of_torch, b.tensors, seed, lc_trainer_state(trainer)->grads));
    }
    printf("    %zu tensors of %zu draws, at most %.2f times the error of PyTorch in float\n", b.tensors, b.draws,
           ratio);
    lc_trainer_free(trainer);
    free_frames(&b);
    return true;
}

static void gradients_agree_with_pytorch(void)
{
    char path[4096];
    const char *source = getenv("LOCO_SOURCE");
    snprintf(path, sizeof path, "%s/tests/data/torch_reference.txt", source != NULL ? source : ".");
    file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "cannot read %s; set LOCO_SOURCE to the folder of the sources\n", path);
        exit(1);
    }
    size_t networks = 0;
    while (check_network())
        networks++;
    CHECK_EQ(networks, 5);
    fclose(file);
}

/* ---- all gradients of many draws ---- */

static int write_gradients(void)
{
    lc_net net;
    batch b;
    uint64_t seed;
    file = stdin;
    while (read_network(&net, &b)) {
        lc_trainer *trainer = trainer_of(&net, &b);
        for (size_t d = 0; d < b.draws; d++) {
            need(fscanf(file, " draw %" SCNu64, &seed) == 1);
            step(trainer, &net, &b, seed);
            fwrite(lc_trainer_state(trainer)->grads, sizeof(float), net.params, stdout);
        }
        lc_trainer_free(trainer);
        free_frames(&b);
    }
    return fflush(stdout) != 0 || check_failed > 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "gradients") == 0)
        return write_gradients();
    bool names = argc == 2 && strcmp(argv[1], "sets") == 0;
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        if (!lc_isa_runs(isa) || setenv("LOCO_KERNELS", lc_isa_name(isa), 1) != 0)
            continue;
        printf("%s\n", lc_isa_name(isa));
        if (!names)
            RUN(gradients_agree_with_pytorch);
    }
    return names ? 0 : check_done();
}
