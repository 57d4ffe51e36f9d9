"""Files, manifests, lease, journal and catalog: everything that touches the disk."""
