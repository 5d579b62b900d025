"""Noise and dropout while training."""
