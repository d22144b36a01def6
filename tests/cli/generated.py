"""What is generated and committed is what the tool, the package and the examples give: tools/generate.py --check."""
import subprocess
import sys

tool, tree = sys.argv[1:3]
sys.exit(subprocess.run([sys.executable, "-B", f"{tree}/tools/generate.py", tool, "--check"]).returncode)
