"""From the rows of a statement or a load to the batch of a table: convert, check, route to partitions."""
