# SPDX-License-Identifier: MIT
"""Solutions of the heat equation as formulas, together with the configuration that has them.

T = base + slopes . x + 50 g(t) f(x) f(y) f(z). The derivatives of g and f are known, so source, fluxes and ambient temperatures follow
from the equation and the sides without any approximation.
"""
import numpy as np

AXES = "xyz"
NAMES = {name: getattr(np, name) for name in ("sin", "cos", "exp")} | {"pi": np.pi}


def evaluate(formula, time, *position):
    """The formula in numpy, with the meaning that it has in a configuration."""
    variables = dict(zip(AXES, position)) | {"t": time}
    return eval(str(formula).replace("^", "**"), {"__builtins__": {}}, NAMES | variables)  # noqa: S307


class Profile:
    """f and its first two derivatives along an axis, as texts in which X stands for the coordinate."""

    def __init__(self, value, first, second):
        self.texts = (value, first, second)

    def text(self, derivative, axis):
        return "(" + self.texts[derivative].replace("X", AXES[axis]) + ")"


WAVE = Profile("1.5 + sin(2*pi*X + 0.3)", "2*pi*cos(2*pi*X + 0.3)", "-4*pi^2*sin(2*pi*X + 0.3)")  # of period 1
OPEN = Profile("sin(1.7*X + 0.4)", "1.7*cos(1.7*X + 0.4)", "-2.89*sin(1.7*X + 0.4)")  # neither value nor slope is 0 at 0 and 1


class Problem:
    """Manufactured: any profiles and material, one entry of each list an axis. Of a conductivity the derivative along its own axis
    is given too."""

    def __init__(self, profiles, kinds, conductivity=None, capacity=("1", "1")):
        self.dimensions = len(profiles)
        self.profiles, self.kinds = profiles, kinds
        self.growth, self.growth_rate = "cos(3*t)", "-3*sin(3*t)"
        self.conductivity = conductivity or [("1", "0")] * self.dimensions
        self.density, self.heat_capacity = capacity

    def product(self, derivatives):
        return "*".join(p.text(d, axis) for axis, (p, d) in enumerate(zip(self.profiles, derivatives)))

    def derivative(self, axis, order):
        derivatives = [order if a == axis else 0 for a in range(self.dimensions)]
        return f"50*({self.growth})*{self.product(derivatives)}"

    def temperature(self, growth=None):
        return f"300 + 50*({growth or self.growth})*{self.product([0] * self.dimensions)}"

    def source(self):
        rate = f"({self.density})*({self.heat_capacity})*50*({self.growth_rate})*{self.product([0] * self.dimensions)}"
        for axis, (k, slope) in enumerate(self.conductivity):
            rate += f" - ({k})*{self.derivative(axis, 2)}" + (f" - ({slope})*{self.derivative(axis, 1)}" if slope != "0" else "")
        return rate

    def side(self, axis, end):
        kind = self.kinds[axis]
        outward = f"{'-' if end == 0 else ''}1*({self.conductivity[axis][0]})*{self.derivative(axis, 1)}"
        if kind == "temperature":
            return {kind: self.temperature()}
        if kind == "flux":
            return {kind: outward}
        share, rest = (0, 1) if kind == "convection" else (0.4, 0.6)
        coefficient = "3 + sin(t)"
        if kind == "convection and radiation":
            return self.radiating(f"({self.temperature()})", outward, coefficient)
        convection = {"coefficient": coefficient, "ambient": f"{self.temperature()} + {rest}*({outward})/({coefficient})"}
        return {"convection": convection} | ({"flux": f"{share}*({outward})"} if share else {})

    @staticmethod
    def radiating(temperature, outward, coefficient):
        """Half of the flux by convection; radiation from surroundings 10 % hotter, which a flux takes away again."""
        emissivity = "(0.6 + 0.2*cos(t))"
        return {"convection": {"coefficient": coefficient, "ambient": f"{temperature} + 0.5*({outward})/({coefficient})"},
                "radiation": {"emissivity": emissivity, "ambient": f"1.1*{temperature}"},
                "flux": f"0.5*({outward}) - {emissivity}*5.670374419e-8*(1.1^4 - 1)*{temperature}^4"}

    def config(self):
        sides = {}
        for axis, kind in enumerate(self.kinds):
            if kind == "periodic":
                sides[AXES[axis]] = kind
            else:
                sides |= {f"{AXES[axis]}{sign}": self.side(axis, end) for end, sign in enumerate("-+")}
        return {"materials": {"solid": self.material()}, "regions": [{"source": self.source()}], "sides": sides,
                "initial": {"temperature": self.temperature(growth="1")}}

    def material(self):
        values = [k for k, _ in self.conductivity]
        isotropic = len(set(values)) == 1
        return {"conductivity": values[0] if isotropic else values, "density": self.density, "heat_capacity": self.heat_capacity}


