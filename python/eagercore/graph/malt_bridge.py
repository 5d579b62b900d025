"""The converter of diastatic-malt, with the engine's operators in the place of Python's."""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib.machinery
import importlib.util
import inspect
import linecache
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

from malt import operators, utils
from malt.core import ag_ctx
from malt.core import converter as malt_converter
from malt.impl import api, conversion
from malt.lang import directives, special_functions
from malt.operators import function_wrappers, py_builtins
from malt.pyct import anno, error_utils, inspect_utils
from malt.utils import ag_logging

from ..base import errors
from . import ag_operators, autograph

_SPECIAL = {
    eval: py_builtins.eval_in_original_context,
    super: py_builtins.super_in_original_context,
}


class AppendTransformer(ast.NodeTransformer):
    """`l.append(x)` on a list made in the function becomes `l = ag__.list_append(l, x)`: so a loop
    knows that `l` changes.
    """

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Expr(self, node: ast.Expr) -> Any:
        """A statement that is an expression."""
        call = node.value
        if not (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "append"
            and isinstance(call.func.value, ast.Name)
            and call.func.value.id in self.names
            and len(call.args) == 1
            and not call.keywords
        ):
            return self.generic_visit(node)
        name = call.func.value.id
        value = ast.Call(
            func=ast.Attribute(
                value=ast.Name(id="ag__", ctx=ast.Load()), attr="list_append", ctx=ast.Load()
            ),
            args=[ast.Name(id=name, ctx=ast.Load()), call.args[0]],
            keywords=[],
        )
        made = ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=value)
        for new in ast.walk(made):
            if not hasattr(new, "lineno"):
                ast.copy_location(new, node)
        if anno.hasanno(node, anno.Basic.ORIGIN):
            for new in (made, value):
                anno.copyanno(node, new, anno.Basic.ORIGIN)
        return made

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Functions inside have lists of their own."""
        return node

    visit_Lambda = visit_FunctionDef  # type: ignore[assignment]


def local_lists(node: Any) -> set[str]:
    """Names that a function binds to a list that it makes."""
    found: set[str] = set()
    shared: set[str] = set()
    for statement in ast.walk(node):
        if isinstance(statement, ast.Global | ast.Nonlocal):
            shared.update(statement.names)
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target, value = statement.targets[0], statement.value
        made = isinstance(value, ast.List) or (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id == "list"
            and not value.args
        )
        if isinstance(target, ast.Name) and made:
            found.add(target.id)
    return found - shared


class FunctionScope(function_wrappers.FunctionScope):
    """The body of a converted function."""

    def ret(self, value: Any, did_return: Any) -> Any:
        """What the function returns."""
        ag_operators.check_return(value, did_return)
        return super().ret(value, did_return)


class Transpiler(api.PyToPy):
    """Rewrites functions."""

    def get_transformed_name(self, node: Any) -> str:
        """Name of a converted function, as TensorFlow gives it."""
        return "tf__" + super(api.PyToPy, self).get_transformed_name(node)

    def get_extra_locals(self) -> dict[str, Any]:
        """What converted code knows as `ag__`."""
        if self._extra_locals is None:
            module = importlib.util.module_from_spec(
                importlib.machinery.ModuleSpec("eagercore_autograph", None)
            )
            module.__dict__.update(special_functions.__dict__)
            module.__dict__.update(operators.__dict__)
            module.__dict__.update(ag_operators.OVERLOADS)
            module.ConversionOptions = malt_converter.ConversionOptions
            module.STD = malt_converter.STANDARD_OPTIONS
            module.Feature = malt_converter.Feature
            module.utils = utils
            module.converted_call = converted_call
            module.FunctionScope = FunctionScope
            module.autograph_artifact = api.autograph_artifact
            self._extra_locals = {"ag__": module}
        return self._extra_locals

    def transform_ast(self, node: Any, ctx: Any) -> Any:
        """The whole rewriting of one function."""
        names = local_lists(node)
        if names and isinstance(node, ast.FunctionDef):
            transformer = AppendTransformer(names)
            node.body = [transformer.visit(s) for s in node.body]
        made = super().transform_ast(node, ctx)
        # The converter takes these names from a set, whose order changes from one process to the next.
        for part in ast.walk(made):
            if isinstance(part, ast.Nonlocal | ast.Global):
                part.names.sort()
        return made


_transpiler = Transpiler()


def _features() -> Any:
    return (malt_converter.Feature.ASSERT_STATEMENTS,)


def _options(user_requested: bool = True, recursive: bool = True, features: Any = None) -> Any:
    return malt_converter.ConversionOptions(
        recursive=recursive, user_requested=user_requested, optional_features=features
    )


def _convert(entity: Any, options: Any) -> Any:
    """The converted function.

    Raises:
        ValueError: If it has no code.
    """
    if not hasattr(entity, "__code__"):
        raise ValueError(
            "Cannot apply autograph to a function that doesn't expose a __code__ object. If this "
            "is a @tf.function, try passing "
            "f.python_function instead."
        )
    made, module, source_map = _transpiler.transform(
        entity, malt_converter.ProgramContext(options=options)
    )
    made.ag_module = module
    made.ag_source_map = source_map
    for place, origin in source_map.items():
        autograph.places[place.filename, place.lineno] = (
            origin.loc.filename, origin.loc.lineno, origin.function_name
        )  # fmt: skip
    return made


# --------------------------------------------------------------------------------------------------------------------
# Calls


def converted_call(
    f: Any, args: Any, kwargs: Any, caller_fn_scope: Any = None, options: Any = None
) -> Any:
    """A call in converted code: the callee is converted too, unless it is one of those that are called as they are."""
    options = caller_fn_scope.callopts if options is None else options
    kwargs = kwargs or {}
    if ag_ctx.control_status_ctx().status == ag_ctx.Status.DISABLED or api.is_autograph_artifact(f):
        return f(*args, **kwargs)
    if isinstance(f, functools.partial):
        return converted_call(
            f.func, (*f.args, *args), {**f.keywords, **kwargs}, caller_fn_scope, options
        )
    replacement = ag_operators.BUILTINS.get(f) if _hashable(f) else None
    if replacement is not None:
        return replacement(*args, **kwargs)
    if inspect_utils.isbuiltin(f):
        return _builtin(f, args, kwargs, caller_fn_scope)
    if autograph.is_ours(f) or _is_our_object(f):
        return _call_ours(f, args, kwargs, options)
    if conversion.is_unsupported(f) or not options.internal_convert_user_code:
        return f(*args, **kwargs)
    if not options.user_requested and conversion.is_allowlisted(f):
        return f(*args, **kwargs)
    return _call_converted(f, args, kwargs, options)


def _hashable(f: Any) -> bool:
    try:
        hash(f)
    except TypeError:
        return False
    return True


def _builtin(f: Any, args: Any, kwargs: Any, scope: Any) -> Any:
    special = _SPECIAL.get(f)
    if special is not None and scope is not None:
        return special(f, args, scope)
    if f is globals and scope is not None:
        return py_builtins.globals_in_original_context(scope)
    if f is locals and scope is not None:
        return py_builtins.locals_in_original_context(scope)
    return f(*args, **kwargs)


def _is_our_object(f: Any) -> bool:
    """Whether an object is called by a method of the engine's: a layer, a traced function."""
    if inspect.isfunction(f) or inspect.ismethod(f) or inspect.isclass(f):
        return False
    return callable(f) and autograph.is_ours(type(f).__call__)


