import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readShell } from '../../src/base/shell/read.ts'

let directory: string

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'rein-shell-'))
  writeFileSync(path.join(directory, 'probe'), '#!/bin/sh\nprintf "<%s>" "$@"\n')
  chmodSync(path.join(directory, 'probe'), 0o755)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A word in one of the ways to write it, with what has to be set before. */
interface Written {
  readonly before: string
  readonly text: string
}

const single = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`
const double = (word: string): string => `"${word.replaceAll(/[\\"$`]/g, String.raw`\$&`)}"`
const escaped = (word: string): string => Array.from(word, (letter) => `\\${letter}`).join('')
const ansi = (word: string): string =>
  `$'${Array.from(word, (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}'`
const plain = (text: string): Written => ({ before: '', text })

const WAYS: readonly ((word: string, name: string) => Written)[] = [
  (word) => plain(single(word)),
  (word) => plain(double(word)),
  (word) => plain(escaped(word)),
  (word) => plain(ansi(word)),
  (word) => plain(single(word.slice(0, 1)) + double(word.slice(1))),
  (word) => plain(`"$(printf %s ${single(word)})"`),
  (word) => plain(`"$(echo ${Buffer.from(word).toString('base64')} | base64 -d)"`),
  (word, name) => ({ before: `${name}=${single(word)}; `, text: `"$${name}"` }),
  (word, name) => ({ before: `${name}=${single(`ZZ${word}`)}; `, text: `"\${${name}#ZZ}"` }),
  (word, name) => ({ before: `${name}=${single(`ZZ${word}`)}; `, text: `"\${${name}:2}"` }),
  (word, name) => ({ before: `${name}=(${single(word)}); `, text: `"\${${name}[@]}"` }),
]

const WRAPPERS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `bash -c ${single(line)}`,
  (line) => `eval ${single(line)}`,
  (line) => `bash -c 'eval "$1"' _ ${single(line)}`,
  (line) => `f() { ${line}; }; f`,
  (line) => `if true; then ${line}; fi`,
  (line) => `bash <<'END'\n${line}\nEND\n`,
  (line) => `echo ${Buffer.from(line).toString('base64')} | base64 -d | bash`,
]

const word = fc.constantFrom(
  'push',
  '--force',
  'a b',
  '-rf',
  '/tmp',
  'a*b',
  "it's",
  '$x',
  '"q"',
  '{a,b}',
  '~',
  '#h',
  'a=b',
)
const spelled = fc.tuple(word, fc.constantFrom(...WAYS))
const line = fc
  .tuple(fc.array(spelled, { minLength: 1, maxLength: 3 }), fc.constantFrom(...WRAPPERS))
  .map(([words, wrap]) => {
    const written = words.map(([each, way], index) => way(each, `v${index}`))
    return wrap(`${written.map(({ before }) => before).join('')}probe ${written.map(({ text }) => text).join(' ')}`)
  })

it('a program gets the words that the reading of the line says it gets', () => {
  const env = { PATH: `${directory}:${process.env['PATH'] ?? ''}`, HOME: directory }
  fc.assert(
    fc.property(line, (source) => {
      const { stdout } = spawnSync('bash', ['--norc', '-c', source], { encoding: 'utf8', cwd: directory, env })
      const { runs } = readShell(source, { cwd: directory, home: directory })
      const probes = runs.filter(({ program }) => program === 'probe')
      expect(probes.map(({ args }) => args.map((arg) => `<${arg}>`).join(''))).toContain(stdout)
    }),
    { numRuns: 150 },
  )
})
