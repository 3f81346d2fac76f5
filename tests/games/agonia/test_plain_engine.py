"""The program's engine and a plain one play the same matches (`plain_engine.py`)."""
