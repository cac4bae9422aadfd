#!/bin/sh
# Prints the version's number.
exec sed -n 's/.*static let number = "\(.*\)".*/\1/p' "$(dirname "$0")/../Sources/BuildVersion/Version.swift"
