# SPDX-License-Identifier: MIT
"""Verification: does the program solve the heat equation?

    python3 tests/verification/run.py --binary build/cpu/bin/halotherm [--launcher 'srun -n {ranks}'] [GROUP ...]

Prints what it measured; docs/verification.md explains it."""
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "python")]
from halotherm_runner import main  # noqa: E402

GROUPS = {
    "spatial_order_1d": "spatial_order.OneDimension",
    "spatial_order_2d": "spatial_order.TwoDimensions",
    "spatial_order_3d": "spatial_order.ThreeDimensions",
    "spatial_order_can_fail": "spatial_order.CanFail",
    "moving_sources": "spatial_order.MovingSources",
    "coefficient_order": "coefficient_order.Coefficients",
    "steady_order": "coefficient_order.SteadyOrder",
    "time_order": "time_order.TimeOrder",
    "single_precision": "coefficient_order.SinglePrecision",
    "sine_mode": "exact.SineMode",
    "layers": "exact.Layers",
    "contacts": "contacts",
    "temperature_sources": "temperature_sources",
    "uneven_spacing": "uneven_spacing",
    "stability_bound": "stability.Stability",
    "conservation": "conservation.Conservation",
    "maximum_principle": "principles.MaximumPrinciple",
    "bounds_check": "principles.BoundsCheck",
    "symmetry": "principles.Symmetry",
    "void_cells": "void_cells.VoidCells",
    "published_cases": "cases.PublishedCases",
    "siam_problem_8": "hundred_digits.HundredDigits",
    "convergence": "convergence.Convergence",
    "convergence_of_fires": "convergence.ConvergenceOfFires",
    "verify_command": "verify_command.VerifyCommand",
}

if __name__ == "__main__":
    main(GROUPS)
