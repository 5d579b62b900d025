"""Floor 3: every operation, by theme. What an op is, is said once: words, forward, gradient."""
