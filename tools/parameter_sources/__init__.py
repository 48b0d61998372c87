"""Reads parameters out of published source text, without importing or running it."""
