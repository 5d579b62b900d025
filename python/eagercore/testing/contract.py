"""The contract of every op: properties that are tested from its declaration alone.

`check_op(op)` holds one op to all of `PROPERTIES`. A property is a function `(op, inputs, attrs, rng)` that
raises `AssertionError`; one that needs no sample is in `DECLARATIONS` and gets the op alone. Adding a property
for all ops is adding a function to the list.

What a declaration may say to the contract, beside its samples:

- `domain`: (low, high) of the numbers to try, or one pair for each input.
- `constant`: names of inputs whose gradient is none by design (TensorFlow's choice, or a mask).
- `data_dependent`: the result's shape depends on values; `stochastic`: equal inputs give different results.
- `symmetric`: the op reads half of a symmetric matrix; `once`: its gradient has no gradient.
- `tolerance`: of float32 against float64; `single`: why they cannot agree; `slack`: factor of the gradients' tolerance.
- `needs_elements`: nothing can be said of an empty tensor.
- `opaque`: positions of results that only the op's own gradient reads: whoever computes them says what is in them.
- `derived`: names of inputs that are results of the op whose gradient this is: gradients of its own with respect to the
  others hold only while these follow, which the second-order check of that op sees to.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import backend
from ..autodiff.tape import GradientTape
from ..base import dtypes
from ..base.shapes import TensorSpec
from ..core.op import REGISTRY
from ..core.tensor import NOTHING, EagerTensor, convert
from . import numeric
from .samples import samples_of

PROPERTIES: list[Callable[..., None]] = []
DECLARATIONS: list[Callable[..., None]] = []


def sampled(function: Callable[..., None]) -> Callable[..., None]:
    """Adds a property that is tested on each sample of each op."""
    PROPERTIES.append(function)
    return function


def declared(function: Callable[..., None]) -> Callable[..., None]:
    """Adds a property of the declaration itself."""
    DECLARATIONS.append(function)
    return function


def all_ops() -> dict[str, Any]:
    """Every op of the engine by name, after all modules of ops are imported."""
    from .. import ops

    for module in pkgutil.iter_modules(ops.__path__):
        importlib.import_module(f"{ops.__name__}.{module.name}")
    return dict(sorted(REGISTRY.items()))


def check_op(op: Any) -> None:
    """Holds an op to the whole contract.

    Args:
        op: An op, made by a decorator of `core.op`.

    Raises:
        AssertionError: With the property, the sample and what was found.
    """
    for function in DECLARATIONS:
        function(op)
    for function in PROPERTIES:
        check_property(op, function)


def check_property(op: Any, function: Callable[..., None]) -> None:
    """Holds an op to one property on all its samples."""
    for number, (inputs, attrs) in enumerate(samples_of(op)):
        try:
            function(op, inputs, attrs, np.random.default_rng(number))
        except Exception as error:
            shapes = [None if a is None else (a.shape, a.dtype.name) for a in inputs]
            raise AssertionError(
                f"{op.name} breaks `{function.__name__}` on sample {number} (inputs {shapes}, {attrs}): "
                f"{type(error).__name__}: {error}"
            ) from error


# --------------------------------------------------------------------------------------------------------- running


def tensors_of(inputs: list[Any]) -> list[Any]:
    """Arrays as tensors, without copies; None as an input that is left out."""
    return [NOTHING if a is None else EagerTensor(a) for a in inputs]


def call(op: Any, tensors: list[Any], attrs: dict[str, Any]) -> list[Any]:
    """Results of an op, always as a list."""
    given = dict(attrs)
    if op.variadic:
        fixed = len(op.tensor_names) - 1
        arguments = [*tensors[:fixed], tensors[fixed:]]
    else:
        arguments = [None if t is NOTHING else t for t in tensors]
    made = op(*arguments, **given)
    return list(made) if isinstance(made, list | tuple) else [made]


def run(op: Any, inputs: list[Any], attrs: dict[str, Any]) -> list[np.ndarray]:
    """Results of an op on arrays, as arrays."""
    return [t._array for t in call(op, tensors_of(inputs), attrs)]


def shown(op: Any, results: Any) -> list[Any]:
    """Results that mean something to others than the op's own gradient."""
    opaque = op.extra.get("opaque", ())
    return [r for i, r in enumerate(results) if i not in opaque]


