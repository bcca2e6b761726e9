"""DebugMode, which checks each Op, and what tests of Ops and Types need."""
