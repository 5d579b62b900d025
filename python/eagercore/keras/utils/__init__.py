"""Small helpers of Keras."""
