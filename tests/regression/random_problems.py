# SPDX-License-Identifier: MIT
"""Problems that nobody thought of: grids, materials, sides and integrators by chance, each on one rank and on two other numbers of ranks.
$HALOTHERM_SEEDS = "FIRST COUNT" takes others than the ten of every day."""
import os
import random

from bits import BitsCase

CUTS = (2, 3, 4, 5, 6, 8)


def axis(chance, cells):
    """Equal cells, widths that grow, a layer of thin or thick cells, or widths by chance."""
    kind = chance.choice(["equal", "equal", "growing", "layer", "any"])
    if kind == "equal":
        return {"cells": cells, "upper": chance.choice([1, 0.01, 3])}
    if kind == "growing":
        growth = chance.choice([0.8, 0.9, 1.1, 1.3])
        widths = [growth**n for n in range(cells)]
    elif kind == "layer":
        first, width, thick = chance.randrange(cells), chance.choice([1e-3, 0.1, 30]), chance.randrange(1, 4)
        widths = [width if first <= n < first + thick else 1.0 for n in range(cells)]
    else:
        widths = [10 ** chance.uniform(-1.5, 0.5) for _ in range(cells)]
    faces = [0.0]
    for width in widths:
        faces.append(faces[-1] + width)
    return {"faces": faces}


def material(chance, axes, plain):
    conductivity = [1, 400, 0.03]
    if not plain:
        conductivity += [[1, 10, 100][:axes], "1 + 0.5*sin(7*x)", {"table": {250: 1, 400: 3}}]
    return {"conductivity": chance.choice(conductivity), "density": chance.choice([1000, 8000]), "heat_capacity": chance.choice([500, 900])}


def side(chance, axis_name, axes):
    along = next(other for other in ("x", "y", "z") if other != axis_name or axes == 1)
    return chance.choice([
        {"temperature": chance.choice([300, 350])}, {"temperature": f"300 + 20*{along}" if axes > 1 else 310}, {"flux": chance.choice([100, -20])},
        {"convection": {"coefficient": chance.choice([1, 1e3]), "ambient": 290}}, {"radiation": {"emissivity": 0.9, "ambient": 290}}, {"flux": 0}])


def box(chance, extents):
    lower = [chance.uniform(0, 0.6) * extent for extent in extents]
    return {"lower": lower, "upper": [at + chance.uniform(0.3, 0.6) * extent for at, extent in zip(lower, extents)]}


def random_problem(seed):
    chance = random.Random(seed)
    axes = chance.choice([1, 2, 2, 3, 3])
    names = "xyz"[:axes]
    grid = {name: axis(chance, chance.randrange(8, {1: 200, 2: 50, 3: 20}[axes])) for name in names}
    extents = [along.get("upper") or along["faces"][-1] for along in grid.values()]
    plain = chance.random() < 0.5
    materials = {"a": material(chance, axes, plain)}
    regions = [{"material": "a"}]
    for name in "bc":
        if chance.random() < 0.4:
            materials[name] = material(chance, axes, plain)
            regions.append({"material": name, "box": box(chance, extents)})
    if chance.random() < 0.3:
        regions.append({"source": chance.choice([1e3, "1e3*x", "10*(310 - T)"]), "box": box(chance, extents)})
    if axes > 1 and chance.random() < 0.2:
        regions.append({"material": "void", "box": box(chance, extents)})
    sides = {}
    for name in names:
        if chance.random() < 0.15:
            sides[name] = "periodic"
        else:
            sides |= {name + end: side(chance, name, axes) for end in "-+" if chance.random() < 0.8}
    if regions[-1].get("material") == "void" and chance.random() < 0.5:
        sides["void"] = {"convection": {"coefficient": 20, "ambient": 280}}
    steps = {"euler": 20, "rk2": 10, "rkl2": 4, "backward-euler": 3, "crank-nicolson": 3, "tr-bdf2": 3}
    integrator = chance.choice(["steady"] * 6 + list(steps))
    time = {"integrator": integrator}
    if integrator != "steady":
        time["steps"] = steps[integrator]
    if integrator in ("backward-euler", "crank-nicolson", "tr-bdf2"):
        time["dt"] = 10 ** chance.uniform(-1, 4)
    return {"grid": grid | {"precision": chance.choice(["float64", "float64", "float32"])}, "materials": materials, "regions": regions, "sides": sides,
            "initial": {"temperature": chance.choice([300, "300 + 5*x"])}, "time": time}


class RandomProblems(BitsCase):
    def test_cuts(self):
        first, count = map(int, os.environ.get("HALOTHERM_SEEDS", "470 10").split())
        answers = 0
        for seed in range(first, first + count):
            config, chance = random_problem(seed), random.Random(-seed)
            with self.subTest(seed=seed, config=config):
                code, reference = self.try_program(config)
                last = (reference.output.strip().splitlines() or [""])[-1]
                self.assertIn(code, (0, 2, 3), reference.output)
                answers += code == 0
                print(f"{seed}: {config['time']['integrator']} {last if code else ''}", flush=True)
                for ranks in chance.sample(CUTS, 2):
                    other, results = self.try_program(config, ranks)
                    self.assertEqual(other, code, f"{ranks} ranks: {results.output}")
                    if code == 0:
                        self.assert_same(results, reference, f"{ranks} ranks")
        self.assertGreater(answers, count // 2, "most problems have an answer")
