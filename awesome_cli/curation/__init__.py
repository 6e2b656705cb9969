"""What curators do to a survey: each verb turns a corpus and a request into a plan, and writes nothing itself."""
