"""Speed figures, each topic in a module with `report()`; ratios to a baseline in the same run are what counts."""
