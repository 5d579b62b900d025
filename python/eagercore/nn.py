"""`tf.nn`: what neural networks are made of."""

from types import SimpleNamespace

from .ops import dropout as _dropouts
from .ops.activations import crelu, elu, gelu, relu6, selu, silu, softsign, swish
from .ops.candidates import (
    all_candidate_sampler,
    compute_accidental_hits,
    fixed_unigram_candidate_sampler,
    learned_unigram_candidate_sampler,
    log_uniform_candidate_sampler,
    uniform_candidate_sampler,
)
from .ops.conv import (
    atrous_conv2d,
    atrous_conv2d_transpose,
    conv1d,
    conv1d_transpose,
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
    conv_transpose,
    convolution,
    depthwise_conv2d,
    separable_conv2d,
)
from .ops.conv_backprop import (
    conv2d_backprop_filter,
    conv2d_backprop_input,
    conv3d_backprop_filter,
    depthwise_conv2d_backprop_filter,
    depthwise_conv2d_backprop_input,
)
from .ops.ctc import (
    collapse_repeated,
    ctc_beam_search_decoder,
    ctc_greedy_decoder,
    ctc_loss,
    ctc_unique_labels,
)
from .ops.dropout import dropout
from .ops.embedding import embedding_lookup, embedding_lookup_sparse, safe_embedding_lookup_sparse
from .ops.exponential import log_sigmoid, sigmoid, softplus, tanh
from .ops.fractional_pool import fractional_avg_pool, fractional_max_pool
from .ops.isotonic import isotonic_regression
from .ops.losses import (
    compute_average_loss,
    l2_loss,
    log_poisson_loss,
    nce_loss,
    sampled_softmax_loss,
    scale_regularization_loss,
    weighted_cross_entropy_with_logits,
)
from .ops.moments import (
    batch_norm_with_global_normalization,
    batch_normalization,
    bias_add,
    fused_batch_norm,
    l2_normalize,
    local_response_normalization,
    lrn,
    moments,
    normalize_moments,
    relu_layer,
    sufficient_statistics,
    weighted_moments,
    xw_plus_b,
    zero_fraction,
)
from .ops.morphology import dilation2d, erosion2d
from .ops.nn import (
    leaky_relu,
    log_softmax,
    relu,
    sigmoid_cross_entropy_with_logits,
    softmax,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from .ops.pool import (
    avg_pool,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    max_pool_with_argmax,
    pool,
)
from .ops.sorting import approx_max_k, approx_min_k, in_top_k, top_k
from .ops.space import batch_to_space, depth_to_space, space_to_batch, space_to_depth
from .ops.window_batches import with_space_to_batch

_WRAPPERS = {
    "RNNCellDeviceWrapper": "DeviceWrapper",
    "RNNCellDropoutWrapper": "DropoutWrapper",
    "RNNCellResidualWrapper": "ResidualWrapper",
}

experimental = SimpleNamespace(
    general_dropout=_dropouts.general_dropout, stateless_dropout=_dropouts.stateless_dropout
)


def __getattr__(name):
    """The cells and loops of TensorFlow 1, imported when they are first asked for."""
    import importlib

    names = (
        "bidirectional_dynamic_rnn", "dynamic_rnn", "raw_rnn", "rnn_cell", "softmax_cross_entropy_with_logits_v2",
        "static_bidirectional_rnn", "static_rnn",
    )  # fmt: skip
    if name in _WRAPPERS:
        return getattr(__getattr__("rnn_cell"), _WRAPPERS[name])
    if name not in names:
        raise AttributeError(f"module 'eagercore.nn' has no attribute '{name}'.")
    return getattr(importlib.import_module("eagercore.compat.v1.nn"), name)
