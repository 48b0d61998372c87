"""How good the answers are: recorded cases scored exactly, on Inspect AI, and a closed loop with a real server."""
