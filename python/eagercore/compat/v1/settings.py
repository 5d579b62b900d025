"""Settings of sessions and devices: fields to fill in, some of which mean something here."""

from __future__ import annotations

from typing import Any


class _Fields:
    """A message with named fields, as protocol buffers have them: any field may be set."""

    _defaults: dict[str, Any] = {}

    def __init__(self, **fields: Any) -> None:
        for name, value in self._defaults.items():
            self.__dict__[name] = value() if isinstance(value, type) else value
        self.__dict__.update(fields)

    def CopyFrom(self, other: Any) -> None:
        """Takes over the fields of another message."""
        self.__dict__.update(other.__dict__)

    MergeFrom = CopyFrom

    def SerializeToString(self) -> bytes:
        """The fields as text: for logs, nothing reads it."""
        return repr(self).encode()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "".join(
            f"{name}: {value!r}\n"
            for name, value in self.__dict__.items()
            if value not in (None, [], {})
        )


class OptimizerOptions(_Fields):
    """How graphs are optimized."""

    DEFAULT, L1, L0 = 0, 0, -1
    OFF, ON_1, ON_2 = -1, 1, 2
    _defaults = {"opt_level": 0, "global_jit_level": 0, "do_common_subexpression_elimination": True}


class RewriterConfig(_Fields):
    """Which rewrites of graphs are made."""

    DEFAULT, ON, OFF, AGGRESSIVE = 0, 1, 2, 3


class GraphOptions(_Fields):
    """How graphs are built."""

    _defaults = {"optimizer_options": OptimizerOptions, "rewrite_options": RewriterConfig}


class GPUOptions(_Fields):
    """How a GPU is used."""

    _defaults = {
        "allow_growth": False,
        "per_process_gpu_memory_fraction": 0.0,
        "visible_device_list": "",
    }


class ConfigProto(_Fields):
    """Settings of a session: `intra_op_parallelism_threads` and the like may be set, and are remembered."""

    _defaults = {
        "allow_soft_placement": True, "log_device_placement": False, "intra_op_parallelism_threads": 0,
        "inter_op_parallelism_threads": 0, "device_count": dict, "gpu_options": GPUOptions, "graph_options":
        GraphOptions,
    }  # fmt: skip
    GPUOptions = GPUOptions


class RunOptions(_Fields):
    """Settings of one run."""

    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = 0, 1, 2, 3
    _defaults = {"trace_level": 0, "report_tensor_allocations_upon_oom": False}


class RunMetadata(_Fields):
    """What is told of one run: empty here."""


class DeviceSpec:
    """A device by its parts.

    Args:
        job: Such as "worker".
        replica: Number.
        task: Number.
        device_type: "CPU" or "GPU".
        device_index: Number.

    >>> DeviceSpec.from_string("/device:CPU:0").to_string()
    '/device:CPU:0'
    """

    def __init__(
        self,
        job: Any = None,
        replica: Any = None,
        task: Any = None,
        device_type: Any = None,
        device_index: Any = None,
    ) -> None:
        self.job, self.replica, self.task = job, replica, task
        self.device_type, self.device_index = device_type and device_type.upper(), device_index

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """Reads "/job:worker/task:0/device:CPU:0" and the short forms "/cpu:0" and "CPU".

        Raises:
            ValueError: If a part is unknown.
        """
        made = cls()
        for part in (spec or "").split("/"):
            words = part.split(":")
            kind = words[0].lower()
            if not part:
                continue
            if kind == "job":
                made.job = words[1]
            elif kind in ("replica", "task"):
                setattr(made, kind, int(words[1]))
            elif kind == "device":
                made.device_type = words[1].upper()
                made.device_index = int(words[2]) if len(words) > 2 and words[2] != "*" else None
            elif kind in ("cpu", "gpu", "tpu"):
                made.device_type = kind.upper()
                made.device_index = int(words[1]) if len(words) > 1 and words[1] != "*" else None
            else:
                raise ValueError(f"Unknown attribute: '{words[0]}' in '{spec}'")
        return made

    def to_string(self) -> str:
        """The full spelling."""
        text = "".join(
            f"/{name}:{value}"
            for name, value in (("job", self.job), ("replica", self.replica), ("task", self.task))
            if value is not None
        )
        if self.device_type is not None:
            index = "*" if self.device_index is None else self.device_index
            text += f"/device:{self.device_type}:{index}"
        return text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpec) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __repr__(self) -> str:
        return f"<DeviceSpec {self.to_string()!r}>"


for _cls in list(globals().values()):
    if isinstance(_cls, type):
        _cls.__module__ = "eagercore"
