/* SPDX-License-Identifier: MIT
 *
 * launcher.h - whether this process is one of several that a launcher of MPI has started: mpirun, mpiexec or srun.
 */
#ifndef LC_CLI_LAUNCHER_H
#define LC_CLI_LAUNCHER_H

typedef struct lc_launcher {
    unsigned rank, size; /* 0 and 1 without a launcher */
    const char *plugin;  /* for loco_train_options; NULL where there is one process */
} lc_launcher;

/* From the environment. LOCO_MPI chooses another plug-in, by name or path; with `none`, every process works alone. */
lc_launcher lc_launcher_find(void);

#endif
