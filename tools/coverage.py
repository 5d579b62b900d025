"""Writes COVERAGE.md: TensorFlow's and its R packages' export lists, name by name: there, by design not, or not yet.

PYTHONPATH=python python tools/coverage.py > COVERAGE.md
"""

import importlib
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXPORTS = json.loads((ROOT / "tests/python/golden/tf_exports.json").read_text())
#: The name spaces that are counted, and the share that is to be reached.
SPACES = {
    "tf": 90, "tf.math": 95, "tf.math.special": 95, "tf.nn": 90, "tf.linalg": 80, "tf.random": 90, "tf.image": 70,
    "tf.signal": 90, "tf.strings": 90, "tf.bitwise": 100, "tf.sets": 100, "tf.ragged": 60, "tf.sparse": 80,
    "tf.dtypes": 80, "tf.io": 70, "tf.debugging": 80, "tf.compat.v1": 70, "tf.compat.v1.nn": 70,
}  # fmt: skip

#: Reason -> names that are left out for it.
LEFT_OUT = {
    "quantized arithmetic is for inference on small devices; this engine trains": """
        tf.qint8 tf.qint16 tf.qint32 tf.quint8 tf.quint16 tf.quantization tf.dtypes.qint8 tf.dtypes.qint16
        tf.dtypes.qint32 tf.dtypes.quint8 tf.dtypes.quint16 tf.dtypes.QUANTIZED_DTYPES tf.compat.v1.qint8
        tf.compat.v1.qint16 tf.compat.v1.qint32 tf.compat.v1.quint8 tf.compat.v1.quint16 tf.compat.v1.quantize
        tf.compat.v1.quantize_v2 tf.compat.v1.dequantize tf.compat.v1.quantized_concat tf.compat.v1.quantization
        tf.compat.v1.fake_quant_with_min_max_args tf.compat.v1.fake_quant_with_min_max_args_gradient
        tf.compat.v1.fake_quant_with_min_max_vars tf.compat.v1.fake_quant_with_min_max_vars_gradient
        tf.compat.v1.fake_quant_with_min_max_vars_per_channel
        tf.compat.v1.fake_quant_with_min_max_vars_per_channel_gradient tf.compat.v1.nn.quantized_avg_pool
        tf.compat.v1.nn.quantized_conv2d tf.compat.v1.nn.quantized_max_pool tf.compat.v1.nn.quantized_relu_x""",
    "there is no TPU behind arrays": "tf.tpu tf.compat.v1.tpu",
    "TensorFlow's serialized graphs are not read: models are exported as ONNX": """
        tf.import_graph_def tf.graph_util tf.make_ndarray tf.make_tensor_proto tf.compat.v1.import_graph_def
        tf.compat.v1.graph_util tf.compat.v1.make_ndarray tf.compat.v1.make_tensor_proto tf.compat.v1.GraphDef
        tf.compat.v1.NodeDef tf.compat.v1.AttrValue tf.compat.v1.NameAttrList tf.compat.v1.MetaGraphDef
        tf.compat.v1.TensorInfo tf.io.write_graph""",
    "a kernel's raw name that leaked into the list; the public function of that purpose is there": """
        tf.approx_top_k tf.check_pinned tf.conv tf.conv2d_backprop_filter_v2 tf.conv2d_backprop_input_v2
        tf.ragged_fill_empty_rows tf.ragged_fill_empty_rows_grad tf.raw_ops tf.compat.v1.raw_ops tf.tools
        tf.security tf.inside_function tf.compat.v1.approx_top_k tf.compat.v1.check_pinned tf.compat.v1.conv
        tf.compat.v1.conv2d_backprop_filter_v2 tf.compat.v1.conv2d_backprop_input_v2
        tf.compat.v1.ragged_fill_empty_rows tf.compat.v1.ragged_fill_empty_rows_grad""",
    "plugins and tools of TensorFlow's C++ runtime": """
        tf.load_library tf.load_op_library tf.compat.v1.load_library tf.compat.v1.load_op_library
        tf.compat.v1.load_file_system_library tf.mlir tf.compat.v1.mlir tf.lite tf.compat.v1.lite tf.xla
        tf.compat.v1.xla tf.dtensor tf.profiler tf.compat.v1.profiler tf.compat.v1.manip""",
    "variables are never cut into parts: one process holds each whole": """
        tf.compat.v1.create_partitioned_variables tf.compat.v1.fixed_size_partitioner
        tf.compat.v1.min_max_variable_partitioner tf.compat.v1.variable_axis_size_partitioner""",
    "formats that Pillow cannot read without plugins of its own": """
        tf.image.decode_jxl tf.image.decode_webp tf.io.decode_jxl tf.io.decode_webp""",
    "proposals of object detectors: non_max_suppression is there": """
        tf.image.generate_bounding_box_proposals""",
    "protocol buffers need their descriptors and the protobuf package": """
        tf.io.decode_proto tf.io.encode_proto""",
    "replaced by Keras preprocessing in TensorFlow itself": """
        tf.feature_column tf.compat.v1.feature_column""",
    "databases need their own packages": """
        tf.compat.v1.LMDBReader""",
}

