"""What tools/ledger_report.py reads besides the recorded runs."""
