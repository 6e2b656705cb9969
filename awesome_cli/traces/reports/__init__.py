"""Answers about traces as reports: text for people, JSON and tables for programs. One file per command."""
