import type { KnownFailure } from './known.ts'

/** Test runners: which tests are run, and that some fail. */
export const tests: readonly KnownFailure[] = [
  {
    name: 'pytest-no-tests',
    output: [
      /collected 0 items(?: \/ \d+ deselected)?\s[\s\S]{0,400}no tests ran in/,
      /collected \d+ items? \/ (?<deselected>\d+) deselected \/ 0 selected/,
    ],
    means: 'pytest found no test that fits: the names do not begin with test, or the selection leaves nothing.',
    run: ['python -m pytest --collect-only -q'],
    sample: {
      command: 'pytest -k nope',
      exit: 5,
      output:
        '============================= test session starts ==============================\nplatform linux -- Python 3.11.7, pytest-9.0.3\nrootdir: /srv/app\ncollected 0 items\n\n============================ no tests ran in 1.29s =============================',
    },
  },
  {
    name: 'pytest-path-unknown',
    output: [/^ERROR: (?:file or directory )?not found: (?<path>\S+)/m],
    means: 'There is no test file or test {path}.',
    run: ['python -m pytest --collect-only -q', 'git ls-files "*test*.py"'],
    sample: {
      command: 'pytest tests/test_nope.py',
      exit: 4,
      output: 'ERROR: file or directory not found: tests/test_nope.py\n\ncollected 0 items\n',
    },
  },
  {
    name: 'pytest-fixture-unknown',
    output: [/^E\s+fixture '(?<fixture>\w+)' not found/m],
    means: 'No fixture {fixture} is visible from that test: a plugin or a conftest.py is missing.',
    run: ['python -m pytest --fixtures -q', 'git ls-files "*conftest.py"'],
    sample: {
      command: 'pytest',
      exit: 1,
      output: `E       fixture 'client' not found\n>       available fixtures: cache, capfd, capsys\n>       use 'pytest --fixtures [testpath]' for help on them.`,
    },
  },
  {
    name: 'pytest-arguments',
    output: [/(?:pytest|__main__\.py): error: unrecognized arguments: (?<option>--?[\w-]+)/],
    means: 'pytest does not know {option}: the plugin that brings it is not installed, or the configuration names it.',
    run: ['python -m pytest --version', 'python -m pip list'],
    sample: {
      command: 'pytest -n 4',
      exit: 4,
      output:
        'ERROR: usage: pytest [options] [file_or_dir] [file_or_dir] [...]\npytest: error: unrecognized arguments: -n\n  inifile: /srv/app/pyproject.toml',
    },
  },
  {
    name: 'pytest-collection-error',
    output: [/^_+ ERROR collecting (?<file>\S+) _+$/m, /Interrupted: \d+ errors? during collection/],
    vague: true,
    means: 'pytest could not even load a test file; the import in it fails.',
    run: ['python -m pytest --collect-only -q'],
    sample: {
      command: 'pytest',
      exit: 2,
      output:
        'collected 0 items / 1 error\n\n==================================== ERRORS ====================================\n________________ ERROR collecting tests/test_a.py _________________\n!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!',
    },
  },
  {
    name: 'pytest-failed',
    output: [/^=+ .*\b(?<failed>\d+) failed\b.* in [\d.]+s/m, /^FAILED (?<test>\S+::\S+)/m],
    vague: true,
    means: 'Some tests fail; the lines with E say why.',
    run: ['python -m pytest --last-failed -x'],
    sample: {
      command: 'pytest tests',
      exit: 1,
      output:
        'tests/test_a.py:2: AssertionError\n=========================== short test summary info ============================\nFAILED tests/test_a.py::test_a - assert 1 == 2\n========================= 1 failed, 3 passed in 0.12s ==========================',
    },
  },
  {
    name: 'jest-no-tests',
    output: [
      /^No tests found(?:, exiting with code 1| related to files)/m,
      /^No test files found, exiting with code 1/m,
      /The following filters did not match any test files/,
    ],
    means: 'No test file fits the names or the pattern that was given.',
    run: ['git ls-files "*.test.*" "*.spec.*"'],
    sample: {
      command: 'npx jest src/nope',
      exit: 1,
      output:
        'No tests found, exiting with code 1\nRun with `--passWithNoTests` to exit with code 0\nIn /srv/app\n  42 files checked.',
    },
  },
  {
    name: 'jest-snapshot',
    obvious: true,
    output: [/› \d+ snapshots? (?:failed|obsolete)|Snapshots? +\d+ failed|Snapshot `[^`\n]+` mismatched/],
    means: 'The output of a test differs from its stored snapshot; look at the difference before writing it anew.',
    run: ['git diff --stat'],
    sample: {
      command: 'npx vitest run',
      exit: 1,
      output: ' FAIL  src/a.test.ts > renders\nError: Snapshot `renders 1` mismatched\n\n  Snapshots  1 failed',
    },
  },
  {
    name: 'jest-transform',
    output: [
      /Jest encountered an unexpected token|SyntaxError: Cannot use import statement outside a module[\s\S]{0,2000}jest-runtime/,
    ],
    means: 'Jest met syntax that it does not transform: TypeScript, JSX or an ES module in node_modules.',
    run: ['npx jest --showConfig'],
    sample: {
      command: 'npx jest',
      exit: 1,
      output:
        ' FAIL  src/a.test.ts\n  ● Test suite failed to run\n\n    Jest encountered an unexpected token\n\n    Jest failed to parse a file.',
    },
  },
  {
    name: 'js-tests-failed',
    output: [
      /^[ \t]*Tests:? +(?:.*, )?(?<failed>\d+) failed\b/m,
      /^[ \t]*(?<failed>[1-9]\d*) fail$/m,
      /^# fail (?<failed>[1-9]\d*)$/m,
      /^[ \t]+(?<failed>[1-9]\d*) failing$/m,
    ],
    vague: true,
    means: '{failed} tests fail; each is listed with what was expected.',
    run: ['git status --short'],
    sample: {
      command: 'npm test',
      exit: 1,
      output:
        ' FAIL  src/a.test.ts > adds\nAssertionError: expected 3 to be 4 // Object.is equality\n\n Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 12 passed (13)',
    },
  },
  {
    name: 'test-timeout',
    obvious: true,
    output: [
      /Exceeded timeout of (?<time>\d+) ms for a (?:test|hook)|(?:Test|Hook) timed out in (?<limit>\d+)ms|Timeout of (?<span>\d+)ms exceeded|panic: test timed out after (?<while>\S+)/,
    ],
    means: 'A test did not end in its time: it waits for something that never comes, or it is only slow here.',
    run: [],
    sample: {
      command: 'go test ./...',
      exit: 1,
      output: 'panic: test timed out after 10m0s\n\trunning tests:\n\t\tTestServe (10m0s)\n\ngoroutine 1 [running]:',
    },
  },
  {
    name: 'playwright-browser-missing',
    output: [
      /Executable doesn't exist at \S*(?:chromium|firefox|webkit|chrome)/,
      /Looks like Playwright (?:Test or Playwright )?was just installed or updated/,
    ],
    means: 'The browser for Playwright is not installed on this machine.',
    run: ['npx playwright install --dry-run', 'npx playwright install chromium'],
    sample: {
      command: 'npx playwright test',
      exit: 1,
      output:
        "Error: browserType.launch: Executable doesn't exist at /home/me/.cache/ms-playwright/chromium_headless_shell-1155/chrome-linux/headless_shell",
    },
  },
  {
    name: 'coverage-threshold',
    obvious: true,
    output: [
      /coverage threshold for \w+ \([\d.]+%\) not met|Coverage for \w+ \([\d.]+%\) does not meet (?:global )?threshold|FAIL Required test coverage of [\d.]+% not reached|Coverage failure: total of/,
    ],
    means: 'All tests may pass, but they run through less code than the project asks for.',
    run: ['git diff --stat'],
    sample: {
      command: 'pytest --cov',
      exit: 1,
      output:
        'TOTAL   120   40   67%\nFAIL Required test coverage of 80% not reached. Total coverage: 66.67%\n3 passed in 0.12s',
    },
  },
  {
    name: 'go-test-failed',
    output: [/^[ \t]*--- FAIL: (?<test>Test[\w/]+)/m],
    vague: true,
    means: 'The test {test} fails; its lines above say why.',
    run: ['go test -run {test} -v ./...'],
    sample: {
      command: 'go test ./...',
      exit: 1,
      output:
        '--- FAIL: TestList (0.03s)\n    list_test.go:369: List() returned 1, want 2\nFAIL\nFAIL\tacme.io/cli/list\t0.529s\nFAIL',
    },
  },
  {
    name: 'cargo-test-failed',
    output: [/^test (?<test>[\w:]+) \.\.\. FAILED$/m],
    vague: true,
    means: 'The test {test} fails; what it printed is under "failures".',
    run: ['cargo test {test} -- --nocapture'],
    sample: {
      command: 'cargo test',
      exit: 101,
      output:
        'running 1 test\ntest parse::empty ... FAILED\n\nfailures:\n\n---- parse::empty stdout ----\nassertion `left == right` failed\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored',
    },
  },
]
