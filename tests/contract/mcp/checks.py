"""`clawperator mcp` and POST /mcp of `serve`: the Model Context Protocol, as its clients see it."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import acting
import bad_input
import batches
import by_http
import eras
import hosts
import life
import looking
import pictures
import rules
import schemas
import skills_over_mcp
import waiting

CHECKS = [*eras.CHECKS, *schemas.CHECKS, *bad_input.CHECKS, *hosts.CHECKS, *batches.CHECKS, *life.CHECKS,
          *looking.CHECKS, *waiting.CHECKS, *pictures.CHECKS,
          *acting.CHECKS, *by_http.CHECKS, *rules.CHECKS, *skills_over_mcp.CHECKS]
