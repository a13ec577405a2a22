# SPDX-License-Identifier: MIT
"""Planes through fields, and lengths and times as texts."""
import numpy

from field_files import AXES, PlotError

PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M"}


def prefix_for(length):
    """The SI prefix and the factor that make a length a number between 1 and 1000."""
    exponent = int(numpy.clip(3 * numpy.floor(numpy.log10(max(abs(length), 1e-30)) / 3), min(PREFIXES), max(PREFIXES)))
    if exponent == 0 and length < 1:
        exponent = -3
    return PREFIXES[exponent], 10.0**-exponent


def quantity(value, unit):
    if value == 0:
        return f"0 {unit}"
    prefix, factor = prefix_for(value) if unit == "m" or abs(value) < 1 else ("", 1.0)
    number = value * factor
    return f"{number:.0f} {prefix}{unit}" if abs(number) >= 1000 else f"{number:.3g} {prefix}{unit}"


def centres(field, axis):
    return 0.5 * (field.faces[axis][1:] + field.faces[axis][:-1])


def plane(field, axis_name, position):
    """The plane's values, its two axes (horizontal, vertical) and what the title says of the place."""
    if field.values.ndim == 2:
        return field.values, (0, 1), ""
    normal = AXES.index(axis_name)
    places = centres(field, normal)
    lower, upper = field.ends(normal)
    if position is None:
        position = 0.5 * (lower + upper)
    if not lower <= position <= upper:
        raise PlotError(f"the position {position:g} m along {axis_name} is outside of the domain")
    index = int(numpy.abs(places - position).argmin())
    horizontal, vertical = (axis for axis in range(3) if axis != normal)
    return field.values.take(index, axis=2 - normal), (horizontal, vertical), f"{axis_name} = {quantity(places[index], 'm')}"
