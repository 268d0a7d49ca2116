"""From parsed CREATE and ALTER trees to catalog values, and back to text: pure functions, no storage access."""
