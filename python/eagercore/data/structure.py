"""Elements of datasets: structures (tuples, named tuples, dictionaries) of tensors, and what is known of them.

Unlike elsewhere a list is no structure here: it becomes a tensor, as in TensorFlow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..base import dtypes, errors, nest
from ..base.shapes import TensorShape, TensorSpec, as_shape, relax
from ..core.tensor import EagerTensor, Tensor, convert


class DatasetSpec:
    """What is known of a dataset that is an element of another.

    Args:
        element_spec: Structure of specs of its elements.
        dataset_shape: Shape of the tensor of datasets; default a scalar.
    """

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self._element_spec = element_spec
        self._dataset_shape = as_shape(dataset_shape)

    @property
    def element_spec(self) -> Any:
        """Structure of specs of the elements."""
        return self._element_spec

    @property
    def shape(self) -> TensorShape:
        """Shape of the tensor of datasets."""
        return self._dataset_shape

    dtype = dtypes.variant

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DatasetSpec) and self._element_spec == other._element_spec

    def __hash__(self) -> int:
        return hash((DatasetSpec, str(self._element_spec)))

    def __repr__(self) -> str:
        return f"DatasetSpec({self._element_spec!r}, {self._dataset_shape!r})"


class NoneTensorSpec:
    """Stands for a component that is None."""

    shape = TensorShape(None)
    dtype = dtypes.variant

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoneTensorSpec)

    def __hash__(self) -> int:
        return hash(NoneTensorSpec)

    def __repr__(self) -> str:
        return "NoneTensorSpec()"


for _cls in (DatasetSpec, NoneTensorSpec):
    _cls.__module__ = "eagercore"


def is_structure(value: Any) -> bool:
    """Whether `value` is a tuple or a mapping rather than a component."""
    return isinstance(value, tuple | Mapping) and not isinstance(value, TensorShape)


def flatten(structure: Any) -> list[Any]:
    """The components in a fixed order (dictionaries by sorted keys); lists are components."""
    if isinstance(structure, tuple):
        return [leaf for part in structure for leaf in flatten(part)]
    if isinstance(structure, Mapping):
        return [leaf for key in nest._keys(structure) for leaf in flatten(structure[key])]
    return [structure]


def flatten_up_to(template: Any, structure: Any, what: str) -> list[Any]:
    """The parts of `structure` that stand where `template` has components.

    Raises:
        TypeError: If the structures differ; `what` names the argument.
    """
    if isinstance(template, tuple):
        if not isinstance(structure, tuple | list) or len(structure) != len(template):
            raise TypeError(
                f"`{what}` must have the structure of the elements, {template}, got {structure!r}."
            )
        return [leaf for t, s in zip(template, structure) for leaf in flatten_up_to(t, s, what)]
    if isinstance(template, Mapping):
        if not isinstance(structure, Mapping) or set(structure) != set(template):
            raise TypeError(
                f"`{what}` must have the structure of the elements, {template}, got {structure!r}."
            )
        return [
            leaf
            for k in nest._keys(template)
            for leaf in flatten_up_to(template[k], structure[k], what)
        ]
    return [structure]


def map_components(function: Callable[[Any], Any], structure: Any) -> Any:
    """`function` of each component, in the same structure."""
    if isinstance(structure, tuple):
        parts = [map_components(function, part) for part in structure]
        return type(structure)(*parts) if hasattr(structure, "_fields") else tuple(parts)
    if isinstance(structure, Mapping):
        made = {key: map_components(function, structure[key]) for key in structure}
        return made if type(structure) is dict else nest._same_mapping(structure, made)
    return function(structure)


def to_element(value: Any) -> Any:
    """`value` as an element: every component a tensor, a dataset or None."""
    return value if type(value) is EagerTensor else map_components(to_component, value)


def to_result(value: Any) -> Any:
    """What a function returned as an element: a list is a tuple, as in TensorFlow."""
    return to_element(tuple(value) if isinstance(value, list) else value)


def to_component(value: Any) -> Any:
    """One component as a tensor; datasets, optionals and None stay what they are."""
    if (
        type(value) is EagerTensor
        or value is None
        or hasattr(value, "_step")
        or hasattr(value, "_value_spec")
    ):
        return value
    reader = getattr(value, "value", None)
    if hasattr(value, "_read_array") and callable(reader):
        return reader()
    return convert(value)


def spec_of(value: Any) -> Any:
    """What describes one component."""
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    if value is None:
        return NoneTensorSpec()
    if hasattr(value, "_step"):
        return DatasetSpec(value.element_spec)
    return value._value_spec


def specs_of(element: Any) -> Any:
    """What describes an element, as a structure of specs."""
    return map_components(spec_of, element)


def loosen(first: Any, second: Any) -> Any:
    """The structure of specs that describes both: where shapes differ nothing is known."""
    pairs = zip(flatten(first), flatten(second))
    return packer(first)([_loosen(one, two) for one, two in pairs])


def _loosen(one: Any, two: Any) -> Any:
    if isinstance(one, TensorSpec) and isinstance(two, TensorSpec):
        return TensorSpec(relax(one.shape, two.shape), one.dtype)
    return one


def flattener(structure: Any) -> Callable[[Any], list[Any]]:
    """A quick function from elements of this structure to the list of their components."""
    if not is_structure(structure):
        return lambda element: [element]
    if isinstance(structure, tuple) and not any(map(is_structure, structure)):
        return list
    if isinstance(structure, Mapping) and not any(map(is_structure, structure.values())):
        keys = nest._keys(structure)
        return lambda element: [element[key] for key in keys]
    return flatten


def packer(structure: Any) -> Callable[[Any], Any]:
    """A quick function from a list of components to an element of this structure."""
    if not is_structure(structure):
        return lambda components: components[0]
    if type(structure) is tuple and not any(map(is_structure, structure)):
        return tuple
    if type(structure) is dict and not any(map(is_structure, structure.values())):
        places = {key: place for place, key in enumerate(nest._keys(structure))}
        order = [(key, places[key]) for key in structure]
        return lambda components: {key: components[place] for key, place in order}

    def pack(components: Any) -> Any:
        source = iter(components)
        return nest._pack(_without_lists(structure), source)

    return pack


def _without_lists(structure: Any) -> Any:
    return map_components(lambda leaf: 0, structure)


def arrays_of(element: Any) -> Any:
    """The element as NumPy arrays and scalars, for `as_numpy_iterator`."""
    return map_components(_array_of, element)


def _array_of(component: Any) -> Any:
    if hasattr(component, "_step"):
        return component.as_numpy_iterator()
    return component.numpy() if hasattr(component, "numpy") else component


def row_of(component: Any, place: int) -> Any:
    """One row of a component: of a tensor, or of a sparse or ragged one."""
    if type(component) is EagerTensor:
        return EagerTensor(component._array[place, ...])
    return component._row(place)


def row_spec(component: Any) -> Any:
    """What describes a row of a component."""
    return without_rows(spec_of(component))


def without_rows(spec: Any) -> Any:
    """A component's spec without its first dimension."""
    shape = None if spec.shape.rank is None else spec.shape[1:]
    if hasattr(spec, "ragged_rank") and spec.ragged_rank > 1:
        return type(spec)(shape, spec.dtype, spec.ragged_rank - 1)
    if isinstance(spec, TensorSpec) or hasattr(spec, "ragged_rank"):
        return TensorSpec(shape, spec.dtype)
    return type(spec)(shape, spec.dtype)


