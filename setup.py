"""Only the list of packages: found by walking, plus the two folders that lie beside the code (prompts, cases)."""

from setuptools import find_packages, setup

setup(packages=[*find_packages(include=["copilot", "copilot.*"]), "copilot.prompts", "copilot.cases"])
