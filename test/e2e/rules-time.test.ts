import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cliNamed } from '../support/clis.ts'
import { startRein, type TestRein } from './harness.ts'

const rules = `version: 1
rules:
  - name: not-forbidden
    on: shell
    when: { regex: touch forbidden }
    message: Files called forbidden are not wanted.
  - name: asked-outside
    on: shell
    when: { all: [{ regex: touch }, { external: { command: [sh, -c, 'sleep 1; ! grep -q bad'] } }] }
    message: The program says no.
  - name: checked-first
    on: stop
    once: session
    when: { not: { ran: { pattern: '^sh check\\.sh' } } }
    message: Run sh check.sh before you stop.
`

/** At half of this the daemon says that it lives, and needs longer. A busy machine misses the usual 200 ms. */
const deadline = { REIN_HOOKS_DEADLINE_MS: '1600' }

/** What the model had received when it was about to give this reply. */
const before = async ({ sim }: TestRein, reply: string): Promise<string> =>
  (await sim.next((request) => request.reply.endsWith(reply))).text

// The others have the same client as Claude Code.
const tried = ['claude', 'copilot', 'opencode'].map((name) => [name, cliNamed(name)] as const)

test.each(tried)(
  '%s: what is blocked is, also by a program that needs longer than half of what hooks wait for, and the gate at the stop holds',
  async (_, cli) => {
    const rein = await startRein({ cli, scenario: '', config: deadline })
    mkdirSync(join(rein.paths.state, 'rules'), { recursive: true })
    writeFileSync(join(rein.paths.state, 'rules/rules.yaml'), rules)
    writeFileSync(join(rein.cwd, 'check.sh'), 'echo all is well\n')
    const work = 'RUN:touch good.txt ;; RUN:touch forbidden.txt ;; RUN:touch bad.txt ;; SAY:early'
    await rein.up(`${work} ;; RUN:sh check.sh ;; SAY:checked`, {}, { host: 'stream' })

    expect(await before(rein, 'RUN:touch bad.txt')).toContain('Files called forbidden are not wanted.')
    expect(await before(rein, 'SAY:early')).toContain('The program says no.')
    expect(await before(rein, 'RUN:sh check.sh')).toContain('Run sh check.sh before you stop.')
    await before(rein, 'SAY:checked')
    const there = ['forbidden.txt', 'bad.txt', 'good.txt'].map((file) => existsSync(join(rein.cwd, file)))
    expect(there).toEqual([false, false, true])
  },
)
