"""Running saved searches: what is asked (`asking`), page by page (`running`), and what is said of it (`summary`)."""
