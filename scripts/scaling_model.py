# SPDX-License-Identifier: MIT
"""The model of a time step that predict_scaling.py fits to a scaling study.

A message of n bytes takes latency + n / bandwidth (Hockney 1994, Parallel Computing 20, eq. 1), and

    work      launches + cells · cell + received cells · shell
    exchange  bytes sent · packing + the slower link's latency + bytes / bandwidth
    step      work + max(seen · usual, usual − hiding · work) + what a slower link adds beyond the work

where `usual` is the exchange over the measured links. The share `seen` of it lengthens the step however
much work there is: packing, and what processors do for messages; it exceeds 1 where that delays the work.
A slower link only delays messages, which work hides. A message above a link's eager limit waits for its
receiver's answer: three latencies, of which one is hidden, as the receiver answers after its work.
"""
import dataclasses
import math
import statistics


@dataclasses.dataclass
class Link:
    """A rank's way to others."""

    latency: float  # of all messages of an exchange together [s]
    bandwidth: float  # each way, while both are in use [bytes/s]
    eager_limit: float = math.inf  # longer messages wait for an answer [bytes]

    def seconds(self, size, longest):
        """Latency and transfer of so many bytes, and whether they wait for an answer."""
        waits = longest > self.eager_limit
        return (3 if waits else 1) * self.latency, size / self.bandwidth, waits


@dataclasses.dataclass
class Load:
    """The largest share of each kind that any rank has."""

    cells: float
    received: float = 0.0  # cells
    near_bytes: float = 0.0  # sent over links like the measured ones, within a node
    far_bytes: float = 0.0  # sent between nodes
    far_message: float = 0.0  # the longest of these [bytes]


@dataclasses.dataclass
class Row:
    """What a study measured on one number of ranks; times of a step in seconds."""

    ranks: int
    load: Load
    step: float
    computation: float  # without the exchange
    launches: float
    copy_rate: float  # of a rank, read and written [bytes/s]
    own_memory: bool  # of each rank
    exchange: float = 0.0  # alone
    messages: float = 0.0  # without packing
    latency: float = 0.0

    def cell_seconds(self, reference):
        """Of the reference; where ranks share a memory, longer by as much as a rank's copy rate falls, but
        no longer than this row's work shows, which may wait for the processor instead of the memory."""
        alone = (reference.computation - reference.launches) / reference.load.cells
        if self.own_memory:
            return alone
        shown = (self.computation - self.launches) / self.load.cells
        return min(max(alone * reference.copy_rate / self.copy_rate, alone), max(alone, shown))


@dataclasses.dataclass
class Step:
    """A predicted step [s]."""

    launches: float
    inner: float
    shell: float
    packing: float
    latency: float
    transfer: float
    exposed: float = 0.0  # part of the exchange

    work = property(lambda self: self.launches + self.inner + self.shell)
    exchange = property(lambda self: self.packing + self.latency + self.transfer)
    total = property(lambda self: self.work + self.exposed)

    def largest_loss(self):
        seen = self.exposed / self.exchange if self.exchange > 0 else 0
        losses = {"launch overhead": self.launches,
                  "latency": seen * self.latency,
                  "link bandwidth": seen * self.transfer,
                  "surface-to-volume": self.shell + seen * self.packing}
        return max(losses, key=losses.get)


@dataclasses.dataclass
class Model:
    """Seven numbers from the rows by ascending ranks. The first row is the reference, the last is most like
    the predicted machine."""

    launches: float  # of the last row
    cell: float  # of the last row
    shell: float  # least squares of what computation takes beyond launches and cells
    packing: float  # of the last row; without an exchange, two copies at the memory's rate
    link: Link  # of the last row
    seen: float  # median of exposed / exchange of the rows with more work than exchange
    hiding: float  # median of (exchange − exposed) / work of the others; 1 without any

    def step(self, load, far):
        """`far` is the link between nodes; None stands for the measured one."""
        ways = [(far or self.link).seconds(load.far_bytes, load.far_message)] if load.far_bytes > 0 else []
        ways += [self.link.seconds(load.near_bytes, 0)] if load.near_bytes > 0 else []
        latency, transfer, waits = max(ways, key=lambda way: way[0] + way[1], default=(0.0, 0.0, False))
        size = load.near_bytes + load.far_bytes
        step = Step(self.launches, load.cells * self.cell, load.received * self.shell,
                    size * self.packing, latency, transfer)
        usual = step.packing + self.link.latency + size / self.link.bandwidth if size > 0 else 0.0
        usual = min(step.exchange, usual)
        room = self.hiding * step.work
        seen = max(self.seen * usual, usual - room)
        left = min(room - max(0.0, usual - seen), latency / 3 if waits else step.exchange)
        step.exposed = seen + max(0.0, step.exchange - usual - left)
        return step

    def time_with_depth(self, load, far, depth):
        """Mean step with ghost layers `depth` cells deep, exchanged in every depth-th step: in the n-th step
        after an exchange both neighbours compute depth − n of them (edges and corners left out)."""
        cells = load.cells + load.received * 0.5 * (depth - 1)
        sent = (depth * size for size in (load.near_bytes, load.far_bytes, load.far_message))
        between = self.step(Load(cells), far).total
        return between + (self.step(Load(cells, load.received, *sent), far).total - between) / depth

    def again(self, row, reference):
        """The step of a row of the study, in which ranks share memories as they did there."""
        there = dataclasses.replace(self, cell=row.cell_seconds(reference), launches=row.launches)
        return there.step(row.load, None).total


def fit(rows, link):
    """The model of these rows; `link` counts if the last of them exchanges nothing."""
    reference, last = rows[0], rows[-1]
    product = square = 0.0
    seen, hiding = [], []
    for row in rows[1:]:
        rest = row.computation - row.launches - row.load.cells * row.cell_seconds(reference)
        product += row.load.received * rest
        square += row.load.received ** 2
    for row in rows:
        exposed = max(0.0, row.step - row.computation)
        if 0 < row.exchange < row.computation:
            seen.append(exposed / row.exchange)
        elif row.exchange > 0:
            hiding.append(min(max((row.exchange - exposed) / row.computation, 0.0), 1.0))
    packing = 4 / last.copy_rate
    if last.exchange > 0:
        latency = min(last.latency, last.messages)
        transfer = max(0.02 * last.messages, last.messages - latency)
        link = Link(latency, last.load.near_bytes / transfer)
        packing = max(0.0, last.exchange - latency - transfer) / last.load.near_bytes
    return Model(last.launches, last.cell_seconds(reference), max(0.0, product / square) if square else 0.0,
                 packing, link, statistics.median(seen or [0.0]), statistics.median(hiding or [1.0]))