#: The R packages whose names are counted.
R_EXPORTS = json.loads((ROOT / "tests/python/golden/r_exports.json").read_text())
R_PACKAGES = [name for name in R_EXPORTS if name != "source"]
R_WANTED = 95
R_LEFT_OUT = {
    "feature columns were given up for Keras's preprocessing; dataset_prepare() takes features out of records": """
        all_nominal all_numeric cur_info_env dataset_use_spec dense_features feature_spec has_type layer_dense_features
        layer_input_from_dataset scaler_min_max scaler_standard selectors step_bucketized_column
        step_categorical_column_with_hash_bucket step_categorical_column_with_identity
        step_categorical_column_with_vocabulary_file step_categorical_column_with_vocabulary_list step_crossed_column
        step_embedding_column step_indicator_column step_numeric_column step_remove_column
        step_shared_embeddings_column steps""",
    "iterators of graph mode: a new iterator is made for each pass": """
        iterator_initializer iterator_make_initializer iterator_string_handle make_iterator_from_string_handle
        make_iterator_from_structure""",
    "estimators, not Keras models": "input_fn train train_and_evaluate",
    "YAML can run code, and Keras gave it up: model_to_json()": "model_from_yaml model_to_yaml",
    "one process has one device": "multi_gpu_model",
    "TensorFlow's serialized graphs are not read: models are exported as ONNX": "export_savedmodel view_savedmodel",
    "a program of TensorFlow's own": "tensorboard",
    "installs or loads other packages": "install_tensorflow_extras tf_probability",
    "reads configuration files of other packages; flags() reads arguments": "parse_arguments parse_flags",
}
R_BY_DESIGN = {name: reason for reason, names in R_LEFT_OUT.items() for name in names.split()}

EXISTING = {f"{space}.{name}" for space, names in EXPORTS["spaces"].items() for name in names}
BY_DESIGN = {
    name: reason for reason, names in LEFT_OUT.items() for name in names.split() if name in EXISTING
}


def found(name):
    """Whether a public name is there, and the error when it should be but is not."""
    path = name.split(".")[1:]
    value = importlib.import_module("eagercore")
    if path[:2] == ["compat", "v1"]:
        value, path = importlib.import_module("eagercore.compat.v1"), path[2:]
    for part in path:
        try:
            value = getattr(value, part)
        except (AttributeError, ImportError, NotImplementedError):
            return False
    return True


def table(space):
    rows = {}
    for name in EXPORTS["spaces"].get(space, {}):
        full = f"{space}.{name}"
        rows[name] = "by design not" if full in BY_DESIGN else "there" if found(full) else "not yet"
    return rows


def r_table(package):
    """The names of an R package against those that NAMESPACE exports."""
    here = set(re.findall(r'(?m)^export\("?([^")]+)"?\)', (ROOT / "NAMESPACE").read_text()))

    def state(name):
        return "there" if name in here else "by design not" if name in R_BY_DESIGN else "not yet"

    return {name: state(name) for name in R_EXPORTS[package]}


def share(rows):
    """Part of the names that are there, of those that are not left out by design."""
    counted = [state for state in rows.values() if state != "by design not"]
    return 100 * counted.count("there") / max(len(counted), 1)


def reason(space, name):
    """Why a name is left out."""
    return R_BY_DESIGN[name] if space.startswith("R: ") else BY_DESIGN[f"{space}.{name}"]


def functions_of(space, rows):
    """The rows of names that TensorFlow calls."""
    kinds = EXPORTS["spaces"].get(space, {})
    return {name: state for name, state in rows.items() if kinds[name] == "function"}


def main():
    tables = {space: table(space) for space in SPACES}
    print("# What of the public names of TensorFlow and its R packages is there\n")
    print(
        f"Made by `tools/coverage.py` from the export lists of TensorFlow {EXPORTS['tensorflow']} "
        "(`tests/python/golden/tf_exports.json`, by `tools/tf_exports.py`) and from the reference indexes of R's\n"
        "keras, tensorflow and tfdatasets (`tests/python/golden/r_exports.json`). What is left out by design is not\n"
        "counted in the last column.\n"
    )
    print("| name space | names | there | by design not | not yet | there, % |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    summary = {**tables, "tf, functions alone": functions_of("tf", tables["tf"])}
    r_tables = {package: r_table(package) for package in R_PACKAGES}
    for space, rows in {**summary, **{f"R: {p}": rows for p, rows in r_tables.items()}}.items():
        states = list(rows.values())
        counts = [states.count(s) for s in ("there", "by design not", "not yet")]
        print(
            f"| {space} | {len(rows)} | {counts[0]} | {counts[1]} | {counts[2]} | {share(rows):.1f} |"
        )
    sections = {**tables, **{f"R: {p}": rows for p, rows in r_tables.items()}}
    for space, rows in sections.items():
        print(f"\n## {space}\n")
        missing = [n for n, s in rows.items() if s == "not yet"]
        left = [n for n, s in rows.items() if s == "by design not"]
        print("There: " + ", ".join(f"`{n}`" for n, s in rows.items() if s == "there") + ".\n")
        if left:
            print("By design not:\n")
            print("\n".join(f"- `{n}`: {reason(space, n)}" for n in left) + "\n")
        print("Not yet: " + (", ".join(f"`{n}`" for n in missing) if missing else "nothing") + ".")
    short = {s: share(r) for s, r in tables.items() if share(r) < SPACES[s]}
    for space, reached in short.items():
        print(f"{space}: {reached:.1f} %, {SPACES[space]} % wanted", file=sys.stderr)


if __name__ == "__main__":
    main()
