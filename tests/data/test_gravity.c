/* SPDX-License-Identifier: MIT
 * test_gravity.c - the angle between the gravity of recordings, and what has none. */
#include "cases.h"

#include "data/gravity.h"

static double turn_of(const char *names, const double (*means)[3], size_t n)
{
    lc_gravity gravity = {.len = 0};
    for (size_t i = 0; i < n; i++) {
        lc_sound_shape shape = {
            .channels = 3, .mean = {means[i][0], means[i][1], means[i][2]}
        };
        snprintf(shape.names, sizeof shape.names, "%s", names);
        lc_gravity_add(&gravity, &shape);
    }
    return gravity.turn;
}

static void angles_are_the_largest_of_all_pairs(void)
{
    static const double means[][3] = {
        {0, 0,  9.81},
        {0, 1,  1   },
        {0, 0,  0   },
        {0, -3, 3   }
    };
    CHECK_NEAR(turn_of("ax,ay,az", means, 1), 0, 0);
    CHECK_NEAR(turn_of("ax,ay,az", means, 2), 45, 1e-9);
    CHECK_NEAR(turn_of("ax,ay,az", means, 3), 45, 1e-9);
    CHECK_NEAR(turn_of("ax,ay,az", means, 4), 90, 1e-9);
}

static void only_axes_have_gravity(void)
{
    static const double means[][3] = {
        {0, 0, 1},
        {0, 1, 0}
    };
    static const char *const axes[] = {"x,y,z", "z,y,x", "AccX,AccY,AccZ",
                                       "Acceleration x (g),Acceleration y (g),Acceleration z (g)"};
    static const char *const others[] = {"",       "a,b,c", "x,y,w",  "x,x,y",   "ax,gy,az",
                                         "x,y,zz", "x,y",   "x,y,z,", "I,II,III"};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        CHECK_NEAR(turn_of(axes[i], means, 2), 90, 1e-9);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK_NEAR(turn_of(others[i], means, 2), 0, 0);
}

int main(void)
{
    RUN(angles_are_the_largest_of_all_pairs);
    RUN(only_axes_have_gravity);
    return check_done();
}
