# SPDX-License-Identifier: MIT
"""How the program partitions a grid among ranks and nodes, and what its ranks exchange."""
import dataclasses
import itertools
import math

MOST_CELLS = 2**31 - 1  # of a message


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
                        raise PartitionError(f"a face has {cells} cells (at most {MOST_CELLS} "
                                             "can be exchanged): use more ranks")
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
    divisors = [n for n in range(1, number + 1) if number % n == 0]
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
