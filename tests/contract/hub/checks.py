"""`clawperator hub`, against a hub of the tests' own that can misbehave."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import hub_accounts
import hub_answers
import hub_installs
import hub_interruptions
import hub_moderation
import hub_owners
import hub_safety
import hub_sources
import hub_updates

CHECKS = [*hub_installs.CHECKS, *hub_updates.CHECKS, *hub_interruptions.CHECKS, *hub_safety.CHECKS,
          *hub_answers.CHECKS, *hub_moderation.CHECKS, *hub_accounts.CHECKS,
          *hub_owners.CHECKS, *hub_sources.CHECKS]
