import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { parse as parseJson } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Deployment } from '../../drivers/contract.ts'
import { type Change, deploy } from './deploy.ts'
import type { Outcome } from './reconcile.ts'

/** A file with an oddity: its bytes, or what puts something else at its place. */
interface Odd {
  name: string
  content: string | Buffer | ((path: string) => void)
  /** Where and why it has to be left alone. */
  refused?: { at?: [line: number, column: number]; why: RegExp }
}

const owner = { driver: 'claude', scope: 'project', project: '/p' } as const
const installation = { ...owner, cli: '2.1.197', rein: '0.1.0', isShared: false, isOnPath: false, env: {} }
const marker = ' # rein-managed'

const jsonParts = (path: string): Deployment[] => [
  {
    kind: 'json-items',
    path,
    at: ['hooks', 'Stop'],
    marker,
    items: [{ hooks: [{ command: `exec hook Stop${marker}` }] }],
  },
  { kind: 'json-key', path, at: ['mcpServers', 'rein'], value: { command: 'rein', args: ['mcp'] } },
]
const tomlParts = (path: string): Deployment[] => [
  { kind: 'toml-table', path, table: ['mcp_servers', 'rein'], values: { command: 'rein', args: ['mcp'] } },
]

const mkfifo = (path: string): void => void execFileSync('mkfifo', [path])
const linkTo =
  (content: string) =>
  (path: string): void => {
    writeFileSync(`${path}.real`, content)
    symlinkSync(`${path}.real`, path)
  }
const readOnly =
  (content: string) =>
  (path: string): void =>
    writeFileSync(path, content, { mode: 0o444 })
const large = (line: string): string => line.repeat(Math.ceil((10 * 1024 * 1024) / line.length))

/** What can be in the way of a file of any format. */
const places = (content: string): Odd[] => [
  { name: 'symlink', content: linkTo(content) },
  {
    name: 'link to nowhere',
    content: (path) => symlinkSync('/nowhere/at/all', path),
    refused: { why: /leads nowhere/ },
  },
  { name: 'link to itself', content: (path) => symlinkSync(path, path), refused: { why: /ELOOP/ } },
  { name: 'read-only', content: readOnly(content), refused: { why: /read-only/ } },
  { name: 'directory', content: (path) => mkdirSync(path), refused: { why: /directory/ } },
  { name: 'FIFO', content: mkfifo, refused: { why: /regular/ } },
  { name: 'link to a device', content: (path) => symlinkSync('/dev/null', path), refused: { why: /regular/ } },
  {
    name: 'private state of Claude Code',
    content: (path) => linkPrivate(path, content),
    refused: { why: /private state/ },
  },
]
const linkPrivate = (path: string, content: string): void => {
  writeFileSync(join(path, '../.claude.json'), content)
  symlinkSync('.claude.json', path)
}

