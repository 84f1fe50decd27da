import type { KnownFailure } from './known.ts'

/** Linters and formatters. */
export const lint: readonly KnownFailure[] = [
  {
    name: 'eslint-no-config',
    output: [/ESLint couldn't find (?:an eslint\.config|a configuration file)|No ESLint configuration found/],
    means: 'ESLint finds no configuration from this directory, or one of an older form than it reads.',
    run: ['npx eslint --version', 'git ls-files "*eslint*"'],
    sample: {
      command: 'npx eslint .',
      exit: 2,
      output: `Oops! Something went wrong! :(\n\nESLint: 9.20.0\n\nESLint couldn't find an eslint.config.(js|mjs|cjs) file.`,
    },
  },
  {
    name: 'eslint-problems',
    obvious: true,
    output: [/✖ \d+ problems? \((?<errors>\d+) errors?, \d+ warnings?\)/],
    means: 'ESLint found {errors} errors.',
    run: ['npx eslint . --fix-dry-run', 'npx eslint . --fix'],
    sample: {
      command: 'npm run lint',
      exit: 1,
      output: `/srv/app/src/a.ts\n  3:7  error  'x' is assigned a value but never used  @typescript-eslint/no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)`,
    },
  },
  {
    name: 'prettier-format',
    obvious: true,
    output: [/\[warn\] Code style issues (?:found|detected)|Code style issues found in (?:\d+ files|the above file)/],
    means: 'Some files are not formatted as Prettier would.',
    run: ['npx prettier --list-different .', 'npx prettier --write .'],
    sample: {
      command: 'npx prettier --check .',
      exit: 1,
      output:
        'Checking formatting...\n[warn] src/a.ts\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.',
    },
  },
  {
    name: 'biome-problems',
    obvious: true,
    output: [
      /× (?:Formatter would have printed the following content|Some errors were emitted while running checks|The imports and exports are not sorted|Found \d+ errors?)/,
      /File content differs from formatting output/,
    ],
    means: 'Biome found errors, or files that it would format otherwise.',
    run: ['npx biome check .', 'npx biome check --write .'],
    sample: {
      command: 'bun run lint',
      exit: 1,
      output:
        '$ biome check .\n./index.ts format ━━━━━━━━━━━━━━━━━━━━\n\n  × Formatter would have printed the following content:\n  \n     8  8 │   // comment',
    },
  },
  {
    name: 'ruff-problems',
    obvious: true,
    output: [/^Found \d+ errors?\.(?:\n\[\*\] (?<fixable>\d+) fixable)?/m, /^Would reformat: (?<file>\S+)/m],
    programs: ['ruff', 'uv', 'uvx', 'make', 'python', 'poetry', 'just', 'tox', 'nox', 'pre-commit', 'git'],
    means: 'Ruff found errors, or files that it would format otherwise.',
    run: ['ruff check .', 'ruff check --fix .', 'ruff format .'],
    sample: {
      command: 'ruff check .',
      exit: 1,
      output: 'src/a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n[*] 1 fixable with the `--fix` option.',
    },
  },
  {
    name: 'black-format',
    obvious: true,
    output: [/^Oh no! 💥|^would reformat (?<file>\S+)/m],
    means: 'Some files are not formatted as Black would.',
    run: ['black --diff .', 'black .'],
    sample: {
      command: 'black --check .',
      exit: 1,
      output:
        'would reformat src/a.py\n\nOh no! 💥 💔 💥\n1 file would be reformatted, 3 files would be left unchanged.',
    },
  },
  {
    name: 'mypy-problems',
    obvious: true,
    output: [
      /^Found \d+ errors? in \d+ files? \(checked \d+ source files?\)/m,
      /^\d+ errors?, \d+ warnings?, \d+ informations?/m,
    ],
    means: 'The type checker found errors in Python code.',
    run: ['mypy --version', 'pyright --version'],
    sample: {
      command: 'mypy src',
      exit: 1,
      output:
        'src/a.py:4: error: Incompatible return value type (got "str", expected "int")  [return-value]\nFound 1 error in 1 file (checked 12 source files)',
    },
  },
  {
    name: 'golangci-problems',
    obvious: true,
    output: [
      /^\d+ issues:\n(?:\* \w+: \d+)/m,
      /^\S+\.go:\d+(?::\d+)?: .* \((?<linter>errcheck|govet|staticcheck|unused|gosimple|ineffassign|revive|gocritic|dupl|wrapcheck|exhaustive|gosec|nilerr|goimports|gofmt|nolintlint|testifylint|unparam|forbidigo|errorlint|gochecknoglobals|lll|gocyclo|misspell)\)$/m,
    ],
    means: 'golangci-lint found something in Go code.',
    run: ['golangci-lint run --fix ./...', 'gofmt -l .'],
    sample: {
      command: 'mise run lint',
      exit: 1,
      output:
        '[lint] $ golangci-lint run ./...\ncmd/a.go:144:18: Error return value of `base.Tree` is not checked (errcheck)\n\tbaseTree, _ = base.Tree()\n1 issues:\n* errcheck: 1\n[lint] ERROR task failed',
    },
  },
  {
    name: 'gofmt-needed',
    obvious: true,
    output: [/(?:not gofmt|gofmt(?:ed)? (?:needed|required)|[Rr]un (?:'|`)?gofmt)/],
    means: 'Some Go files are not formatted.',
    run: ['gofmt -l .', 'gofmt -w .'],
    sample: {
      command: 'make lint',
      exit: 2,
      output: "The following files are not gofmt'd:\ncmd/a.go\nmake: *** [Makefile:12: lint] Error 1",
    },
  },
  {
    name: 'rustfmt-needed',
    obvious: true,
    programs: ['cargo', 'rustfmt', 'make', 'just'],
    output: [/^Diff in (?<file>\S+?):\d+:?$|^Diff in (?<path>\S+) at line \d+:$/m],
    means: 'Some Rust files are not formatted.',
    run: ['cargo fmt'],
    sample: {
      command: 'cargo fmt --check',
      exit: 1,
      output: 'Diff in /srv/app/src/main.rs:1:\n-fn main(){}\n+fn main() {}',
    },
  },
  {
    name: 'shellcheck-problems',
    obvious: true,
    output: [
      /^[ \t]*\^-+\^? (?<code>SC\d{4}) \((?:error|warning|info|style)\): /m,
      /: (?:error|warning|note): .* \[(?<code>SC\d{4})\]$/m,
    ],
    means: 'ShellCheck found something in a shell script ({code}).',
    run: ['git ls-files "*.sh"'],
    sample: {
      command: 'shellcheck run.sh',
      exit: 1,
      output: "In run.sh line 3:\ncd $DIR\n^-----^ SC2164 (warning): Use 'cd ... || exit' in case cd fails.",
    },
  },
]
