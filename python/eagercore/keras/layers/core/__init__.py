"""Core layers."""
