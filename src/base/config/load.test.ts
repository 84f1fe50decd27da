import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ConfigSources, loadConfig } from './load.ts'
import { settings } from './settings.ts'

let dir: string
let userFile: string
let projectFile: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'rein-config-'))
  userFile = path.join(dir, 'config.toml')
  projectFile = path.join(dir, 'project/.rein/config.toml')
  mkdirSync(path.dirname(projectFile), { recursive: true })
})
afterEach(() => {
  rmSync(dir, { recursive: true })
})

const load = (sources: Partial<ConfigSources> = {}) =>
  loadConfig({ paths: { config: userFile }, projectDir: path.join(dir, 'project'), env: {}, ...sources })

const invalid = (message: string) => ({ code: 'invalid_config', message })

describe('values and where they come from', () => {
  test('without any source all are defaults', async () => {
    const { config, warnings } = await load()
    expect(config).toEqual(
      Object.fromEntries(settings.map((each) => [each.key, { value: each.default, source: 'default' }])),
    )
    expect(warnings).toEqual([])
  })

  test('the later source wins: default, user, project, environment, flag', async () => {
    const value = async (sources: Partial<ConfigSources> = {}) => (await load(sources)).config['agents.model']
    writeFileSync(userFile, '# mine\n[agents]\nmodel = "one"\n')
    expect(await value()).toEqual({ value: 'one', source: 'user', file: userFile, line: 3 })
    writeFileSync(projectFile, 'agents.model = "two"')
    expect(await value()).toEqual({ value: 'two', source: 'project', file: projectFile, line: 1 })
    const env = { REIN_AGENTS_MODEL: 'three' }
    expect(await value({ env })).toEqual({ value: 'three', source: 'env' })
    expect(await value({ env, flags: { 'agents.model': 'four' } })).toEqual({ value: 'four', source: 'flag' })
  })

  test('a typed value comes out typed', async () => {
    writeFileSync(userFile, 'hooks = { transport = "http", deadline_ms = 300 }\nagents.model = ""\n')
    const { config } = await load()
    const transport: 'socket' | 'http' = config['hooks.transport'].value
    const deadline: number = config['hooks.deadline_ms'].value
    const model: string | null = config['agents.model'].value
    expect([transport, deadline, model]).toEqual(['http', 300, null])
    expect(config['hooks.deadline_ms'].line).toBe(1)
  })

  test('an empty variable is one that is not set', async () => {
    const { config } = await load({ env: { REIN_INBOX_LIMIT: '', REIN_AGENTS_MODEL: '' } })
    expect([config['inbox.limit'].source, config['agents.model'].source]).toEqual(['default', 'default'])
  })

  test('without a project directory only the user speaks', async () => {
    writeFileSync(projectFile, 'agents.model = "theirs"')
    expect((await load({ projectDir: undefined })).config['agents.model'].value).toBeNull()
  })
})

describe('warnings', () => {
  test('an unknown setting, with the one that was meant', async () => {
    writeFileSync(userFile, '[hook]\ndeadline_ms = 1\n[colours]\nfavourite = "red"\n')
    expect((await load()).warnings).toEqual([
      `${userFile}:2:1: hook.deadline_ms is not a setting; did you mean hooks.deadline_ms?`,
      `${userFile}:4:1: colours.favourite is not a setting`,
    ])
  })

  test('a project that wants to decide what it must not: ignored, even if it is invalid', async () => {
    writeFileSync(projectFile, '[claude]\npath = "./evil"\n[hooks]\n  transport = 5\n[agents]\nmodel = "opus"\n')
    const { config, warnings } = await load()
    expect(warnings).toEqual([
      `${projectFile}:2:1: claude.path is ignored: it can only be set in your own config`,
      `${projectFile}:4:3: hooks.transport is ignored: it can only be set in your own config`,
    ])
    expect(config['claude.path']).toEqual({ value: null, source: 'default' })
    expect(config['agents.model'].value).toBe('opus')
  })

  test('what only the daemon reads, which belongs to no project', async () => {
    const keys = ['agents.context_window', 'context.warn_at', 'context.handover_at', 'context.rotate_at'] as const
    writeFileSync(projectFile, [...keys, 'inbox.ack_deadline_s'].map((key) => `${key} = 1`).join('\n'))
    const { config, warnings } = await load()
    expect(warnings).toHaveLength(5)
    expect(keys.map((key) => config[key].source)).toEqual(keys.map(() => 'default'))
  })

  test('a quoted name with a dot in it is another name, and reaches no terminal raw', async () => {
    writeFileSync(userFile, '"inbox.limit" = 5\n"\\u001b[31m\\u009b" = 1\n__proto__.x = 1\n')
    const { config, warnings } = await load()
    expect(config['inbox.limit'].source).toBe('default')
    expect(warnings).toEqual([
      `${userFile}:1:1: "inbox.limit" is not a setting; did you mean inbox.limit?`,
      expect.not.stringMatching(/\p{Cc}/u),
      `${userFile}:3:1: __proto__.x is not a setting`,
    ])
  })
})

describe('errors', () => {
  test('every invalid value is named with place, key and what was expected', async () => {
    writeFileSync(userFile, '[hooks]\ndeadline_ms = "fast" # hm\ntransport = "pigeon"\n')
    await expect(load({ env: { REIN_LOG_LEVEL: 'loud' }, flags: { 'inbox.limit': '-1' } })).rejects.toMatchObject(
      invalid(
        [
          `${userFile}:2:1: hooks.deadline_ms must be a duration from 50ms to 10s, like 30s or 10m; a plain number is milliseconds, not "fast".`,
          `${userFile}:3:1: hooks.transport must be one of socket, http, not "pigeon".`,
          'REIN_LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, not "loud".',
          'inbox.limit must be a whole number from 1 to 1000000, not "-1".',
        ].join('\n'),
      ),
    )
  })

  test.each([
    ['[hooks\n', ':1:7: not valid TOML: illegal character in key.'],
    ['a = 1\na = 2\n', ':2:1: not valid TOML: trying to redefine an already defined table or value.'],
    ['x = 9007199254740993', ':1:5: not valid TOML: integer value cannot be represented losslessly.'],
  ])('TOML that cannot be parsed is named with line and column: %j', async (text, message) => {
    writeFileSync(userFile, text)
    await expect(load()).rejects.toMatchObject(invalid(expect.stringContaining(userFile + message)))
  })

  test('a file that is not UTF-8', async () => {
    writeFileSync(userFile, Buffer.from('agents.model = "\xe9"', 'latin1'))
    await expect(load()).rejects.toMatchObject(invalid(`${userFile} is not valid UTF-8.`))
  })

  test.each(['directory', 'FIFO'])('a %s in place of the file', async (kind) => {
    if (kind === 'directory') mkdirSync(projectFile)
    else execFileSync('mkfifo', [projectFile])
    await expect(load()).rejects.toMatchObject(invalid(`${projectFile} is not a regular file.`))
  })

  test('a file without end', async () => {
    writeFileSync(projectFile, '')
    truncateSync(projectFile, 2 ** 30)
    await expect(load()).rejects.toMatchObject(invalid(`${projectFile} has over 1048576 bytes.`))
  })
})
