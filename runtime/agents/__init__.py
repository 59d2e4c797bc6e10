"""Scripted agents: the reference, the failure personas and the trivial agents that a world must not reward.

Each works through the driver like every agent; `agent_named` finds one by name.
"""