_LISTS = {"stack": "stack", "concat": "concat"}


def _call_ours(f: Any, args: Any, kwargs: Any, options: Any) -> Any:
    if args and isinstance(args[0], ag_operators.GraphList):
        method = _LISTS.get(getattr(f, "__name__", ""))
        if method is not None:
            return getattr(args[0], method)()
    return f(*args, **kwargs)


def _target(f: Any, args: Any) -> tuple[Any, Any]:
    if inspect.ismethod(f):
        return f, (f.__self__, *args)
    if inspect.isfunction(f):
        return f, args
    return type(f).__call__, (f, *args)


def _call_converted(f: Any, args: Any, kwargs: Any, options: Any) -> Any:
    try:
        target, effective = _target(f, args)
    except AttributeError:
        return f(*args, **kwargs)
    code = getattr(target, "__code__", None)
    if code is None or code.co_filename in ("<string>", "<stdin>"):
        return f(*args, **kwargs)
    try:
        made = _convert(target, options)
    except Exception as error:
        _say(f, error)
        return f(*args, **kwargs)
    try:
        return made(*effective, **kwargs)
    except Exception as error:
        _attach(error, made)
        raise


def _say(f: Any, error: Exception) -> None:
    from malt.pyct import errors as malt_errors

    quiet = (
        isinstance(error, malt_errors.InaccessibleSourceCodeError | OSError)
        or getattr(f, "__name__", "") == "<lambda>"
    )
    if not quiet:
        autograph.warn_once(f, error)