def _cotangents(op: Any, rng: Any, results: list[Any]) -> list[Any]:
    """A random gradient for each floating result that is shown, else None."""
    opaque = op.extra.get("opaque", ())
    return [
        numeric.random_like(rng, r) if _floating(r) and i not in opaque else None
        for i, r in enumerate(results)
    ]


def _same(one: Any, two: Any, tolerance: float = 0.0) -> None:
    assert one.shape == two.shape, f"shapes {one.shape} and {two.shape}"
    assert one.dtype == two.dtype, f"dtypes {one.dtype} and {two.dtype}"
    if one.dtype == object:
        assert (one == two).all(), "values differ"
    elif tolerance and one.dtype.kind in "fcV":
        _near(one, two, tolerance)
    else:
        np.testing.assert_array_equal(one, two)


def _near(one: Any, two: Any, tolerance: float) -> None:
    wide = np.complex128 if one.dtype.kind == "c" else np.float64
    one, two = _tamed(np.asarray(one).astype(wide)), _tamed(np.asarray(two).astype(wide))
    finite = np.abs(two[np.isfinite(two)])
    scale = max(1.0, float(finite.max()) if finite.size else 1.0)
    np.testing.assert_allclose(one, two, rtol=tolerance, atol=tolerance * scale)


def _tamed(array: Any) -> Any:
    """Limits of a dtype stand for infinity (an empty segment's maximum, say): they carry no information."""
    if array.dtype.kind == "c":
        return array
    return np.where(np.abs(array) > 1e30, np.copysign(np.inf, array), array)


def _finite(array: Any) -> Any:
    return np.where(np.abs(array) < 1e30, array, 0)


def _floating(array: Any) -> bool:
    return array is not None and array.dtype.kind in "fc"


def deterministic(op: Any) -> bool:
    """Whether equal inputs give equal results."""
    return not op.extra.get("stochastic") and op.family.pure


# ------------------------------------------------------------------------------------------------------ declarations


@declared
def documents_its_arguments(op: Any) -> None:
    """The docstring names each parameter, and says what comes back."""
    check_docstring(op.name, op.__doc__, [p for p in op.order if not p.startswith("_")])


def check_docstring(name: str, text: str | None, parameters: list[str]) -> None:
    """Raises unless the docstring names each parameter in its section `Args:`."""
    assert text, f"{name} has no docstring"
    if not parameters:
        return
    section = re.search(
        r"^\s*Args:\n(.*?)(\n\s*\n|\Z)", inspect.cleandoc(text) + "\n\n", re.S | re.M
    )
    assert section, f"the docstring of {name} has no section Args:"
    named = set()
    for line in section.group(1).splitlines():
        found = re.match(r"\s{4}\*{0,2}(\w+(?:,\s*\*{0,2}\w+)*)\s*(\(.*?\))?:", line)
        if found:
            named.update(part.strip(" *") for part in found.group(1).split(","))
    missing = [p for p in parameters if p not in named]
    assert not missing, f"the docstring of {name} does not name {', '.join(missing)}"


@declared
def examples_run(op: Any) -> None:
    """The docstring has an example, and each gives what it says."""
    run_examples(op.name, op.__doc__, vars(sys.modules[op.__module__]), required=True)


class Checker(doctest.OutputChecker):
    """Compares what examples print: NumPy 1 shows scalars without their type, last digits may differ."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Whether both texts say the same."""
        want, got = plain_text(want), plain_text(got)
        if super().check_output(want, got, optionflags):
            return True
        return _numbers_agree(want, got)


def plain_text(text: str) -> str:
    """Text without what NumPy's versions print differently."""
    text = re.sub(r"np\.(?:float|int|uint|complex|bool|str|bytes)\w*\(([^()]*)\)", r"\1", text)
    text = re.sub(r"\((-?[\d.e]+[-+][\d.e]+j)\)", r"\1", text)
    text = re.sub(r"np\.(True_|False_)", lambda m: m.group(1)[:-1], text)
    return re.sub(r"(?<=\d)\s+(?=[\]\),])", "", text)


