"""lit's view of the documentation: each page is one test."""

import glob
import os
import subprocess

import lit.formats
import lit.Test


class Pages(lit.formats.TestFormat):
    """Finds the pages at the top and under docs/, runs check_page.py."""

    def getTestsInDirectory(self, suite, path, lit_config, local_config):
        if len(path) > 1:
            return  # Python's __pycache__.
        source = local_config.clinch_source
        pages = glob.glob(os.path.join(source, "*.md"))
        pages += glob.glob(os.path.join(source, "docs", "**", "*.md"),
                           recursive=True)
        for page in sorted(pages):
            name = tuple(os.path.relpath(page, source).split(os.sep))
            yield lit.Test.Test(suite, path + name, local_config)

    def execute(self, test, lit_config):
        config = test.config
        page = os.path.join(config.clinch_source, *test.path_in_suite[1:])
        checker = os.path.join(os.path.dirname(__file__), "check_page.py")
        result = subprocess.run(
            [config.python, checker, page, "--source", config.clinch_source,
             "--build", config.clinch_build],
            env=config.environment, capture_output=True, text=True)
        code = lit.Test.PASS if result.returncode == 0 else lit.Test.FAIL
        return lit.Test.Result(code, result.stdout + result.stderr)
