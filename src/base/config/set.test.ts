import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { parse } from 'smol-toml'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setSetting, unsetSetting } from './set.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'rein-set-'))
  file = path.join(dir, 'rein/config.toml')
  mkdirSync(path.dirname(file))
})
afterEach(() => {
  rmSync(dir, { recursive: true })
})

const text = (): string => readFileSync(file, 'utf8')
const mode = (): number => statSync(file).mode & 0o777

describe('a file that is not there', () => {
  test('is made, with its directory, for the user alone', async () => {
    rmSync(path.dirname(file), { recursive: true })
    expect(await setSetting(file, 'hooks.deadline_ms', '300')).toBe(300)
    expect(text()).toBe('[hooks]\ndeadline_ms = 300\n')
    expect([statSync(path.dirname(file)).mode & 0o777, mode()]).toEqual([0o700, 0o600])
  })
})

describe('a file that is there', () => {
  test('keeps a duration as it was typed', async () => {
    expect(await setSetting(file, 'hooks.deadline_ms', '1.5s')).toBe(1500)
    expect(text()).toBe('[hooks]\ndeadline_ms = "1.5s"\n')
  })

  test.each([
    ['[hooks]\ndeadline_ms = 1 # slow\n', '[hooks]\ndeadline_ms = 300 # slow\n'],
    ['hooks.deadline_ms=1', 'hooks.deadline_ms=300'],
    ['[hooks]\r\n\tdeadline_ms\t=\t1\r\n', '[hooks]\r\n\tdeadline_ms\t=\t300\r\n'],
    ['[hooks]\n"deadline_ms" = 1', '[hooks]\n"deadline_ms" = 300'],
    ['[hooks]\ndeadline_ms = """\nfast"""\n', '[hooks]\ndeadline_ms = 300\n'],
    [
      '[hooks]\n  transport = "http" # why\n\n# end\n',
      '[hooks]\n  transport = "http" # why\n  deadline_ms = 300\n\n# end\n',
    ],
    ['[hooks] # mine', '[hooks] # mine\ndeadline_ms = 300\n'],
    ['[hooks]\n[log]\nlevel = "warn"\n', '[hooks]\ndeadline_ms = 300\n[log]\nlevel = "warn"\n'],
    [
      'a = 1\r\n[log]\r\nlevel = "warn"\r\n',
      'a = 1\r\n[log]\r\nlevel = "warn"\r\n\r\n[hooks]\r\ndeadline_ms = 300\r\n',
    ],
    ['hooks.transport = "http"\n[log]\n', 'hooks.transport = "http"\nhooks.deadline_ms = 300\n[log]\n'],
    ['[log]\nlevel = "warn"', '[log]\nlevel = "warn"\n\n[hooks]\ndeadline_ms = 300\n'],
    ['x = """\n[hooks]\n"""\n', 'x = """\n[hooks]\n"""\n\n[hooks]\ndeadline_ms = 300\n'],
    ['[hooks.mine]\na = 1\n', '[hooks.mine]\na = 1\n\n[hooks]\ndeadline_ms = 300\n'],
    ['\uFEFF[hooks]\ndeadline_ms = 1\n', '\uFEFF[hooks]\ndeadline_ms = 300\n'],
    ['', '[hooks]\ndeadline_ms = 300\n'],
  ])('%j keeps all but the one value', async (before, after) => {
    writeFileSync(file, before)
    await setSetting(file, 'hooks.deadline_ms', '300')
    expect(text()).toBe(after)
  })

  test.each([
    ['agents.model', 'opus "4" \\ 日本', 'opus "4" \\ 日本'],
    ['agents.model', '', ''],
    ['hooks.transport', 'http', 'http'],
  ])('%s is written as TOML reads it: %s', async (key, value, read) => {
    await setSetting(file, key, value)
    const [group = '', name = ''] = key.split('.')
    expect(parse(text())).toEqual({ [group]: { [name]: read } })
  })

  test('its mode and its being a link stay', async () => {
    const target = path.join(dir, 'dotfiles.toml')
    writeFileSync(target, 'a = 1\n')
    chmodSync(target, 0o644)
    symlinkSync(target, file)
    await setSetting(file, 'log.level', 'debug')
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(parse(readFileSync(target, 'utf8'))).toEqual({ a: 1, log: { level: 'debug' } })
    expect(mode()).toBe(0o644)
  })
})

