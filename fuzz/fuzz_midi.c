/* SPDX-License-Identifier: MIT
 *
 * fuzz_midi.c - any bytes at all as a MIDI file.
 *   Notes that are accepted lie within the file, have notes and velocities of MIDI and times below the limit, in order
 *   within a track; whatever is refused must leave the result untouched and name the byte. */
#include "events/event_list.h"
#include "events/midi_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_notes(const lc_midi_note *notes, size_t len, size_t size)
{
    require(3 * len <= size);
    for (size_t i = 0; i < len; i++) {
        const lc_midi_note *n = &notes[i];
        require(n->time >= 0 && n->time < 1e7 && n->byte < size);
        require(n->channel < 16 && n->note < 128 && n->velocity > 0 && n->velocity < 128);
        require(i == 0 || notes[i - 1].byte < n->byte);
        require(i == 0 || notes[i - 1].tick > n->tick || notes[i - 1].time <= n->time);
    }
}

/* With keys that go up and the pedal: the same notes, and more. */
static void check_keys(const char *bytes, size_t size, size_t len)
{
    lc_midi_note *keys = NULL;
    size_t keys_len = 0, struck = 0;
    if (lc_midi_parse_keys(&keys, &keys_len, "input.mid", bytes, size, NULL) != LOCO_OK)
        return; /* one of the others may come too late */
    for (size_t i = 0; i < keys_len; i++) {
        require(keys[i].note <= LC_MIDI_PEDAL && keys[i].velocity < 128 && keys[i].time < 1e7);
        struck += keys[i].note < LC_MIDI_PEDAL && keys[i].velocity > 0;
    }
    require(struck == len);
    free(keys);
}

/* As drums, which leaves notes out but refuses none. */
static void check_drums(const char *bytes, size_t size, size_t len)
{
    lc_event_list *list = NULL;
    require(lc_event_list_parse(&list, "input.mid", bytes, size, (const char *const[]){"kick", "HH"}, 2, NULL) ==
            LOCO_OK);
    require(list->files_len == 1 && list->files[0].events_len <= len && list->classes_len == 2);
    lc_event_list_free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL)
        return 0;
    if (size > 0)
        memcpy(bytes, data, size);
    lc_midi_note *notes = NULL;
    size_t len = 77;
    loco_err err = {""};
    loco_status status = lc_midi_parse(&notes, &len, "input.mid", bytes, size, &err);
    if (status == LOCO_OK) {
        check_notes(notes, len, size);
        check_drums(bytes, size, len);
        check_keys(bytes, size, len);
    } else {
        require(status == LOCO_EDATA && notes == NULL && len == 77);
        require(strncmp(err.text, "input.mid, byte ", 16) == 0);
    }
    free(notes);
    free(bytes);
    return 0;
}
