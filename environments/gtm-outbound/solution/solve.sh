#!/bin/bash
# A template names no world, so it has no single solution: the reference agent plays a built world with
# `rl-dojo run environments/gtm-outbound --agent reference --seeds 1`. Exported tasks carry their own.
echo "this folder is a template: run 'rl-dojo run environments/gtm-outbound --agent reference --seeds 1'" >&2
exit 2
