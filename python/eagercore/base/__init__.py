"""Floor 0: what everything stands on and what stands on nothing."""
