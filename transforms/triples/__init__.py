"""Draft (context, prompt, question) triples from questions and their answers, by KhanQ's Appendix A."""
