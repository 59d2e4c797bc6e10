"""`python -m rl_dojo` is `rl-dojo`."""

from rl_dojo.main import main

main()
