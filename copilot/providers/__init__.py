"""What is known about OpenAI-compatible endpoints, without talking to one.

Addresses as people type them, which provider is meant, what a refusal says, which reply formats an endpoint can do,
and how a JSON document is found in a model's text. Pure: the adapters do the talking.
"""