const jsonFiles: Odd[] = [
  ...places('{"a": 1}\n'),
  { name: 'plain', content: '{\n  "a": 1\n}\n' },
  { name: 'empty object', content: '{}' },
  { name: 'empty object over lines', content: '{\n}\n' },
  { name: 'empty file', content: '' },
  { name: 'only white space', content: '\n\n' },
  { name: 'minified', content: '{"a":1,"hooks":{"Stop":[{"x":1}]}}' },
  { name: 'line comments', content: '{\n  // one\n  "a": 1, // two\n  // three\n}\n' },
  { name: 'comment after the last value', content: '{\n  "a": 1 // two\n}\n' },
  { name: 'block comments', content: '/* top */ {"a": /* in */ 1 /* after */} /* end */' },
  { name: 'comment in an empty object', content: '{ // nothing yet\n}' },
  { name: 'BOM', content: '\uFEFF{"a": 1}\n' },
  { name: 'trailing comma', content: '{\n  "a": 1,\n}\n' },
  { name: 'trailing comma in a list', content: '{"hooks": {"Stop": [{"x": 1},],},}' },
  { name: 'duplicate keys', content: '{"hooks": {"Stop": []}, "hooks": {"Stop": [{"x": 1}]}}' },
  { name: 'CRLF', content: '{\r\n  "a": 1\r\n}\r\n' },
  { name: 'mixed line ends', content: '{\r\n  "a": 1,\n  "b": 2\r\n}\n' },
  { name: 'tabs', content: '{\n\t"a": {\n\t\t"b": 1\n\t}\n}\n' },
  { name: 'no indentation', content: '{\n"a": 1\n}\n' },
  { name: 'no final newline', content: '{\n  "a": 1\n}' },
  { name: 'many final newlines', content: '{"a": 1}\n\n\n' },
  { name: 'keys that mean something to JavaScript', content: '{"__proto__": {"a": 1}, "constructor": 2, "1": 3}' },
  { name: 'escaped keys', content: '{"\\u0068ooks": {"Stop": [{"x": 1}]}, "é\\n": 1}' },
  {
    name: 'a hook of the user’s whose path has rein in it',
    content: '{"hooks":{"Stop":[{"hooks":[{"command":"/opt/rein/hook"}]}]}}',
  },
  {
    name: 'the mark in the middle of a command',
    content: '{"hooks":{"Stop":[{"hooks":[{"command":"echo # rein-managed ;"}]}]}}',
  },
  { name: 'numbers no JavaScript can hold', content: '{"a": 12345678901234567890, "b": 1e999}' },
  { name: 'truncated', content: '{"a": {"b": 1', refused: { at: [1, 14], why: /close brace expected/ } },
  { name: 'truncated string', content: '{\n  "a": "b', refused: { at: [2, 8], why: /not valid JSON/ } },
  { name: 'missing comma', content: '{\n  "a": 1\n  "b": 2\n}', refused: { at: [3, 3], why: /comma expected/ } },
  { name: 'two documents', content: '{}\n{}', refused: { at: [2, 1], why: /end of file expected/ } },
  { name: 'single quotes', content: "{'a': 1}", refused: { at: [1, 2], why: /not valid JSON/ } },
  { name: 'merge conflict', content: '{\n<<<<<<< HEAD\n  "a": 1\n}', refused: { at: [2, 1], why: /not valid JSON/ } },
  { name: 'latin-1', content: Buffer.from('{\n  "a": "\xe4"\n}', 'latin1'), refused: { at: [2, 9], why: /UTF-8/ } },
  { name: 'UTF-16', content: Buffer.from('{"a": 1}', 'utf16le'), refused: { at: [1, 2], why: /not valid JSON/ } },
  { name: 'root is a list', content: '[1]', refused: { at: [1, 1], why: /no JSON object/ } },
  { name: 'root is a string', content: '"text"', refused: { at: [1, 1], why: /no JSON object/ } },
  {
    name: 'hooks is a list',
    content: '{\n  "hooks": []\n}',
    refused: { at: [2, 12], why: /hooks is a list, not an object/ },
  },
  { name: 'hooks is null', content: '{"hooks": null}', refused: { at: [1, 11], why: /hooks is a null/ } },
  {
    name: 'an event is no list',
    content: '{"hooks": {"Stop": {}}}',
    refused: { at: [1, 20], why: /hooks.Stop is an object, not a list/ },
  },
  {
    name: 'a foreign key of our name',
    content: '{"mcpServers": {"rein": {"command": "x"}}}',
    refused: { at: [1, 25], why: /mcpServers.rein is there already/ },
  },
  { name: 'nested too deeply', content: `{"a": ${'['.repeat(100_000)}`, refused: { why: /nested too deeply/ } },
  { name: '10 MB', content: `{"a": "${large('x')}"}`, refused: { why: /bytes/ } },
]

