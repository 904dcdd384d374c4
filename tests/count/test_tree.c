/* SPDX-License-Identifier: MIT
 * test_tree.c - the product tree from inside: the size of its nodes, their content, and agreement with the lanes. */
#include "trees.h"

#include "count/lanes.h"
#include "reference.h"

static loco_count *count;

/* ---- labels and certain frames ---- */

static void check_reduced(loco_label label, size_t certain, size_t frames, bool possible, size_t lo, size_t hi)
{
    CHECK(lc_label_reduce(&label, certain, frames) == possible);
    if (possible) {
        CHECK_EQ(label.lo, lo);
        CHECK_EQ(label.hi, hi);
    }
}

static void labels_are_reduced(void)
{
    check_reduced(loco_label_exact(5), 2, 10, true, 3, 3);
    check_reduced(loco_label_exact(2), 2, 10, true, 0, 0);
    check_reduced(loco_label_exact(1), 2, 10, false, 0, 0);
    check_reduced(loco_label_exact(12), 2, 10, true, 10, LOCO_NO_LIMIT);
    check_reduced(loco_label_exact(13), 2, 10, false, 0, 0);
    check_reduced(loco_label_range(1, 5), 2, 10, true, 0, 3);
    check_reduced(loco_label_range(1, 12), 2, 10, true, 0, LOCO_NO_LIMIT);
    check_reduced(loco_label_at_least(5), 2, 10, true, 3, LOCO_NO_LIMIT);
    check_reduced(loco_label_at_least(1), 2, 10, true, 0, LOCO_NO_LIMIT);
    check_reduced(loco_label_at_most(1), 2, 10, false, 0, 0);
    check_reduced(loco_label_unknown(), 2, 10, true, 0, LOCO_NO_LIMIT);
    check_reduced(loco_label_exact(0), 0, 0, true, 0, LOCO_NO_LIMIT);
    check_reduced(loco_label_exact(1), 0, 0, false, 0, 0);
}

static void only_finite_frames_are_loaded(void)
{
    static const double z[] = {1, INFINITY, -INFINITY, 2, INFINITY};
    lc_tree tree;
    CHECK_EQ(tree_of(&tree, count, z, 5), 2);
    CHECK_EQ(tree.frames, 2);
    CHECK(tree.z[0] == 1 && tree.z[1] == 2);
    CHECK_EQ(tree_of(&tree, count, NULL, 0), 0);
    const lc_node *root = lc_tree_up(&tree);
    CHECK(root->begin == 0 && root->len == 1 && root->coef[0] == 1);
}

static void sizes_that_cannot_be_are_noticed(void)
{
    size_t shared = 0, local = 0;
    lc_tree_measure(count, SIZE_MAX / 8, &shared, &local);
    CHECK_EQ(shared, SIZE_MAX);
    lc_tree_measure(count, 720000, &shared, &local);
    CHECK(shared < (size_t)60 << 20 && local < (size_t)2 << 20);
}

/* ---- nodes ---- */

/* No node may be as long as its memory where that is less than all counts: node_set would have cut something off. */
static void check_nodes(const lc_tree *tree)
{
    size_t full = 0, over = 0, lost = 0, frames = LC_LEAF;
    for (unsigned level = 0; level < tree->levels; level++, frames *= 2) {
        for (size_t i = 0; i < tree->nodes_len[level]; i++) {
            const lc_node *node = &tree->nodes[level][i];
            double sum = 0;
            for (size_t k = 0; k < node->len; k++)
                sum += node->coef[k];
            full += tree->capacity[level] <= (frames < tree->frames ? frames : tree->frames) &&
                    node->len >= tree->capacity[level];
            over += node->len > tree->capacity[level] || node->len == 0;
            lost += !(fabs(sum - 1) < 1e-12);
        }
    }
    CHECK_EQ(full, 0);
    CHECK_EQ(over, 0);
    CHECK_EQ(lost, 0);
}

/* All at 1/2 is the widest distribution there is. */
static void nodes_never_fill_their_memory(void)
{
    static const size_t lengths[] = {1, 2, 63, 64, 65, 128, 129, 1000, 4097, 65536, 100001};
    lc_tree tree;
    lc_rng rng = lc_rng_seed(81);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t T = lengths[i];
        double *z = case_array(T, sizeof *z);
        tree_of(&tree, count, z, T);
        lc_tree_up(&tree);
        check_nodes(&tree);
        for (int power = -1; power < 3; power++) {
            case_logits(&rng, z, T, pow(10, power), 0);
            tree_of(&tree, count, z, T);
            lc_tree_up(&tree);
            check_nodes(&tree);
        }
        free(z);
    }
}

