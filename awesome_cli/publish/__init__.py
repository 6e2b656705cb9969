"""From values to pages and pictures: the README's islands, the site, the drawings."""
