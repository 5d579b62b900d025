"""Hashes of byte strings, bit for bit those of TensorFlow: FarmHash's fingerprint, SipHash and Hash64."""

from __future__ import annotations

import struct

MASK = (1 << 64) - 1
K0, K1, K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def _f64(s: bytes, i: int) -> int:
    return int.from_bytes(s[i : i + 8], "little")


def _f32(s: bytes, i: int) -> int:
    return int.from_bytes(s[i : i + 4], "little")


def _rotated(v: int, by: int) -> int:
    return ((v >> by) | (v << (64 - by))) & MASK if by else v


def _mixed(v: int) -> int:
    return v ^ (v >> 47)


def _two(u: int, v: int, by: int) -> int:
    a = ((u ^ v) * by) & MASK
    a ^= a >> 47
    b = ((v ^ a) * by) & MASK
    b ^= b >> 47
    return (b * by) & MASK


def _up_to_16(s: bytes) -> int:
    n = len(s)
    if n >= 8:
        mul = (K2 + n * 2) & MASK
        a = (_f64(s, 0) + K2) & MASK
        b = _f64(s, n - 8)
        c = (_rotated(b, 37) * mul + a) & MASK
        d = ((_rotated(a, 25) + b) * mul) & MASK
        return _two(c, d, mul)
    if n >= 4:
        mul = (K2 + n * 2) & MASK
        return _two((n + (_f32(s, 0) << 3)) & MASK, _f32(s, n - 4), mul)
    if n > 0:
        y = s[0] + (s[n >> 1] << 8)
        z = n + (s[n - 1] << 2)
        return (_mixed((y * K2) & MASK ^ (z * K0) & MASK) * K2) & MASK
    return K2


def _up_to_32(s: bytes) -> int:
    n = len(s)
    mul = (K2 + n * 2) & MASK
    a = (_f64(s, 0) * K1) & MASK
    b = _f64(s, 8)
    c = (_f64(s, n - 8) * mul) & MASK
    d = (_f64(s, n - 16) * K2) & MASK
    first = (_rotated((a + b) & MASK, 43) + _rotated(c, 30) + d) & MASK
    second = (a + _rotated((b + K2) & MASK, 18) + c) & MASK
    return _two(first, second, mul)


def _up_to_64(s: bytes) -> int:
    n = len(s)
    mul = (K2 + n * 2) & MASK
    a = (_f64(s, 0) * K2) & MASK
    b = _f64(s, 8)
    c = (_f64(s, n - 8) * mul) & MASK
    d = (_f64(s, n - 16) * K2) & MASK
    y = (_rotated((a + b) & MASK, 43) + _rotated(c, 30) + d) & MASK
    z = _two(y, (a + _rotated((b + K2) & MASK, 18) + c) & MASK, mul)
    e = (_f64(s, 16) * mul) & MASK
    f = _f64(s, 24)
    g = ((y + _f64(s, n - 32)) * mul) & MASK
    h = ((z + _f64(s, n - 24)) * mul) & MASK
    first = (_rotated((e + f) & MASK, 43) + _rotated(g, 30) + h) & MASK
    return _two(first, (e + _rotated((f + a) & MASK, 18) + g) & MASK, mul)


def _weak(s: bytes, i: int, a: int, b: int) -> tuple[int, int]:
    w, x, y, z = (_f64(s, i + 8 * k) for k in range(4))
    a = (a + w) & MASK
    b = _rotated((b + a + z) & MASK, 21)
    c = a
    a = (a + x + y) & MASK
    b = (b + _rotated(a, 44)) & MASK
    return (a + z) & MASK, (b + c) & MASK


