"""Writes the numbers that Sobol sequences begin with (needs SciPy, which has the table of Joe and Kuo, 2008).

python tools/sobol_table.py > python/eagercore/ops/sobol_table.py

For each dimension: its primitive polynomial, then as many first numbers as the polynomial's degree.
"""

import base64
import sys
import textwrap
import zlib
from pathlib import Path

import numpy as np
import scipy.stats

DIMENSIONS = 1111

found = np.load(Path(scipy.stats.__file__).parent / "_sobol_direction_numbers.npz")
polynomials = found["poly"][:DIMENSIONS].astype(np.uint16)
numbers = [
    row[: max(int(polynomial).bit_length() - 1, 1)]
    for polynomial, row in zip(polynomials, found["vinit"][:DIMENSIONS], strict=True)
]
whole = np.concatenate([polynomials, *numbers]).astype("<u2").tobytes()
text = base64.b85encode(zlib.compress(whole, 9)).decode()
sys.stdout.write(
    '"""The numbers that Sobol sequences begin with (Joe and Kuo, 2008); written by tools/sobol_table.py."""\n\n'
    f"DIMENSIONS = {DIMENSIONS}\n"
    "#: zlib, base 85: little-endian 16-bit numbers, first a polynomial for each dimension, then their first numbers.\n"
    "PACKED = (\n" + "".join(f'    "{line}"\n' for line in textwrap.wrap(text, 110)) + ")\n"
)
