import type { KnownFailure } from './known.ts'

/** Encodings, formats and time limits. */
export const data: readonly KnownFailure[] = [
  {
    name: 'decode-error',
    output: [
      /UnicodeDecodeError: '(?<codec>[\w-]+)' codec can't decode byte/,
      /invalid byte sequence in (?<codec>[\w-]+)/,
      /stream did not contain valid UTF-8/,
    ],
    means: 'A file is not in the encoding in which it is read.',
    run: ['file -i ./*', 'locale'],
    sample: {
      command: 'python load.py',
      exit: 1,
      output:
        "Traceback (most recent call last):\n  File \"load.py\", line 1, in <module>\nUnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
    },
  },
  {
    name: 'encode-error',
    output: [/UnicodeEncodeError: '(?<codec>[\w-]+)' codec can't encode/],
    means: 'The output holds a character that the encoding {codec} of this terminal does not have.',
    run: ['locale', 'PYTHONIOENCODING=utf-8 python -c "print(1)"'],
    sample: {
      command: 'python report.py',
      exit: 1,
      output:
        "Traceback (most recent call last):\n  File \"report.py\", line 9, in <module>\nUnicodeEncodeError: 'ascii' codec can't encode character '\\u2713' in position 0: ordinal not in range(128)",
    },
  },
  {
    name: 'json-invalid',
    obvious: true,
    output: [
      /SyntaxError: Unexpected token .* (?:is not valid JSON|in JSON at position)|json\.decoder\.JSONDecodeError: |^(?:jq: )?parse error: .* at line \d+, column \d+|Unexpected end of JSON input|EJSONPARSE/m,
    ],
    means: 'What was to be JSON is not: an empty answer, an error page, or a mistake in the file.',
    run: ['git diff -- "*.json"'],
    sample: { command: 'jq . data.json', exit: 4, output: 'parse error: Invalid numeric literal at line 2, column 0' },
  },
  {
    name: 'yaml-invalid',
    obvious: true,
    output: [
      /yaml\.(?:scanner\.ScannerError|parser\.ParserError)|YAMLException: |yaml: line (?<line>\d+): |YAMLParseError|mapping values are not allowed (?:here|in this context)/,
    ],
    means: 'A YAML file cannot be parsed, mostly because of its indentation or a colon that needs quotes.',
    run: ['git diff -- "*.yml" "*.yaml"'],
    sample: {
      command: 'docker compose config',
      exit: 1,
      output: 'yaml: line 7: mapping values are not allowed in this context',
    },
  },
  {
    name: 'toml-invalid',
    obvious: true,
    output: [
      /TOML parse error at line (?<line>\d+)|tomllib\.TOMLDecodeError|tomli\._parser\.TOMLDecodeError|could not parse input as TOML|failed to parse manifest at/,
    ],
    means: 'A TOML file cannot be parsed.',
    run: ['git diff -- "*.toml"'],
    sample: {
      command: 'cargo build',
      exit: 101,
      output: 'error: failed to parse manifest at `/srv/app/Cargo.toml`\n\nCaused by:\n  missing field `name`',
    },
  },
  {
    name: 'time-limit',
    exits: [124],
    means: 'The time limit of the command ran out before it was done.',
    run: [],
    sample: { command: 'timeout 60 npm test', exit: 124, output: 'RUN  v4.1.12 /srv/app' },
  },
  {
    name: 'tool-time-limit',
    output: [/[Cc]ommand timed out after (?<time>[\d.]+ ?\w+)/],
    means: 'The command did not end within {time}; it may wait for input, or it runs for ever like a server.',
    run: [],
    sample: { command: 'npm run dev', exit: 143, output: 'Command timed out after 2m 0s' },
  },
  {
    name: 'needs-terminal',
    output: [
      /the input device is not a TTY|stdin is not a (?:tty|terminal)|not a terminal|inappropriate ioctl for device|a terminal is required to read the password|open \/dev\/tty: (?:no such device|device not configured)/i,
    ],
    means: 'The command wants to ask somebody at a terminal, and there is none.',
    run: ['{program} --help'],
    sample: { command: 'docker run -it alpine sh', exit: 1, output: 'the input device is not a TTY' },
  },
  {
    name: 'jq-expression',
    obvious: true,
    output: [
      /^jq: error: (?:syntax error|\S+ is not defined)|failed to parse jq expression/m,
      /^jq: \d+ compile errors?/m,
    ],
    means: 'The expression for jq is not valid; `!` and quotes in it are often changed by the shell.',
    run: ['jq --version'],
    sample: {
      command: "jq 'select(.a \\!= null)' a.json",
      exit: 3,
      output:
        "jq: error: syntax error, unexpected INVALID_CHARACTER, expecting ';' or ')' (Unix shell quoting issues?) at <top-level>, line 1:\nselect(.a \\!= null)\njq: 1 compile error",
    },
  },
]
