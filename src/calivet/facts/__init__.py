"""The typed picture of a cluster; pure data, each fact knows its line.

A field that is None was not observed. True and False are said only where the evidence says so.
"""
