"""The commands of `emeth`, a module for each topic."""
