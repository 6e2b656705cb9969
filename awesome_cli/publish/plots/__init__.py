"""Plots for papers, slides and the README: `charts` computes figures from a corpus, `pictures` draws them."""
