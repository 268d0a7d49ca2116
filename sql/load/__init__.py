"""Stream Load: from header words and body bytes to one batch and its answer; no HTTP in here.

request.py   headers -> what the load asks for, with all refusals of malformed values
csv.py, json_body.py, json_path.py, compress.py   bytes -> rows of text
mapping.py   the expressions of the headers `columns`, `where`, `delete`
batch.py     rows -> batch (sql/ingest)
run.py       batch -> Database.apply
"""
