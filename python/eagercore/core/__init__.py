"""Floor 2: the door, the tensor and the variable. Read it in ten minutes."""
