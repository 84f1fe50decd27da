import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownCommand } from './own-command.ts'

const makeClone = () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rein-own-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const [clone, bin, other] = ['my clone', 'bin', 'other'].map((name) => join(root, name)) as [string, string, string]
  for (const directory of [clone, bin, other]) mkdirSync(directory)
  const program = join(clone, 'rein.cjs')
  for (const file of [program, join(other, 'rein')]) {
    writeFileSync(file, '')
    chmodSync(file, 0o755)
  }
  return { bin, other, program }
}

test('rein, where the PATH leads to this program', () => {
  const { bin, program } = makeClone()
  symlinkSync(program, join(bin, 'rein'))
  expect(ownCommand(program, `/nowhere:${bin}`)).toBe('rein')
  expect(ownCommand(join(bin, 'rein'), bin)).toBe('rein')
})

test('its file, where it is not on the PATH or another rein comes first', () => {
  const { bin, other, program } = makeClone()
  symlinkSync(program, join(bin, 'rein'))
  expect(ownCommand(program, '')).toBe(`'${program}'`)
  expect(ownCommand(program, `${other}:${bin}`)).toBe(`'${program}'`)
  expect(ownCommand(join(other, 'rein'), bin)).toBe(join(other, 'rein'))
})

test('its file, where npx has put it on the PATH of one command', () => {
  const { bin } = makeClone()
  const copy = join(bin, '_npx/3d62')
  mkdirSync(copy, { recursive: true })
  const file = join(copy, 'rein')
  writeFileSync(file, '', { mode: 0o755 })
  expect(ownCommand(file, copy)).toBe(file)
})
