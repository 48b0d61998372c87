"""The way from evidence to answer: one file per node; only `graph` knows langgraph. No node prints."""