_NUMBER = r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?"


def _numbers_agree(want: str, got: str) -> bool:
    def skeleton(text: str) -> str:
        return re.sub(r"\s+", "", re.sub(_NUMBER, "#", text))

    if skeleton(want) != skeleton(got):
        return False
    pairs = zip(re.findall(_NUMBER, want), re.findall(_NUMBER, got), strict=True)
    return all(abs(float(a) - float(b)) <= 2e-6 * max(1.0, abs(float(a))) for a, b in pairs)


def run_examples(
    name: str, text: str | None, scope: dict[str, Any], required: bool = False
) -> None:
    """Runs the `>>>` examples of a docstring in the names of its module (and `tf`)."""
    package = __name__.split(".")[0]
    names = {**scope, "tf": importlib.import_module(package), "np": np, "__name__": "examples"}
    test = doctest.DocTestParser().get_doctest(text or "", names, name, None, 0)
    if not test.examples:
        assert not required, f"the docstring of {name} has no example"
        return
    told: list[str] = []
    runner = doctest.DocTestRunner(
        checker=Checker(),
        verbose=False,
        optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS,
    )
    result = runner.run(test, out=told.append)
    assert not result.failed, "".join(told)


@declared
def has_a_gradient_or_says_not(op: Any) -> None:
    """A differentiable op declares its gradient."""
    assert (
        op.gradient is not None or not op.differentiable or set(op.kinds or "f") <= set("biuO")
    ), f"{op.name} declares no gradient: write @{op.name}.vjp, or say differentiable=False"


@declared
def is_silent_about_size(op: Any) -> None:
    """Element by element and reductions take tensors of size 0 and 1."""
    if op._samples is not None or op.family.name not in ("elementwise", "reduction"):
        return
    inputs, attrs = samples_of(op)[0]
    attrs = {k: v for k, v in attrs.items() if k != "axis"}
    for shape in ((1,), (1, 1), (0,), (2, 0)):
        if 0 in shape and op.extra.get("needs_elements"):
            continue
        made = run(op, [np.resize(a.reshape(-1)[:1], shape).astype(a.dtype) for a in inputs], attrs)
        if op.family.name == "elementwise":
            assert made[0].shape == shape, f"shape {shape} became {made[0].shape}"


# -------------------------------------------------------------------------------------------------- on each sample


@sampled
def leaves_its_inputs_alone(op: Any, inputs: Any, attrs: Any, rng: Any) -> None:
    """Forward changes none of its arrays."""
    before = [None if a is None else a.copy() for a in inputs]
    run(op, inputs, attrs)
    for old, new in zip(before, inputs, strict=True):
        if old is not None:
            assert np.array_equal(old, new, equal_nan=old.dtype.kind in "fc"), (
                "an input was changed"
            )


@sampled
def shape_rule_tells_the_truth(op: Any, inputs: Any, attrs: Any, rng: Any) -> None:
    """The shape rule gives the real shapes and dtypes; with unknown dimensions, nothing that is not so."""
    real = run(op, inputs, attrs)
    attrs = op.bind(_arguments(op, inputs), dict(attrs))[1]
    full = [None if a is None else TensorSpec(a.shape, dtypes.of_array(a)) for a in inputs]
    told = op.infer(full, attrs)
    assert len(told) == len(real), f"{len(real)} results, {len(told)} by the rule"
    for spec, array in zip(shown(op, told), shown(op, real), strict=True):
        assert spec.dtype is dtypes.of_array(array), (
            f"dtype {dtypes.of_array(array)!r}, by the rule {spec.dtype!r}"
        )
        assert spec.shape.is_compatible_with(array.shape), (
            f"shape {array.shape}, by the rule {spec.shape}"
        )
        if not op.extra.get("data_dependent"):
            assert spec.shape.is_fully_defined(), (
                f"shape {array.shape}, by the rule only {spec.shape}"
            )
    for loosen in (
        lambda s: [None] * len(s),
        lambda s: [None, *s[1:]] if s else [],
        lambda s: None,
    ):
        loose = [
            None if a is None else TensorSpec(loosen(a.shape), dtypes.of_array(a)) for a in inputs
        ]
        for spec, array in zip(shown(op, op.infer(loose, attrs)), shown(op, real), strict=False):
            assert spec.shape.is_compatible_with(array.shape), (
                f"with unknown dimensions the rule says {spec.shape}, the shape is {array.shape}"
            )
            assert spec.dtype is dtypes.of_array(array), (
                "with unknown dimensions the dtype is wrong"
            )


