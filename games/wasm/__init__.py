"""Compile the computer players' own search to WebAssembly, for the pages' engine."""
