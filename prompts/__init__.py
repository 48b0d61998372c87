"""The prompt files; this module only makes the folder a package that can be read from a wheel."""
