#!/bin/sh
# The synthetic experiment as a Slurm job array on a shared folder: each task is one shard.
#
#   sbatch --array=1-16 --cpus-per-task=4 --time=01:00:00 examples/slurm_array.sh /shared/run
#
# Further words are options of `oubli phase synthetic`; with `--dry-run` that prints pieces, processor hours and
# bytes before anything starts. A task that is killed or runs out of time loses at most the pieces in progress;
# submit the same line again and it goes on. The task that finds all pieces there writes the results: the same
# bytes as one process on one machine.
#SBATCH --job-name=oubli-phase
#SBATCH --output=oubli-%A-%a.log
set -eu

out=${1:?the shared results folder}
shift
shard=${SLURM_ARRAY_TASK_ID:?submit with --array=1-N}/${SLURM_ARRAY_TASK_COUNT:?submit with --array=1-N}

exec oubli phase synthetic --shard "$shard" --jobs "${SLURM_CPUS_PER_TASK:-1}" --out "$out" --report "$out/report" "$@"
