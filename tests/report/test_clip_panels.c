/* SPDX-License-Identifier: MIT
 * test_clip_panels.c - the picture of one clip: where events, counts and losses are drawn. */
#include "cases.h"

#include "report/clip_panels.h"

/* Two frames, the first a sure event: one class with the true count 1, one of which nothing is known. */
static void everything_has_its_place(void)
{
    double p[] = {1, 0.5}, heat[] = {0, 1, 0, 0, 0.5, 0.5}, time = 2.5, sound[] = {0, 1, 0.5, 0.25};
    lc_clip_scene scene = {
        .title = "a & b", .start = 2, .end = 4, .frames = 2, .sound = sound, .columns = 2, .bands = 2, .lanes_len = 2};
    scene.lanes[0] = (lc_clip_lane){"kick", p, heat, 2, loco_label_exact(1), &time, 1};
    scene.lanes[1] = (lc_clip_lane){"<b>", p, heat, 2, loco_label_range(0, LOCO_NO_LIMIT), NULL, 0};
    lc_text out = {0};
    lc_clip_scene_draw(&out, &scene);
    CHECK(!out.failed);
    CHECK_SAYS(out.bytes, "a &amp; b");
    CHECK_SAYS(out.bytes, "&lt;b&gt;");
    CHECK_SAYS(out.bytes, "<line x1='214' y1='238' x2='214' y2='304'"); /* the event, a quarter in */
    CHECK_SAYS(out.bytes, "M72 304V238H356V271H640V304z");              /* p */
    CHECK_SAYS(out.bytes, ">1: 0.693<");                                /* -log 0.5 */
    CHECK_SAYS(out.bytes, ">seconds<");
    CHECK_SAYS(out.bytes, ">sound<");
    lc_text_free(&out);
    scene.sound = NULL;
    scene.lanes_len = 1;
    scene.lanes[0].label = loco_label_range(0, LOCO_NO_LIMIT);
    lc_clip_scene_draw(&out, &scene);
    CHECK(strstr(out.bytes, ">sound<") == NULL && strstr(out.bytes, "0.693") == NULL);
    lc_text_free(&out);
}

int main(void)
{
    RUN(everything_has_its_place);
    return check_done();
}
