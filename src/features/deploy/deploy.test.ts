import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import type { Deployment } from '../../drivers/contract.ts'
import { type Change, deploy } from './deploy.ts'
import type { Outcome } from './reconcile.ts'
import { readRegister } from './register.ts'
import { readTarget } from './target.ts'
import { Overtaken, writeTarget } from './write-target.ts'

const marker = ' # rein-managed'
let state: string
let project: string
let settings: string
beforeEach(() => {
  state = tempDir()
  project = tempDir()
  settings = join(project, 'settings.json')
})

const ownerOf = (driver: string) => ({ driver, scope: 'project', project }) as const

const change = (driver: string, ...deployments: Deployment[]): Change => ({
  owner: ownerOf(driver),
  installation:
    deployments.length === 0
      ? null
      : { ...ownerOf(driver), cli: '1.0.0', rein: '0.1.0', isShared: false, isOnPath: false, env: {} },
  deployments,
})

const apply = (...changes: Change[]): Promise<Outcome[]> => deploy({ state, dryRun: false }, () => changes)
const whats = (outcomes: readonly Outcome[]): string[] => outcomes.map(({ what }) => what)

const hook = (driver = 'claude', path = settings): Deployment => ({
  kind: 'json-items',
  path,
  at: ['hooks', 'Stop'],
  items: [{ hooks: [{ command: `rein-hook ${driver} Stop${marker}` }] }],
  marker,
})
const block = (path: string, text = 'Listen to Rein.'): Deployment => ({ kind: 'text-block', path, text })
const skill = (content = 'v1', path = join(project, 'skills/a/SKILL.md')): Deployment => ({
  kind: 'file',
  path,
  content,
  executable: false,
})

const read = (path = settings): string => readFileSync(path, 'utf8')

describe('the register', () => {
  test('knows what is where, what was there, and where the original is', async () => {
    writeFileSync(settings, '{"a": 1}')
    await apply(change('claude', hook()))
    const [file] = readRegister(state).files
    expect(file).toMatchObject({
      target: settings,
      made: [['hooks', 'Stop'], ['hooks']],
      parts: [{ owner: ownerOf('claude') }],
    })
    expect(readFileSync(join(state, 'backups', file?.before ?? ''), 'utf8')).toBe('{"a": 1}')
    expect(statSync(join(state, 'backups', file?.before ?? '')).mode & 0o777).toBe(0o600)
    await apply(change('claude'))
    expect(readRegister(state)).toEqual({ format: 1, installations: [], files: [], directories: [] })
    expect(readdirSync(join(state, 'backups'))).toEqual([])
  })

  test('of a newer Rein is refused, not overwritten', async () => {
    writeFileSync(join(state, 'deployments.json'), '{"format": 2}')
    await expect(apply(change('claude', hook()))).rejects.toMatchObject({ code: 'refused' })
    expect(read(join(state, 'deployments.json'))).toBe('{"format": 2}')
    expect(existsSync(settings)).toBe(false)
  })

  test('that says more than was done, because the installer was killed, does no harm', async () => {
    writeFileSync(settings, '{"a": 1}')
    await apply(change('claude', hook()))
    writeFileSync(settings, '{"a": 1}')
    expect(whats(await apply(change('claude')))).toEqual(['unchanged'])
    expect(read()).toBe('{"a": 1}')
  })

  test('that was lost leaves what carries the mark or is exactly Rein’s', async () => {
    writeFileSync(settings, '{"a": 1}')
    await apply(change('claude', hook()))
    const deployed = read()
    writeFileSync(
      join(state, 'deployments.json'),
      JSON.stringify({ ...readRegister(state), files: [], installations: [] }),
    )
    expect(whats(await apply(change('claude', hook())))).toEqual(['unchanged'])
    expect(read()).toBe(deployed)
    await apply(change('claude'))
    expect(JSON.parse(read())).toEqual({ a: 1, hooks: { Stop: [] } })
  })
})

describe('a file of two CLIs', () => {
  test('keeps what one needs when the other’s is taken away', async () => {
    await apply(change('claude', hook('claude')), change('copilot', hook('copilot')))
    await apply(change('claude'))
    expect(read()).toContain('rein-hook copilot')
    expect(read()).not.toContain('rein-hook claude')
    await apply(change('copilot'))
    expect(existsSync(settings)).toBe(false)
  })

  test('holds one block of instructions, also if one path is a link to the other', async () => {
    const [agents, claude] = [join(project, 'AGENTS.md'), join(project, 'CLAUDE.md')]
    writeFileSync(agents, '# Rules\n')
    symlinkSync('AGENTS.md', claude)
    await apply(change('codex', block(agents)), change('claude', block(claude)))
    expect(read(agents)).toBe('# Rules\n\n<!-- rein:begin -->\nListen to Rein.\n<!-- rein:end -->\n')
    await apply(change('codex'))
    expect(read(claude)).toContain('Listen to Rein.')
    await apply(change('claude'))
    expect(read(agents)).toBe('# Rules\n')
  })
})

