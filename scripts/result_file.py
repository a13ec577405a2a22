# SPDX-License-Identifier: MIT
"""Reads what a command of Halotherm wrote with --json."""
import json
import math


class ResultError(Exception):
    pass


def positive(table, key):
    value = table[key]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
        raise ValueError(f"'{key}' must be a positive number, and is {value!r}")
    return value


def read_result(path, command, parse):
    """What `parse` makes of the file's content; ResultError if that raises what wrong content causes."""
    try:
        return parse(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ResultError(f"cannot read '{path}' ({error.strerror}): name a file that `{command} --json` "
                          "wrote") from error
    except KeyError as error:
        raise ResultError(f"'{path}' is no result of `{command}` (it lacks {error})") from error
    except (ValueError, TypeError, AttributeError, IndexError) as error:
        raise ResultError(f"'{path}' is no result of `{command}` ({error})") from error