def fingerprint(s: bytes) -> int:
    """FarmHash's Fingerprint64, an unsigned number of 64 bits.

    >>> fingerprint(b"") == K2
    True
    """
    n = len(s)
    if n <= 16:
        return _up_to_16(s)
    if n <= 32:
        return _up_to_32(s)
    if n <= 64:
        return _up_to_64(s)
    x = 81
    y = (81 * K1 + 113) & MASK
    z = (_mixed((y * K2 + 113) & MASK) * K2) & MASK
    v, w = (0, 0), (0, 0)
    x = (x * K2 + _f64(s, 0)) & MASK
    end = (n - 1) // 64 * 64
    last = end + ((n - 1) & 63) - 63
    for i in range(0, end, 64):
        x = (_rotated((x + y + v[0] + _f64(s, i + 8)) & MASK, 37) * K1) & MASK
        y = (_rotated((y + v[1] + _f64(s, i + 48)) & MASK, 42) * K1) & MASK
        x ^= w[1]
        y = (y + v[0] + _f64(s, i + 40)) & MASK
        z = (_rotated((z + w[0]) & MASK, 33) * K1) & MASK
        v = _weak(s, i, (v[1] * K1) & MASK, (x + w[0]) & MASK)
        w = _weak(s, i + 32, (z + w[1]) & MASK, (y + _f64(s, i + 16)) & MASK)
        z, x = x, z
    mul = (K1 + ((z & 0xFF) << 1)) & MASK
    i = last
    w = ((w[0] + ((n - 1) & 63)) & MASK, w[1])
    v = ((v[0] + w[0]) & MASK, v[1])
    w = ((w[0] + v[0]) & MASK, w[1])
    x = (_rotated((x + y + v[0] + _f64(s, i + 8)) & MASK, 37) * mul) & MASK
    y = (_rotated((y + v[1] + _f64(s, i + 48)) & MASK, 42) * mul) & MASK
    x ^= (w[1] * 9) & MASK
    y = (y + v[0] * 9 + _f64(s, i + 40)) & MASK
    z = (_rotated((z + w[0]) & MASK, 33) * mul) & MASK
    v = _weak(s, i, (v[1] * mul) & MASK, (x + w[0]) & MASK)
    w = _weak(s, i + 32, (z + w[1]) & MASK, (y + _f64(s, i + 16)) & MASK)
    z, x = x, z
    first = (_two(v[0], w[0], mul) + (_mixed(y) * K0) + z) & MASK
    return _two(first, (_two(v[1], w[1], mul) + x) & MASK, mul)


def hash64(s: bytes, seed: int = 0xDECAFCAFFE) -> int:
    """Murmur's 64-bit hash as TensorFlow's Hash64 has it."""
    m, r = 0xC6A4A7935BD1E995, 47
    n = len(s)
    h = (seed ^ (n * m)) & MASK
    for i in range(0, n // 8 * 8, 8):
        k = (_f64(s, i) * m) & MASK
        k ^= k >> r
        k = (k * m) & MASK
        h = ((h ^ k) * m) & MASK
    rest = s[n // 8 * 8 :]
    if rest:
        h = ((h ^ int.from_bytes(rest, "little")) * m) & MASK
    h ^= h >> r
    h = (h * m) & MASK
    return h ^ (h >> r)


def siphash(s: bytes, key: tuple[int, int]) -> int:
    """SipHash-2-4 with a key of two numbers of 64 bits."""
    k0, k1 = (k & MASK for k in key)
    v = [
        k0 ^ 0x736F6D6570736575,
        k1 ^ 0x646F72616E646F6D,
        k0 ^ 0x6C7967656E657261,
        k1 ^ 0x7465646279746573,
    ]

    def rounds(count: int) -> None:
        for _ in range(count):
            v[0] = (v[0] + v[1]) & MASK
            v[1] = _rotated(v[1], 64 - 13) ^ v[0]
            v[0] = _rotated(v[0], 32)
            v[2] = (v[2] + v[3]) & MASK
            v[3] = _rotated(v[3], 64 - 16) ^ v[2]
            v[0] = (v[0] + v[3]) & MASK
            v[3] = _rotated(v[3], 64 - 21) ^ v[0]
            v[2] = (v[2] + v[1]) & MASK
            v[1] = _rotated(v[1], 64 - 17) ^ v[2]
            v[2] = _rotated(v[2], 32)

    whole = len(s) // 8 * 8
    tail = s[whole:] + b"\0" * (7 - len(s) % 8) + bytes([len(s) & 0xFF])
    for (word,) in struct.iter_unpack("<Q", s[:whole] + tail):
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]
