"""Screening as a process: how early an order finds the relevant papers, and when to stop reading."""
