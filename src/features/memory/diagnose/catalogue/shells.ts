import type { KnownFailure } from './known.ts'

/** What the shell itself and the small programs of every system say. */
export const shells: readonly KnownFailure[] = [
  {
    name: 'command-not-found',
    output: [
      /(?:^|: |\n)(?:line \d+: |\d+: )?(?<program>[\w.+-]+): (?:command )?not found$/m,
      /command not found: (?<program>[\w.+-]+)$/m,
      /fish: Unknown command: (?<program>[\w.+-]+)$/m,
      /'(?<program>[\w.+-]+)' is not recognized as an internal or external command/,
    ],
    means:
      'There is no program {program} on the search path: not installed, or only inside the project (node_modules/.bin, .venv/bin, a version manager).',
    run: ['command -v {program}', 'ls node_modules/.bin .venv/bin'],
    sample: { command: 'pytest tests', exit: 127, output: 'bash: line 1: pytest: command not found' },
  },
  {
    name: 'not-executable',
    exits: [126],
    output: [/(?:^|: )(?<file>[^\s:]+): (?:Permission denied|cannot execute)/im, /permission denied: (?<file>\S+)/],
    means: '{file} may not be executed: it lacks the x permission, or it is a directory.',
    run: ['ls -ld {file}', 'chmod u+x {file}'],
    sample: { command: './deploy.sh', exit: 126, output: 'bash: line 1: ./deploy.sh: Permission denied' },
  },
  {
    name: 'script-interpreter-missing',
    output: [
      /: bad interpreter: No such file or directory/,
      /(?<file>[^\s:]+): cannot execute: required file not found/,
      /env: [‘'](?<interpreter>\w+)\\r[’']: No such file/,
    ],
    means:
      'The first line of the script names a program that is not there, often because the file has Windows line ends.',
    run: ['git ls-files --eol'],
    sample: {
      command: './run.sh',
      exit: 127,
      output: 'bash: line 1: ./run.sh: cannot execute: required file not found',
    },
  },
  {
    name: 'shell-crlf',
    output: [/\$'\\r': command not found|syntax error near unexpected token `\$'(?:\w*|\{)\\r''/],
    means: 'The script has Windows line ends, which the shell takes for part of the words.',
    run: ['git ls-files --eol', 'git config core.autocrlf'],
    sample: { command: 'bash setup.sh', exit: 127, output: "setup.sh: line 2: $'\\r': command not found" },
  },
  {
    name: 'directory-missing',
    output: [
      /(?:^|: )cd: (?<directory>[^\s:]+): No such file or directory$/m,
      /(?:^|:)cd:(?:\d+:)? no such file or directory: (?<directory>\S+)$/m,
      /The directory '(?<directory>[^'\n]+)' does not exist/,
    ],
    programs: ['cd', 'pushd', 'bash', 'zsh', 'fish', 'sh'],
    means: 'There is no directory {directory} from here: the shell may already be in it, or somewhere else.',
    run: ['pwd', 'ls'],
    sample: {
      command: 'cd frontend && npm test',
      exit: 1,
      output: 'bash: line 1: cd: frontend: No such file or directory',
    },
  },
  {
    name: 'parent-directory-missing',
    output: [
      /cannot (?:create (?:directory|regular file)|touch|move '[^'\n]+' to) [‘'](?<path>[^’'\n]+)[’']: No such file or directory/,
    ],
    means: 'The directory in which {path} was to be made does not exist.',
    run: ['dirname {path}', 'mkdir -p "$(dirname {path})"'],
    sample: {
      command: 'mkdir build/out/bin',
      exit: 1,
      output: 'mkdir: cannot create directory ‘build/out/bin’: No such file or directory',
    },
  },
  {
    name: 'directory-exists',
    output: [/cannot create directory [‘'](?<path>[^’'\n]+)[’']: File exists/],
    means: '{path} is already there.',
    run: ['ls -ld {path}', 'mkdir -p {path}'],
    sample: { command: 'mkdir dist', exit: 1, output: 'mkdir: cannot create directory ‘dist’: File exists' },
  },
  {
    name: 'file-missing',
    obvious: true,
    general: true,
    programs: [
      'cat',
      'ls',
      'rm',
      'cp',
      'mv',
      'head',
      'tail',
      'sed',
      'grep',
      'rg',
      'wc',
      'find',
      'diff',
      'chmod',
      'stat',
      'tar',
      'source',
      'du',
      'awk',
      'sort',
      'jq',
      'nl',
    ],
    output: [
      /^\w+: (?:\w+: )?(?:cannot (?:\w+ ){0,3})?(?:can't read )?[‘'"]?(?<path>[^’'"\n:]+)[’'"]?: (?:Cannot open: |open: )?No such file or directory/m,
      /(?:zsh|\(eval\)):\d+: no such file or directory: (?<path>\S+)$/m,
      /^\S+: line \d+: (?<path>[^\s:]+): No such file or directory$/m,
    ],
    means: 'There is no {path} from here: misspelt, made later, or the current directory is another one.',
    run: ['pwd', 'git ls-files'],
    sample: { command: 'cat src/confg.ts', exit: 1, output: 'cat: src/confg.ts: No such file or directory' },
  },
  {
    name: 'shell-quote-open',
    obvious: true,
    output: [
      /unexpected EOF while looking for matching [`'"]/,
      /(?:zsh|\(eval\)):\d+: unmatched ["'`]/,
      /Unterminated quoted string/,
    ],
    means:
      'A quote in the command is not closed; an apostrophe ends a text in single quotes, and long texts are safer in a file.',
    run: [],
    sample: {
      command: `git commit -m "it's`,
      exit: 2,
      output: 'bash: -c: line 1: unexpected EOF while looking for matching `"\'',
    },
  },
  {
    name: 'shell-syntax',
    obvious: true,
    output: [
      /(?:^|: )syntax error near unexpected token [`'"]/m,
      /: syntax error: unexpected end of file/,
      /(?:sh|dash): (?:line )?\d+: Syntax error: /,
      /(?:zsh|\(eval\)):\d+: parse error (?:near|in)/,
    ],
    means:
      'The shell cannot parse the command: brackets or quotes that it takes for its own, or a block without its end.',
    run: [],
    sample: {
      command: 'echo (a)',
      exit: 2,
      output: "bash: -c: line 1: syntax error near unexpected token `('\nbash: -c: line 1: `echo (a)'",
    },
  },
  {
    name: 'shell-no-glob-match',
    output: [
      /(?:zsh|\(eval\)):(?:\d+:)? no matches found: (?<pattern>\S+)/,
      /fish: No matches for wildcard '(?<pattern>[^'\n]+)'/,
    ],
    means:
      'The shell looked for files that match {pattern} and found none; a text with * ? [ ] for a program itself must be quoted.',
    run: ['ls'],
    sample: { command: 'ls *.nope', exit: 1, output: 'zsh:1: no matches found: *.nope' },
  },
  {
    name: 'shell-arguments-too-long',
    output: [/Argument list too long/],
    means:
      'The names after the command are more than the system takes at once; hand them over with `find -exec` or `xargs`.',
    run: [],
    sample: { command: 'ls $(cat names)', exit: 126, output: 'bash: line 1: /bin/ls: Argument list too long' },
  },
  {
    name: 'is-a-directory',
    obvious: true,
    output: [
      /(?:^|: )(?<path>[^\s:]+): Is a directory$/m,
      /EISDIR: illegal operation on a directory/,
      /IsADirectoryError: /,
    ],
    means: 'A file was expected, but that path is a directory.',
    run: ['ls -la {path}', 'ls -la'],
    sample: { command: 'cat src', exit: 1, output: 'cat: src: Is a directory' },
  },
  {
    name: 'unknown-option',
    obvious: true,
    general: true,
    output: [
      /^(?<program>[\w.-]+): (?:unrecognized|unknown|invalid|illegal) option (?:-- )?[`'"‘]?(?<option>-{0,2}[\w-]+)/m,
      /(?:unrecognized|unknown|invalid|illegal) (?:option|flag|argument):? (?:-- )?[`'"‘]?(?<option>-{0,2}[\w-]+)/i,
      /unexpected argument '(?<option>--?[\w-]+)' found/,
      /flag provided but not defined: (?<option>-[\w-]+)/,
      /No such option: (?<option>--?[\w-]+)/,
      /unknown predicate `(?<option>-\w+)'/,
    ],
    means: 'This version of the program does not know the option {option}.',
    run: ['{program} --help'],
    sample: {
      command: 'golangci-lint run --disable-all',
      exit: 3,
      output:
        'Error: unknown flag: --disable-all\nThe command is terminated due to an error: unknown flag: --disable-all',
    },
  },
  {
    name: 'sed-expression',
    obvious: true,
    output: [/^sed: -e expression #\d+, char \d+: /m, /^sed: \d+: ".*": /m],
    means:
      'The expression given to sed is not valid, often because the text in it holds the separator or an unescaped character.',
    run: [],
    sample: {
      command: 'sed -i s/x notes.txt',
      exit: 1,
      output: "sed: -e expression #1, char 3: unterminated `s' command",
    },
  },
  {
    name: 'nothing-matched',
    obvious: true,
    programs: ['grep', 'rg', 'egrep', 'fgrep', 'pgrep', 'ag', 'ack'],
    exits: [1],
    output: [/^[ \t]*$/],
    means: 'Nothing matched; that is an answer, no error.',
    run: [],
    sample: { command: 'rg -n "trace_import" src', exit: 1, output: '' },
  },
  {
    name: 'files-differ',
    obvious: true,
    programs: ['diff', 'cmp'],
    exits: [1],
    means: 'The files differ; that is an answer, no error.',
    run: [],
    sample: { command: 'diff a.txt b.txt', exit: 1, output: '1c1\n< one\n---\n> two' },
  },
  {
    name: 'wrong-usage',
    vague: true,
    output: [
      /^usage: (?<program>[\w.-]+)/im,
      /accepts (?:at most|at least|between)? ?\d+ (?:and \d+ )?arg\(s\), received \d+/,
    ],
    means: 'The program was not called the way it wants to be; it printed how.',
    run: ['{program} --help'],
    sample: { command: 'gh pr diff 15 -- docs/a.md', exit: 1, output: 'accepts at most 1 arg(s), received 2' },
  },
]
