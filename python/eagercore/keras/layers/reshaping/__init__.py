"""Padding, cropping and the like."""
