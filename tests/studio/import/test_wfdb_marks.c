/* SPDX-License-Identifier: MIT
 * test_wfdb_marks.c - annotations made word by word: skips, fields, texts, and what is refused. */
#include "cases.h"

#include "studio/import/wfdb_marks.h"

typedef struct file {
    unsigned char at[256];
    size_t length;
} file;

static void put(file *f, unsigned word)
{
    f->at[f->length++] = (unsigned char)(word & 0xff);
    f->at[f->length++] = (unsigned char)(word >> 8);
}

static void mark(file *f, unsigned code, unsigned samples)
{
    put(f, code << 10 | samples);
}

static void refuses(const file *f, const char *hint)
{
    lc_wfdb_mark *marks = NULL;
    size_t len = 77;
    loco_err err = {""};
    CHECK_STATUS(lc_wfdb_marks_parse(&marks, &len, "100.atr", f->at, f->length, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, hint);
    CHECK_SAYS(err.text, "100.atr, byte ");
    CHECK(marks == NULL && len == 77);
}

static void wrong_files_are_refused(void)
{
    file f = {.length = 0};
    refuses(&f, "byte 0: the file ends without its end mark");
    mark(&f, 1, 10);
    refuses(&f, "byte 2: the file ends without its end mark");
    f.at[f.length++] = 7;
    refuses(&f, "byte 2: the file ends without its end mark");
    f.length = 2;
    mark(&f, 55, 1);
    refuses(&f, "byte 2: a code that no annotation has");
    f.length = 2;
    mark(&f, 59, 0);
    put(&f, 0);
    refuses(&f, "byte 2: the file ends within a skip");
    put(&f, 0xffff);
    f.length = 4;
    put(&f, 0xffff);
    put(&f, 0xfff0);
    refuses(&f, "byte 2: a time before the start");
    f.length = 4;
    put(&f, 0xffff);
    put(&f, 0xfffc);
    mark(&f, 1, 2);
    refuses(&f, "an annotation before the one in front of it");
    f.length = 2;
    mark(&f, 63, 3);
    put(&f, 0);
    refuses(&f, "byte 2: the file ends within a text");
}

static void marks_are_read(void)
{
    lc_wfdb_mark *marks = NULL;
    size_t len = 0;
    file f = {.length = 0};
    mark(&f, 28, 18); /* change of rhythm with a text of 3 bytes and padding */
    mark(&f, 63, 3);
    put(&f, '(' | 'N' << 8);
    put(&f, 0);
    mark(&f, 1, 1000);
    mark(&f, 61, 1);
    mark(&f, 60, 2);
    mark(&f, 62, 3);
    mark(&f, 59, 0); /* 70000 = 1 * 65536 + 4464 */
    put(&f, 1);
    put(&f, 4464);
    mark(&f, 5, 3);
    put(&f, 0);
    put(&f, 0xffff); /* beyond the end */
    CHECK_STATUS(lc_wfdb_marks_parse(&marks, &len, "100.atr", f.at, f.length, NULL), LOCO_OK);
    CHECK_EQ(len, 3);
    CHECK_EQ(marks[0].sample, 18);
    CHECK_EQ(marks[0].code, 28);
    CHECK_EQ(marks[1].sample, 1018);
    CHECK_EQ(marks[1].code, 1);
    CHECK_EQ(marks[2].sample, 71021);
    CHECK_EQ(marks[2].code, 5);
    free(marks);
}

static void codes_are_told_apart(void)
{
    size_t beats = 0, pvcs = 0;
    for (unsigned code = 0; code < 64; code++) {
        beats += lc_wfdb_is_beat(code);
        pvcs += lc_wfdb_is_pvc(code);
    }
    CHECK_EQ(beats, 19);
    CHECK_EQ(pvcs, 2);
    CHECK(lc_wfdb_is_pvc(5) && lc_wfdb_is_pvc(41) && lc_wfdb_is_beat(41) && !lc_wfdb_is_beat(14) &&
          !lc_wfdb_is_beat(28));
}

static void an_empty_file_has_no_marks(void)
{
    lc_wfdb_mark *marks = NULL;
    size_t len = 77;
    CHECK_STATUS(lc_wfdb_marks_parse(&marks, &len, "100.atr", "\0", 2, NULL), LOCO_OK);
    CHECK_EQ(len, 0);
    free(marks);
}

static void beats_are_known(void)
{
    size_t beats = 0;
    for (unsigned code = 0; code < 64; code++) {
        beats += lc_wfdb_is_beat(code);
        CHECK(lc_wfdb_is_beat(code) || !lc_wfdb_is_pvc(code));
    }
    CHECK_EQ(beats, 19);
    CHECK(lc_wfdb_is_beat(1) && lc_wfdb_is_pvc(5) && !lc_wfdb_is_pvc(1) && !lc_wfdb_is_beat(28));
}

int main(void)
{
    RUN(wrong_files_are_refused);
    RUN(marks_are_read);
    RUN(an_empty_file_has_no_marks);
    RUN(codes_are_told_apart);
    RUN(beats_are_known);
    return check_done();
}
