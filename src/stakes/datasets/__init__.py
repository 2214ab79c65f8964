"""Bundled example data."""
