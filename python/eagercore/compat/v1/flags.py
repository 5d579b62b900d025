"""tf.flags and tf.app of TensorFlow 1: command-line flags, and the main function that sees them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any


class UnrecognizedFlagError(Exception):
    """A flag on the command line that was not defined."""


class IllegalFlagValueError(Exception):
    """A flag on the command line whose value does not fit."""


Error = UnrecognizedFlagError


class _Flag:
    def __init__(
        self, default: Any, parse: Callable[[str], Any], help_text: str, is_bool: bool
    ) -> None:
        self.value = self.default = default
        self.parse = parse
        self.help = help_text
        self.is_bool = is_bool
        self.present = 0


class FlagValues:
    """The flags and their values: `FLAGS.name`."""

    def __init__(self) -> None:
        self.__dict__["_flags"] = {}
        self.__dict__["_parsed"] = False
        self.__dict__["_required"] = []

    def _define(self, name: str, flag: _Flag) -> None:
        self._flags[name] = flag

    def __call__(self, argv: list[str], known_only: bool = False) -> list[str]:
        """Reads the flags in `argv`; returns what is no flag."""
        rest = [argv[0]] if argv else []
        arguments = list(argv[1:])
        while arguments:
            word = arguments.pop(0)
            if word == "--":
                rest += arguments
                break
            if not word.startswith("-") or word == "-":
                rest.append(word)
                continue
            if not self._take(word, arguments):
                if not known_only:
                    raise UnrecognizedFlagError(
                        f"Unknown command line flag '{word.lstrip('-').split('=')[0]}'"
                    )
                rest.append(word)
        self.__dict__["_parsed"] = True
        missing = [name for name in self._required if self._flags[name].value is None]
        if missing:
            raise IllegalFlagValueError(f"Flag --{missing[0]} must have a value other than None.")
        return rest

    def _take(self, word: str, arguments: list[str]) -> bool:
        name, has_value, text = word.lstrip("-").partition("=")
        flag = self._flags.get(name)
        if (
            flag is None
            and name.startswith("no")
            and name[2:] in self._flags
            and self._flags[name[2:]].is_bool
        ):
            self._flags[name[2:]].value = False
            return True
        if flag is None:
            return False
        if flag.is_bool and not has_value:
            text = "true"
        elif not has_value:
            if not arguments:
                raise IllegalFlagValueError(f"Missing value for flag --{name}")
            text = arguments.pop(0)
        try:
            flag.value = flag.parse(text)
        except ValueError as error:
            raise IllegalFlagValueError(f"flag --{name}={text}: {error}") from None
        flag.present += 1
        return True

    def __getattr__(self, name: str) -> Any:
        flags = self.__dict__["_flags"]
        if name not in flags:
            raise AttributeError(f"Unknown command line flag '{name}'")
        return flags[name].value

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._flags:
            raise AttributeError(f"Unknown command line flag '{name}'")
        self._flags[name].value = value

    def __delattr__(self, name: str) -> None:
        self._flags.pop(name, None)

    def __getitem__(self, name: str) -> Any:
        return self._flags[name]

    def __contains__(self, name: str) -> bool:
        return name in self._flags

    def __iter__(self) -> Iterator[str]:
        return iter(self._flags)

    def __dir__(self) -> list[str]:
        return sorted(self._flags)

    def is_parsed(self) -> bool:
        """Whether the command line was read."""
        return self.__dict__["_parsed"]

    def mark_as_parsed(self) -> None:
        """Takes the defaults as they are."""
        self.__dict__["_parsed"] = True

    def flag_values_dict(self) -> dict[str, Any]:
        """All flags and their values."""
        return {name: flag.value for name, flag in self._flags.items()}


FLAGS = FlagValues()


def _bool(text: str) -> bool:
    if text.lower() in ("true", "t", "1", "yes"):
        return True
    if text.lower() in ("false", "f", "0", "no"):
        return False
    raise ValueError("a boolean flag takes true or false")


def _define(parse: Callable[[str], Any], is_bool: bool = False) -> Any:
    def define(
        name: str,
        default: Any = None,
        help: str = "",
        flag_values: FlagValues = FLAGS,
        **others: Any,
    ) -> None:
        value = parse(default) if isinstance(default, str) else default
        flag_values._define(name, _Flag(value, parse, help, is_bool))

    return define


DEFINE_string = _define(str)
DEFINE_integer = _define(int)
DEFINE_float = _define(float)
DEFINE_bool = DEFINE_boolean = _define(_bool, True)
DEFINE_list = _define(lambda text: [part.strip() for part in text.split(",")] if text else [])
DEFINE_spaceseplist = _define(lambda text: text.split())
for _f, _words in (
    (DEFINE_string, "string"), (DEFINE_integer, "whole-number"), (DEFINE_float, "number"), (DEFINE_bool, "boolean"),
    (DEFINE_list, "comma-separated"), (DEFINE_spaceseplist, "space-separated"),
):  # fmt: skip
    _f.__doc__ = f"Defines a {_words} flag: name, default, help."


def DEFINE_enum(
    name: str,
    default: Any,
    enum_values: Any,
    help: str = "",
    flag_values: FlagValues = FLAGS,
    **others: Any,
) -> None:
    """Defines a flag that takes one of several words.

    Args:
        name: Name.
        default: Default.
        enum_values: The words.
        help: What it is for.
        flag_values: Where it is defined.
        **others: Accepted for TensorFlow's sake.
    """

    def parse(text: str) -> str:
        if text not in enum_values:
            raise ValueError(f"value should be one of <{'|'.join(enum_values)}>")
        return text

    flag_values._define(name, _Flag(default, parse, help, False))


def mark_flag_as_required(flag_name: str, flag_values: FlagValues = FLAGS) -> None:
    """The program stops where the flag is not given.

    Args:
        flag_name: Name.
        flag_values: Where it is defined.
    """
    flag_values.__dict__["_required"].append(flag_name)


def mark_flags_as_required(flag_names: Any, flag_values: FlagValues = FLAGS) -> None:
    """`mark_flag_as_required` for several.

    Args:
        flag_names: Names.
        flag_values: Where they are defined.
    """
    for name in flag_names:
        mark_flag_as_required(name, flag_values)


def run(main: Callable[..., Any] | None = None, argv: list[str] | None = None) -> None:
    """Reads the command line's flags and calls `main(argv)` with what is left; then ends the program.

    Args:
        main: Function of the arguments. Default `main` of the program.
        argv: Arguments; default those of the program.
    """
    function = main or sys.modules["__main__"].main  # type: ignore[attr-defined]
    rest = FLAGS(list(sys.argv if argv is None else argv), known_only=True)
    sys.exit(function(rest))
