"""Writes the Chebyshev tables of special functions (needs mpmath; nothing else of ours does).

python tools/special_tables.py > python/eagercore/ops/special_tables.py

Each table is a list of Chebyshev coefficients on [-1, 1] of a smooth function, in a variable that maps the
piece's range there; `ops/special_numerics.py` says how each is put together again.
"""

import sys
import textwrap

import mpmath as mp

mp.mp.dps = 40
DIGITS = mp.mpf(10) ** -18


def coefficients(function, count):
    angles = [mp.pi * (mp.mpf(k) + 0.5) / count for k in range(count)]
    values = [mp.re(function(mp.cos(a))) for a in angles]
    result = []
    for j in range(count):
        total = mp.fsum(v * mp.cos(j * a) for v, a in zip(values, angles))
        result.append(total * (1 if j == 0 else 2) / count)
    top = max(abs(c) for c in result)
    while len(result) > 1 and abs(result[-1]) < top * DIGITS:
        result.pop()
    if len(result) > count - 3:
        print(f"a table needs more than {count} coefficients", file=sys.stderr)
    return [float(c) for c in result]


def linear(low, high):
    """From [-1, 1] to [low, high]."""
    return lambda s: (mp.mpf(high) - low) / 2 * s + (mp.mpf(high) + low) / 2


def table(function, low, high, count=48):
    return coefficients(lambda s: function(linear(low, high)(s)), count)


def erfcx(x):
    return mp.exp(x * x) * mp.erfc(x)


def rational(function, c):
    """x from 0 to infinity by s = (x - c) / (x + c)."""
    return lambda s: function(c * (1 + s) / (1 - s)) if s < 1 else mp.mpf(0)


def inverse(function):
    """The function in the variable u = 1 / x; at u = 0 its limit is approached."""
    return lambda u: function(1 / u) if abs(u) > mp.mpf(10) ** -12 else function(mp.mpf(10) ** 12)


def ei_series(x):
    if x == 0:
        return mp.mpf(1)
    return (mp.ei(x) - mp.euler - mp.log(x)) / x


def fresnel(x):
    """Auxiliary functions f and g of the Fresnel integrals, scaled to 1."""
    s, c = mp.mpf(1) / 2 - mp.fresnels(x), mp.mpf(1) / 2 - mp.fresnelc(x)
    a = mp.pi * x * x / 2
    f = s * mp.cos(a) - c * mp.sin(a)
    g = c * mp.cos(a) + s * mp.sin(a)
    return f * mp.pi * x, g * mp.pi**2 * x**3


def pq(n):
    """P and Q of Hankel's expansion: J = sqrt(2 / (pi x)) (P cos(chi) - Q sin(chi)), Q times x."""

    def both(x):
        chi = x - (2 * n + 1) * mp.pi / 4
        scale = mp.sqrt(mp.pi * x / 2)
        j, y = mp.besselj(n, x) * scale, mp.bessely(n, x) * scale
        return j * mp.cos(chi) + y * mp.sin(chi), (y * mp.cos(chi) - j * mp.sin(chi)) * x

    return both


def spence(x):
    return mp.re(mp.polylog(2, 1 - x))


