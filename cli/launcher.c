/* SPDX-License-Identifier: MIT
 *
 * launcher.c - whether this process is one of several: launchers say so in the environment.
 */
#include "launcher.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Slurm's last: with --mpi=pmi2 srun sets those of the second, too. SLURM_NTASKS is also there in a batch script, where one
 * process runs. */
static const struct {
    const char *rank, *size, *plugin;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "openmpi"},
    {"PMI_RANK",             "PMI_SIZE",             "mpich"  },
    {"SLURM_PROCID",         "SLURM_STEP_NUM_TASKS", "openmpi"},
};

lc_launcher lc_launcher_find(void)
{
    const char *chosen = getenv("LOCO_MPI");
    lc_launcher found = {0, 1, NULL};
    if (chosen != NULL && strcmp(chosen, "none") == 0)
        return found;
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0] && found.size <= 1; i++) {
        const char *rank = getenv(launchers[i].rank), *size = getenv(launchers[i].size);
        if (rank == NULL || size == NULL)
            continue;
        found.rank = (unsigned)strtoul(rank, NULL, 10);
        found.size = (unsigned)strtoul(size, NULL, 10);
        found.plugin = chosen != NULL && chosen[0] != 0 ? chosen : launchers[i].plugin;
    }
    if (found.size > 1)
        return found;
    return (lc_launcher){0, 1, NULL};
}