def stacked(parts: list[Any], place: int) -> Any:
    """Components of several elements as one tensor with a new first dimension.

    Raises:
        InvalidArgumentError: If shapes or dtypes differ.
    """
    first = parts[0]
    if type(first) is not EagerTensor:
        return _unstackable(parts, place)
    model = first._array
    shape, dtype = model.shape, model.dtype
    out = np.empty((len(parts), *shape), dtype)
    for position, part in enumerate(parts):
        array = part._array
        if array.shape != shape:
            raise errors.shape_error(
                "IteratorGetNext",
                f"Cannot batch tensors with different shapes in component {place}. First element had shape "
                f"{list(shape)} and element {position} had shape {list(array.shape)}. "
                "Use padded_batch to pad them to one shape.",
            )
        if array.dtype != dtype:
            raise errors.dtype_error(
                "IteratorGetNext",
                f"Cannot batch tensors with different types in component {place}. First element had type "
                f"{first.dtype.name} and element {position} had type {part.dtype.name}.",
            )
        # A bare array in an array of objects would be kept as an object.
        out[position] = array if array.ndim else array[()]
    return EagerTensor(out)


def _unstackable(parts: list[Any], place: int) -> Any:
    kind = type(parts[0])
    if hasattr(kind, "_stacked") and all(type(part) is kind for part in parts):
        return kind._stacked(parts)
    if all(part is None for part in parts):
        return None
    raise errors.UnimplementedError(
        f"Component {place} of the elements is {spec_of(parts[0])!r}, which cannot be batched: batch it inside, as in "
        "dataset.flat_map(lambda window: window.batch(n))."
    )


def legacy_shapes(spec: Any) -> Any:
    """`output_shapes` of TensorFlow 1."""
    return map_components(lambda s: s.shape if isinstance(s, TensorSpec) else s, spec)


def legacy_types(spec: Any) -> Any:
    """`output_types` of TensorFlow 1."""
    return map_components(lambda s: s.dtype if isinstance(s, TensorSpec) else s, spec)