def build():
    tables = {}
    add = tables.__setitem__
    # erf(x) = x * T(x^2) on [0, 1]; erfc(x) = exp(-x^2) * T((x - 3.5) / (x + 3.5)) / (1 + 2 x).
    add("ERF", table(lambda v: mp.erf(mp.sqrt(v)) / mp.sqrt(v) if v else 2 / mp.sqrt(mp.pi), 0, 1))
    scaled = rational(lambda x: erfcx(x) * (1 + 2 * x), mp.mpf("3.5"))
    add("ERFCX", coefficients(lambda s: scaled(s) if s < 1 else 2 / mp.sqrt(mp.pi), 64))
    # log(gamma(x)) = (x - 1) (x - 2) * T(x) on [0.5, 3].
    add("LGAMMA", table(lambda x: mp.loggamma(x) / ((x - 1) * (x - 2)), 0.5, 3, 64))
    # digamma(x) = (x - root) * T(x) on [1, 2].
    root = mp.findroot(mp.digamma, 1.46)
    add("DIGAMMA_ROOT", [float(root), float(root - mp.mpf(float(root)))])
    add("DIGAMMA", table(lambda x: mp.digamma(x) / (x - root), 1, 2, 48))
    for n in (0, 1):
        add(f"I{n}_SMALL", table(lambda x, n=n: mp.exp(-x) * mp.besseli(n, x) / x**n if x else mp.mpf(1) / (n + 1),
            0, 8, 60))  # fmt: skip
        add(f"I{n}_LARGE", table(inverse(lambda x, n=n: mp.exp(-x) * mp.besseli(n, x) * mp.sqrt(x) if x < 1e10
            else 1 / mp.sqrt(2 * mp.pi)), 0, mp.mpf(1) / 8, 60))  # fmt: skip
    # K0(x) = -log(x / 2) I0(x) + T(x^2) and K1(x) = log(x / 2) I1(x) + T(x^2) / x on (0, 2].
    tiny = mp.mpf(10) ** -18

    def k0(v):
        x = mp.sqrt(v)
        return mp.besselk(0, x) + mp.log(x / 2) * mp.besseli(0, x) if v > tiny else -mp.euler

    def k1(v):
        x = mp.sqrt(v)
        return x * (mp.besselk(1, x) - mp.log(x / 2) * mp.besseli(1, x)) if v > tiny else mp.mpf(1)

    add("K0_SMALL", table(k0, 0, 4))
    add("K1_SMALL", table(k1, 0, 4))
    for n in (0, 1):
        add(f"K{n}_LARGE", table(inverse(lambda x, n=n: mp.exp(x) * mp.besselk(n, x) * mp.sqrt(x) if x < 1e10
            else mp.sqrt(mp.pi / 2)), 0, mp.mpf(1) / 2, 70))  # fmt: skip

    # J0 = T(x^2), J1 = x T(x^2), Y0 = 2/pi log(x) J0 + T(x^2), Y1 = 2/pi (log(x) J1 - 1/x) + x T(x^2) on [0, 8].
    def root_of(f, limit):
        return lambda v: f(mp.sqrt(v)) if v > tiny else limit

    add("J0_SMALL", table(root_of(lambda x: mp.besselj(0, x), mp.mpf(1)), 0, 64, 60))
    add("J1_SMALL", table(root_of(lambda x: mp.besselj(1, x) / x, mp.mpf(1) / 2), 0, 64, 60))

    def y0(x):
        return mp.bessely(0, x) - 2 / mp.pi * mp.log(x) * mp.besselj(0, x)

    def y1(x):
        return (mp.bessely(1, x) - 2 / mp.pi * (mp.log(x) * mp.besselj(1, x) - 1 / x)) / x

    add("Y0_SMALL", table(root_of(y0, 2 / mp.pi * (mp.euler - mp.log(2))), 0, 64, 60))
    add("Y1_SMALL", table(root_of(y1, y1(mp.mpf(10) ** -9)), 0, 64, 60))
    for n in (0, 1):
        both = pq(n)
        limit = mp.mpf(4 * n * n - 1) / 8
        for i, name in enumerate("PQ"):
            end = (mp.mpf(1), limit)[i]
            add(f"{name}{n}", table(lambda v, i=i, b=both, e=end: b(1 / mp.sqrt(v))[i] if v > mp.mpf(10) ** -10
                else e, 0, mp.mpf(1) / 64, 40))  # fmt: skip

    # Dawson's integral: x T(x^2) on [0, 2], T(x) on [2, 5], T(1 / x^2) / (2 x) above.
    def dawson(x):
        return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)

    add("DAWSON_SMALL", table(root_of(lambda x: dawson(x) / x, mp.mpf(1)), 0, 4, 60))
    add("DAWSON_MIDDLE", table(dawson, 2, 5, 60))
    add("DAWSON_LARGE", table(lambda v: dawson(1 / mp.sqrt(v)) * 2 / mp.sqrt(v) if v > mp.mpf(10) ** -10
        else 1 + v / 2, 0, mp.mpf(1) / 25, 60))  # fmt: skip
    # Ei(x) = euler + log(x) + x T(x) on (0, 6], exp(x) / x * T(1 / x) in pieces above.
    add("EI_SMALL", table(ei_series, 0, 6, 60))
    ei = inverse(lambda x: mp.ei(x) * x * mp.exp(-x) if x < 1e6 else 1 + 1 / x)
    for i, (low, high) in enumerate(((12, 6), (24, 12), (48, 24), (None, 48))):
        add(f"EI_{i}", table(ei, 0 if low is None else mp.mpf(1) / low, mp.mpf(1) / high, 90))

    # Fresnel: x C(x^4) and x^3 S(x^4) on [0, 1.6]; f / (pi x), g / (pi^2 x^3) in 1 / x^4 above.
    def fourth(f, limit):
        return lambda v: f(mp.root(v, 4)) if v > tiny else limit

    top = mp.mpf("1.6") ** 4
    add("FRESNEL_COS", table(fourth(lambda x: mp.fresnelc(x) / x, mp.mpf(1)), 0, top, 60))
    add("FRESNEL_SIN", table(fourth(lambda x: mp.fresnels(x) / x**3, mp.pi / 6), 0, top, 60))
    for i, name in enumerate("FG"):
        for piece, (low, high) in enumerate(((mp.mpf(1) / 81, 1 / top), (0, mp.mpf(1) / 81))):
            add(f"FRESNEL_{name}{piece}", table(lambda v, i=i: fresnel(1 / mp.root(v, 4))[i] if v > mp.mpf(10) ** -14
                else mp.mpf(1), low, high, 90))  # fmt: skip
    # spence(x) = (1 - x) T(x) on [0.5, 1.5].
    add("SPENCE", table(lambda x: spence(x) / (1 - x) if x != 1 else mp.mpf(1), 0.5, 1.5, 60))
    return tables


if __name__ == "__main__":
    print(
        '"""Chebyshev coefficients of special functions; written by tools/special_tables.py."""\n'
    )
    for name, values in build().items():
        body = textwrap.fill(
            ", ".join(map(repr, values)), 98, initial_indent="    ", subsequent_indent="    "
        )
        print(f"{name} = (\n{body},\n)  # fmt: skip")