class OfTemperature(Problem):
    """Manufactured: K(T) with its derivative, and rho c(T), as formulas in T, and a factor of K as a formula in t."""

    def __init__(self, profiles, kinds, conductivity, slope, capacity, temperatures=(240, 360), factor=None):
        super().__init__(profiles, kinds)
        self.properties = {"conductivity": conductivity, "density": 1, "heat_capacity": capacity, "temperatures": list(temperatures)}
        self.properties |= {"conductivity_factor": factor} if factor else {}
        self.heat_capacity = self.at_solution(capacity)
        times = f"({factor})*" if factor else ""
        self.conductivity = [(times + self.at_solution(conductivity), times + f"{self.at_solution(slope)}*{self.derivative(axis, 1)}")
                             for axis in range(self.dimensions)]

    def at_solution(self, formula):
        return "(" + formula.replace("T", f"({self.temperature()})") + ")"

    def material(self):
        return self.properties


class Moving:
    """A wave that moves along x through a periodic box with one metre a second. Its source is a product of factors along the axes, or,
    with the same values, a sum of such products."""

    def __init__(self, dimensions, as_sum=False):
        self.dimensions, self.as_sum = dimensions, as_sum
        self.across = "".join(f"*sin(2*pi*{x})" for x in AXES[1:dimensions])

    def temperature(self, shift="t"):
        return f"300 + 50*sin(2*pi*(x - {shift})){self.across}"

    def source(self):
        diffused, moved = f"{4 * self.dimensions}*pi^2*sin(2*pi*(x - t))", "2*pi*cos(2*pi*(x - t))"
        if self.as_sum:
            return f"50*{diffused}{self.across} - 50*{moved}{self.across}"
        return f"50*({diffused} - {moved}){self.across}"

    def config(self):
        return {"materials": {"solid": {"conductivity": 1, "density": 1, "heat_capacity": 1}}, "regions": [{"source": self.source()}],
                "sides": {x: "periodic" for x in AXES[:self.dimensions]}, "initial": {"temperature": self.temperature("0")}}


class Mode:
    """A decaying eigenfunction over a linear temperature, exact without a source; every value in its configuration is a number."""

    CONDUCTIVITY, DENSITY, HEAT_CAPACITY, DECAY_ANGLE = 2.0, 4.0, 0.5, 2.0

    def __init__(self, dimensions, kind, base=300.0):
        self.dimensions, self.kind, self.base = dimensions, kind, base
        self.slopes = self.choose_slopes()
        self.profile, number = {
            "temperature": ("sin(pi*X)", np.pi), "flux": ("cos(pi*X)", np.pi), "periodic": ("sin(2*pi*X + 0.3)", 2 * np.pi),
            "convection": (f"cos({self.DECAY_ANGLE}*(X - 0.5))", self.DECAY_ANGLE)}["convection" if "convection" in kind else kind]
        self.rate = dimensions * self.CONDUCTIVITY / (self.DENSITY * self.HEAT_CAPACITY) * number**2

    def choose_slopes(self):
        """A linear part makes values and fluxes differ between the sides; beyond 1-D it would make some depend on the position."""
        if self.kind == "flux":
            return [30.0 * (axis + 1) for axis in range(self.dimensions)]
        return [40.0 if self.dimensions == 1 and self.kind != "periodic" else 0.0] * self.dimensions

    def temperature(self, decay=None):
        axes = AXES[:self.dimensions]
        linear = "".join(f" + {slope}*{x}" for slope, x in zip(self.slopes, axes) if slope)
        return f"{self.base}{linear} + 50*{decay or f'exp(-{self.rate!r}*t)'}*" + "*".join(self.profile.replace("X", x) for x in axes)

    def side(self, axis, end):
        flux = (2 * end - 1) * self.CONDUCTIVITY * self.slopes[axis]
        face = self.base + end * self.slopes[axis]
        coefficient = self.CONDUCTIVITY * self.DECAY_ANGLE * np.tan(self.DECAY_ANGLE / 2)
        return {"temperature": {"temperature": face}, "flux": {"flux": flux},
                "convection": {"convection": {"coefficient": coefficient, "ambient": face + flux / coefficient}},
                "flux and convection": {"flux": flux - 7, "convection": {"coefficient": coefficient, "ambient": face + 7 / coefficient}}}[self.kind]

    def config(self):
        sides = {}
        for axis in range(self.dimensions):
            if self.kind == "periodic":
                sides[AXES[axis]] = "periodic"
            else:
                sides |= {f"{AXES[axis]}{sign}": self.side(axis, end) for end, sign in enumerate("-+")}
        material = {"conductivity": self.CONDUCTIVITY, "density": self.DENSITY, "heat_capacity": self.HEAT_CAPACITY}
        return {"materials": {"solid": material}, "sides": sides, "initial": {"temperature": self.temperature(decay="1")}}
