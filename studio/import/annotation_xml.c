/* SPDX-License-Identifier: MIT
 *
 * annotation_xml.c - annotations in XML: the events of IDMT-SMT-Drums, and layers of Sonic Visualiser.
 *
 *     <instrumentRecording>                             <sv>
 *       <transcription>                                   <data>
 *         <event>                                           <model sampleRate="44100" .../>
 *           <onsetSec>0.512</onsetSec>                      <dataset>
 *           <instrument>KD</instrument>                       <point frame="22579" label="..."/>
 *         </event>                                          </dataset>
 *       </transcription>                                  </data>
 *     </instrumentRecording>                            </sv>
 *
 * All other elements are passed over. The outermost one is looked at first, so that a file of one kind that was put in
 * the place of the other is refused, and not taken for a recording without strokes.
 */
#include "base/number.h"
#include "base/status.h"
#include "studio/import/strokes.h"
#include "studio/import/xml.h"

#include <math.h>
#include <string.h>

/* Bytes kept of a time or an instrument: one more than a number may have, so that no part of one is taken for it. */
enum { LONGEST = 64 };

typedef struct xml_field {
    char text[LONGEST + 1];
    size_t len;
    bool given;
} xml_field;

typedef struct events {
    lc_strokes *strokes;
    const lc_vocabulary *vocabulary;
    const char *path;
    size_t depth;
    bool inside; /* of an event */
    bool transcribed;
    xml_field time, instrument;
    unsigned long line; /* where the event begins */
} events;

static lc_place place_of(const char *path, unsigned long line)
{
    return (lc_place){path, (size_t)line, NULL};
}

/* A copy of an element's text, cut at the size of the buffer: no valid value is that long. */
static void keep(xml_field *f, const char *text)
{
    size_t length = strlen(text);
    f->len = length < LONGEST ? length : LONGEST;
    memcpy(f->text, text, f->len);
    f->text[f->len] = '\0';
    f->given = true;
}

/* The outermost element has to have that name. */
static loco_status check_root(const char *path, const char *name, const char *wanted, unsigned long line, loco_err *err)
{
    if (strcmp(name, wanted) == 0)
        return LOCO_OK;
    return lc_err_set(err, LOCO_EDATA, "%s: <%s> is found where <%s> is expected; is it another kind of file?",
                      lc_place_show(place_of(path, line)).text, lc_show(name).text, wanted);
}

/* An <event> within an <event> is refused, since its parts would be mixed with those around it. */
static loco_status event_start(void *user, const char *name, const char *const *attributes, unsigned long line,
                               loco_err *err)
{
    events *e = user;
    (void)attributes;
    if (e->depth++ == 0)
        return check_root(e->path, name, "instrumentRecording", line, err);
    if (strcmp(name, "transcription") == 0)
        e->transcribed = true;
    if (strcmp(name, "event") != 0)
        return LOCO_OK;
    if (e->inside)
        return lc_err_set(err, LOCO_EDATA, "%s: an <event> within an <event>",
                          lc_place_show(place_of(e->path, line)).text);
    e->inside = true;
    e->line = line;
    e->time.given = e->instrument.given = false;
    return LOCO_OK;
}

/* At the end of an <event> both its time and its instrument must have come. */
static loco_status event_end(void *user, const char *name, const char *text, unsigned long line, loco_err *err)
{
    events *e = user;
    (void)line;
    e->depth--;
    if (e->inside && strcmp(name, "onsetSec") == 0)
        keep(&e->time, text);
    if (e->inside && strcmp(name, "instrument") == 0)
        keep(&e->instrument, text);
    if (strcmp(name, "event") != 0)
        return LOCO_OK;
    e->inside = false;
    lc_place place = place_of(e->path, e->line);
    if (!e->time.given || !e->instrument.given)
        return lc_err_set(err, LOCO_EDATA, "%s: an <event> without <%s>", lc_place_show(place).text,
                          e->time.given ? "instrument" : "onsetSec");
    lc_stroke_text stroke = {e->time.text, e->instrument.text, e->time.len, e->instrument.len};
    return lc_strokes_add_text(e->strokes, e->vocabulary, place, stroke, err);
}

