/* SPDX-License-Identifier: MIT
 * notes_save.c - which models find notes or strokes of drums, and saving the events of recordings as these, with the velocities
 *   and ends that their sounds have. */
#include "base/status.h"
#include "detect/drum_velocity.h"
#include "detect/notes.h"
#include "events/formats.h"
#include "events/pitches.h"
#include "model/model.h"

#include <stdlib.h>

bool loco_model_pitched(const loco_model *model)
{
    return model->frontend.ops->sound && lc_pitched(model->classes, model->net->classes);
}

bool loco_model_drums(const loco_model *model)
{
    return model->frontend.ops->sound && lc_drum_classes(model->classes, model->net->classes);
}

/* Sorts the events: what measures them walks through the sound once. */
static loco_status measure_list(lc_note **notes, loco_events *list, const char *const *classes, size_t classes_len,
                                loco_err *err)
{
    bool drums = lc_drum_classes(classes, classes_len);
    lc_sound *sound;
    loco_status status = lc_sound_open(&sound, list->file, drums ? LC_DRUM_RATE : LC_NOTES_RATE, err);
    if (status != LOCO_OK)
        return status;
    lc_events_sort(list->events, list->events_len);
    *notes = calloc(list->events_len + 1, sizeof **notes);
    if (*notes == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu notes", list->events_len);
    else if (drums)
        status = lc_drum_velocities(*notes, sound, list->events, list->events_len, classes, classes_len, err);
    else
        status = lc_notes_of(*notes, sound, list->events, list->events_len, classes, classes_len, err);
    lc_sound_close(sound);
    return status;
}

loco_status loco_notes_save(const char *path, const char *format, loco_events *lists, size_t lists_len,
                            const char *const *classes, size_t classes_len, loco_err *err)
{
    if (!lc_pitched(classes, classes_len) && !lc_drum_classes(classes, classes_len))
        return lc_err_set(
            err, LOCO_EARG,
            "notes need classes that are pitches, %d or more numbers from %d to 127, or drums; save events "
            "instead",
            LC_PITCH_CLASSES, LC_PITCH_LEAST);
    lc_note **notes = calloc(lists_len + 1, sizeof(lc_note *));
    loco_status status = notes == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu recordings", lists_len)
                                       : LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < lists_len; i++)
        status = measure_list(&notes[i], &lists[i], classes, classes_len, err);
    if (status == LOCO_OK)
        status = lc_events_save_lists(path, format, lists, lists_len, classes, classes_len, notes, err);
    for (size_t i = 0; notes != NULL && i < lists_len; i++)
        free(notes[i]);
    free(notes);
    return status;
}
