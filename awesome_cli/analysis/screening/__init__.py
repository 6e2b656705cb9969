"""Screening: the queue of candidates, simulation of orders, and stopping rules."""
