"""Digests that this program did not write: the layout is in Sources/TrafficDigest/Runs/DigestBlock.swift."""
import zlib


def number(value: int) -> bytes:
    output = b""
    while value >= 0x80:
        output += bytes([value & 0x7F | 0x80])
        value >>= 7
    return output + bytes([value])


def text(value: bytes) -> bytes:
    return number(len(value)) + value


def read_number(data: bytes, place: int) -> tuple[int, int]:
    """Returns a number, and the place after it."""
    value = shift = 0
    while True:
        value, shift = value | (data[place] & 0x7F) << shift, shift + 7
        place += 1
        if data[place - 1] < 0x80:
            return value, place


class Digest:
    def __init__(self, content: bytes) -> None:
        self.start, end = content[:24], content[-24:]
        summary, index = int.from_bytes(end[:8], "little"), int.from_bytes(end[8:16], "little")
        self.targets = self.blocks(content[24:summary])
        self.summary = self.blocks(content[summary:index])[0]
        self.index = self.blocks(content[index:-24])[0]

    @staticmethod
    def blocks(content: bytes) -> list[bytes]:
        """The payloads of blocks that follow one another."""
        found = []
        while content:
            length = int.from_bytes(content[4:8], "little")
            stored, content = content[16:16 + length], content[16 + length:]
            found.append(zlib.decompress(stored, -15))
        return found

    @staticmethod
    def block(kind: int, payload: bytes) -> bytes:
        compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
        stored = compressor.compress(payload) + compressor.flush()
        head = bytes([kind, 1, 0, 0]) + len(stored).to_bytes(4, "little") + len(payload).to_bytes(4, "little")
        return head + zlib.crc32(stored, zlib.crc32(head)).to_bytes(4, "little") + stored

    def content(self, counts: list[bytes] | None = None) -> bytes:
        """The digest with whatever was changed, and with checksums that fit.

        counts has the index of each block without its length and its checksum, if that changed.
        """
        blocks = [self.block(1, payload) for payload in self.targets]
        index = number(len(blocks))
        counts = counts or self.counts()
        for block, rest in zip(blocks, counts):
            index += number(len(block)) + number(int.from_bytes(block[12:16], "little")) + rest
        body = b"".join(blocks)
        summary = self.block(3, self.summary)
        end = (24 + len(body)).to_bytes(8, "little") + (24 + len(body) + len(summary)).to_bytes(8, "little")
        end += zlib.crc32(end).to_bytes(4, "little") + b"end\n"
        return self.start + body + summary + self.block(2, index) + end

    def counts(self) -> list[bytes]:
        """Returns the index of each block without its length and its checksum."""
        count, place = read_number(self.index, 0)
        found = []
        for _ in range(count):
            _, place = read_number(self.index, place)
            _, place = read_number(self.index, place)
            start = place
            _, place = read_number(self.index, place)
            _, place = read_number(self.index, place)
            for _ in range(2):
                length, place = read_number(self.index, place)
                place += length
            found.append(self.index[start:place])
        return found

    def spread(self, length: int) -> bytes:
        """The digest of one target, with another target for each of its requests: each is the one before and a byte more."""
        payload = self.targets[0]
        combination, end = read_number(payload, 1)
        place = payload.index(b"/")
        count, _ = read_number(payload, payload.index(b"\1\0", place) + 2)
        host = payload[end + 2:place]
        host = host[1:1 + host[0] - 1]
        first = b"/" + b"a" * length
        counts = b"\1\0\1\0"
        self.targets = [
            number(1) + number(combination) + number(0) + number(count) + number(len(host) + 1) + host + number(0)
            + text(first) + counts
            + b"".join(b"\0" + number(len(first) + index) + b"\1a" + counts for index in range(count - 1))]
        return self.content([number(count) + number(count) + text(host) + text(first[:256])])