def _arguments(op: Any, inputs: list[Any]) -> tuple[Any, ...]:
    tensors = [None if a is None else EagerTensor(a) for a in inputs]
    if op.variadic:
        fixed = len(op.tensor_names) - 1
        return (*tensors[:fixed], tensors[fixed:])
    return tuple(tensors)


@sampled
def takes_any_layout(op: Any, inputs: Any, attrs: Any, rng: Any) -> None:
    """Strided and Fortran-ordered arrays give what contiguous ones give."""
    if not deterministic(op):
        return
    expected = run(op, inputs, attrs)
    for layout in (_strided, np.asfortranarray, _reversed):
        made = run(op, [a if a is None or not a.ndim else layout(a) for a in inputs], attrs)
        for one, two in zip(shown(op, made), shown(op, expected), strict=True):
            _same(one, two, 1e-11)


def _strided(array: np.ndarray) -> np.ndarray:
    wide = np.repeat(array, 2, axis=-1)
    return wide[..., ::2]


def _reversed(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array[::-1])[::-1]


@sampled
def is_as_precise_in_single(op: Any, inputs: Any, attrs: Any, rng: Any) -> None:
    """float32 gives what float64 gives, to float32's precision; float16 runs."""
    if not deterministic(op) or not any(_floating(a) for a in inputs) or "single" in op.extra:
        return
    expected = run(op, [_as(a, np.float32, np.complex64, back=True) for a in inputs], attrs)
    made = run(op, [_as(a, np.float32, np.complex64) for a in inputs], attrs)
    for one, two in zip(shown(op, made), shown(op, expected), strict=True):
        assert one.shape == two.shape, f"float32 gives shape {one.shape}, float64 {two.shape}"
        if one.dtype.kind in "fc":
            _near(one, two, op.extra.get("tolerance", 2e-5))
        elif two.dtype.kind in "fc":
            raise AssertionError(f"float64 gives {two.dtype}, float32 {one.dtype}")
    if op.family.name == "elementwise" and not any(
        a is not None and a.dtype.kind == "c" for a in inputs
    ):
        for one, two in zip(
            run(op, [_as(a, np.float16) for a in inputs], attrs), made, strict=True
        ):
            if two.dtype == np.float32 and "dtype" not in op.rules:
                assert one.dtype == np.float16, f"float16 gives {one.dtype}"


def _as(array: Any, floating: Any, complexes: Any = np.complex64, back: bool = False) -> Any:
    if not _floating(array):
        return array
    made = array.astype(complexes if array.dtype.kind == "c" else floating)
    return made.astype(array.dtype) if back else made


@sampled
def holds_to_one_dtype(op: Any, inputs: Any, attrs: Any, rng: Any) -> None:
    """Two strong dtypes are refused; a weak value takes the dtype of the tensor."""
    if len(inputs) < 2 or any(a is None for a in inputs):
        return
    strict = list(range(len(inputs))) if op.variadic else op.strict
    floating = [i for i in strict if i < len(inputs) and _floating(inputs[i])]
    if len(floating) < 2 or len(strict) < 2:
        return
    first, last = floating[0], floating[-1]
    mixed = tensors_of(inputs)
    mixed[last] = EagerTensor(_as(inputs[last], np.float32))
    try:
        call(op, mixed, attrs)
    except TypeError as error:
        assert dtypes.of_array(inputs[first]).name in str(error), (
            f"the message names no dtypes: {error}"
        )
    else:
        raise AssertionError("float64 with float32 is not refused")
    weak: list[Any] = list(tensors_of([_as(a, np.float32) for a in inputs]))
    expected = call(op, weak, attrs)[0].dtype
    weak[last] = _as(inputs[last], np.float32).tolist()
    assert call(op, weak, attrs)[0].dtype is expected, "a list does not take the tensor's dtype"