describe('what somebody edited since', () => {
  test('keeps the edit, and loses only what is Rein’s', async () => {
    writeFileSync(settings, '{\n  "a": 1\n}\n')
    await apply(change('claude', hook()))
    writeFileSync(settings, read().replace('"a": 1,', '"a": 2, // mine'))
    expect(whats(await apply(change('claude')))).toEqual(['cleaned'])
    expect(read()).toBe('{\n  "a": 2 // mine\n}\n')
  })

  test('a hook that was put beside Rein’s survives', async () => {
    await apply(change('claude', hook()))
    const theirs = { command: '/opt/rein/mine # rein-managed by hand' }
    const data = JSON.parse(read()) as { hooks: { Stop: { hooks: object[] }[] } }
    data.hooks.Stop[0]?.hooks.push(theirs)
    writeFileSync(settings, JSON.stringify(data))
    await apply(change('claude'))
    expect(JSON.parse(read())).toEqual({ hooks: { Stop: [{ hooks: [theirs] }] } })
  })

  test('a word in a list is Rein’s only if it is the very word', async () => {
    const word = '.opencode/rein.md'
    writeFileSync(settings, '{"instructions": ["docs/.opencode/rein.md"]}')
    await apply(
      change('opencode', {
        kind: 'json-items',
        path: settings,
        at: ['instructions'],
        items: [word],
        marker: 'rein.md',
      }),
    )
    expect(JSON.parse(read())).toEqual({ instructions: ['docs/.opencode/rein.md', word] })
    writeFileSync(settings, `${read()}\n`)
    await apply(change('opencode'))
    expect(read()).toBe('{"instructions": ["docs/.opencode/rein.md"]}\n')
  })

  test('a key that was changed stays and is named', async () => {
    const key: Deployment = { kind: 'json-key', path: settings, at: ['mcpServers', 'rein'], value: { command: 'rein' } }
    await apply(change('claude', key, hook()))
    writeFileSync(settings, read().replace('"command": "rein"', '"command": "mine"'))
    const [outcome] = await apply(change('claude'))
    expect(outcome).toMatchObject({ what: 'cleaned', reason: expect.stringContaining('mcpServers.rein') })
    expect(JSON.parse(read())).toEqual({ mcpServers: { rein: { command: 'mine' } } })
  })

  test('a skill that was changed is neither overwritten nor removed', async () => {
    const path = join(project, 'skills/a/SKILL.md')
    await apply(change('claude', skill()))
    writeFileSync(path, 'better')
    expect(whats(await apply(change('claude', skill('v2'))))).toEqual(['refused'])
    expect(whats(await apply(change('claude')))).toEqual(['refused'])
    expect(read(path)).toBe('better')
  })

  test('a file that was deleted comes back by setup only', async () => {
    await apply(change('claude', skill()))
    const path = join(project, 'skills/a/SKILL.md')
    await apply(change('claude', skill('v2')))
    expect(read(path)).toBe('v2')
    expect(whats(await apply(change('claude')))).toEqual(['removed'])
    expect(whats(await apply(change('claude')))).toEqual([])
  })
})

describe('around the file', () => {
  test('directories that were made go, unless somebody uses them', async () => {
    await apply(change('claude', skill(), hook('claude', join(project, 'skills/settings.json'))))
    writeFileSync(join(project, 'skills/mine'), '')
    await apply(change('claude'))
    expect(readdirSync(join(project, 'skills'))).toEqual(['mine'])
    await apply(change('claude', skill('v1', join(project, 'other/a/SKILL.md'))))
    await apply(change('claude'))
    expect(readdirSync(project)).toEqual(['skills'])
  })

  test('links and modes stay', async () => {
    mkdirSync(join(project, 'dotfiles'))
    writeFileSync(join(project, 'dotfiles/settings'), '{}', { mode: 0o604 })
    symlinkSync('dotfiles/settings', settings)
    await apply(change('claude', hook()))
    expect(read(join(project, 'dotfiles/settings'))).toContain(marker)
    expect(statSync(settings).mode & 0o777).toBe(0o604)
    expect(readdirSync(project)).toEqual(['dotfiles', 'settings.json'])
  })

  test('what a killed installer left is removed after a while', async () => {
    const draft = (name: string): string => join(project, `.settings.json.${name}.tmp`)
    const [old, young] = [draft('12345678-1234-4123-8123-123456789abc'), draft('22345678-1234-4123-8123-123456789abc')]
    for (const file of [old, young, draft('mine')]) writeFileSync(file, '')
    for (const file of [old, draft('mine')]) utimesSync(file, 1, 1)
    await apply(change('claude', hook()))
    expect([old, young, draft('mine')].map((file) => existsSync(file))).toEqual([false, true, true])
  })

  test('a dry run shows what would change, and changes nothing', async () => {
    writeFileSync(settings, '{}\n')
    const [outcome] = await deploy({ state, dryRun: true }, () => [change('claude', hook())])
    expect(outcome?.diff).toContain(`--- ${settings}\n+++ ${settings}\n@@ -1,1 +1,`)
    expect(read()).toBe('{}\n')
    expect(existsSync(join(state, 'deployments.json'))).toBe(false)
  })
})

describe('somebody else writes at the same time', () => {
  test('what was not read is not replaced', async () => {
    writeFileSync(settings, '{}')
    const before = readTarget(settings)
    writeFileSync(settings, '{"theirs": 1}')
    await expect(writeTarget(settings, before, Buffer.from('{"ours": 1}'), 0o644)).rejects.toThrow(Overtaken)
    expect(read()).toBe('{"theirs": 1}')
    expect(readdirSync(project)).toEqual(['settings.json'])
  })

  test('both edits are kept', async () => {
    writeFileSync(settings, '{}')
    let isOvertaken = false
    const { items, ...rest } = hook() as Extract<Deployment, { kind: 'json-items' }>
    const slow: Deployment = {
      ...rest,
      get items() {
        if (!isOvertaken) writeFileSync(settings, '{"theirs": 1}')
        isOvertaken = true
        return items
      },
    }
    expect(whats(await apply(change('claude', slow)))).toEqual(['changed'])
    expect(JSON.parse(read())).toMatchObject({ theirs: 1, hooks: { Stop: items } })
    await apply(change('claude'))
    expect(read()).toBe('{"theirs": 1}')
  })
})
