/* SPDX-License-Identifier: MIT
 * test_gradients.c - the gradient of every layer in the table, by central differences, on every instruction set that
 * runs here.
 *
 *   s = sum over frames and outputs of direction * output, in double; ds/dw_i against (s(w_i + h) - s(w_i - h)) / 2h.
 * A step across the kink of a ReLU or of a maximum gives two slopes, before and behind, that differ: then smaller
 * steps, down to a 32nd, look for a place beside it. Where even those differ by one and a half tolerances (the mean is
 * then three quarters of one from either, and the rest is for rounding), the gradient has to
 * lie between them, and such weights must be few; everywhere else it has to be their mean. Layers are reached through
 * a `bias` or `dense` in front, whose own gradient is right only if the layer's gradient of its input is. Dropout runs
 * as in training, with the same random numbers each time. */
#include "nets.h"

enum { F = 7, C = 2, T = 9 }; /* F: bins of those lines that do not need more */

static const double step = 2e-3, tolerance = 1e-2;

typedef struct sample {
    const char *line;
    size_t bins;
} sample;

/* Each layer with its options, first and behind another. */
static const sample samples[] = {
    {"dense 5",                                                                                   F },
    {"dense 20 relu, dense 2",                                                                    F },
    {"bias, dense 7 sigmoid",                                                                     F },
    {"bias, dense 7 tanh, dense 3",                                                               F },
    {"dense 17, dense 33 tanh, dense 1",                                                          F },
    {"conv 3x3 5 linear",                                                                         F },
    {"bias, conv 3x4 8, pool 2",                                                                  F },
    {"bias, conv 3x4 8 causal, pool 3, dense 4",                                                  F },
    {"bias, conv 3x5 6 stride 2 norm",                                                            F },
    {"bias, conv 1x2 6 stride 3 linear, conv 2x6 3 linear",                                       F },
    {"bias, conv 5x3 17 stride 2 norm linear, conv 1x1 3",                                        F },
    {"bias, conv 4x4 3 causal linear, conv 12x9 2 linear",                                        F },
 /* three frames: winograd.c, along time only and in both directions */
    {"bias, conv 3x8 5 linear",                                                                   F },
    {"conv 1x1 8 linear, conv 3x4 16, pool 2, conv 3x3 9 causal, pool 2",                         F },
    {"conv 1x1 11 linear, conv 3x2 13 causal norm linear",                                        F },
    {"bias, conv 3x9 6 causal norm linear, conv 3x3 19 linear, conv 3x1 2 linear",                F },
    {"conv 1x1 8 linear, conv 3x2 9, pool 2, dense 2",                                            F },
    {"norm, dense 4 tanh",                                                                        F },
    {"bias, norm",                                                                                F },
    {"conv 3x3 4 norm, bias, dense 3",                                                            F },
    {"conv 3x3 4 local, conv 3x3 17 local, conv 1x1 2 linear, places",                            F },
    {"bias, lstm 5",                                                                              F },
    {"lstm 7 both",                                                                               F },
    {"bias, lstm 17 both, dense 2",                                                               F },
    {"bias, gru 5",                                                                               F },
    {"gru 9 both",                                                                                F },
    {"bias, gru 17 both, dense 2",                                                                F },
    {"bias, lstmp 5",                                                                             F },
    {"bias, lstmp 17 both, dense 2",                                                              F },
    {"bias, rnn 5",                                                                               F },
    {"rnn 9 relu both",                                                                           F },
    {"bias, rnn 17 both, dense 2",                                                                F },
    {"bias, rnn 17 relu, dense 2",                                                                F },
    {"attend 1 3, dense 2",                                                                       F },
    {"bias, attend 2 9, dense 2",                                                                 F },
    {"bias, gru 5 both, attend 10 3",                                                             F },
    {"bias, shift 2, dense 2",                                                                    F },
    {"bias, gru 5, shift 12 as s, shift 1, join s, dense 2",                                      F },
    {"gather -2 0 3, conv 1x1 4",                                                                 F },
    {"bias, gather 1 0 -1 -8 8 0, dense 3",                                                       F },
    {"bias, dropout 0.4, dense 3",                                                                F },
 /* patches; then tiles, whole images, and both in one layer */
    {"image 7x1 3, dense 2",                                                                      F },
    {"bias, image 1x7 2 9, dense 2",                                                              F },
    {"dense 24, image 2x3 5, pool 2x2",                                                           F },
    {"dense 20, image 5x4 2 9 3, pool 2x2, dense 2",                                              F },
    {"bias, dense 20 tanh, image 1x2 18",                                                         F },
    {"dense 48 tanh, image 2x3 17, pool 2x2, norm, image 3 18, dense 2",                          F },
    {"dense 32, image 2x2 3 17, pool 2x2, image 5",                                               F },
    {"dense 6 tanh as a, gru 4, join a, dense 2",                                                 F },
    {"bias as x, conv 3x3 4 norm as c, conv 3x3 4, lstm 5, join c as j, join x, join j, dense 2", F },
 /* one channel: first_body.h */
    {"conv 1x1 1 linear, conv 3x4 8, pool 2",                                                     F },
    {"bias, conv 1x1 1 linear, conv 3x4 17 causal, pool 3, dense 3",                              F },
    {"conv 1x1 1 linear as x, conv 3x4 5, join x",                                                F },
 /* tiles of five frames; then more neighbours than they have numbers for */
    {"conv 1x1 8 linear, conv 3x4 16, pool 2",                                                    36},
    {"bias, conv 3x4 16, pool 64",                                                                64},
 /* shared along pitch */
    {"bias, conv 3x2 4 dilate 2 norm linear, conv 5x1 3 dilate 3 causal linear, dense 2 tanh",    F },
    {"dense 6, fold 0 1 -1 1 2 1",                                                                F },
    {"bias, crop 1 4, dense 3",                                                                   F },
    {"conv 3x3 4 norm, gather -1 0 2, conv 1x1 5 norm, bias, conv 1x1 1 linear, bias, crop 0 5",  F },
};