@sampled
def kernel_agrees_with_reference(op: Any, inputs: Any, attrs: Any, rng: Any) -> None:
    """A faster kernel, where there is one, gives what the reference gives: in every layout and at odd sizes."""
    kernel = backend.find(op.name)
    if kernel is None:
        return
    single = [_as(a, np.float32) for a in inputs]
    attrs = op.bind(_arguments(op, single), dict(attrs))[1]
    for tried in [*_layouts(single), *_sizes(op, inputs, rng)]:
        made = kernel(*tried, **attrs)
        if made is NotImplemented:
            continue
        with np.errstate(all="ignore"):
            wanted = op.forward(np, *tried, **attrs)
        if not isinstance(wanted, tuple):
            made, wanted = [made], [wanted]
        for one, two in zip(shown(op, made), shown(op, wanted), strict=True):
            _same(np.asarray(one), np.asarray(two), 1e-5)


def _layouts(inputs: list[Any]) -> list[list[Any]]:
    """The same arrays, contiguous, with strides, in Fortran's order and backwards in memory."""
    forms = (lambda a: a, _strided, np.asfortranarray, _reversed)
    return [[a if a is None or not a.ndim else form(a) for a in inputs] for form in forms]


def _sizes(op: Any, inputs: list[Any], rng: Any) -> list[list[Any]]:
    """For ops that work element by element: nothing, one, an odd number, and so many that kernels take them."""
    if op.family.name != "elementwise" or any(a is None or not _floating(a) for a in inputs):
        return []
    if len({a.shape for a in inputs}) > 1 or not inputs[0].ndim:
        return []
    made = []
    for size in (0, 1, 257, 1_000_003):
        picks = rng.integers(0, inputs[0].size, size=size)
        made.append([_as(a.reshape(-1)[picks], np.float32) for a in inputs])
    return made


# ------------------------------------------------------------------------------------------------------- gradients


def moving(op: Any, inputs: list[Any]) -> list[int]:
    """Positions of the inputs whose gradient is tested: floating, and not declared constant."""
    names = list(op.tensor_names)
    constant = op.extra.get("constant", ())
    if op.variadic:
        names = names[:-1] + [names[-1]] * (len(inputs) - len(names) + 1)
    return [i for i, a in enumerate(inputs) if _floating(a) and names[i] not in constant]


@sampled
def gradient_is_right(op: Any, inputs: Any, attrs: Any, rng: Any) -> None:
    """First-order gradients equal central differences in float64."""
    if op.gradient is None or "derived" in op.extra or not deterministic(op):
        return
    positions = moving(op, inputs)
    results = run(op, inputs, attrs)
    if not positions or not any(_floating(r) for r in results):
        return
    cotangents = _cotangents(op, rng, results)

    def loss(*arrays: Any) -> float:
        made = run(op, list(arrays), attrs)
        return sum(
            numeric.inner(c, _finite(m))
            for c, m in zip(cotangents, made, strict=True)
            if c is not None
        )

    gradients = _gradients(op, tensors_of(inputs), attrs, positions, cotangents)
    for position, gradient in zip(positions, gradients, strict=True):
        _compare(op, loss, inputs, position, gradient, rng, "first")


@sampled
def arrays_go_back_as_tensors(op: Any, inputs: Any, attrs: Any, rng: Any) -> None:
    """Where a gradient is declared a second time, for arrays, it is the first one: in numbers, shape and dtype."""
    if op.array_gradient is None:
        return
    positions = moving(op, inputs)
    for floating in (np.float32, np.float64):
        single = floating is np.float32
        arrays = [_as(a, np.float32) if single else a for a in inputs]
        result = run(op, arrays, attrs)[0]
        if result.dtype != floating:
            continue
        cotangent = numeric.random_like(rng, result)
        for chosen in ([p] for p in positions) if len(positions) > 1 else [positions]:
            made = _gradients(op, tensors_of(arrays), attrs, chosen, [cotangent])
            with GradientTape():  # A tape that listens: what goes back are tensors.
                wanted = _gradients(op, tensors_of(arrays), attrs, chosen, [cotangent])
            for one, two in zip(made, wanted, strict=True):
                assert (one is None) == (two is None)
                if one is not None:
                    _same(_array(one), _array(two), 1e-6 if single else 1e-13)


