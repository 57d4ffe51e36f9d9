"""What runs: the stage table, the store, the flows and the command line."""
