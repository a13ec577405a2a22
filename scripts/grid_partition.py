# SPDX-License-Identifier: MIT
"""How the program partitions a grid among ranks and nodes, and what its ranks exchange."""
import dataclasses
import itertools
import math

MOST_CELLS = 2**31 - 1  # of a message
TOO_MANY_CELLS = f"a face has {{}} cells (at most {MOST_CELLS} can be exchanged): use more ranks"


class PartitionError(Exception):
    pass


@dataclasses.dataclass
class Partition:
    """Blocks of a grid as even as whole cells allow, one a rank, numbered fastest along x."""

    cells: tuple
    periodic: tuple
    blocks: tuple

    def extents(self, axis):
        """Cells of each block along an axis."""
        cells, blocks = self.cells[axis], self.blocks[axis]
        return [cells * (n + 1) // blocks - cells * n // blocks for n in range(blocks)]

    def received_cells(self):
        """By all ranks, in one exchange of ghost width 1."""
        interfaces = [0 if blocks == 1 else blocks if periodic else blocks - 1
                      for blocks, periodic in zip(self.blocks, self.periodic)]
        return sum(2 * n * math.prod(self.cells) // cells for n, cells in zip(interfaces, self.cells))

    def objection(self, halo):
        """Why blocks with ghosts of this width are impossible; empty if they are possible."""
        for axis, cells, blocks, periodic in zip("xyz", self.cells, self.blocks, self.periodic):
            if (blocks > 1 or periodic) and cells // blocks < halo:
                return (f"{blocks} blocks along {axis} (its {cells} cells give blocks thinner than "
                        f"the {halo} ghost cells that a neighbour needs)")
        return ""

    def messages(self, halo):
        """(block, neighbour, cells) of each message; beyond edges and corners only if halo > 1."""
        for direction in itertools.product((-1, 0, 1), repeat=3):
            if not 1 <= sum(map(abs, direction)) <= (3 if halo > 1 else 1):
                continue
            x, y, z = (self._shares(axis, step, halo) for axis, step in enumerate(direction))
            for (z_at, z_to, z_cells), (y_at, y_to, y_cells) in itertools.product(z, y):
                for x_at, x_to, x_cells in x:
                    cells = x_cells * y_cells * z_cells
                    if cells > MOST_CELLS:
                        raise PartitionError(TOO_MANY_CELLS.format(cells))
                    block, neighbour = x_at + y_at + z_at, x_to + y_to + z_to
                    if block != neighbour:
                        yield block, neighbour, cells

    def _shares(self, axis, step, halo):
        """For each block along an axis with a neighbour: the axis's term of its number and of its
        neighbour's, and the axis's factor of the message's cells."""
        blocks, stride = self.blocks[axis], math.prod(self.blocks[:axis])
        return [(n * stride, (n + step) % blocks * stride, halo if step else extent)
                for n, extent in enumerate(self.extents(axis))
                if self.periodic[axis] or 0 <= n + step < blocks]

    def node_box(self, ranks_per_node, compact):
        """The blocks of a node along each axis, where every node has a box of them; else None. As `nodes` chooses them."""
        if math.prod(self.blocks) % ranks_per_node:
            return None
        box = self._rows_of(ranks_per_node)
        if box is None or not compact or math.prod(self.blocks) == ranks_per_node:
            return box
        fewest = self._in_boxes(box).received_cells()
        for other in products(ranks_per_node):
            if not any(blocks % n for blocks, n in zip(self.blocks, other)):
                cells = self._in_boxes(other).received_cells()
                if cells < fewest:
                    fewest, box = cells, other
        return box

    def _rows_of(self, ranks_per_node):
        """The box of so many consecutive blocks; None if they are none."""
        box, left = [], ranks_per_node
        for blocks in self.blocks:
            n = math.gcd(left, blocks)
            if n not in (left, blocks):
                return None
            box.append(n)
            left //= n
        return tuple(box)

    def _in_boxes(self, box):
        return Partition(self.cells, self.periodic, tuple(blocks // n for blocks, n in zip(self.blocks, box)))

    def kinds(self, axis, box):
        """The different blocks along an axis: (cells, whether there is a neighbour below and above, on another node each)."""
        blocks, n = self.blocks[axis], box[axis]
        def neighbour(at, step):
            there = self.periodic[axis] or 0 <= at + step < blocks
            return there, there and (at + step) % blocks // n != at // n
        return {(extent, neighbour(at, -1), neighbour(at, 1)) for at, extent in enumerate(self.extents(axis))}

    def largest_loads(self, halo, box):
        """The most cells that a block receives, that it sends within its node and to others, and of a message between nodes: from the
        kinds of blocks, however many blocks there are."""
        received = near = far = longest = 0
        directions = [d for d in itertools.product((-1, 0, 1), repeat=3) if 1 <= sum(map(abs, d)) <= (3 if halo > 1 else 1)]
        own = [blocks == 1 for blocks in self.blocks]
        directions = [d for d in directions if not all(alone for alone, step in zip(own, d) if step)]
        for block in itertools.product(*(self.kinds(axis, box) for axis in range(3))):
            sent = {False: 0, True: 0}
            for direction in directions:
                sides = [kind[1 if step < 0 else 2] for kind, step in zip(block, direction) if step]
                if not all(there for there, _ in sides):
                    continue
                cells = math.prod(halo if step else kind[0] for kind, step in zip(block, direction))
                if cells > MOST_CELLS:
                    raise PartitionError(TOO_MANY_CELLS.format(cells))
                other = any(leaves for _, leaves in sides)
                sent[other] += cells
                longest = max(longest, cells if other else 0)
            received, near, far = max(received, sum(sent.values())), max(near, sent[False]), max(far, sent[True])
        return received, near, far, longest

    def nodes(self, ranks_per_node, compact):
        """The node of each block. Nodes have consecutive blocks; if `compact`, and if fewer cells
        travel between nodes then, boxes of blocks."""
        ranks = math.prod(self.blocks)
        nodes = [block // ranks_per_node for block in range(ranks)]
        if not compact or ranks == ranks_per_node:
            return nodes
        fewest = sum(cells for block, neighbour, cells in self.messages(1)
                     if nodes[block] != nodes[neighbour])
        for box in products(ranks_per_node):
            if any(blocks % n for blocks, n in zip(self.blocks, box)):
                continue
            boxes = tuple(blocks // n for blocks, n in zip(self.blocks, box))
            cells = Partition(self.cells, self.periodic, boxes).received_cells()
            if cells < fewest:
                fewest = cells
                nodes = [x // box[0] + boxes[0] * (y // box[1] + boxes[1] * (z // box[2]))
                         for z, y, x in itertools.product(*map(range, reversed(self.blocks)))]
        return nodes


def products(number):
    """All (x, y, z) with x · y · z = number, in ascending order."""
    small = [n for n in range(1, math.isqrt(number) + 1) if number % n == 0]
    divisors = sorted({*small, *(number // n for n in small)})
    return [(x, y, number // x // y) for x in divisors for y in divisors if number // x % y == 0]


def partition(cells, periodic, ranks, halo):
    """The partition that exchanges the fewest cells; among equals, the fewest blocks along x, then y."""
    possible = [one for one in (Partition(cells, periodic, blocks) for blocks in products(ranks))
                if not one.objection(halo)]
    if not possible:
        raise PartitionError(
            f"cannot partition {' x '.join(map(str, cells))} cells into {ranks} blocks (no product of three "
            f"numbers gives blocks of at least {halo} cells along every axis): use fewer ranks")
    return min(possible, key=lambda one: (one.received_cells(), one.blocks))


def growth(dimensions, ranks):
    """Blocks along each axis of a weak study's grid: nearest to a cube, the most along the last axis."""
    unused = 3 - dimensions
    cubes = [sizes[unused:] + (1,) * unused for sizes in products(ranks)
             if sizes == tuple(sorted(sizes)) and all(size == 1 for size in sizes[:unused])]
    return min(cubes, key=lambda sizes: (sum(sizes), sizes))