def takes_arrays_back(op: Any, inputs: list[Any], attrs: Any) -> bool:
    """Whether the gradient for arrays is what really runs: it may decline, but not always."""
    tensors = tensors_of(inputs)
    result = call(op, tensors, attrs)[0]
    kwargs = op.bind(_arguments(op, inputs), dict(attrs))[1]
    needs = [(_floating(inputs[0]), not _floating(inputs[0]))] if len(inputs) > 1 else []
    back = op.array_gradient(np.ones(result.shape), result, *tensors, *needs, **kwargs)
    return back is not NotImplemented


@declared
def some_arrays_go_back(op: Any) -> None:
    """A gradient for arrays that failed or declined on every sample would be of no use."""
    if op.array_gradient is not None:
        found = any(takes_arrays_back(op, inputs, attrs) for inputs, attrs in samples_of(op))
        assert found, f"The gradient for arrays of {op.name} declines on every sample."


@declared
def kernel_has_the_defaults(op: Any) -> None:
    """A call that names no attribute gives none to the kernel: its defaults must be the op's."""
    kernel = backend.find(op.name)
    if kernel is None or op.required:
        return
    parameters = inspect.signature(kernel).parameters
    for name, default in op.defaults.items():
        assert name in parameters and parameters[name].default == default, (
            f"The kernel of {op.name} does not have the default {name}={default!r}."
        )


@sampled
def second_gradient_is_right(op: Any, inputs: Any, attrs: Any, rng: Any) -> None:
    """Gradients of gradients equal central differences of gradients."""
    if (
        op.gradient is None
        or "derived" in op.extra
        or op.extra.get("once")
        or not deterministic(op)
    ):
        return
    positions = moving(op, inputs)
    results = run(op, inputs, attrs)
    if not positions or not any(_floating(r) for r in results):
        return
    cotangents = _cotangents(op, rng, results)
    weights = [numeric.random_like(rng, inputs[p]) for p in positions]
    seeds = [i for i, c in enumerate(cotangents) if c is not None]
    count = len(inputs)

    def slope(*arrays: Any) -> float:
        chosen: list[Any] = list(cotangents)
        for i, seed in zip(seeds, arrays[count:], strict=True):
            chosen[i] = seed
        found = _gradients(op, tensors_of(list(arrays[:count])), attrs, positions, chosen)
        return sum(
            numeric.inner(_array(g), w)
            for g, w in zip(found, weights, strict=True)
            if g is not None
        )

    everything = [*inputs, *(cotangents[i] for i in seeds)]
    watched = [*positions, *range(count, len(everything))]
    tensors = tensors_of(everything)
    with GradientTape() as tape:
        tape.watch([tensors[i] for i in watched])
        chosen: list[Any] = list(cotangents)
        for i, seed in zip(seeds, tensors[count:], strict=True):
            chosen[i] = seed
        found = _gradients(op, tensors[:count], attrs, positions, chosen)
        total = _weighted(found, weights)
    if total is None:
        return
    for position, gradient in zip(
        watched, tape.gradient(total, [tensors[i] for i in watched]), strict=True
    ):
        _compare(op, slope, everything, position, gradient, rng, "second")


#: Ops whose gradients are programs over the sizes of a matrix, or over a known number of steps: these must be known.
NEED_SHAPE = frozenset((
    "gru", "gru_gradient", "lstm", "lstm_gradient", "simple_rnn", "simple_rnn_gradient",
))  # fmt: skip


