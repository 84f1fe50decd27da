import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { tempDir } from '../../../../test/support/builders.ts'
import { type Ground, ground } from './ground.ts'
import { rewriteOf } from './rewrite.ts'

const there = new Set(['/', '/srv', '/srv/app', '/srv/app/src'])
const entryAt: Ground['entryAt'] = (path) => (path.endsWith('.txt') ? 'other' : there.has(path) ? 'directory' : null)
const rewritten = (command: string): string | null => rewriteOf(command, '/srv/app', entryAt)?.command ?? null

test.each([
  ['mkdir src', 'mkdir -p src'],
  ['mkdir  src', 'mkdir -p  src'],
  ['mkdir a/b', 'mkdir -p a/b'],
  ['mkdir a/b && touch a/b/c', 'mkdir -p a/b && touch a/b/c'],
  ['cd src && mkdir ../src && cd ../src', 'cd src && mkdir -p ../src && cd ../src'],
  ['mkdir a/b && cp x.txt a/b && cd a/b', 'mkdir -p a/b && cp x.txt a/b && cd a/b'],
  ['cd src && mkdir y/z', 'cd src && mkdir -p y/z'],
  ['pushd src && mkdir y/z', 'pushd src && mkdir -p y/z'],
  ['mkdir /srv/app new', 'mkdir -p /srv/app new'],
])('%s', (command, better) => {
  expect(rewritten(command)).toBe(better)
})

test.each([
  'mkdir new',
  'mkdir new new/inner',
  'mkdir -p src',
  'mkdir -m 700 src',
  'mkdir "$DIR"',
  'mkdir ~/x/y',
  'mkdir src; make',
  'mkdir src || true',
  'mkdir src && cp a src/a',
  'mkdir src && rm -rf lib',
  'mkdir src && ./migrate',
  'mkdir a/b && ./migrate',
  'mkdir a/b && echo $$ > a/b/pid',
  'mkdir a/b && mkdir a/c',
  'if mkdir src; then ./migrate; fi',
  'mkdir src && ./migrate || echo busy',
  'mkdir /srv/app.lock.d',
  'mkdir a/deploy.LOCK',
  'mkdir a.txt',
  'mkdir a.txt src',
  'mkdir a.txt/b',
  `mkdir src && cd src && cd ${'../src/'.repeat(200)}`,
  'mkdir src && mkdir lib',
  'cd "$X" && mkdir src',
  '! mkdir src',
  'cd src && ! mkdir ../src',
  'mv src lib && mkdir src',
  'git mv src lib && cd .. && mkdir app/src',
  'cd x/y && mkdir z',
  'cd x && mkdir y/z',
  'cd a.txt && mkdir y/z',
  'cd src > log && mkdir y/z',
  '(mkdir src)',
  'echo mkdir src',
  'git add mkdir',
  'mkdir',
])('stays as it is: %s', (command) => {
  expect(rewritten(command)).toBeNull()
})

test('what is there is looked at, not only whether something is', () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'file'), '')
  const found = [dir, join(dir, 'file'), join(dir, 'file/x'), join(dir, 'none')].map(ground.entryAt)
  expect(found).toEqual(['directory', 'other', 'other', null])
})

test('tells why', () => {
  expect(rewriteOf('mkdir src', '/srv/app', entryAt)?.reason).toBe(
    'Rein ran `mkdir -p` in place of `mkdir`: the directory is there already.',
  )
})

test('adds a flag and changes nothing else', () => {
  const part = fc.constantFrom('mkdir', ' ', 'src', 'a/b', '&&', 'cd', 'x', ';', '-p', '"')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
      const command = parts.join(' ')
      const better = rewritten(command)
      expect(better === null || better.replace('mkdir -p', 'mkdir') === command).toBe(true)
    }),
  )
})
