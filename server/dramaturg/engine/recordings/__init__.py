"""Model calls, context matches and scripts, written down and answered from what was written down."""
