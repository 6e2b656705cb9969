"""Evidence gap map: cells that have papers, and cells that lack them."""
