"""Attention: values weighted by how well their keys fit a query."""
