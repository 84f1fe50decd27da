import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assets, guarded } from './assets.ts'
import { capabilities, hearsHooksTogether, hookEvents, minVersion } from './capabilities.ts'

const programs = join(import.meta.dirname, '../../../bin')
const skills = join(import.meta.dirname, '../../../skills')
const socket = { kind: 'socket' as const, url: 'http://127.0.0.1:4000' }
const http = { ...socket, kind: 'http' as const }

interface Hooks {
  hooks: Record<string, { hooks: Record<string, unknown>[] }[]>
}
const files = (version: string, transport: typeof socket | typeof http = socket) =>
  assets({ version, host: 'stream', programs, skills, transport })
const hooksOf = (version: string, transport?: typeof socket | typeof http): Hooks['hooks'] =>
  (JSON.parse(files(version, transport).find(({ path }) => path === 'hooks/hooks.json')?.content ?? '') as Hooks).hooks
const handlers = (hooks: Hooks['hooks']) =>
  Object.entries(hooks).map(([event, [group]]) => ({ event, handler: group?.hooks[0] ?? {} }))

describe.each([minVersion, '2.1.100', '2.1.197', '2.2.0', '3.0.0'])('version %s', (version) => {
  test('asks for the events that it knows, and no others', () => {
    expect(Object.keys(hooksOf(version))).toEqual(hookEvents(version))
    expect(new Set(hookEvents(version)).size).toBe(hookEvents(version).length)
  })

  test('a tool call makes two hook events, not more', () => {
    const perCall = ['PreToolUse', 'PostToolUse', 'PostToolBatch'].filter((event) =>
      hookEvents(version).includes(event),
    )
    expect(perCall).toHaveLength(2)
    expect(perCall.includes('PostToolBatch')).toBe(capabilities(version, 'stream').afterBatch)
  })

  const isInOne = (event: string): boolean => event === guarded && !hearsHooksTogether(version)

  test('an old one has guard and client in one hook: of two it may lose the reason', () => {
    const before = handlers(hooksOf(version)).filter(({ event }) => event === guarded)
    const named = before.map(({ handler }) =>
      ['rein-guard', 'rein-hook'].filter((name) => JSON.stringify(handler).includes(name)),
    )
    expect(named[0]).toEqual(isInOne(guarded) ? ['rein-guard', 'rein-hook'] : ['rein-hook'])
  })

  test('the client is run by the CLI itself: nothing stands between them', () => {
    for (const { event, handler } of handlers(hooksOf(version)).filter((one) => !isInOne(one.event)))
      expect(handler).toEqual({
        type: 'command',
        command: `exec "\${CLAUDE_PLUGIN_ROOT}/rein-hook" claude ${event}`,
        timeout: expect.any(Number),
      })
  })
})

test('an old version is not asked for what it does not know: one such name switches all hooks off', () => {
  expect(hookEvents(minVersion)).not.toContain('PostToolBatch')
  expect(hookEvents(minVersion)).toContain('PostToolUseFailure')
})

test('by HTTP everything but the start, which tells whose process it is; the token is a variable, not a text', () => {
  for (const { event, handler } of handlers(hooksOf('2.1.197', http))) {
    expect(handler['type']).toBe(event === 'SessionStart' ? 'command' : 'http')
    if (event === 'SessionStart') continue
    expect(handler['url']).toBe(`http://127.0.0.1:4000/v1/hooks/claude/${event}`)
    expect(handler['headers']).toEqual({ authorization: 'Bearer $REIN_TOKEN' })
    expect(handler['allowedEnvVars']).toEqual(['REIN_TOKEN'])
  }
})

test('a version without HTTP hooks keeps to the client', () => {
  expect(hooksOf(minVersion, http)).toEqual(hooksOf(minVersion))
})

test('a plugin: its description, its hooks, the client', () => {
  const [plugin, , client] = files('2.1.197')
  expect(plugin).toMatchObject({ path: '.claude-plugin/plugin.json', executable: false })
  expect(JSON.parse(plugin?.content ?? '')).toMatchObject({ name: 'rein', version: expect.any(String) })
  expect(client).toMatchObject({
    path: 'rein-hook',
    executable: true,
    content: expect.stringMatching(/^#!\/bin\/sh\n/),
  })
})

test('only what was tried is called proven', () => {
  expect(capabilities('2.1.197', 'tmux').proven).toBe(true)
  expect(capabilities('2.1.198', 'tmux').proven).toBe(false)
})