# --------------------------------------------------------------------------------------------------------------------
# Errors in the user's words


class Metadata(error_utils.ErrorMetadataBase):
    """Where in the user's code an error came from."""

    def get_message(self) -> str:
        """The error with the lines of the user's code."""
        kept = [f for f in self.translated_stack if f.is_converted or not _hidden(f.filename)]
        self.translated_stack = tuple(_original(f) for f in kept)
        return str(super().get_message())


def _original(frame: Any) -> Any:
    """A frame in generated code that is made from no line of the user's: the line before it that is."""
    if frame.is_converted or "__autograph_generated_file" not in frame.filename:
        return frame
    for line in range(frame.lineno, 0, -1):
        place = autograph.places.get((frame.filename, line))
        if place is not None:
            code = linecache.getline(place[0], place[1])
            return error_utils.FrameInfo(place[0], place[1], place[2], code, True, False)
    return frame


def _hidden(filename: str) -> bool:
    parts = filename.replace("\\", "/")
    return "/eagercore/" in parts or "/malt/" in parts


def _attach(error: Any, made: Any) -> None:
    known = getattr(error, "ag_error_metadata", None)
    message = None if known is not None else f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(sys.exc_info()[2])[1:]
    try:
        error.ag_error_metadata = Metadata(frames, known, message, made.ag_source_map, __file__)
    except AttributeError:
        return


def in_user_code(error: Any) -> BaseException:
    """The same error, told in lines of the user's code."""
    metadata = getattr(error, "ag_error_metadata", None)
    if metadata is None:
        return error  # type: ignore[no-any-return]
    text = metadata.get_message()
    made = type(error).__new__(type(error))
    made.__dict__.update(error.__dict__)
    made.__dict__.pop("ag_error_metadata", None)
    made.args = (text,)
    if isinstance(error, errors.OpError):
        made.message = text
    made.__suppress_context__ = True
    return made.with_traceback(error.__traceback__)  # type: ignore[no-any-return]


# --------------------------------------------------------------------------------------------------------------------


class Converter:
    """What `autograph.py` needs of the package."""

    def __init__(self) -> None:
        autograph.set_loop_options = directives.set_loop_options

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, converted when it is called."""
        target = getattr(function, "bound", None) if type(function).__name__ == "_Method" else None

        def call(*args: Any, **kwargs: Any) -> Any:
            wanted = function.bound if target is not None else function  # type: ignore[attr-defined]
            options = _options(features=_features())
            try:
                return converted_call(wanted, args, kwargs, None, options)
            except Exception as error:
                better = in_user_code(error)
                if better is error:
                    raise
                raise better from None

        return call

    def to_graph(self, entity: Any, recursive: bool, features: Any) -> Any:
        """The converted function."""
        try:
            made = _convert(entity, _options(recursive=recursive, features=features))
        except (
            ValueError,
            AttributeError,
            KeyError,
            NameError,
            AssertionError,
            NotImplementedError,
            OSError,
        ) as error:
            raise autograph.ConversionError(
                f"converting {entity}: {type(error).__name__}: {error}"
            ) from None
        return api.autograph_artifact(made)

    def layer_call(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """A layer's `call`, converted where code is being converted and the user wrote it."""
        if ag_ctx.control_status_ctx().status != ag_ctx.Status.ENABLED:
            return method
        if not inspect.ismethod(method) or autograph.is_ours(method.__func__):
            return method

        @functools.wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:
            return converted_call(method, args, kwargs, None, _options(features=_features()))

        return call

    @contextlib.contextmanager
    def status(self, on: bool) -> Iterator[None]:
        """Inside the `with` block functions are converted, or not."""
        wanted = ag_ctx.Status.ENABLED if on else ag_ctx.Status.DISABLED
        with ag_ctx.ControlStatusCtx(wanted):
            yield

    def set_verbosity(self, level: int, also_print: bool) -> None:
        """How much the converter tells."""
        ag_logging.set_verbosity(level, also_print)

    @property
    def features(self) -> Any:
        """The converter's optional features."""
        return malt_converter.Feature


__all__ = ["Converter", "Transpiler", "converted_call"]
