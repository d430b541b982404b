#!/bin/sh
# follow.sh KEY: prints the value of an option as JSON, now and whenever somebody changes it. Needs curl and jq.
# SETTINGS_URL: where the server is; SETTINGS_TOKEN: the last line of `settings serve user add`.
set -eu
key=$1
tag=$(mktemp)
trap 'rm -f "$tag"' EXIT
trap 'exit 0' INT TERM

ask() {
  curl -sS --fail-with-body -H "Authorization: Bearer $SETTINGS_TOKEN" "$@"
}

# Nothing is printed while the option is what it was: the server answers 304.
look() {
  ask --etag-compare "$tag" --etag-save "$tag" "$SETTINGS_URL/api/v1/options/$key" | jq -c --unbuffered .option.effective
}

while :; do
  # The last version's id comes at once, then that of each that is recorded; when the server goes away, try again.
  ask -N "$SETTINGS_URL/api/v1/events" 2>/dev/null | while read -r line; do
    case $line in id:*) look ;; esac
  done || true
  sleep 1
done