loco_status lc_strokes_parse_events(lc_strokes *strokes, const lc_vocabulary *vocabulary, const char *path,
                                    const char *bytes, size_t length, loco_err *err)
{
    events e = {.strokes = strokes, .vocabulary = vocabulary, .path = path};
    lc_xml_handler handler = {&e, event_start, event_end};
    loco_status status = lc_xml_parse(bytes, length, path, &handler, err);
    if (status == LOCO_OK && !e.transcribed)
        return lc_err_set(err, LOCO_EDATA, "%s: no <transcription> in the whole file",
                          lc_place_show(place_of(path, 1)).text);
    return status;
}

typedef struct layer {
    lc_strokes *strokes;
    const char *path;
    size_t label, depth;
    double rate; /* of the sound */
    bool modelled;
} layer;

/* The value of an attribute, or NULL. */
static const char *value_of(const char *const *attributes, const char *name)
{
    for (; *attributes != NULL; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

/* An attribute that has to be there and to be a number. */
static loco_status read_number(const layer *l, const char *const *attributes, const char *element, const char *name,
                               unsigned long line, double *number, loco_err *err)
{
    const char *value = value_of(attributes, name);
    lc_where where = lc_place_show(place_of(l->path, line));
    if (value == NULL)
        return lc_err_set(err, LOCO_EDATA, "%s: a <%s> without %s", where.text, element, name);
    if (!lc_number_parse(value, strlen(value), number))
        return lc_err_set(err, LOCO_EDATA, "%s: %s \"%s\" is not a number", where.text, name, lc_show(value).text);
    return LOCO_OK;
}

/* The rate of a layer must be that of the sound, or all times would be wrong by a factor. */
static loco_status read_model(layer *l, const char *const *attributes, unsigned long line, loco_err *err)
{
    double rate;
    loco_status status = read_number(l, attributes, "model", "sampleRate", line, &rate, err);
    if (status != LOCO_OK)
        return status;
    if (rate < l->rate || rate > l->rate)
        return lc_err_set(err, LOCO_EDATA, "%s: sampleRate \"%s\" is not that of the sound, %.0f Hz",
                          lc_place_show(place_of(l->path, line)).text, lc_show(value_of(attributes, "sampleRate")).text,
                          l->rate);
    l->modelled = true;
    return LOCO_OK;
}

/* A point needs a <model> before it: without a rate its frame is not a time. */
static loco_status read_point(layer *l, const char *const *attributes, unsigned long line, loco_err *err)
{
    double frame;
    loco_status status = read_number(l, attributes, "point", "frame", line, &frame, err);
    if (status != LOCO_OK)
        return status;
    lc_place place = place_of(l->path, line);
    if (!l->modelled)
        return lc_err_set(err, LOCO_EDATA, "%s: a <point> before any <model> with a sampleRate",
                          lc_place_show(place).text);
    return lc_strokes_add(l->strokes, place, frame / l->rate, l->label, err);
}

static loco_status layer_start(void *user, const char *name, const char *const *attributes, unsigned long line,
                               loco_err *err)
{
    layer *l = user;
    if (l->depth++ == 0)
        return check_root(l->path, name, "sv", line, err);
    if (strcmp(name, "model") == 0)
        return read_model(l, attributes, line, err);
    if (strcmp(name, "point") == 0)
        return read_point(l, attributes, line, err);
    return LOCO_OK;
}

static loco_status layer_end(void *user, const char *name, const char *text, unsigned long line, loco_err *err)
{
    layer *l = user;
    (void)name, (void)text, (void)line, (void)err;
    l->depth--;
    return LOCO_OK;
}

loco_status lc_strokes_parse_layer(lc_strokes *strokes, size_t label, double rate, const char *path, const char *bytes,
                                   size_t length, loco_err *err)
{
    if (!(rate >= 1 && isfinite(rate)))
        return lc_err_set(err, LOCO_EARG, "%.150s: the rate of the sound must be 1 Hz or more", path);
    layer l = {.strokes = strokes, .path = path, .label = label, .rate = rate};
    lc_xml_handler handler = {&l, layer_start, layer_end};
    loco_status status = lc_xml_parse(bytes, length, path, &handler, err);
    if (status == LOCO_OK && !l.modelled)
        return lc_err_set(err, LOCO_EDATA, "%s: no <model> with a sampleRate in the whole file",
                          lc_place_show(place_of(path, 1)).text);
    return status;
}