const tomlFiles: Odd[] = [
  ...places('a = 1\n'),
  { name: 'plain', content: 'model = "x"\n' },
  { name: 'empty file', content: '' },
  { name: 'only white space', content: '\n \n' },
  { name: 'only a comment', content: '# nothing yet' },
  { name: 'comments', content: '# one\na = 1 # two\n\n[b] # three\nc = 2\n# four\n' },
  { name: 'BOM', content: '\uFEFFa = 1\n' },
  { name: 'CRLF', content: 'a = 1\r\n[b]\r\nc = 2\r\n' },
  { name: 'mixed line ends', content: 'a = 1\r\nb = 2\n' },
  { name: 'tabs', content: '[a]\n\tb = 1\n\t[a.c]\n\t\td = 2\n' },
  { name: 'no final newline', content: 'a = 1' },
  { name: 'many final newlines', content: 'a = 1\n\n\n' },
  { name: 'another server', content: '[mcp_servers.other]\ncommand = "x"\n' },
  { name: 'its table alone', content: '[mcp_servers]\n' },
  { name: 'its table by dots', content: 'mcp_servers.other.command = "x"\n' },
  { name: 'lists of tables', content: '[[a]]\nb = 1\n[[a]]\nb = 2\n' },
  { name: 'text that looks like a table', content: 'a = """\n[mcp_servers.rein]\n"""\n' },
  { name: 'literal text over lines', content: "a = '''\n[x]\n'''\nb = 1\n" },
  { name: 'lists over lines', content: 'a = [\n  1, # one\n  2,\n]\n' },
  { name: 'inline tables', content: 'a = { b = 1, c = { d = 2 } }\n' },
  { name: 'quoted keys', content: '"a b" = 1\n[projects."/home/x y"]\ntrust = "yes"\n' },
  { name: 'dates', content: 'a = 1979-05-27T07:32:00Z\nb = 07:32:00\n' },
  { name: 'large numbers', content: 'a = 9223372036854775807\nb = nan\nc = -inf\n' },
  { name: 'keys that mean something to JavaScript', content: '[__proto__]\na = 1\n[constructor]\nb = 2\n' },
  { name: 'a table of the user’s with rein in its name', content: '[mcp_servers.my-rein]\ncommand = "/opt/rein/x"\n' },
  { name: 'truncated', content: 'a = "b', refused: { at: [1, 5], why: /not valid TOML/ } },
  { name: 'truncated list', content: 'a = [1, 2', refused: { why: /not valid TOML/ } },
  { name: 'no value', content: 'a =\nb = 1\n', refused: { at: [1, 4], why: /not valid TOML/ } },
  { name: 'duplicate keys', content: 'a = 1\na = 2\n', refused: { at: [2, 1], why: /not valid TOML/ } },
  { name: 'duplicate tables', content: '[a]\n[b]\n[a]\n', refused: { at: [3, 2], why: /not valid TOML/ } },
  { name: 'JSON', content: '{"a": 1}', refused: { at: [1, 1], why: /not valid TOML/ } },
  { name: 'merge conflict', content: 'a = 1\n<<<<<<< HEAD\n', refused: { at: [2, 1], why: /not valid TOML/ } },
  { name: 'trailing comma in an inline table', content: 'a = { b = 1,, }', refused: { why: /not valid TOML/ } },
  { name: 'latin-1', content: Buffer.from('a = 1\nb = "\xe4"\n', 'latin1'), refused: { at: [2, 6], why: /UTF-8/ } },
  { name: 'UTF-16', content: Buffer.from('a = 1', 'utf16le'), refused: { why: /not valid TOML/ } },
  {
    name: 'its table is text',
    content: 'mcp_servers = "none"\n',
    refused: { at: [1, 1], why: /mcp_servers.rein cannot be added/ },
  },
  {
    name: 'its table is inline',
    content: 'a = 1\nmcp_servers = { x = { command = "y" } }\n',
    refused: { at: [2, 1], why: /cannot be added/ },
  },
  { name: 'its table is a list', content: '[[mcp_servers]]\na = 1\n', refused: { at: [1, 1], why: /cannot be added/ } },
  {
    name: 'a foreign table of our name',
    content: '[mcp_servers.rein]\ncommand = "x"\n',
    refused: { at: [1, 1], why: /is there already/ },
  },
  {
    name: 'a foreign table of our name by dots',
    content: 'mcp_servers.rein.command = "x"\n',
    refused: { at: [1, 1], why: /is there already/ },
  },
  { name: 'nested too deeply', content: `a = ${'['.repeat(100_000)}`, refused: { why: /not valid TOML|too deep/ } },
  { name: '10 MB', content: large('# a comment\n'), refused: { why: /bytes/ } },
]

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'rein-corpus-'))
})
afterAll(() => rmSync(root, { recursive: true }))

const bytesAt = (path: string): Buffer | null =>
  lstatSync(path).isDirectory() || lstatSync(path).isFIFO() ? null : tryRead(path)
