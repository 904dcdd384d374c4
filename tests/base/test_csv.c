/* SPDX-License-Identifier: MIT
 * test_csv.c - CSV: what is refused and where, quotes and separators, limits, and that what is written is read. */
#include "data_cases.h"

#include "base/csv.h"
#include "base/rng.h"

/* Parses a copy of exactly its length, so that one byte too far is seen by the sanitizer. */
static loco_status parse(lc_csv **table, const char *text, size_t length, loco_err *err)
{
    char *copy = malloc(length > 0 ? length : 1);
    memcpy(copy, text, length);
    loco_status status = lc_csv_parse(table, "t.csv", copy, length, err);
    free(copy);
    return status;
}

static lc_csv *table_of(const char *text)
{
    lc_csv *table = NULL;
    loco_err err = {""};
    CHECK_STATUS(parse(&table, text, strlen(text), &err), LOCO_OK);
    if (table == NULL) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return table;
}

static void wrong_text_is_refused(void)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"",                         "t.csv: no header row"                                        },
        {"\n\n# only a comment\n",   "t.csv: no header row"                                        },
        {"a,b\n1\n",                 "t.csv:2: 1 cell, where the header has 2"                     },
        {"a,b\n1,2\n\n1,2,3\n",      "t.csv:4: 3 cells, where the header has 2"                    },
        {"a,b\n1,x\"y\n",            "t.csv:2: column \"b\": a quote within the cell"              },
        {"a,b\n\"x\"y,2\n",          "t.csv:2: column \"a\": text behind the closing quote"        },
        {"a,b\n1,\"x\n\n\n",         "t.csv:2: column \"b\": the closing quote is missing"         },
        {"a,b\n1,\"",                "t.csv:2: column \"b\": the closing quote is missing"         },
        {"a,b\n1,2\r3,4\n",          "t.csv:2: column \"b\": a carriage return without a line feed"},
        {"a,b\n\"1\n2\",3\n1,x\"\n", "t.csv:4: column \"b\""                                       },
        {"a,b,a\n",                  "t.csv:1: column \"a\" is there twice"                        },
        {"a,\"b\n",                  "t.csv:1: cell 2: the closing quote is missing"               },
        {"a\n\xff\n",                "t.csv:2: the byte 0xff is not UTF-8"                         },
        {"a\nb\x01\n",               "t.csv:2: the byte 0x01 is a control character"               },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lc_csv *table = NULL;
        loco_err err = {""};
        CHECK_STATUS(parse(&table, wrong[i].text, strlen(wrong[i].text), &err), LOCO_EDATA);
        CHECK_SAYS(err.text, wrong[i].says);
        CHECK(table == NULL);
        CHECK_STATUS(parse(&table, wrong[i].text, strlen(wrong[i].text), NULL), LOCO_EDATA);
    }
}

static void cells_are_where_they_stand(void)
{
    lc_csv *t = table_of("\xef\xbb\xbf# first\n\n file , start,class \r\n x.wav ,1.5, \"a, \"\"b\"\"\"\t \n# no\n   \n"
                         "\"#y\n z\",,\n,\"\",end");
    CHECK_EQ(t->columns, 3);
    CHECK_EQ(t->rows, 3);
    CHECK_STR(lc_csv_column(t, 0), "file");
    CHECK_STR(lc_csv_column(t, 2), "class");
    CHECK_STR(lc_csv_cell(t, 0, 0), "x.wav");
    CHECK_STR(lc_csv_cell(t, 0, 2), "a, \"b\"");
    CHECK_STR(lc_csv_cell(t, 1, 0), "#y\n z");
    CHECK_STR(lc_csv_cell(t, 1, 2), "");
    CHECK_STR(lc_csv_cell(t, 2, 0), "");
    CHECK_STR(lc_csv_cell(t, 2, 2), "end");
    CHECK_EQ(t->lines[0], 4);
    CHECK_EQ(t->lines[1], 7);
    CHECK_EQ(t->lines[2], 9);
    lc_csv_free(t);
    lc_csv_free(NULL);
}

