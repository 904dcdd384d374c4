/* SPDX-License-Identifier: MIT
 *
 * html_check.h - a small checker of HTML: elements are closed in order, attributes are in quotes.
 */
#ifndef TESTS_HTML_CHECK_H
#define TESTS_HTML_CHECK_H

#include "check.h"

#include <stdbool.h>

typedef struct html_checker {
    const char *at;
    char open[24][16]; /* names of the elements that are open */
    size_t depth, elements;
} html_checker;

/* strspn, which a strict sanitizer makes read the whole page for each call. */
static inline size_t html_span(const char *s, const char *set)
{
    size_t n = 0;
    while (s[n] != 0 && strchr(set, s[n]) != NULL)
        n++;
    return n;
}

/* Elements without content, in HTML and as SVG writes them. */
static inline bool html_is_void(const char *name)
{
    return strcmp(name, "meta") == 0 || strcmp(name, "input") == 0 || strcmp(name, "img") == 0;
}

/* Attributes in quotes up to > or />. */
static inline bool html_skip_attributes(html_checker *j, bool *self)
{
    for (;;) {
        j->at += html_span(j->at, " \n");
        *self = *j->at == '/';
        if (*j->at == '>' || *j->at == '/')
            return j->at += *self, *j->at++ == '>';
        j->at += html_span(j->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:");
        if (*j->at != '=')
            continue;
        char quote = *++j->at;
        const char *end = j->at + 1;
        while (*end != 0 && *end != '<' && *end != quote)
            end++;
        if ((quote != '\'' && quote != '"') || *end != quote)
            return false;
        j->at = end + 1;
    }
}

/* Script and style hold no markup before their own end. */
static inline bool html_skip_raw(html_checker *j, const char *name)
{
    char end[24];
    snprintf(end, sizeof end, "</%s>", name);
    while (*j->at != 0 && strncmp(j->at, end, strlen(end)) != 0)
        j->at++;
    return *j->at != 0;
}

static inline bool html_read_element(html_checker *j)
{
    bool closing = *j->at == '/', self;
    char name[16] = "";
    j->at += closing;
    size_t length = html_span(j->at, "abcdefghijklmnopqrstuvwxyz0123456789");
    if (length == 0 || length > 15)
        return false;
    memcpy(name, j->at, length);
    j->at += length;
    if (closing)
        return j->depth > 0 && strcmp(j->open[--j->depth], name) == 0 && *j->at++ == '>';
    if (!html_skip_attributes(j, &self) || j->depth == 24)
        return false;
    j->elements++;
    if (self || html_is_void(name))
        return true;
    memcpy(j->open[j->depth++], name, sizeof name);
    return (strcmp(name, "script") != 0 && strcmp(name, "style") != 0) || html_skip_raw(j, name);
}

/* The number of elements of a well-formed page, or 0. */
static inline size_t elements_of(const char *text)
{
    static const char head[] = "<!DOCTYPE html>\n";
    if (strncmp(text, head, strlen(head)) != 0)
        return 0;
    html_checker j = {.at = text + strlen(head)};
    while (*j.at != 0) {
        if (*j.at == '<' ? (j.at++, !html_read_element(&j)) : *j.at == '>')
            return 0;
        if (j.depth == 0)
            return strcmp(j.at, "\n") == 0 ? j.elements : 0;
        while (*j.at != 0 && *j.at != '<' && *j.at != '>')
            j.at++;
    }
    return 0;
}

/* How often a text holds another. */
static inline size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; *at != 0; at++)
        n += *at == *what && strncmp(at, what, strlen(what)) == 0;
    return n;
}

#endif
