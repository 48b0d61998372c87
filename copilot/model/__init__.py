"""The domain's types: what is read, what is found, what is answered. Imports nothing of ours."""