/* Every node is the distribution of the frames below it. */
static void nodes_are_distributions(void)
{
    enum { T = 64 * 5 + 7 };
    static double z[T];
    static wide pmf[T + 1];
    lc_tree tree;
    lc_rng rng = lc_rng_seed(82);
    double node_error = 0;
    case_logits(&rng, z, T, 3, -1);
    tree_of(&tree, count, z, T);
    tree.tilt = (lc_tilt){0.5, 0.25};
    lc_tree_up(&tree);
    for (size_t t = 0; t < T; t++)
        z[t] = z[t] + 0.5 + 0.25;
    for (unsigned level = 0; level < tree.levels; level++) {
        for (size_t i = 0; i < tree.nodes_len[level]; i++) {
            size_t begin = (i * LC_LEAF) << level, end = begin + ((size_t)LC_LEAF << level);
            const lc_node *node = &tree.nodes[level][i];
            end = end < T ? end : T;
            ref_pmf(z + begin, end - begin, pmf);
            for (size_t k = 0; k <= end - begin; k++) {
                bool kept = k >= node->begin && k < node->begin + node->len;
                worst_note(&node_error, kept ? node->coef[k - node->begin] : 0, (double)pmf[k], (double)pmf[k] + 1e-6);
            }
        }
    }
    CHECK_WORST(node_error, 1e-12);
}

/* ---- against the lanes ---- */

typedef struct result {
    double loss, posterior[3000];
} result;

static void by_lanes(lc_seq *seq, result *r)
{
    lc_block memory = {0};
    lc_lane_slot slot = lc_lanes_slot(seq);
    seq->posterior = lc_strided_double(r->posterior);
    if (!lc_block_reserve(&memory, lc_lanes_local(count->kernels, &slot, 1)))
        exit(1);
    lc_lanes_run(count->kernels, &slot, 1, &memory);
    r->loss = slot.done ? seq->loss : (double)NAN;
    lc_block_free(&memory);
}

static void by_tree(const double *z, lc_seq *seq, result *r)
{
    lc_tree tree;
    loco_label label = seq->label;
    tree_of(&tree, count, z, seq->length);
    CHECK(lc_label_reduce(&label, 0, seq->length));
    r->loss = lc_tree_label(&tree, label, seq->reach);
    lc_tree_down(&tree);
    memcpy(r->posterior, tree.z, seq->length * sizeof *tree.z);
}

static void lanes_and_tree_agree(void)
{
    static double z[3000];
    static result a, b;
    lc_rng rng = lc_rng_seed(83);
    double loss_error = 0, posterior_error = 0;
    size_t compared = 0;
    for (int i = 0; i < 200; i++) {
        size_t T = 2 + case_below(&rng, i % 10 == 0 ? 2999 : 300), n = 1 + case_below(&rng, T < 60 ? T - 1 : 59);
        case_logits(&rng, z, T, i % 2 ? 2 : 10, -2);
        lc_seq seq = {.logits = lc_strided_double(z), .length = T, .label = case_label_at(&rng, T, n)};
        seq.reach = tree_reach(z, T);
        if ((seq.label.lo == 0 && seq.label.hi >= T) || !lc_lanes_fit(&seq))
            continue;
        by_lanes(&seq, &a);
        if (isnan(a.loss))
            continue;
        by_tree(z, &seq, &b);
        worst_note(&loss_error, a.loss, b.loss, fmax(1, b.loss));
        for (size_t t = 0; t < T; t++)
            worst_note(&posterior_error, a.posterior[t], b.posterior[t], 1);
        compared++;
    }
    CHECK(compared > 100);
    CHECK_WORST(loss_error, 1e-12);
    CHECK_WORST(posterior_error, 1e-13);
}

int main(void)
{
    count = case_handle(1);
    RUN(labels_are_reduced);
    RUN(only_finite_frames_are_loaded);
    RUN(sizes_that_cannot_be_are_noticed);
    RUN(nodes_never_fill_their_memory);
    RUN(nodes_are_distributions);
    RUN(lanes_and_tree_agree);
    loco_count_free(count);
    return check_done();
}
