"""The links from the configuration to a streamed answer, each looked at in turn: `copilot check`."""
