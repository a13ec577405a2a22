# SPDX-License-Identifier: MIT
"""Regression: is there one answer, to the bit, however a problem is computed?

    python3 tests/regression/run.py --binary build/cpu/bin/halotherm [--launcher 'srun -n {ranks}'] [GROUP ...]

$HALOTHERM_TRANSPORTS lists the transports to compare ("device staged rma"); $HALOTHERM_REFERENCE names another build of the program, whose
bits the group "devices" compares."""
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "python")]
from halotherm_runner import main  # noqa: E402

GROUPS = {
    "comparison": "bits.Comparison",
    "rank_counts_1d": "decompositions.OneDimension",
    "rank_counts_2d": "decompositions.TwoDimensions",
    "rank_counts_3d": "decompositions.ThreeDimensions",
    "uneven_blocks": "decompositions.UnevenBlocks",
    "exchange": "decompositions.Exchange",
    "spacing": "spacing.Spacing",
    "fused_steps": "fused_steps.FusedSteps",
    "random_problems": "random_problems.RandomProblems",
    "steady": "steady.Steady",
    "implicit": "implicit.Implicit",
    "implicit_tolerance": "implicit_tolerance.ImplicitTolerance",
    "table_steps": "table_steps.TableSteps",
    "automatic": "automatic.Automatic",
    "regions": "decompositions.Regions",
    "contacts": "contacts.Contacts",
    "moving_sources": "decompositions.MovingSources",
    "temperature_sources": "decompositions.TemperatureSources",
    "units": "units.Units",
    "material_file": "material_file.MaterialFile",
    "devices": "devices.Devices",
    "restart": "restarts.Restart",
    "stop": "stops.Stop",
    "fit": "fit.Fit",
    "fresh_run": "fit.FreshRun",
    "expectations": "expectations.Expectations",
    "allocations": "allocations.Allocations",
    "shared_cores": "shared_cores.SharedCores",
    "imports": "imports.Imports",
    "sample_output": "sample_output.SampleOutput",
}

if __name__ == "__main__":
    main(GROUPS)
