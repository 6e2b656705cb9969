"""Pictures for papers, slides and the README: kinds make figures out of a corpus, a library draws them."""
