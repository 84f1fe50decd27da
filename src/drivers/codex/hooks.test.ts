import { expect, test } from 'vitest'
import { handler, handlersFor, hookEvents, hookSettings, trustedHash } from './hooks.ts'

const commandFor = (event: string): string => `exec '/home/dev/rein-hook' codex ${event}`
const guardFor = (event: string): string => `exec '/home/dev/rein-guard' codex ${event}`
const commands = { client: commandFor, guard: guardFor }

/** As Codex 0.166.0 itself told them (app-server, hooks/list). */
test.each([
  ['PreToolUse', 'sha256:f27605eed2f0a6fea094e420237991ddbc4b3724cc52e207d8458f248ff80336'],
  ['Stop', 'sha256:2f17272383fcda3499c5a285eaf05d9203eb302f9f2e32992bf5ab3ad5dae444'],
] as const)('the hash by which %s is trusted', (event, hash) => {
  expect(trustedHash(event, handler(event, commandFor(event)))).toBe(hash)
})

test('each hook is a setting of the run, and trusted by its place and hash', () => {
  const settings = hookSettings(commands).filter((arg) => arg !== '-c')
  const state = settings.at(-1) ?? ''
  expect(settings).toHaveLength(hookEvents.length + 1)
  expect(settings).toContain(
    `hooks.Stop=[{"hooks"=[{"type"="command","command"="exec '/home/dev/rein-hook' codex Stop","timeout"=5}]}]`,
  )
  expect(state).toMatch(/^hooks\.state=\{/)
  expect(state).toContain(
    '"/<session-flags>/config.toml:stop:0:0"={"trusted_hash"="sha256:2f17272383fcda3499c5a285eaf05d9203eb302f9f2e32992bf5ab3ad5dae444"}',
  )
  expect(state.match(/trusted_hash/g)).toHaveLength(hookEvents.length + 1)
  const [, guard] = handlersFor('PreToolUse', commands)
  expect(guard).toMatchObject({ command: guardFor('PreToolUse') })
  expect(state).toContain(
    `config.toml:pre_tool_use:0:1"={"trusted_hash"="${guard && trustedHash('PreToolUse', guard)}"}`,
  )
})