enum { SAMPLES = sizeof samples / sizeof *samples };

/* ---- the table ---- */

static void every_layer_has_all_functions(void)
{
    size_t n = 0;
    for (; lc_layers[n] != NULL; n++) {
        const lc_layer_ops *ops = lc_layers[n];
        CHECK(ops->name != NULL && ops->usage != NULL && ops->parse != NULL && ops->format != NULL);
        CHECK(ops->shape != NULL && ops->tensors != NULL && ops->init != NULL);
        CHECK(ops->pack != NULL && ops->unpack != NULL);
        CHECK(ops->forward != NULL && ops->backward != NULL && ops->step != NULL);
        if (ops->name == NULL || ops->usage == NULL)
            continue;
        CHECK(strncmp(ops->usage, ops->name, strlen(ops->name)) == 0);
        for (size_t i = 0; i < n; i++)
            CHECK(lc_layers[i]->name != NULL && strcmp(lc_layers[i]->name, ops->name) != 0);
    }
    CHECK(n >= 9);
}

static void every_layer_is_covered(void)
{
    lc_net net;
    for (size_t n = 0; lc_layers[n] != NULL; n++) {
        size_t behind = 0;
        for (size_t i = 0; i < SAMPLES; i++) {
            net_of(&net, samples[i].line, samples[i].bins, C);
            for (size_t l = 1; l < net.layers_len; l++)
                behind += net.layers[l].ops == lc_layers[n];
        }
        CHECK(behind > 0);
        if (behind == 0)
            fprintf(stderr, "no line has a %s behind another layer\n", lc_layers[n]->name);
    }
}

/* The named parts that the model file stores are all there is. */
static void tensors_add_up(void)
{
    lc_net net;
    for (size_t i = 0; i < SAMPLES; i++) {
        net_of(&net, samples[i].line, samples[i].bins, C);
        for (size_t l = 0; l < net.layers_len; l++) {
            const lc_layer *layer = &net.layers[l];
            lc_tensor tensors[LC_TENSORS_MAX];
            size_t n = layer->ops->tensors(layer, tensors), sum = 0;
            CHECK(n <= LC_TENSORS_MAX);
            for (size_t k = 0; k < n; k++) {
                size_t size = 1;
                for (size_t r = 0; r < tensors[k].rank; r++)
                    size *= tensors[k].shape[r];
                sum += size;
                CHECK(tensors[k].name != NULL && tensors[k].rank >= 1 && tensors[k].rank <= 4);
            }
            CHECK_EQ(sum, layer->params.size);
        }
    }
}

/* ---- differences ---- */

static double objective(net_case *c, const float *direction)
{
    lc_rng rng = lc_rng_seed(77);
    lc_map out = net_case_run(c, &rng);
    double sum = 0;
    for (size_t t = 0; t < c->T; t++)
        for (size_t k = 0; k < lc_net_outputs(&c->net); k++)
            sum += (double)out.data[t * out.row + k] * (double)direction[t * lc_net_outputs(&c->net) + k];
    return sum;
}

