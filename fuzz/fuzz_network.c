/* SPDX-License-Identifier: MIT
 *
 * fuzz_network.c - any bytes at all as a network line.
 *   A line that is accepted must come back unchanged when it is written, read and written again, describe the same
 *   network, and ask for sizes that can be added up; whatever is refused must leave the network untouched and say why.
 *   Small networks also run, forward and backward, on a few frames, so that the sanitizers see all memory that their
 *   layers touch. */
#include "nn/net.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { F = 12, C = 2, FRAMES = 5, SMALL = 1 << 16 };

static lc_net net, again, untouched;

static void require(int holds)
{
    if (!holds)
        abort();
}

/* Far from SIZE_MAX, so that the sum over any number of frames that fits into memory does not wrap either. */
static void check_sizes(void)
{
    const size_t most = (size_t)1 << 40;
    require(net.layers_len >= 1 && net.layers_len <= LC_NET_LAYERS && net.classes >= 1);
    require(net.params < most && net.packed < most && net.grads < most);
    require(net.scratch < most && net.scratch_frame < most && net.state < most);
    for (size_t i = 0; i < net.layers_len; i++)
        require(net.layers[i].out.F >= 1 && net.layers[i].out.C >= 1 && net.layers[i].keep < most);
}

static void check_again(void)
{
    lc_text first = {0}, second = {0};
    loco_err err;
    lc_net_format(&net, &first);
    require(!first.failed && first.length > 0);
    require(lc_net_parse(&again, first.bytes, first.length, F, C, &err) == LOCO_OK);
    lc_net_format(&again, &second);
    require(first.length == second.length && memcmp(first.bytes, second.bytes, first.length) == 0);
    require(net.params == again.params && net.classes == again.classes && net.look_ahead == again.look_ahead);
    lc_text_free(&first);
    lc_text_free(&second);
}

static float *numbers(size_t n)
{
    float *x = calloc(n + 1, sizeof *x);
    require(x != NULL);
    return x;
}

static void run(void)
{
    lc_tape tape;
    lc_block block = {0};
    lc_arena arena = {0};
    lc_rng rng = lc_rng_seed(1);
    lc_tape_layout(&tape, &net, FRAMES, &arena);
    if (arena.used > 64 * SMALL || net.packed > SMALL)
        return;
    require(lc_block_reserve(&block, arena.used));
    memset(block.data, 0, block.size);
    arena = lc_arena_over(&block);
    lc_tape_layout(&tape, &net, FRAMES, &arena);
    float *params = numbers(net.params), *packed = numbers(net.packed), *grads = numbers(net.grads);
    lc_net_init(&net, params, 1, 0, &rng);
    lc_net_pack(&net, params, packed);
    for (size_t T = FRAMES; T > 0; T -= 2) {
        lc_map in = lc_tape_input(&tape, &net, T);
        for (size_t i = 0; i < F * C; i++)
            in.data[i] = (float)lc_rng_normal(&rng);
        lc_net_forward(&net, &tape, packed, &rng);
        lc_tape_d_output(&tape, &net).data[0] = 1;
        lc_net_backward(&net, &tape, packed, grads);
        if (T == 1)
            break;
    }
    lc_net_unpack(&net, grads, params);
    free(params);
    free(packed);
    free(grads);
    lc_block_free(&block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    loco_err err = {""};
    memset(&untouched, 0x5a, sizeof untouched);
    memcpy(&net, &untouched, sizeof net);
    if (lc_net_parse(&net, (const char *)data, size, F, C, &err) == LOCO_OK) {
        check_sizes();
        check_again();
        run();
    } else {
        const void *now = &net, *before = &untouched;
        require(memcmp(now, before, sizeof net) == 0);
        require(err.text[0] != '\0' && memchr(err.text, 0, sizeof err.text) != NULL);
    }
    return 0;
}