describe('refusals change nothing', () => {
  test.each([
    ['[hooks\nx = 1', 'hooks.deadline_ms', '300', 'invalid_config', ':1:7: not valid TOML'],
    ['hooks = { transport = "http" }\n', 'hooks.deadline_ms', '300', 'refused', ':1:1: cannot be changed in place'],
    ['[[hooks]]\ndeadline_ms = 1\n', 'hooks.deadline_ms', '300', 'refused', 'without changing its meaning'],
    ['hooks = 1\n', 'hooks.deadline_ms', '300', 'refused', ':1:1: cannot be changed in place'],
    [
      'a = 1\n',
      'hooks.deadline_ms',
      'soon',
      'usage',
      'a duration from 50ms to 10s, like 30s or 10m; a plain number is milliseconds, not "soon"',
    ],
    ['a = 1\n', 'hooks.dedline_ms', '300', 'usage', 'There is no setting "hooks.dedline_ms"'],
  ])('%j with %s = %s', async (before, key, value, code, message) => {
    writeFileSync(file, before)
    await expect(setSetting(file, key, value)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
    expect(text()).toBe(before)
    expect(readdirSync(path.dirname(file))).toEqual(['config.toml'])
  })

  test('a misspelt setting is answered with the one that was meant', async () => {
    await expect(setSetting(file, 'hooks.dedline_ms', '300')).rejects.toMatchObject({
      hint: 'Did you mean hooks.deadline_ms?',
    })
  })
})

describe('taking a setting out', () => {
  test.each([
    ['# mine\n[hooks]\ndeadline_ms = 1 # slow\ntransport = "http"\n', '# mine\n[hooks]\ntransport = "http"\n'],
    ['[hooks]\r\n  deadline_ms = 1\r\n\r\n[log]\r\n', '[hooks]\r\n\r\n[log]\r\n'],
    ['a = 1\nhooks.deadline_ms=1', 'a = 1\n'],
    ['hooks.deadline_ms = 1\nhooks.transport = "http"\n', 'hooks.transport = "http"\n'],
    ['[hooks]\ndeadline_ms = """\nfast"""\nx = 1', '[hooks]\nx = 1'],
    ['\uFEFFhooks.deadline_ms = 1\na = 2\n', '\uFEFFa = 2\n'],
  ])('from %j keeps all but its line', async (before, after) => {
    writeFileSync(file, before)
    expect(await unsetSetting(file, 'hooks.deadline_ms')).toBe(true)
    expect(text()).toBe(after)
    expect(await unsetSetting(file, 'hooks.deadline_ms')).toBe(false)
    expect(text()).toBe(after)
  })

  test('that was never set, or where there is no file, changes nothing', async () => {
    expect(await unsetSetting(file, 'hooks.deadline_ms')).toBe(false)
    expect(readdirSync(path.dirname(file))).toEqual([])
    writeFileSync(file, '[log]\ndeadline_ms = 1\n')
    expect(await unsetSetting(file, 'hooks.deadline_ms')).toBe(false)
    await expect(unsetSetting(file, 'hooks.dedline_ms')).rejects.toMatchObject({
      hint: 'Did you mean hooks.deadline_ms?',
    })
  })

  test.each(['hooks = { deadline_ms = 1, transport = "http" }\n'])('from %j has to be done by hand', async (before) => {
    writeFileSync(file, before)
    await expect(unsetSetting(file, 'hooks.deadline_ms')).rejects.toMatchObject({
      code: 'refused',
      hint: expect.stringContaining('by hand'),
    })
    expect(text()).toBe(before)
  })
})

const foreignLine = fc.oneof(
  fc.stringMatching(/^# [ -~]{0,20}$/),
  fc.constantFrom('', '   ', '\t'),
  fc
    .tuple(
      fc.stringMatching(/^[a-z]{6,9}$/),
      fc.oneof(
        fc.string().map((each) => JSON.stringify(each)),
        fc.nat().map(String),
      ),
    )
    .map(([name, value]) => `${name} = ${value} # [hooks]`),
  fc.constantFrom('list = [ # ]\n  "[hooks]",\n]', 'block = """\n[hooks]\ndeadline_ms = 5\n"""', "raw = '''\n'''"),
)
const ours = fc.constantFrom('transport = "http"', 'deadline_ms = 7', '# deadline_ms = 8', 'deadline_ms = 9 # old')
const table = (header: string) => fc.array(foreignLine, { maxLength: 3 }).map((lines) => [header, ...lines].join('\n'))
const hooksTable = fc
  .tuple(fc.array(foreignLine, { maxLength: 2 }), ours, fc.array(foreignLine, { maxLength: 2 }))
  .map(([above, own, below]) => ['[hooks]', ...above, own, ...below].join('\n'))
const document = fc
  .tuple(
    fc.array(foreignLine, { maxLength: 3 }),
    table('[other]'),
    fc.option(hooksTable),
    table('[[list]]'),
    fc.boolean(),
  )
  .map(([top, other, hooks, list, windows]) => {
    const lines = [...top, other, ...(hooks === null ? [] : [hooks]), list].join('\n')
    return windows ? lines.replaceAll('\n', '\r\n') : lines
  })
  .filter((toml) => {
    try {
      parse(toml)
      return true
    } catch {
      return false
    }
  })

test('any file: only this value changes, every other line stays, and a second time changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(document, async (before) => {
      writeFileSync(file, before)
      await setSetting(file, 'hooks.deadline_ms', '300')
      const after = text()
      const { hooks, ...rest } = parse(before)
      expect(parse(after)).toEqual({ ...rest, hooks: { ...(hooks as object), deadline_ms: 300 } })
      const isOurs = (line: string): boolean => /^deadline_ms = \d+|^$|^\[hooks\]$/.test(line)
      const foreign = (toml: string): string[] => toml.split(/\r?\n/).filter((line) => !isOurs(line))
      expect(foreign(after)).toEqual(foreign(before))
      await setSetting(file, 'hooks.deadline_ms', '300')
      expect(text()).toBe(after)
      expect(await unsetSetting(file, 'hooks.deadline_ms')).toBe(true)
      const { deadline_ms: _, ...members } = { ...(hooks as { deadline_ms?: number }) }
      expect(parse(text())).toEqual({ ...rest, hooks: members })
      expect(foreign(text())).toEqual(foreign(before))
    }),
  )
})
