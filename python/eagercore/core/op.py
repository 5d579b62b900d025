"""The door: every call of every op, from every face, in every mode, passes `Op.__call__`.

An op is declared once (see ops/): docstring, forward and gradient stand together, and the family that the
decorator names gives what is common: the shape rule, the fusion class, the broadcasting of gradients, the samples
for the contract test.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterable
from types import MethodType
from typing import Any

import numpy as np

from .. import backend
from ..base import dtypes, errors
from ..base.context import context
from ..base.shapes import TensorShape, TensorSpec, broadcast_shapes
from . import coerce
from .tensor import NOTHING, EagerTensor, Ghost, Tensor, convert, to_array
from .variable import ResourceVariable

ndarray, generic, _asarray, new = np.ndarray, np.generic, np.asarray, object.__new__
_FLOAT32, _INT32 = np.dtype(np.float32), np.dtype(np.int32)
REGISTRY: dict[str, Op] = {}


@backend.listeners.append
def _choose_kernels_anew() -> None:
    """Every op looks its kernel up again at its next call."""
    for one in REGISTRY.values():
        one.forget_kernel()


class Op:
    """One operation: callable, documented by its declaration, the same in every mode.

    Attributes:
        name: The op's name.
        family: Its kind (see ARCHITECTURE.md).
        forward: `forward(xp, *arrays, **attributes)`: the reference implementation for NumPy and JAX arrays.
        gradient: `f(cotangent, result, *inputs, **attributes)` written in ops, or None.
        tensor_names: Names of the tensor arguments in order.
        defaults: Attributes and their defaults.
    """

    #: What is read at every call lies in slots: an object of so many attributes finds those slowly.
    __slots__ = (
        "__dict__",
        "arity",
        "array_gradient",
        "defaults",
        "entry",
        "family",
        "gradient",
        "keeps",
        "keeps_all",
        "keeps_result",
        "least",
        "reference",
        "run",
        "variadic",
        "wants_needs",
    )
    #: What computes: `run` for arrays of any size, `reference` for first arrays of fewer than `least` elements.
    run: Callable[..., Any]
    reference: Callable[..., Any]
    least: int

    def __init__(
        self,
        forward: Callable[..., Any],
        family: Family,
        *,
        label: str | None = None,
        aliases: dict[str, str] | None = None,
        free: Iterable[str] = (),
        kinds: str | None = None,
        outputs: Any = 1,
        differentiable: bool = True,
        domain: Any = None,
        **extra: Any,
    ) -> None:
        self.forward = forward
        self.name = forward.__name__.rstrip("_")
        self.__name__ = self.__qualname__ = self.name
        #: The name that messages show: what people call.
        self.shown = self.name.removesuffix("_op")
        self.__doc__ = forward.__doc__
        self.__module__ = forward.__module__
        self.family = family
        self.label = label or "".join(part.capitalize() for part in self.name.split("_"))
        self.aliases = aliases or {}
        self.kinds = kinds
        self.outputs = outputs
        self.differentiable = differentiable
        self.domain = domain
        self.extra = extra
        self.gradient: Callable[..., Any] | None = None
        self.array_gradient: Callable[..., Any] | None = None
        self._shape_rule: Callable[..., Any] | None = None
        self._samples: Callable[..., Any] | None = None
        self._read_signature(frozenset(free))
        self.forget_kernel()
        self.entry = self._entry()
        self.keeps: list[bool] = []
        self.keeps_result = self.keeps_all = self.wants_needs = False
        if self.name in REGISTRY and REGISTRY[self.name].__module__ != self.__module__:
            raise errors.InternalError(f"Two ops are named {self.name}.")
        REGISTRY[self.name] = self

    def _read_signature(self, free: frozenset[str]) -> None:
        parameters = list(inspect.signature(self.forward).parameters.values())[1:]
        self.variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters)
        tensors = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        attributes = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
        self.tensor_names = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
        self.optional = frozenset(p.name for p in tensors if p.default is not p.empty)
        self.arity = -1 if self.variadic or self.optional else len(tensors)
        self.rules = {p.name: coerce.rule(p.annotation) for p in attributes}
        self.defaults = {p.name: p.default for p in attributes if p.default is not p.empty}
        self.required = [p.name for p in attributes if p.default is p.empty]
        self.fixed = self.arity
        if self.required:
            self.arity = -1
        self.order = self.tensor_names + [p.name for p in attributes]
        strict = [i for i, p in enumerate(tensors) if p.name not in free]
        self.strict = strict
        # The fast path compares two dtypes; more than two are compared on the slow one.
        self.pair = (strict[0], strict[1]) if len(strict) == 2 else None
        self.two = self.pair is not None and len(tensors) == 2 and not self.variadic
        self.many = len(strict) > 2 or (self.variadic and self.tensor_names[-1] not in free)
        public = [
            p.replace(kind=p.POSITIONAL_OR_KEYWORD)
            for p in parameters
            if p.kind is not p.VAR_POSITIONAL
        ]
        if self.variadic:
            listed = [
                p.replace(kind=p.POSITIONAL_OR_KEYWORD)
                for p in parameters
                if p.kind is p.VAR_POSITIONAL
            ]
            public = public[: len(tensors)] + listed + public[len(tensors) :]
        with_default = [p for p in public if p.default is not p.empty]
        bare = [p for p in public if p.default is p.empty]
        named = inspect.Parameter("name", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
        try:
            self.__signature__ = inspect.Signature([*public, named])
        except ValueError:
            self.__signature__ = inspect.Signature([*bare, *with_default, named])

    # ---------------------------------------------------------------------------------------------------- the door

    def __call__(self, *args: Any, **attrs: Any) -> Any:
        """The one way into every op (see the module's words)."""
        if attrs or len(args) != self.arity:
            return self.enter(*self.bind(args, attrs))
        return self.entry(*args)

    def enter(self, args: Any, attrs: dict[str, Any]) -> Any:
        """The whole door, for bound arguments of any kind."""
        if context.graph is not None:
            return context.graph.emit(self, args, attrs)
        try:
            if self.two:
                x, y = args
                if type(x) is not EagerTensor or type(y) is not EagerTensor:
                    args = x, y = self.admit_quickly(args) or args
                arrays: Any = (x._array, y._array)
            elif len(args) == 1:
                arrays = (args[0]._array,)
            else:
                arrays = [a._array for a in args]
        except AttributeError:
            admitted = self.admit_quickly(args)
            if admitted is None:
                lifted = self.lift(args, attrs)
                if lifted is not None:
                    return lifted
                admitted = self.admit(args)
            args = admitted
            arrays = [a._array for a in args]
        pair = self.pair
        if pair is not None and arrays[pair[0]].dtype is not arrays[pair[1]].dtype or self.many:
            self.check_dtypes(arrays)
        if self.kinds is not None and arrays[0].dtype.kind not in self.kinds:
            self.check_kind(arrays[0])
        try:
            out = self.run(*arrays, **attrs)
        except Exception as error:
            lifted = self.lift(args, attrs)
            if lifted is not None:
                return lifted
            out = self.again(error, arrays, attrs)
        result: Any = EagerTensor(out) if type(out) is ndarray else _wrapped(out)
        for tape in context.tapes:
            tape.record(self, args, attrs, result)
        return result

    def _entry(self) -> Callable[..., Any]:
        """The shortest way through the door for tensors alone and attributes that keep their defaults.

        All else, and all that fails, goes through `enter`, which says what is wrong.
        """
        op, kinds, attrs = self, self.kinds or "biufcOVSU", self.defaults
        usual = _FLOAT32 if "f" in kinds else None

        def one(x: Any) -> Any:
            if type(x) is not EagerTensor or context.graph is not None:
                return op.enter((x,), attrs)
            a = x._array
            kind = a.dtype
            if kind is not usual and kind.kind not in kinds:
                return op.enter((x,), attrs)
            try:
                out = op.run(a) if a.size >= op.least else op.reference(a)
            except Exception:
                return op.enter((x,), attrs)
            if type(out) is ndarray:
                # As EagerTensor(out) would, in half the time.
                result: Any = new(EagerTensor)
                result._array, result._key = out, 0
            elif isinstance(out, generic):
                result = new(EagerTensor)
                result._array, result._key = _asarray(out), 0
            else:
                result = _wrapped(out)
            for tape in context.tapes:
                tape.record(op, (x,), attrs, result)
            return result

        def two(x: Any, y: Any) -> Any:
            if context.graph is not None:
                return op.enter((x, y), attrs)
            if type(x) is not EagerTensor or type(y) is not EagerTensor:
                admitted = op.admit_two(x, y)
                if admitted is None:
                    return op.enter((x, y), attrs)
                x, y = admitted
            try:
                a, b = x._array, y._array
                kind = a.dtype
                if kind is not b.dtype or kind is not usual and kind.kind not in kinds:
                    return op.enter((x, y), attrs)
                out = op.run(a, b) if a.size >= op.least else op.reference(a, b)
            except Exception:
                return op.enter((x, y), attrs)
            if type(out) is ndarray:
                result: Any = new(EagerTensor)
                result._array, result._key = out, 0
            elif isinstance(out, generic):
                result = new(EagerTensor)
                result._array, result._key = _asarray(out), 0
            else:
                result = _wrapped(out)
            for tape in context.tapes:
                tape.record(op, (x, y), attrs, result)
            return result

        if self.two:
            return two
        return one if self.arity == 1 else lambda *args: op.enter(args, attrs)

    # --------------------------------------------------------------------------------------------- off the fast path

    def _first_run(self, *arrays: Any, **attrs: Any) -> Any:
        """Finds, at the first call, which kernel stands for this op, and gets out of the way."""
        self.choose_kernel()
        return self.run(*arrays, **attrs)

    def choose_kernel(self) -> None:
        """Sets `run` to the kernel registered for this op, or to the reference."""
        kernel = backend.find(self.name)
        reference = self._plain_function() or MethodType(self.forward, np)
        self.reference = reference
        if kernel is None:
            self.run = reference
            return

        # A kernel may say below how many elements of the first array it always declines, also one that is wrapped.
        least = self.least = getattr(getattr(kernel, "__wrapped__", kernel), "least", 0)

        def run(*arrays: Any, **attrs: Any) -> Any:
            if arrays[0].size >= least:
                out = kernel(*arrays, **attrs)
                if out is not NotImplemented:
                    return out
            return reference(*arrays, **attrs)

        self.run = run

    def _plain_function(self) -> Any:
        """NumPy's own function where the forward only hands its arrays to it, as found out by asking it once."""
        if self.family is not elementwise or self.rules or self.variadic or self.optional:
            return None
        stand_ins = tuple(object() for _ in self.tensor_names)
        try:
            called = self.forward(_Asked(), *stand_ins)
        except Exception:
            return None
        if type(called) is not _Called or len(called.arrays) != len(stand_ins):
            return None
        if any(a is not b for a, b in zip(called.arrays, stand_ins)):
            return None
        function = getattr(np, called.name)
        return function if isinstance(function, np.ufunc) else None

    def forget_kernel(self) -> None:
        """Looks the kernel up anew at the next call (a switch was turned)."""
        self.run = self.reference = self._first_run
        self.least = 0

    def lift(self, args: Iterable[Any], attrs: dict[str, Any]) -> Any:
        """The result where an argument stands for a tensor of a model that is being drawn; else None."""
        for value in (*args, *attrs.values()):
            for one in value if type(value) in (list, tuple) else (value,):
                lifter = getattr(type(one), "_lift", None)
                if lifter is not None:
                    return lifter(one, self, args, attrs)
        return None

    def bind(self, args: tuple[Any, ...], given: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Positional and named arguments as (tensors, attributes).

        The common call, all tensors by position and attributes by name, is bound at once.
        """
        if len(args) == self.fixed:
            rules, name = self.rules, self.name
            attrs = self.defaults.copy()
            try:
                for key, value in given.items():
                    attrs[key] = rules[key](value, name, key)
            except KeyError:
                return self.bind_slowly(args, given)
            if len(attrs) == len(rules):
                return args, attrs
        return self.bind_slowly(args, given)

    def bind_slowly(
        self, args: tuple[Any, ...], given: dict[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        """Any call: Python's rules, TensorFlow's names."""
        order = self.order
        if len(args) > len(order):
            if len(args) > len(order) + 1 or not isinstance(args[-1], str | None):
                raise TypeError(
                    f"{self.name}() takes {len(order)} arguments ({', '.join(order)}) but "
                    f"{len(args)} were given."
                )
            self._suggest(args[-1])
            args = args[:-1]
        values = dict(zip(order, args))
        for key, value in given.items():
            name = self.aliases.get(key, key)
            if name in values:
                raise TypeError(f"{self.name}() got multiple values for argument '{key}'.")
            if name in order:
                values[name] = value
            elif key == "name":
                self._suggest(value)
            else:
                raise TypeError(
                    f"{self.name}() got an unexpected keyword argument '{key}'. It takes: {', '.join(order)}."
                )
        tensors = self._bound_tensors(values)
        attrs = dict(self.defaults)
        for name, rule in self.rules.items():
            if name in values:
                attrs[name] = rule(values[name], self.name, name)
        for name in self.required:
            if name not in attrs:
                raise TypeError(f"{self.name}() missing 1 required argument: '{name}'.")
        return tensors, attrs

    @staticmethod
    def _suggest(name: Any) -> None:
        """Tells the graph that is being built what the user calls this node."""
        if name is not None and context.graph is not None:
            context.graph.suggest(name)

    def _bound_tensors(self, values: dict[str, Any]) -> tuple[Any, ...]:
        tensors: list[Any] = []
        for name in self.tensor_names:
            if name not in values:
                if name in self.optional:
                    tensors.append(NOTHING)
                    continue
                raise TypeError(f"{self.name}() missing 1 required argument: '{name}'.")
            value = values[name]
            if self.variadic and name == self.tensor_names[-1]:
                if not isinstance(value, list | tuple):
                    value = list(value) if getattr(value, "ndim", 1) else [value]
                tensors.extend(value)
            else:
                tensors.append(NOTHING if value is None and name in self.optional else value)
        return tuple(tensors)

    @staticmethod
    def admit_two(x: Any, y: Any) -> tuple[Any, Any] | None:
        """The commonest pairs as tensors: tensors, variables and Python numbers; None for all others."""
        first = x.value() if type(x) is ResourceVariable else x
        second = y.value() if type(y) is ResourceVariable else y
        try:
            if type(first) is EagerTensor:
                if type(second) is EagerTensor:
                    return first, second
                if type(second) in _PLAIN:
                    return first, weak_scalar(second, first._array.dtype)
            elif type(first) in _PLAIN:
                if type(second) is EagerTensor:
                    return weak_scalar(first, second._array.dtype), second
                if type(second) in _PLAIN:
                    wanted = _dtype_of_number(first)
                    if wanted is None:
                        return None
                    return weak_scalar(first, wanted), weak_scalar(second, wanted)
        except (TypeError, ValueError, OverflowError):
            pass
        return None

    def admit_quickly(self, args: Any) -> Any:
        """Tensors, variables and Python numbers in any mixture, in eager execution; None for all others."""
        wanted = None
        made: list[Any] = []
        numbers = False
        for value in args:
            kind = type(value)
            if kind is ResourceVariable:
                value = value.value()
                kind = type(value)
            if kind is EagerTensor:
                if wanted is None:
                    wanted = value._array.dtype
            elif kind is float or kind is int:
                numbers = True
                if self.pair is None:
                    return None
            else:
                return None
            made.append(value)
        if not numbers:
            return made
        try:
            for i, value in enumerate(made):
                if type(value) is not EagerTensor:
                    if wanted is None:
                        wanted = _dtype_of_number(value)
                        if wanted is None:
                            return None
                    made[i] = weak_scalar(value, wanted)
        except (TypeError, ValueError, OverflowError):
            return None
        return made

    def admit(self, args: Iterable[Any]) -> tuple[Any, ...]:
        """Arguments of any kind as tensors: weak values take the dtype of the first strong one."""
        args = tuple(args)
        strict = range(len(args)) if self.variadic else self.strict
        wanted = None
        for i in strict:
            if i < len(args) and (isinstance(args[i], Tensor) or hasattr(args[i], "_read_array")):
                wanted = args[i].dtype
                break
        result = []
        for i, value in enumerate(args):
            if type(value) is EagerTensor or value is NOTHING:
                result.append(value)
                continue
            if getattr(value, "_is_symbolic", False) and context.graph is None:
                raise TypeError(
                    f"{self.name}() was given the graph tensor {value.name} in eager execution. A "
                    "tensor of a graph has no "
                    "value outside it: return it from the tf.function, or run it in a Session."
                )
            weak = wanted if i in strict else None
            try:
                made = convert(
                    value,
                    None if isinstance(value, Tensor) or hasattr(value, "_read_array") else weak,
                )
            except TypeError as error:
                raise self._weak_error(error, value, weak, i) from None
            if wanted is None and i in strict:
                wanted = made.dtype
            result.append(made)
        return tuple(result)

    def _weak_error(self, error: Exception, value: Any, wanted: Any, position: int) -> Exception:
        if wanted is None:
            return error
        try:
            own = dtypes.of_array(to_array(value))
        except (TypeError, ValueError):
            return error
        return errors.dtype_error(
            self.label,
            f"cannot compute {self.label} as input #{position}(zero-based) was expected to be a "
            f"{dtypes.spelling(wanted)} tensor but is a {dtypes.spelling(own)} tensor: {error} "
            f"Cast one of them: tf.cast(x, tf.{own.name}).",
        )

    def check_dtypes(self, arrays: list[Any]) -> None:
        """Raises unless all strict inputs share one dtype."""
        first = None
        for i in range(len(arrays)) if self.variadic else self.strict:
            array = arrays[i]
            if array is None:
                continue
            if first is None:
                first = array
            elif array.dtype != first.dtype:
                one, two = dtypes.of_array(first), dtypes.of_array(array)
                raise errors.dtype_error(
                    self.label,
                    f"cannot compute {self.label} as input #{i}(zero-based) was expected to be a "
                    f"{dtypes.spelling(one)} "
                    f"tensor but is a {dtypes.spelling(two)} tensor. Tensors are not converted "
                    f"silently: {self.name} got "
                    f"{one.name} of shape {first.shape} and {two.name} of shape {array.shape}. "
                    f"Cast one of them, as in tf.cast(x, tf.{one.name}).",
                )

    def check_kind(self, array: Any) -> None:
        """Raises unless the op takes this kind of number."""
        if array.dtype.kind == "V" and self.kinds is not None and "f" in self.kinds:
            return
        words = {
            "b": "bool",
            "i": "integer",
            "u": "unsigned",
            "f": "floating",
            "c": "complex",
            "O": "string",
        }
        taken = ", ".join(words[k] for k in self.kinds or "")
        wanted = {"c": "complex64", "i": "int32", "b": "bool"}.get(
            (self.kinds or "f")[0], "float32"
        )
        raise errors.dtype_error(
            self.label,
            f"Value for attr 'T' of {dtypes.spelling(dtypes.of_array(array))} is not in the list "
            "of allowed values: "
            f"{self.shown} takes {taken} tensors. Cast it first: tf.cast(x, tf.{wanted}).",
        )

    def again(self, error: Exception, arrays: list[Any], attrs: dict[str, Any]) -> Any:
        """After a failure: once more with floating-point complaints off, else a good error."""
        if isinstance(error, FloatingPointError | RuntimeWarning):
            with np.errstate(all="ignore"):
                return self.run(*arrays, **attrs)
        if isinstance(error, errors.OpError | KeyboardInterrupt):
            raise error
        shapes = " and ".join(str(list(a.shape)) for a in arrays if a is not None)
        if isinstance(error, MemoryError):
            raise errors.ResourceExhaustedError(
                f"There is not enough memory for {self.shown} of inputs of shape {shapes or '[]'}: {error}. "
                f"Use smaller batches or shapes. [Op:{self.label}]",
                op=self.label,
                kind="memory",
            ) from None
        kinds = ", ".join(dtypes.of_array(a).name for a in arrays if a is not None)
        if isinstance(error, ValueError) and self.family.broadcasts and len(arrays) > 1:
            shown = " vs. ".join(str(list(a.shape)) for a in arrays if a is not None)
            raise errors.shape_error(
                self.label,
                f"Incompatible shapes: {shown}. {self.shown} broadcasts: dimensions must be equal or 1.",
            ) from None
        if isinstance(error, ValueError | TypeError | IndexError):
            raise errors.shape_error(
                self.label,
                f"{self.shown} cannot work on inputs of shape {shapes} and dtype {kinds}: {error}",
            ) from error
        raise error

    # ----------------------------------------------------------------------------------------------------- shapes

    def infer(self, specs: list[Any], attrs: dict[str, Any]) -> list[TensorSpec]:
        """What is known of the results from what is known of the inputs."""
        rule = self._shape_rule or self.family.shape_rule
        if rule is not None:
            found = rule(self, specs, attrs) if self._shape_rule is None else rule(*specs, **attrs)
            if found is not None:
                return list(found) if isinstance(found, tuple | list) else [found]
        return stand_in(self, specs, attrs)

    # ------------------------------------------------------------------------------------------------- declaration

    def vjp(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Declares the gradient: `@name.vjp` on `f(cotangent, result, *inputs, **attributes)`, written in ops.

        A parameter whose name begins with an underscore is not kept by the tape (it arrives with shape and dtype
        alone). A parameter `needs` is given a tuple that says which inputs' gradients are wanted.
        """
        self.gradient, self.array_gradient = function, None
        names = list(inspect.signature(function).parameters)
        positional = names[2 : 2 + max(len(self.tensor_names), 0)]
        self.keeps_result = not names[1].startswith("_") if len(names) > 1 else False
        self.keeps = [not n.startswith("_") for n in positional]
        self.keeps_all = all(self.keeps) and self.keeps_result
        self.wants_needs = "needs" in names
        return function

    def shape_rule(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Declares an own shape rule: `@name.shape_rule`, given the inputs' specs and the attributes."""
        self._shape_rule = function
        return function

    def samples(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Declares own samples for the contract test: `@name.samples`, a generator given a random generator."""
        self._samples = function
        return function

    def vjp_of_arrays(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Declares what `vjp` does once more, for going back where nobody listens: `@name.vjp_of_arrays`.

        For ops of one tensor, `f(cotangent, result, input, **attributes)`; for ops of two, `f(cotangent, result,
        first, second, needs, **attributes)`. The cotangent is a floating NumPy array (or scalar), and so are the
        gradients that are given back; NotImplemented leaves the work to the `vjp`, to which the contract test
        holds them. It is worth its place where small arrays are many.
        """
        self.array_gradient = function
        return function

    def strip(self, inputs: Any) -> Any:
        """The inputs as a tape keeps them: what the gradient does not read is only remembered by its shape."""
        keeps = self.keeps
        if self.variadic:
            fixed = len(self.tensor_names) - 1
            keeps = keeps[:fixed] + keeps[fixed:] * (len(inputs) - fixed)
        made = None
        for i, keep in enumerate(keeps):
            if not keep:
                whole = inputs[i]
                one = ghost(whole)
                if one is not whole:
                    if made is None:
                        made = list(inputs)
                    made[i] = one
        return made or inputs

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    def __reduce__(self) -> str:
        return self.name

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


_PLAIN = (float, int)


def _dtype_of_number(value: Any) -> Any:
    """The dtype of a Python number that stands alone; None where it needs a closer look."""
    if type(value) is float:
        return _FLOAT32 if -3.4e38 < value < 3.4e38 else None
    return _INT32 if -(2**31) <= value < 2**31 else None


def _wrapped(out: Any) -> Any:
    """What an op gave where it is no array: scalars of NumPy's as tensors, several results as a list of them."""
    if type(out) is tuple:
        return [EagerTensor(o) if type(o) is ndarray else _wrapped(o) for o in out]
    # NumPy would make fixed-width bytes of a string scalar.
    return EagerTensor(_asarray(out, object) if type(out) is bytes else _asarray(out))


class _Asked:
    """Stands for NumPy where a forward is asked which of its functions it calls."""

    def __getattr__(self, name: str) -> Any:
        return lambda *arrays: _Called(name, arrays)


class _Called:
    """What a function of `_Asked` gives: its name and its arguments."""

    def __init__(self, name: str, arrays: tuple[Any, ...]) -> None:
        self.name, self.arrays = name, arrays


_SCALARS: dict[Any, EagerTensor] = {}


def number(value: Any, dtype: Any) -> np.ndarray:
    """A number of an op's formula as an array that is kept: ufuncs take it in half the time of a Python number."""
    found = _NUMBERS.get((value, dtype))
    if found is None:
        found = _NUMBERS[value, dtype] = np.array(value, dtype)
        found.setflags(write=False)
    return found


_NUMBERS: dict[Any, np.ndarray] = {}


def weak_scalar(value: Any, dtype: Any) -> EagerTensor:
    """A Python number as a tensor of a NumPy dtype; the tensors of common numbers are kept."""
    key = (value, type(value), dtype)
    found = _SCALARS.get(key)
    if found is None:
        found = EagerTensor(to_array(value, dtypes.as_dtype(dtype)))
        if value != 0 or type(value) is int:  # 0.0 and -0.0 are one key and two numbers
            if len(_SCALARS) >= 1024:
                _SCALARS.clear()
            _SCALARS[key] = found
    return found


def ghost(tensor: Any) -> Any:
    """A tensor without its values; one that has none (of a graph), or hardly any, stays as it is."""
    array = tensor._array if type(tensor) is EagerTensor else getattr(tensor, "_array", None)
    if array is None or array.size <= 16 and array.base is None:
        return tensor
    return Ghost(array.shape, array.dtype, tensor._key)


# --------------------------------------------------------------------------------------------------------------------
# Families


class Family:
    """What is common to a kind of op.

    Attributes:
        name: "elementwise", "movement", "reduction", "contraction", "barrier" or "general".
        broadcasts: Whether inputs broadcast, and gradients are summed back to their shapes.
        shape_rule: Common shape rule, or None.
        pure: Whether equal inputs give equal results, so that a graph may share or fold it.
    """

    def __init__(
        self, name: str, *, broadcasts: bool = False, shape_rule: Any = None, pure: bool = True
    ) -> None:
        self.name = name
        self.broadcasts = broadcasts
        self.shape_rule = shape_rule
        self.pure = pure

    def __call__(self, function: Any = None, **options: Any) -> Any:
        """Declares an op of this family: a decorator, with or without options."""
        if function is None:
            return lambda f: Op(f, self, **options)
        return Op(function, self, **options)

    def __repr__(self) -> str:
        return self.name


def _elementwise_rule(op: Op, specs: list[Any], attrs: dict[str, Any]) -> Any:
    known = [s for s in specs if s is not None]
    try:
        shape = broadcast_shapes(*(s.shape for s in known))
    except ValueError as error:
        raise errors.shape_error(op.label, str(error)) from None
    ones = [None if s is None else TensorSpec(TensorShape([]), s.dtype) for s in specs]
    made = stand_in(op, ones, attrs)
    return [TensorSpec(shape, m.dtype) for m in made]


def _reduction_rule(op: Op, specs: list[Any], attrs: dict[str, Any]) -> Any:
    shape, axis, keep = specs[0].shape, attrs.get("axis"), attrs.get("keepdims")
    if shape.rank is None or coerce.is_symbolic(axis) or coerce.is_symbolic(keep):
        unknown = TensorShape(None) if axis is not None or keep else TensorShape([])
        made = stand_in(
            op, [TensorSpec([2, 2], specs[0].dtype), *specs[1:]], {**attrs, "axis": None}
        )
        return [TensorSpec(unknown, m.dtype) for m in made]
    axes = range(shape.rank) if axis is None else [axis] if isinstance(axis, int) else axis
    for a in axes:
        if not -shape.rank <= a < max(shape.rank, 1):
            raise errors.index_error(
                op.label, f"Invalid reduction dimension {a} for input with {shape.rank} dimensions."
            )
    gone = {a % shape.rank for a in axes} if shape.rank else set()
    dims = [1 if i in gone else d for i, d in enumerate(shape) if keep or i not in gone]
    made = stand_in(op, [TensorSpec([2] * shape.rank, specs[0].dtype), *specs[1:]], attrs)
    return [TensorSpec(dims, m.dtype) for m in made]


elementwise = Family("elementwise", broadcasts=True, shape_rule=_elementwise_rule)
reduction = Family("reduction", shape_rule=_reduction_rule)
movement = Family("movement")
contraction = Family("contraction")
barrier = Family("barrier", pure=False)
op = Family("general")


def stand_in(op: Op, specs: list[Any], attrs: dict[str, Any]) -> list[TensorSpec]:
    """Shapes and dtypes of the results, found by running the forward on stand-ins of the inputs.

    A dimension that is not known is tried with several sizes: what changes with it is not known of the result either.
    Stand-ins take no memory (all strides are 0).
    """
    if any(s is not None and s.shape.rank is None for s in specs) or coerce.is_symbolic(
        list(attrs.values())
    ):
        return _unknown(op, specs, attrs)
    if all(s is None or s.shape.is_fully_defined() for s in specs):
        return [TensorSpec(a.shape, dtypes.of_array(a)) for a in _dry_run(op, specs, attrs, 0)]
    results: list[list[Any]] = []
    for size in (6, 12, 3, 8, 16, 2, 4, 1):
        try:
            results.append(_dry_run(op, specs, attrs, size))
        except Exception:
            continue
        if len(results) == 3:
            break
    if not results:
        return _unknown(op, specs, attrs)
    return [_common(list(tried)) for tried in zip(*results)]


def _common(tried: list[Any]) -> TensorSpec:
    """What all tries of one result share; a single try says nothing about the dimensions."""
    shapes = [a.shape for a in tried]
    dims: list[int | None] | None = None
    if len({len(s) for s in shapes}) == 1:
        sure = len(tried) > 1
        dims = [d[0] if sure and len(set(d)) == 1 else None for d in zip(*shapes)]
    return TensorSpec(dims, dtypes.of_array(tried[0]))


def _dry_run(op: Op, specs: list[Any], attrs: dict[str, Any], size: int) -> list[Any]:
    arrays: list[Any] = []
    for spec in specs:
        if spec is None:
            arrays.append(None)
            continue
        one = b"" if spec.dtype.kind == "S" else 1
        shape = [size if d is None else d for d in spec.shape]
        arrays.append(np.broadcast_to(np.array(one, spec.dtype._numpy()), shape))
    op_checks(op, arrays)
    with np.errstate(all="ignore"):
        try:
            out = op.forward(np, *arrays, **attrs)
        except Exception as error:
            if isinstance(error, errors.OpError):
                raise
            out = op.again(error, arrays, attrs)
    parts = out if isinstance(out, tuple | list) else [out]
    return [np.asarray(o, object if type(o) is bytes else None) for o in parts]


def op_checks(op: Op, arrays: list[Any]) -> None:
    """The checks of dtype that the door makes."""
    op.check_dtypes(arrays)
    if (
        op.kinds is not None
        and arrays
        and arrays[0] is not None
        and arrays[0].dtype.kind not in op.kinds
    ):
        op.check_kind(arrays[0])


def _unknown(op: Op, specs: list[Any], attrs: dict[str, Any]) -> list[TensorSpec]:
    """Nothing is known of the shapes; the dtypes are those of a run on small stand-ins, else of the first input."""
    concrete = {k: op.defaults.get(k) if coerce.is_symbolic(v) else v for k, v in attrs.items()}
    vague = [i for i, s in enumerate(specs) if s is not None and s.shape.rank is None]
    for ranks in _ranks(len(vague)):
        small: list[Any] = []
        for i, spec in enumerate(specs):
            if spec is None:
                small.append(None)
            elif i in vague:
                small.append(TensorSpec([2] * ranks[vague.index(i)], spec.dtype))
            else:
                small.append(TensorSpec([2 if d is None else d for d in spec.shape], spec.dtype))
        try:
            return [TensorSpec(None, dtypes.of_array(a)) for a in _dry_run(op, small, concrete, 2)]
        except Exception:
            continue
    count = op.outputs if isinstance(op.outputs, int) else attrs.get(op.outputs, 1)
    if isinstance(count, tuple | list):
        count = len(count)
    dtype = next((s.dtype for s in specs if s is not None), dtypes.float32)
    return [TensorSpec(None, dtype) for _ in range(count if isinstance(count, int) else 1)]


def _ranks(count: int) -> Iterable[tuple[int, ...]]:
    """Ranks to try for `count` inputs: first all the same, then each with each."""
    same = [(rank,) * count for rank in range(5)]
    if count < 2 or count > 3:
        return same
    return same + [r for r in itertools.product(range(4), repeat=count) if len(set(r)) > 1]
