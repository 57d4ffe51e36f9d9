"""Quality figures on public data, each topic in a module with `report(data)`."""
