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


def hlo(blocks, capacity=1 << 40, most_live=400, names=None, events=None, seed=1):
    """`blocks` f32 arrays that come and go in one heap of color 0 beside a parameter of 4 KiB. With `names`, the names of
    the first instructions. `events` False leaves the heap trace out."""
    dice = random.Random(seed)
    instructions = bytes_field(2, bytes_field(1, "p") + bytes_field(2, "parameter") + bytes_field(3, shape(1024)) + number(35, 1))
    buffers = bytes_field(1, number(1, 1) + number(2, 4096) + bytes_field(3, number(4, 1)))
    assigned = b""
    trace = b""
    parts = [[], [], [], []]
    live = []
    at = 0
    for i in range(blocks):
        id = i + 2
        elements = dice.choice([1, 16, 256, 4096, 65536, 1 << 20, 1 << 24]) * dice.randint(1, 9)
        size = elements * 4
        offset = at if at + size <= capacity else 0
        at = offset + size
        name = names[i] if names and i < len(names) else f"fusion.{i}"
        parts[0].append(bytes_field(2, bytes_field(1, name) + bytes_field(2, "fusion") + bytes_field(3, shape(elements)) +
                                    bytes_field(7, bytes_field(2, f"jit(step)/layer{i % 48}/op{i % 7}")) + number(35, id)))
        parts[1].append(bytes_field(1, number(1, id) + number(2, size) + bytes_field(3, number(4, id))))
        parts[2].append(bytes_field(9, number(1, id) + number(2, offset) + number(3, size)))
        parts[3].append(bytes_field(1, number(2, id) + bytes_field(4, name)))
        live.append((id, name))
        while len(live) > most_live or (live and dice.random() < 0.45):
            gone, whose = live.pop(dice.randrange(len(live)))
            parts[3].append(bytes_field(1, number(1, 1) + number(2, gone) + bytes_field(4, whose)))
    instructions += b"".join(parts[0])
    buffers += b"".join(parts[1])
    assigned = b"".join(parts[2])
    trace = b"".join(parts[3])
    computation = bytes_field(1, "main") + instructions + number(5, 1) + number(6, 1)
    module = bytes_field(1, "synthetic") + bytes_field(2, "main") + bytes_field(3, computation) + number(5, 7) + number(6, 1)
    parameter = number(1, 0) + number(2, 4096) + number(5, 1) + bytes_field(9, number(1, 1) + number(3, 4096))
    heap = number(1, 1) + number(2, capacity) + assigned
    assignment = buffers + bytes_field(3, parameter) + bytes_field(3, heap)
    if events is not False:
        assignment += bytes_field(4, trace + number(3, 1))
    return bytes_field(1, module) + bytes_field(3, assignment)
