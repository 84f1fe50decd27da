import type { KnownFailure } from './known.ts'

export const go: readonly KnownFailure[] = [
  {
    name: 'go-no-module',
    output: [/go: (?:cannot find main module|go\.mod file not found in current directory)/],
    means: 'There is no go.mod here or above: the command belongs into another directory.',
    run: ['pwd', 'git ls-files "*go.mod"'],
    sample: {
      command: 'go build ./...',
      exit: 1,
      output:
        'go: cannot find main module, but found .git/config in /srv/app\n\tto create a module there, run:\n\tgo mod init',
    },
  },
  {
    name: 'go-module-missing',
    output: [
      /no required module provides package (?<package>[\w./-]+)/,
      /cannot find module providing package (?<package>[\w./-]+)/,
      /missing go\.sum entry for (?:module providing package|go\.mod file;?) ?(?<package>[\w./-]+)?/,
    ],
    means: 'The module of a package that is imported is not in go.mod or go.sum.',
    run: ['go mod tidy', 'go get {package}'],
    sample: {
      command: 'go build ./...',
      exit: 1,
      output:
        'main.go:4:2: no required module provides package github.com/acme/zap; to add it:\n\tgo get github.com/acme/zap',
    },
  },
  {
    name: 'go-mod-outdated',
    output: [/go: updates to go\.(?:mod|sum) needed|go: inconsistent vendoring/],
    means: 'go.mod, go.sum or vendor/ do not fit the imports any more.',
    run: ['go mod tidy', 'go mod vendor'],
    sample: {
      command: 'go build ./...',
      exit: 1,
      output: 'go: updates to go.mod needed; to update it:\n\tgo mod tidy',
    },
  },
  {
    name: 'go-version',
    output: [
      /go\.mod requires go >= (?<version>[\d.]+)/,
      /invalid go version '(?<version>[\d.]+)'/,
      /requires go >= (?<version>[\d.]+) \(running go/,
    ],
    means: 'The module wants Go {version}, and an older one is installed.',
    run: ['go version', 'go env GOTOOLCHAIN'],
    sample: {
      command: 'go build',
      exit: 1,
      output: 'go: go.mod requires go >= 1.24.0 (running go 1.22.1; GOTOOLCHAIN=local)',
    },
  },
  {
    name: 'go-no-files',
    output: [/build constraints exclude all Go files in (?<path>\S+)/, /no (?:non-test )?Go files in (?<path>\S+)/],
    means: 'The package at {path} has no file to build: its files need a build tag, or it is the wrong directory.',
    run: ['go list ./...', 'grep -rn "//go:build" {path}'],
    sample: {
      command: 'go test -c ./integration',
      exit: 1,
      output:
        '# acme.io/cli/integration\npackage acme.io/cli/integration: build constraints exclude all Go files in /srv/cli/integration\nFAIL\tacme.io/cli/integration [setup failed]',
    },
  },
  {
    name: 'go-package-unknown',
    output: [
      /package (?<package>[\w./-]+) is not in (?:std|GOROOT)/,
      /matched no packages/,
      /stat (?<path>\S+): directory not found/,
    ],
    means: 'There is no such package: a directory needs ./ in front of it, or it is misspelt.',
    run: ['go list ./...'],
    sample: {
      command: 'go test internal/cli',
      exit: 1,
      output: 'package internal/cli is not in std (/usr/local/go/src/internal/cli)',
    },
  },
  {
    name: 'go-import-cycle',
    obvious: true,
    output: [/import cycle not allowed/],
    means: 'Two packages import each other, directly or through a third one.',
    run: ['go list -deps ./...'],
    sample: {
      command: 'go build ./...',
      exit: 1,
      output: 'package acme.io/a\n\timports acme.io/b\n\timports acme.io/a: import cycle not allowed',
    },
  },
  {
    name: 'go-unused',
    obvious: true,
    output: [
      /^(?:vet: )?(?<file>\S+\.go):(?<line>\d+):\d+: (?:declared and not used: (?<name>\w+)|(?<other>\w+) declared (?:and|but) not used|"(?<package>[^"\n]+)" imported (?:as \w+ )?and not used)/m,
    ],
    means: 'Go does not compile with an unused variable or import: {file}, line {line}.',
    run: ['go vet ./...', 'goimports -l .'],
    sample: { command: 'go build ./...', exit: 1, output: '# acme.io/cli\n./main.go:4:2: "os" imported and not used' },
  },
  {
    name: 'go-undefined',
    obvious: true,
    output: [
      /^(?:vet: )?(?<file>\S+\.go):(?<line>\d+):\d+: undefined: (?<name>[\w.]+)/m,
      /^(?<file>\S+\.go):(?<line>\d+):\d+: (?<name>\S+) undefined \(type/m,
    ],
    means: 'Go knows no {name} at {file}, line {line}: renamed, not exported, or in a file with another build tag.',
    run: ['grep -rn --include=*.go -w {name} .', 'go vet ./...'],
    sample: { command: 'go vet ./...', exit: 1, output: '# acme.io/cli\nvet: ./main.go:9:2: undefined: NewStore' },
  },
  {
    name: 'go-compile-error',
    output: [
      /^(?:vet: )?(?<file>\S+\.go):(?<line>\d+):\d+: (?:cannot use|not enough arguments|too many arguments|missing return|syntax error|assignment mismatch|invalid operation|.* redeclared|.*does not implement)/m,
      /^FAIL\t\S+ \[(?:build|setup) failed\]$/m,
    ],
    vague: true,
    means: 'The code does not compile; the first error with a file and a line is the cause.',
    run: ['go build ./...', 'go vet ./...'],
    sample: {
      command: 'go test ./...',
      exit: 1,
      output:
        '# acme.io/cli [acme.io/cli.test]\n./clean.go:159:18: not enough arguments in call to NewGitStore\n\thave ()\n\twant (*git.Repository)\nFAIL\tacme.io/cli [build failed]',
    },
  },
]
