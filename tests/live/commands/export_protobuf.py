# SPDX-License-Identifier: GPL-2.0
#
# Reads an answer of sonde export in protobuf, and prints its samples as the text format has them; what is native, as
# NAME native SCHEMA THRESHOLD ZEROS OFFSET COUNT...
import struct
import sys


def number(b, at):
    value = shift = 0
    while True:
        value |= (b[at] & 0x7f) << shift
        shift += 7
        at += 1
        if not b[at - 1] & 0x80:
            return value, at


def fields(b):
    at = 0
    while at < len(b):
        key, at = number(b, at)
        if key & 7 == 0:
            value, at = number(b, at)
        elif key & 7 == 1:
            value, at = struct.unpack_from("<d", b, at)[0], at + 8
        else:
            assert key & 7 == 2, key
            n, at = number(b, at)
            value, at = b[at:at + n], at + n
            assert len(value) == n
        yield key >> 3, value


def signed(n):
    return n >> 1 ^ -(n & 1)


def shown(value):
    return str(int(value)) if value == int(value) and value < 1 << 53 else "%.15g" % value


def bound(value):
    return "+Inf" if value == float("inf") else shown(value) + (".0" if value == int(value) else "")


def escaped(text):
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def sample(name, labels, value):
    inside = ",".join('%s="%s"' % (k, escaped(v)) for k, v in labels)
    print(name + ("{%s}" % inside if inside else ""), value)


def histogram(name, labels, h):
    one = dict(h)
    last = 0
    for field, value in h:
        if field != 3:
            continue
        bucket = dict(fields(value))
        assert bucket[1] >= last
        last = bucket[1]
        sample(name + "_bucket", labels + [("le", bound(bucket[2]))], last)
    assert last == one[1]
    if one[2] == one[2]:
        sample(name + "_sum", labels, shown(one[2]))
        sample(name + "_count", labels, one[1])
    if 5 not in one:
        return
    span = dict(fields(one[12]))
    packed, at, n, counts = one.get(13, b""), 0, 0, []
    while at < len(packed):
        delta, at = number(packed, at)
        n += signed(delta)
        counts.append(n)
    assert len(counts) == span[2] and one[7] + sum(counts) == one[1]
    print(name, "native", signed(one[5]), shown(one[6]), one[7], signed(span[1]), *counts)


page = open(sys.argv[1], "rb").read()
page = page[page.index(b"\r\n\r\n") + 4:]
place = 0
while place < len(page):
    length, place = number(page, place)
    assert place + length <= len(page)
    family = list(fields(page[place:place + length]))
    place += length
    name, kind = dict(family)[1].decode(), dict(family)[3]
    for what, metric in family:
        if what != 4:
            continue
        metric = list(fields(metric))
        texts = [dict(fields(v)) for f, v in metric if f == 1]
        labels = [(t[1].decode(), t[2].decode()) for t in texts]
        value = list(fields(dict(metric)[{0: 3, 1: 2, 4: 7}[kind]]))
        if kind == 4:
            histogram(name, labels, value)
        else:
            sample(name, labels, shown(value[0][1]))