@sampled
def traced_is_eager(op: Any, inputs: Any, attrs: Any, rng: Any) -> None:
    """In a graph the op gives what it gives at once, for shapes that are known or not; gradients
    too, also for any batch.
    """
    if not deterministic(op) or op.extra.get("effect"):
        return
    forms = (None, "loose") if op.name in NEED_SHAPE else (None, "loose", "batch")
    from ..graph.function import Function

    given = [i for i, a in enumerate(inputs) if a is not None]
    real = run(op, inputs, attrs)
    tensors = tensors_of([inputs[i] for i in given])
    arrays = [inputs[i] for i in given]
    loose = [TensorSpec([None] * a.ndim, dtypes.of_array(a)) for a in arrays]
    batch = [TensorSpec([None, *a.shape[1:]] if a.ndim else [], dtypes.of_array(a)) for a in arrays]

    def again(*present: Any) -> list[Any]:
        every: list[Any] = [NOTHING] * len(inputs)
        for i, tensor in zip(given, present, strict=True):
            every[i] = tensor
        return call(op, every, attrs)

    for form in forms:
        signature = {None: None, "loose": loose, "batch": batch}[form]
        traced = Function(again, signature, autograph=False)
        for made, wanted in zip(shown(op, traced(*tensors)), shown(op, real), strict=True):
            _same(made._array, wanted, 1e-6 if wanted.dtype.itemsize < 8 else 1e-12)
        if form != "loose":
            _same_gradients(again, traced, tensors)


def _same_gradients(one: Any, two: Any, tensors: list[Any]) -> None:
    sources = [t for t in tensors if t.dtype.kind in "fc"]
    found = []
    for function in (one, two):
        with GradientTape() as tape:
            tape.watch(sources)
            results = [r for r in function(*tensors) if r.dtype.kind in "fc"]
        found.append(tape.gradient(results, sources) if results else [])
    for wanted, made in zip(*found, strict=True):
        assert (made is None) == (wanted is None), "a gradient is None only eagerly, or only traced"
        if wanted is not None:
            _same(_array(made), _array(wanted), 1e-6 if wanted.dtype.size < 8 else 1e-12)


def _weighted(gradients: list[Any], weights: list[Any]) -> Any:
    """The real inner product of gradients and weights, as a tensor."""
    from ..ops.arithmetic import add, multiply
    from ..ops.complexes import real
    from ..ops.reduce import reduce_sum

    total = None
    for gradient, weight in zip(gradients, weights, strict=True):
        if gradient is None:
            continue
        dense = convert(gradient)
        part = reduce_sum(real(multiply(dense, EagerTensor(np.conj(weight)))))
        total = part if total is None else add(total, part)
    return total


def _array(gradient: Any) -> np.ndarray:
    return convert(gradient)._array


def _gradients(
    op: Any, tensors: list[Any], attrs: Any, positions: list[int], cotangents: list[Any]
) -> list[Any]:
    sources = [tensors[p] for p in positions]
    with GradientTape() as tape:
        tape.watch(sources)
        results = call(op, tensors, attrs)
    pairs = [(r, c) for r, c in zip(results, cotangents, strict=True) if c is not None]
    seeds = [c if isinstance(c, EagerTensor) else EagerTensor(c) for _, c in pairs]
    return tape.gradient([r for r, _ in pairs], sources, output_gradients=seeds)


def _compare(
    op: Any, function: Any, arrays: Any, position: int, gradient: Any, rng: Any, order: str
) -> None:
    direction = numeric.random_like(rng, arrays[position])
    if op.extra.get("symmetric") and position < len(op.tensor_names):
        direction = direction + np.conj(np.swapaxes(direction, -1, -2))
    expected = numeric.along(function, arrays, position, direction)
    if gradient is None:
        found = 0.0
    else:
        array = _array(gradient)
        assert array.shape == arrays[position].shape, (
            f"the {order} gradient of input {position} has shape {array.shape}, not {arrays[position].shape}"
        )
        assert array.dtype == arrays[position].dtype, (
            f"the {order} gradient has dtype {array.dtype}"
        )
        found = numeric.inner(array, direction)
    tolerance = op.extra.get("slack", 1.0) * 2e-6 * max(1.0, abs(expected))
    assert abs(found - expected) <= tolerance, (
        f"{order} gradient of input {position}: {found:.9g} along a direction, central difference {expected:.9g}"
    )
