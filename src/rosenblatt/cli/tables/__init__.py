"""Commands that learn from tables, predict for tables, and show trained models."""
