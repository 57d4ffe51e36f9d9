"""The published archive of LearningQ: Khan Academy with what learners asked, TED-Ed with its quizzes."""
