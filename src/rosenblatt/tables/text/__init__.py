"""Text files: CSV, TSV and svmlight, cut into records."""
