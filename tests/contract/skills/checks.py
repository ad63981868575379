"""`clawperator skills`: repositories on disk, scripts that are run, and what public scripts ask of the program."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import bundled_skills
import public_scripts
import skill_ends
import skill_files
import skill_runs

CHECKS = [*skill_files.CHECKS, *skill_runs.CHECKS, *skill_ends.CHECKS,
          *public_scripts.CHECKS, *bundled_skills.CHECKS]
