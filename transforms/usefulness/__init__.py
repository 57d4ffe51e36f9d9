"""Is a question useful for learning? Three kinds of classifier behind one setting, among them LearningQ's CNN."""
