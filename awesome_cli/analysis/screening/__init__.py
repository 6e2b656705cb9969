"""Screening: the queue of candidates, the simulation of screening orders, and stopping rules."""
