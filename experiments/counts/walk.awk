# SPDX-License-Identifier: MIT
#
# walk.awk - one walk: 50 rows a second of the size of the acceleration, with gravity, sway, noise, pauses, and steps of all
#   strengths. -v seed=N -v name=FILE.csv -v steps=N -v folder=DIR; adds to counts.csv and events.csv there.
function chance() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
function between(low, high) { return low + (high - low) * chance() }
function noise() { return between(-1, 1) + between(-1, 1) + between(-1, 1) }
function bump(d, width) { return d * d < 9 * width * width ? exp(-d * d / (width * width)) : 0 }
BEGIN {
    for (seed = 7919 * (seed + 1); i < 10; i++) chance()
    pace = between(0.45, 0.65); width = between(0.03, 0.06); strength = between(2, 6); sway = between(0.5, 2)
    hiss = between(0.1, 0.3); tilt = between(0.2, 0.8); period = between(3, 9)
    for (t = 1; n < steps; t += between(0.5, 6))
        for (left = between(10, 40); left > 0 && n < steps; left--) {
            at[n] = t; size[n++] = strength * between(0.6, 1.4) * (left % 2 < 1 ? 1 : between(0.7, 1))
            t += pace * (1 + 0.06 * noise())
        }
    out = folder "/" name
    print "time,a" >out
    for (i = k = 0; i < 50 * (t + 1); i++) {
        now = i / 50; a = 9.81 + hiss * noise() + tilt * sin(6.2832 * now / period)
        while (k < n && at[k] < now - 0.6) k++
        for (j = k; j < n && at[j] < now + 0.3; j++) {
            d = now - at[j]
            a += size[j] * (bump(d, width) - 0.5 * bump(d - 0.12, 0.06) + 0.3 * bump(d - 0.24, 0.04))
            a += sway * sin(6.2832 * d / pace) * exp(-(d < 0 ? -d : d) / 0.2)
        }
        printf "%.2f,%.3f\n", now, a >out
    }
    printf "%s,%d\n", name, n >>(folder "/counts.csv")
    for (j = 0; j < n; j++) printf "%s,%.3f,step\n", name, at[j] >>(folder "/events.csv")
}
