"""Rewrites of a bound tree, each from tree to tree: streams, changelog() and images become plain relations."""
