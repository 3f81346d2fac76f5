"""One match from start to transcript, without I/O: control flow, clock, faults, replay."""