/* Twice, into the same grads, so that a backward that sets where it should add shows; the sum is halved. */
static void analytic(net_case *c, const float *direction)
{
    size_t K = lc_net_outputs(&c->net);
    memset(c->grads, 0, c->net.grads * sizeof(float));
    memset(c->d_params, 0, c->net.params * sizeof(float));
    for (int round = 0; round < 2; round++) {
        objective(c, direction);
        lc_map d = lc_tape_d_output(&c->tape, &c->net);
        for (size_t t = 0; t < c->T; t++)
            memcpy(d.data + t * d.row, direction + t * K, K * sizeof(float));
        lc_net_backward(&c->net, &c->tape, c->packed, c->grads);
    }
    lc_net_unpack(&c->net, c->grads, c->d_params);
    for (size_t i = 0; i < c->net.params; i++)
        c->d_params[i] *= 0.5f;
}

typedef struct slopes {
    double before, behind;
} slopes;

static slopes slopes_at(net_case *c, const float *direction, size_t i, double middle, double h)
{
    float w = c->params[i], high = w + (float)h, low = w - (float)h;
    c->params[i] = high;
    double above = objective(c, direction);
    c->params[i] = low;
    double below = objective(c, direction);
    c->params[i] = w;
    return (slopes){.before = (middle - below) / ((double)w - (double)low),
                    .behind = (above - middle) / ((double)high - (double)w)};
}

static double gap(slopes s)
{
    return fabs(s.before - s.behind);
}

/* The largest distance of a gradient of one layer from its differences, as part of the largest difference of that
 * layer. */
static double layer_error(net_case *c, const float *direction, const lc_layer *layer, size_t *kinks)
{
    double middle = objective(c, direction), largest = 0, worst = 0;
    slopes *s = case_array(layer->params.size, sizeof *s);
    for (size_t i = 0; i < layer->params.size; i++) {
        s[i] = slopes_at(c, direction, layer->params.at + i, middle, step);
        largest = fmax(largest, fabs(s[i].before + s[i].behind) / 2);
    }
    for (size_t i = 0; i < layer->params.size; i++) {
        for (double h = step / 2; h >= step / 32 && gap(s[i]) > tolerance * largest; h /= 2)
            s[i] = slopes_at(c, direction, layer->params.at + i, middle, h);
        double g = (double)c->d_params[layer->params.at + i], mean = (s[i].before + s[i].behind) / 2;
        double low = fmin(s[i].before, s[i].behind), high = fmax(s[i].before, s[i].behind);
        bool kink = gap(s[i]) > 1.5 * tolerance * largest;
        *kinks += kink;
        double error = kink ? fmax(fmax(low - g, g - high), 0) : fabs(g - mean);
        worst_note(&worst, error, 0, largest);
    }
    free(s);
    return worst;
}

static void check_sample(const sample *s, uint64_t seed)
{
    net_case *c = net_case_new(s->line, s->bins, C, T, seed);
    lc_rng rng = lc_rng_seed(seed + 1000);
    float *direction = net_noise(&rng, T * lc_net_outputs(&c->net), 1);
    double worst = 0;
    size_t kinks = 0;
    analytic(c, direction);
    for (size_t l = 0; l < c->net.layers_len; l++)
        if (c->net.layers[l].params.size > 0)
            worst_note(&worst, layer_error(c, direction, &c->net.layers[l], &kinks), 0, 1);
    printf("    %.1e  %zu of %zu at a kink  %s\n", worst, kinks, c->net.params, s->line);
    CHECK_NEAR(worst, 0, tolerance);
    CHECK(100 * kinks <= c->net.params);
    free(direction);
    net_case_free(c);
}

static void gradients_are_differences(void)
{
    for (size_t i = 0; i < SAMPLES; i++)
        check_sample(&samples[i], i + 1);
}

int main(void)
{
    RUN(every_layer_has_all_functions);
    RUN(every_layer_is_covered);
    RUN(tensors_add_up);
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        if (!lc_isa_runs(isa) || setenv("LOCO_KERNELS", lc_isa_name(isa), 1) != 0)
            continue;
        printf("%s\n", lc_isa_name(isa));
        RUN(gradients_are_differences);
    }
    return check_done();
}
