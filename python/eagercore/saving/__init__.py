"""Named arrays in files, whatever the format: safetensors, NumPy's .npz, HDF5, TensorFlow's checkpoints.

Nothing is unpickled, and a file is whole or not there.
"""

from .arrays import load_arrays, save_arrays

__all__ = ["load_arrays", "save_arrays"]
