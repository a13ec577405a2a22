# SPDX-License-Identifier: MIT
"""Hosts whose ranks reach each other over links of a chosen rate and delay, while mpirun talks to them over links as they are."""
import os
import subprocess

from hosts import Hosts, NotPossible, ip


class ShapedHosts(Hosts):
    """`delay` [s] one way; `rate` [bit/s], 0 for no limit. $HALOTHERM_SWITCH: the program of tests/scaling/switch.cpp."""

    def __init__(self, folder, delay=0.0, rate=0.0, count=2):
        super().__init__(folder, count)
        self.command = [os.environ["HALOTHERM_SWITCH"], f"{1e6 * delay:g}", f"{1e-6 * rate:g}", *self.names]
        self.messages = self.network.replace("10.213.", "10.214.")
        self.switch = None

    def __enter__(self):
        super().__enter__()
        try:
            self.switch = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                           text=True)
            said = self.switch.stdout.readline()
            while said.startswith("no real-time"):
                said = self.switch.stdout.readline()
            if said != "ready\n":
                raise NotPossible(said.strip())
            for number, name in enumerate(self.names):
                ip("-n", name, "address", "add", f"{self.messages}.{number + 1}/24", "dev", "shaped0")
                ip("-n", name, "link", "set", "shaped0", "up")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.switch:
            self.switch.communicate()  # ends with its input
        super().__exit__()
