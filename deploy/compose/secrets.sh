#!/bin/sh
# Makes the secrets of compose.yaml in secrets/, where there are none. Keep a copy of them elsewhere:
# without `secret` and `signing_key` the log cannot be gone on with.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
for name in password secret signing_key admin_key; do
    [ -s "secrets/$name" ] || openssl rand -hex 32 > "secrets/$name"
done
printf 'postgresql://emeth:%s@postgres/emeth\n' "$(cat secrets/password)" > secrets/store
# A container runs as another user, who has to read them; nobody else may enter the folder.
chmod 0444 secrets/*
chmod 0700 secrets
