"""Floor 4: gradients. The tape observes the door; going back is a loop over what it saw."""
