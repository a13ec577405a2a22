# SPDX-License-Identifier: MIT
"""What submit_scaling needs of Slurm: job scripts, and jobs that are submitted, waited for and cancelled together."""
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
LOG_LINES = 15  # of a job that failed


@dataclass
class Partition:
    """Of the cluster, and the job there. The name is empty for the default partition."""
    name: str
    ranks: int  # on a node
    gpus: str  # on a node, as in 4 or a100:4; empty for none
    files: Path = None  # without ending
    sbatch: subprocess.Popen = None
    job: str = ""

    def file(self, ending):
        return Path(f"{self.files}.{ending}")


class SubmitError(Exception):
    pass


def job_script(options, place):
    settings = [f"--job-name=halotherm-{options.kind}", f"--nodes={options.nodes[-1]}", f"--ntasks-per-node={place.ranks}",
                f"--time={options.time}", "--exclusive", "--mem=0", f"--chdir={shlex.quote(os.getcwd())}",
                f"--output={shlex.quote(str(place.file('log')))}"]
    if place.gpus:
        settings.append(f"--gpus-per-node={place.gpus}")
    if place.name:
        settings.append(f"--partition={place.name}")
    ranks = ",".join(str(count * place.ranks) for count in options.nodes)
    config = [options.config] if options.config else []
    study = shlex.join([str(place.files), options.kind, *config, "--ranks", ranks, *options.scale])
    return "\n".join(["#!/bin/bash",
                      "# Written by scripts/submit_scaling. To measure once more: sbatch this file.",
                      *(f"#SBATCH {setting}" for setting in settings + options.sbatch),
                      "set -euo pipefail",
                      f"here={shlex.quote(str(PROJECT / 'slurm'))}",
                      'source "$here/scaling.sh"',
                      f"scaling_study {study}", ""])


def read_job(place):
    """sbatch says the job's number before it waits; nothing if Slurm refuses the job."""
    place.job = place.job or place.sbatch.stdout.readline().strip().split(";")[0]
    return place.job


def cancel(places):
    jobs = [job for place in places if place.sbatch and place.sbatch.poll() is None and (job := read_job(place))]
    if jobs:
        subprocess.run(["scancel", *jobs], check=False)
    return f"cancelled: {', '.join(jobs) or 'no job'}"


def submit(places):
    for place in places:
        environment = dict(os.environ)
        if place.name:
            environment.pop("SBATCH_PARTITION", None)  # stronger than what a script says
        try:
            # in a session of its own: Ctrl-C must not end it before its job is cancelled
            place.sbatch = subprocess.Popen(["sbatch", "--wait", "--parsable", str(place.file("sbatch"))], env=environment,
                                            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        except OSError as error:
            raise SubmitError(f"cannot start sbatch ({error.strerror}) call this where jobs can be submitted") from error
        if not read_job(place):
            message = " ".join(place.sbatch.communicate()[1].split())
            raise SubmitError(f"Slurm refuses {place.file('sbatch')} ({message}) correct it; {cancel(places)}")
        print(f"job {place.job}: {place.files.name}, log in {place.file('log')} (Ctrl-C cancels)", flush=True)


def report_failure(place, code):
    try:
        log = place.file("log").read_text(encoding="utf-8", errors="replace")
    except OSError:
        log = "(there is none)"
    last = "\n".join(f"  {line}" for line in log.rstrip().splitlines()[-LOG_LINES:])
    what = f"job {place.job} ({place.files.name}) failed with exit code {code}"
    print(f"submit_scaling: {what}; the end of {place.file('log')}:\n{last}", file=sys.stderr, flush=True)


def wait(places):
    """The exit code of the first job that failed, or 0."""
    first = 0
    for place in places:
        place.sbatch.communicate()
        code = place.sbatch.returncode
        if code != 0:
            report_failure(place, code)
        first = first or code
    return first
