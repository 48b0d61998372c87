"""The outside world: one SDK per file, imported when first needed; errors translated with one table each."""
