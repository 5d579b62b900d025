"""Layers that prepare data: numbers, categories, texts, images."""
