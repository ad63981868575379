#!/bin/sh
echo "inner: $*"
