"""Usefulness for learning: the CNN of Kim (2014) as LearningQ used it."""
