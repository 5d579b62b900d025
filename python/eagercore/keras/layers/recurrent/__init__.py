"""Recurrent layers and their cells, and the layers that apply another layer along time."""
