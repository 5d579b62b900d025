"""`tf.math`: arithmetic, reductions, special functions."""

from ..ops.activations import softsign
from ..ops.arithmetic import (
    add,
    conj,
    floordiv,
    floormod,
    maximum,
    minimum,
    multiply,
    negative,
    sign,
    square,
    subtract,
)
from ..ops.arithmetic import (
    pow_ as pow,
)
from ..ops.assertions import is_non_decreasing, is_strictly_increasing
from ..ops.compare import (
    equal,
    greater,
    greater_equal,
    is_finite,
    is_inf,
    is_nan,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    not_equal,
)
from ..ops.complexes import abs, angle, imag, real
from ..ops.cumulative import cumprod, cumsum, cumulative_logsumexp
from ..ops.division import (
    accumulate_n,
    add_n,
    divide,
    mod,
    multiply_no_nan,
    reciprocal,
    reciprocal_no_nan,
    scalar_mul,
    squared_difference,
    truncatediv,
    truncatemod,
    xdivy,
    xlog1py,
    xlogy,
)
from ..ops.division import (
    div_no_nan as divide_no_nan,
)
from ..ops.exponential import (
    exp,
    expm1,
    log,
    log1p,
    log_sigmoid,
    rsqrt,
    sigmoid,
    softplus,
    sqrt,
    tanh,
)
from ..ops.moments import (
    count_nonzero,
    l2_normalize,
    reduce_euclidean_norm,
    reduce_std,
    reduce_variance,
    zero_fraction,
)
from ..ops.nn import log_softmax, softmax
from ..ops.operators import truediv
from ..ops.polynomial import polyval
from ..ops.products import reduce_prod
from ..ops.reduce import (
    argmax,
    argmin,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_sum,
)
from ..ops.rounding import ceil, floor, nextafter, rint
from ..ops.rounding import round_ as round
from ..ops.segment import (
    bincount,
    confusion_matrix,
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
)
from ..ops.sobol import sobol_sample
from ..ops.sorting import approx_max_k, approx_min_k, in_top_k, invert_permutation, top_k
from ..ops.special import (
    bessel_i0,
    bessel_i0e,
    bessel_i1,
    bessel_i1e,
    betainc,
    digamma,
    erf,
    erfc,
    erfcinv,
    erfinv,
    igamma,
    igammac,
    lbeta,
    lgamma,
    ndtri,
    polygamma,
    zeta,
)
from ..ops.trigonometric import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cos,
    cosh,
    sin,
    sinh,
    tan,
)
from . import special
