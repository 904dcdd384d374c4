/* SPDX-License-Identifier: MIT
 * test_notes.c - rows of notes: both kinds of names, none, and what is refused. */
#include "cases.h"

#include "studio/import/strokes.h"

static void takes(const char *text, const char *want)
{
    lc_strokes strokes = {0};
    loco_err err = {""};
    char got[256] = "";
    CHECK_STATUS(lc_strokes_parse_notes(&strokes, "a.tsv", text, strlen(text), &err), LOCO_OK);
    CHECK_STR(err.text, "");
    for (size_t i = 0; i < strokes.len; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%g %u %u;", strokes.items[i].time,
                 strokes.items[i].label, strokes.items[i].line);
    CHECK_STR(got, want);
    lc_strokes_free(&strokes);
}

static void refuses(const char *text, const char *where, const char *says)
{
    lc_strokes strokes = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_strokes_parse_notes(&strokes, "a.tsv", text, strlen(text), &err), LOCO_EDATA);
    CHECK_SAYS(err.text, where);
    CHECK_SAYS(err.text, says);
    lc_strokes_free(&strokes);
}

static void wrong_notes_are_refused(void)
{
    refuses("", "a.tsv", "no note in the whole file");
    refuses("onset\toffset\tpitch\n", "a.tsv:1", "no note in the whole file");
    refuses("onset\toffset\tvelocity\n1\t2\t60\n", "a.tsv:1", "columns \"onset");
    refuses("onset\toffset\tpitch\tnote\n1\t2\t60\t60\n", "a.tsv:1", "expected onset, offset, pitch");
    refuses("kick\n", "a.tsv:1", "expected onset, offset, pitch");
    refuses("1 2\n", "a.tsv:1", "2 columns; expected onset, offset, pitch and perhaps velocity");
    refuses("1 2 60 64 5\n", "a.tsv:1", "5 columns");
    refuses("onset offset pitch\n1 2 60\n1 2 60 64\n", "a.tsv:3", "4 columns");
    refuses("1 2 60\n1 x 60\n", "a.tsv:2", "\"x\" is not a number");
    refuses("1 2 128\n", "a.tsv:1", "pitch \"128\"; expected a whole number from 0 to 127");
    refuses("1 2 -1\n", "a.tsv:1", "pitch \"-1\"");
    refuses("1 2 60.5\n", "a.tsv:1", "pitch \"60.5\"");
    refuses("1 2 60 128\n", "a.tsv:1", "velocity \"128\"");
    refuses("\n2 1.5 60\n", "a.tsv:2", "begins at \"2\" and ends before, at \"1.5\"");
    refuses("-1 2 60\n", "a.tsv:1", "times go from 0");
    refuses("60 2 1\n", "a.tsv:1", "ends before"); /* columns in another order */
    refuses("1 2 60\nOnsetTime OffsetTime MidiPitch\n", "a.tsv:2", "is not a number");
}

static void notes_are_read(void)
{
    takes("# onset,offset,note,velocity\n0.5\t1.9\t38.000000\t53.000000\n\n0.5\t1.9\t50\t0\n", "0.5 38 2;0.5 50 4;");
    takes("OnsetTime\tOffsetTime\tMidiPitch\r\n0.25\t0.5\t108\r\n", "0.25 108 2;");
    takes("\xef\xbb\xbf# made by a program\n1 2 60\n# the end\n0 0 61 127", "1 60 2;0 61 4;");
    takes("pitch velocity onset offset hand\n60 1 2 3 left\n", "2 60 2;");
}

int main(void)
{
    RUN(wrong_notes_are_refused);
    RUN(notes_are_read);
    return check_done();
}
