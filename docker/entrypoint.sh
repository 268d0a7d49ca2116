#!/bin/sh
# Start the server on all addresses of the container; without arguments `serve`, otherwise the given command.
# exec: the server is process 1 and gets SIGTERM itself, so that it can checkpoint before it ends.
set -eu

if [ "$#" -eq 0 ]; then
    set -- serve
fi
if [ "$1" = "serve" ]; then
    shift
    exec dorisette serve --host 0.0.0.0 "$@"
fi
exec dorisette "$@"
