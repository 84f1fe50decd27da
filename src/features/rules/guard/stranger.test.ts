import { expect, test } from 'vitest'
import type { HookCall } from '../../../contract/hooks.ts'
import { readShell } from '../../../base/shell/read.ts'
import { rulesOf, worldOf } from '../../../../test/support/rules-world.ts'
import { strangerVerdict } from './stranger.ts'
import { stopsWithoutDaemon } from './without-daemon.ts'

const rules = `
  - { name: doubtful, on: shell, when: { shell: { program: rm, flags: -r } }, guard: true, message: Not rm. }
  - { name: asking, on: shell, when: { shell: { program: git, subcommand: push } }, action: ask, message: Push later. }
  - { name: sure, on: shell, when: { shell: { program: git, subcommand: push, flags: -f } }, guard: true, message: Not by force. }
`

const verdict = async (command: string, stops?: typeof stopsWithoutDaemon): Promise<string | null> => {
  const set = await rulesOf(rules)
  const call = { tools: [{ name: 'Bash', input: { command } }], event: 'before_tool' } as unknown as HookCall
  const world = worldOf({ readShell: (line, cwd) => readShell(line, { cwd, home: '/home/ada' }) })
  return strangerVerdict(
    {
      rulesFor: () => Promise.resolve({ root: '/p', set }),
      actions: () => ({ actions: [{ kind: 'shell', command, cwd: null }], rewritten: () => null }),
      world: () => world,
      ...(stops === undefined ? {} : { stops }),
    },
    call,
    '/p',
  )
}

test('one rule is named, the one that is sure before those that are in doubt', async () => {
  const said = await verdict('eval "$X"; git push -f', stopsWithoutDaemon)
  expect(said).toContain('Not by force.')
  expect(said).not.toMatch(/doubtful|asking/)
})

test('what only asks stops nobody while a daemon can ask', async () => {
  expect(await verdict('git push')).toBeNull()
  expect(await verdict('git push', stopsWithoutDaemon)).toMatch(/Push later\.[^]*Nobody can be asked/)
})