static void separators_are_found(void)
{
    lc_csv *t = table_of("a;b\n1,5;2\n");
    CHECK_STR(lc_csv_cell(t, 0, 0), "1,5");
    lc_csv_free(t);
    t = table_of("a\tb\n\t2\n \t\n");
    CHECK_EQ(t->rows, 2);
    CHECK_STR(lc_csv_cell(t, 0, 0), "");
    CHECK_STR(lc_csv_cell(t, 0, 1), "2");
    lc_csv_free(t);
    t = table_of("a;b,c\n1;2,3\n");
    CHECK_EQ(t->columns, 2);
    CHECK_STR(lc_csv_column(t, 0), "a;b");
    lc_csv_free(t);
    t = table_of("\"a,b\";c\n1;2\n");
    CHECK_STR(lc_csv_column(t, 0), "a,b");
    lc_csv_free(t);
    t = table_of("alone\nx\n");
    CHECK_EQ(t->columns, 1);
    lc_csv_free(t);
    t = table_of(",a,,\n1,2,3,4\n"); /* columns without a name, as some programs write for the row number */
    CHECK_EQ(t->columns, 4);
    lc_csv_free(t);
}

static void columns_are_found_or_suggested(void)
{
    loco_err err = {""};
    size_t column = 77;
    lc_csv *t = table_of("File,time\nx,2\nx,-1\nx,soon\nx,1e7\nx,9999999.999999\n");
    CHECK_EQ(lc_csv_find(t, "time"), 1);
    CHECK_EQ(lc_csv_find(t, "file"), LC_CSV_NONE);
    CHECK_STATUS(lc_csv_need(&column, t, "file", &err), LOCO_EDATA);
    CHECK_STR(err.text, "t.csv: no column \"file\" in the header; is it \"File\"?");
    CHECK_STATUS(lc_csv_need(&column, t, "probability", &err), LOCO_EDATA);
    CHECK_STR(err.text, "t.csv: no column \"probability\" in the header");
    CHECK_EQ(column, 77);
    CHECK_STATUS(lc_csv_need(&column, t, "time", &err), LOCO_OK);
    CHECK_EQ(column, 1);
    double seconds = 77;
    CHECK_STATUS(lc_csv_seconds(&seconds, t, 1, 1, &err), LOCO_EDATA);
    CHECK_STR(err.text, "t.csv:3: column \"time\": -1 is not a time in seconds; expected 0 to below 10000000");
    CHECK_STATUS(lc_csv_seconds(&seconds, t, 2, 1, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "t.csv:4: column \"time\": \"soon\" is not a number");
    CHECK_STATUS(lc_csv_seconds(&seconds, t, 3, 1, &err), LOCO_EDATA);
    CHECK_NEAR(seconds, 77, 0);
    CHECK_STATUS(lc_csv_seconds(&seconds, t, 4, 1, &err), LOCO_OK);
    CHECK_NEAR(seconds, 9999999.999999, 0);
    lc_csv_free(t);
}

/* n times the letter, between before and after. */
static loco_status parse_repeated(const char *before, char letter, size_t n, const char *after, loco_err *err)
{
    size_t a = strlen(before), b = strlen(after);
    char *text = malloc(a + n + b + 1);
    lc_csv *table = NULL;
    memcpy(text, before, a + 1);
    memset(text + a, letter, n);
    memcpy(text + a + n, after, b + 1);
    loco_status status = lc_csv_parse(&table, "t.csv", text, a + n + b, err);
    lc_csv_free(table);
    free(text);
    return status;
}

static void limits_hold(void)
{
    loco_err err = {""};
    CHECK_STATUS(parse_repeated("a,b\n1,", 'x', LC_CSV_CELL, "\n", &err), LOCO_OK);
    CHECK_STATUS(parse_repeated("a,b\n1,", 'x', LC_CSV_CELL + 1, "\n", &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "t.csv:2: column \"b\": more than 4096 bytes");
    CHECK_STATUS(parse_repeated("a,b\n1,\"", 'x', LC_CSV_CELL, "\"", &err), LOCO_OK);
    CHECK_STATUS(parse_repeated("a,b\n1,\"", 'x', LC_CSV_CELL + 1, "\"", &err), LOCO_EDATA);
    CHECK_STATUS(parse_repeated("", ',', LC_CSV_COLUMNS - 1, "\n", &err), LOCO_OK);
    CHECK_STATUS(parse_repeated("", ',', LC_CSV_COLUMNS, "\n", &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "t.csv:1: more than 4096 columns");
    lc_csv *table = NULL; /* refused before a byte is read */
    CHECK_STATUS(lc_csv_parse(&table, "t.csv", "a\n", (size_t)LC_CSV_BYTES + 1, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "t.csv: larger than 1024 MiB");
}

static void rows_are_limited(void)
{
    size_t rows = LC_CSV_ROWS + 1;
    char *text = malloc(2 * rows + 2);
    lc_csv *table = NULL;
    loco_err err = {""};
    for (size_t i = 0; i < 2 * rows + 2; i++)
        text[i] = i % 2 == 0 ? 'x' : '\n';
    CHECK_STATUS(lc_csv_parse(&table, "t.csv", text, 2 * rows, &err), LOCO_OK);
    CHECK_EQ(table != NULL ? table->rows : 0, LC_CSV_ROWS);
    lc_csv_free(table);
    CHECK_STATUS(lc_csv_parse(&table, "t.csv", text, 2 * rows + 2, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "t.csv:20000002: more than 20000000 rows");
    free(text);
}

/* Random cells of difficult characters come back as they were written. */
static void quoted_cells_are_read_back(void)
{
    static const char letters[] = "ab ,;\t\"\n#'=-@";
    lc_rng rng = lc_rng_seed(4);
    for (int round = 0; round < 2000; round++) {
        char cells[3][12] = {""};
        lc_text text = {0};
        lc_text_string(&text, "x,y,z\n");
        for (size_t c = 0; c < 3; c++) {
            size_t length = (size_t)(lc_rng_uniform(&rng) * 10);
            for (size_t i = 0; i < length; i++)
                cells[c][i] = letters[(size_t)(lc_rng_uniform(&rng) * (double)(sizeof letters - 1))];
            lc_csv_quote(&text, cells[c]);
            lc_text_string(&text, c < 2 ? "," : "\r\n");
        }
        lc_csv *t = table_of(text.bytes);
        CHECK_EQ(t->rows, 1);
        for (size_t c = 0; c < 3 && t->rows == 1; c++)
            CHECK_STR(lc_csv_cell(t, 0, c), cells[c]);
        lc_csv_free(t);
        lc_text_free(&text);
    }
}

static void check_quoted(const char *cell, const char *want)
{
    lc_text text = {0};
    lc_csv_quote(&text, cell);
    CHECK_STR(text.bytes, want);
    lc_text_free(&text);
}

/* Cells that a spreadsheet would compute, and those that a terminal would obey. */
static void hostile_cells_are_harmless(void)
{
    check_quoted("=1+1", "'=1+1");
    check_quoted("@sum(a,b)", "\"'@sum(a,b)\"");
    check_quoted("-x.wav", "'-x.wav");
    check_quoted("'+1", "''+1");
    check_quoted(" =cmd", "\"' =cmd\""); /* spreadsheets skip blanks */
    check_quoted("\t=cmd", "\"'\t=cmd\"");
    check_quoted("\r\n @cmd", "\"'\n @cmd\"");
    check_quoted(" '\t-1", "\"' '\t-1\"");
    check_quoted(" -", "\" -\"");
    check_quoted(" a=b", "\" a=b\"");
    check_quoted("-", "-"); /* standard input */
    check_quoted("a=b", "a=b");
    check_quoted("\x1b[31m\xc2\x9b\xff", "?[31m??");
}

static void files_are_loaded(void)
{
    lc_csv *t = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_csv_load(&t, data_path("none.csv"), &err), LOCO_EIO);
    CHECK(t == NULL);
    data_write("some.csv", "a,b\n1,2\n");
    CHECK_STATUS(lc_csv_load(&t, data_path("some.csv"), &err), LOCO_OK);
    CHECK_STR(lc_csv_cell(t, 0, 1), "2");
    lc_csv_free(t);
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(wrong_text_is_refused);
    RUN(cells_are_where_they_stand);
    RUN(separators_are_found);
    RUN(columns_are_found_or_suggested);
    RUN(limits_hold);
    RUN(rows_are_limited);
    RUN(quoted_cells_are_read_back);
    RUN(hostile_cells_are_harmless);
    RUN(files_are_loaded);
    return data_done();
}
