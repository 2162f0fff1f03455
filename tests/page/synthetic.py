"""HloProto files made for tests: one memory space with as many blocks as wanted.

Field numbers: xla/service/hlo.proto, xla/xla_data.proto.
"""
import random


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value) if value else b""


def bytes_field(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def shape(elements):
    layout = bytes_field(1, varint(0))
    return number(2, 11) + bytes_field(3, varint(elements)) + bytes_field(5, layout)  # f32[elements]{0}


class Heap:
    """One allocation and the events of its trace."""

    def __init__(self):
        self.assigned = []
        self.events = []
        self.live = []
        self.at = 0

    def begin(self, id, name, size, capacity):
        offset = self.at if self.at + size <= capacity else 0
        self.at = offset + size
        self.assigned.append(bytes_field(9, number(1, id) + number(2, offset) + number(3, size)))
        self.events.append(bytes_field(1, number(2, id) + bytes_field(4, name)))
        self.live.append((id, name))

    def end(self, place):
        id, name = self.live.pop(place)
        self.events.append(bytes_field(1, number(1, 1) + number(2, id) + bytes_field(4, name)))


def hlo(blocks, capacity=1 << 40, most_live=400, names=None, has_trace=True, heaps=1, seed=1):
    """`blocks` f32 arrays that come and go in heaps of color 0, beside a parameter of 4 KiB. `names` are those of the
    first instructions."""
    dice = random.Random(seed)
    instructions = [bytes_field(2, bytes_field(1, "p") + bytes_field(2, "parameter") + bytes_field(3, shape(1024)) + number(35, 1))]
    buffers = [bytes_field(1, number(1, 1) + number(2, 4096) + bytes_field(3, number(4, 1)))]
    spaces = [Heap() for _ in range(heaps)]
    for i in range(blocks):
        id = i + 2
        elements = dice.choice([1, 16, 256, 4096, 65536, 1 << 20, 1 << 24]) * dice.randint(1, 9)
        name = names[i] if names and i < len(names) else f"fusion.{i}"
        instructions.append(bytes_field(2, bytes_field(1, name) + bytes_field(2, "fusion") + bytes_field(3, shape(elements)) +
                                        bytes_field(7, bytes_field(2, f"jit(step)/layer{i % 48}/op{i % 7}")) + number(35, id)))
        buffers.append(bytes_field(1, number(1, id) + number(2, elements * 4) + bytes_field(3, number(4, id))))
        heap = spaces[i % heaps]
        heap.begin(id, name, elements * 4, capacity)
        while len(heap.live) > most_live or (heap.live and dice.random() < 0.45):
            heap.end(dice.randrange(len(heap.live)))
    computation = bytes_field(1, "main") + b"".join(instructions) + number(5, 1) + number(6, 1)
    module = bytes_field(1, "synthetic") + bytes_field(2, "main") + bytes_field(3, computation) + number(5, 7) + number(6, 1)
    assignment = b"".join(buffers)
    assignment += bytes_field(3, number(2, 4096) + number(5, 1) + bytes_field(9, number(1, 1) + number(3, 4096)))
    for i, heap in enumerate(spaces):
        assignment += bytes_field(3, number(1, i + 1) + number(2, capacity) + b"".join(heap.assigned))
    for i, heap in enumerate(spaces):
        if has_trace:
            assignment += bytes_field(4, b"".join(heap.events) + number(3, i + 1))
    return bytes_field(1, module) + bytes_field(3, assignment)
