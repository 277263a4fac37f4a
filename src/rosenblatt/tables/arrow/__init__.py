"""Arrow and Parquet: checked files, and their columns as rows."""