const tryRead = (path: string): Buffer | null => {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

const run = async (state: string, deployments: Deployment[]): Promise<Outcome> => {
  const change: Change = { owner, installation: deployments.length === 0 ? null : installation, deployments }
  const [outcome, ...more] = await deploy({ state, dryRun: false }, () => [change])
  if (outcome === undefined || more.length > 0) throw new Error('One file has one outcome.')
  return outcome
}

interface Counts {
  unparsable: number
  identical: number
  edited: number
  lost: number
  restored: number
}

const withoutBom = (text: string): string => text.replace(/^\uFEFF/, '')
const jsonData = (text: string): string =>
  JSON.stringify(parseJson(withoutBom(text).trim() || '{}', [], { allowTrailingComma: true }))
const tomlData = (text: string): string =>
  inspect(parseToml(withoutBom(text), { integersAsBigInt: 'asNeeded' }), { depth: null })

const formats = [
  { format: 'JSON', files: jsonFiles, parts: jsonParts, dataOf: jsonData },
  { format: 'TOML', files: tomlFiles, parts: tomlParts, dataOf: tomlData },
]

describe.each(formats)('odd files of $format', ({ format, files, parts, dataOf }) => {
  const counts: Counts = { unparsable: 0, identical: 0, edited: 0, lost: 0, restored: 0 }

  const place = ({ content }: Odd): { state: string; path: string } => {
    const dir = mkdtempSync(join(root, 'file-'))
    const [state, path] = [join(dir, 'state'), join(dir, 'settings')]
    mkdirSync(state)
    if (typeof content === 'function') content(path)
    else writeFileSync(path, content, { mode: 0o640 })
    return { state, path }
  }

  test.each(files.filter(({ refused }) => refused !== undefined))('$name: left as it is', async (odd) => {
    const { state, path } = place(odd)
    const before = { bytes: bytesAt(path), mode: lstatSync(path).mode, ino: lstatSync(path).ino }
    const outcome = await run(state, parts(path))
    counts.unparsable += 1
    const isIdentical =
      before.ino === lstatSync(path).ino &&
      (bytesAt(path)?.equals(before.bytes ?? Buffer.alloc(0)) ?? before.bytes === null)
    if (isIdentical) counts.identical += 1
    expect(outcome).toMatchObject({ what: 'refused', path, reason: expect.stringMatching(odd.refused?.why ?? '') })
    const { line = 0, column = 0 } = outcome.place ?? {}
    expect([line, column]).toEqual(odd.refused?.at ?? [line, column])
    expect(lstatSync(path).mode).toBe(before.mode)
  })

  test.each(files.filter(({ refused }) => refused === undefined))('$name: edited, and restored', async (odd) => {
    const { state, path } = place(odd)
    const before = readFileSync(path)
    const { mode } = lstatSync(path)
    counts.edited += 1
    expect(await run(state, parts(path))).toMatchObject({ what: 'changed', reason: null })
    const after = readFileSync(path)
    expect(await run(state, parts(path))).toMatchObject({ what: 'unchanged' })
    writeFileSync(path, `${after.toString()}\n`)
    expect(await run(state, [])).toMatchObject({ what: 'cleaned', reason: null })
    if (dataOf(readFileSync(path, 'utf8')) !== dataOf(before.toString())) counts.lost += 1
    writeFileSync(path, before)
    await run(state, parts(path))
    expect(readFileSync(path)).toEqual(after)
    expect(await run(state, [])).toMatchObject({ what: 'restored' })
    if (readFileSync(path).equals(before) && lstatSync(path).mode === mode) counts.restored += 1
  })

  test('counted', () => {
    const { unparsable, identical, edited, lost, restored } = counts
    console.log(
      `${format}: ${unparsable + edited} odd files; unparsable byte-identical ${identical}/${unparsable}, foreign content lost ${lost}, restored byte-identical ${restored}/${edited}`,
    )
    expect(unparsable + edited).toBe(files.length)
    expect(files.length).toBeGreaterThanOrEqual(40)
    expect({ identical, lost, restored }).toEqual({ identical: unparsable, lost: 0, restored: edited })
  })
})

test('a file in a directory that may not be written is named', async () => {
  const dir = mkdtempSync(join(root, 'closed-'))
  const state = mkdtempSync(join(root, 'state-'))
  writeFileSync(join(dir, 'file'), 'in the way')
  chmodSync(dir, 0o755)
  const outcome = await run(state, jsonParts(join(dir, 'file/settings.json')))
  expect(outcome).toMatchObject({ what: 'refused', reason: expect.stringContaining('ENOTDIR') })
})
