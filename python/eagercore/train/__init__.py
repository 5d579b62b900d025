"""tf.train: optimizers, schedules and step counters of TensorFlow 1, and checkpoints.

A name is imported from its module when it is first asked for.
"""

from __future__ import annotations

import importlib
from typing import Any

_V1 = "eagercore.compat.v1"
#: Public name -> module in this folder, or full name of a module, that defines it (a name may stand there under another
#: one: "module:name").
_NAMES: dict[str, str] = {
    **dict.fromkeys(
        (
            "AdadeltaOptimizer", "AdagradDAOptimizer", "AdagradOptimizer", "AdamOptimizer", "FtrlOptimizer",
            "GradientDescentOptimizer", "MomentumOptimizer", "Optimizer", "ProximalAdagradOptimizer",
            "ProximalGradientDescentOptimizer", "RMSPropOptimizer",
        ),
        "optimizers_v1",
    ),
    **dict.fromkeys(
        (
            "assert_global_step", "create_global_step", "get_global_step", "get_or_create_global_step", "global_step",
        ),
        "global_step",
    ),
    **dict.fromkeys(
        (
            "cosine_decay", "cosine_decay_restarts", "exponential_decay", "inverse_time_decay",
            "linear_cosine_decay", "natural_exp_decay", "noisy_linear_cosine_decay", "piecewise_constant",
            "piecewise_constant_decay", "polynomial_decay",
        ),
        "decays",
    ),
    "ExponentialMovingAverage": "moving_averages",
    "summary_iterator": "events",
    **dict.fromkeys(("Checkpoint", "CheckpointOptions"), "checkpoint"),
    "CheckpointManager": "manager",
    **dict.fromkeys(
        (
            "CheckpointState", "checkpoint_exists", "checkpoints_iterator", "generate_checkpoint_state_proto",
            "get_checkpoint_mtimes", "get_checkpoint_state", "latest_checkpoint", "list_variables", "load_checkpoint",
            "load_variable", "remove_checkpoint", "update_checkpoint_state",
        ),
        "state",
    ),
    **dict.fromkeys(("EagerSaver", "Saver", "init_from_checkpoint", "restore_variables_on_create"), "saver"),
    **dict.fromkeys(
        ("Coordinator", "LooperThread", "QueueRunner", "add_queue_runner", "start_queue_runners"),
        f"{_V1}.coordinator",
    ),
    **dict.fromkeys(
        (
            "batch", "batch_join", "input_producer", "limit_epochs", "maybe_batch", "range_input_producer",
            "shuffle_batch", "shuffle_batch_join", "slice_input_producer", "string_input_producer",
        ),
        f"{_V1}.input_queues",
    ),
    **dict.fromkeys(
        (
            "CheckpointSaverHook", "CheckpointSaverListener", "FeedFnHook", "FinalOpsHook", "GlobalStepWaiterHook",
            "LoggingTensorHook", "NanLossDuringTrainingError", "NanTensorHook", "SecondOrStepTimer", "SessionRunArgs",
            "SessionRunContext", "SessionRunHook", "SessionRunValues", "StepCounterHook", "StopAtStepHook",
            "SummarySaverHook",
        ),
        f"{_V1}.hooks",
    ),
    **dict.fromkeys(
        (
            "ChiefSessionCreator", "MonitoredSession", "MonitoredTrainingSession", "Scaffold", "SessionCreator",
            "SingularMonitoredSession", "WorkerSessionCreator",
        ),
        f"{_V1}.monitored",
    ),
    "NewCheckpointReader": "state:CheckpointReader",
    **dict.fromkeys(
        (
            "BytesList", "Example", "Feature", "FeatureList", "FeatureLists", "Features", "FloatList", "Int64List",
            "SequenceExample",
        ),
        "messages",
    ),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    where = _NAMES.get(name)
    if where is None:
        import difflib

        near = difflib.get_close_matches(name, _NAMES, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise AttributeError(f"module 'eagercore.train' has no attribute '{name}'.{hint}")
    module, _, other = where.partition(":")
    full = module if module.startswith(_V1) else f"{__name__}.{module}"
    value = getattr(importlib.import_module(full), other or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_NAMES)
