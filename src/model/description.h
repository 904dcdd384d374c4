/* SPDX-License-Identifier: MIT
 * description.h - network, input and classes of a model as one JSON object, kept under the key "loco" in the metadata
 * of the file. model_file.h writes it beside the weights and needs it to know which tensors to expect; model.h never
 * sees the JSON, only the network and the names that come out of it.
 *
 *     {"version":1,"network":"conv 3x4 8, pool 2, lstm 24, dense 3","input":[64,1],"classes":["kick","snare","hat"]}
 *
 *   version  of this object. A change of its meaning raises it, and older readers refuse the file with "please update".
 *   network  the line of nn/net.h
 *   input    bins and channels of a frame
 *   classes  a name for each value of a frame of the output */
#ifndef LC_MODEL_DESCRIPTION_H
#define LC_MODEL_DESCRIPTION_H

#include "base/text.h"
#include "nn/net.h"

enum { LC_MODEL_VERSION = 1, LC_CLASS_BYTES = 255 };

/* Appends the description; classes are net->classes names, all different. Messages begin with where. */
LOCO_MUST_USE loco_status lc_description_format(lc_text *text, const char *where, const lc_net *net,
                                                const char *const *classes, size_t classes_len, loco_err *err);

/* A description that was read; its network takes 30 KB. It owns the names. */
typedef struct lc_description {
    lc_net net;
    const char **classes;
    size_t classes_len;
    struct cJSON *json;
} lc_description;

LOCO_MUST_USE loco_status lc_description_parse(lc_description **description, const char *where, const char *text,
                                               loco_err *err);
void lc_description_free(lc_description *description);

#endif
