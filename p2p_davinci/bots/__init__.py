"""Players that are programs: what they believe, and what they do. They know only a seat's view."""
