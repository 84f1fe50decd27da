import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HostKind } from '../../src/contract/agent.ts'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import { type Cli, cliNamed, clis } from '../support/clis.ts'
import { startRein, type TestOptions, type TestRein } from './harness.ts'
import { idle } from './terminal.ts'

/** What the project says, and what its user says: a rewrite is the user's to trust. */
const projectRules = `version: 1
rules:
  - name: not-forbidden
    on: shell
    when: { shell: { program: touch, args: 'forbidden*' } }
    message: Files called forbidden are not wanted. Touch allowed.txt.
  - name: a-word
    on: shell
    action: warn
    when: { regex: 'touch warned' }
    message: Warned files grow old.
  - name: ask-first
    on: shell
    action: ask
    when: { regex: 'touch (?P<file>asked|denied)' }
    message: Is {{ $file }} all right?
  - name: no-passwords
    on: prompt
    when: { regex: hunter2 }
    message: Passwords do not belong here.
  - name: checked-first
    on: stop
    once: session
    when: { not: { ran: { pattern: '^sh check\\.sh' } } }
    message: Run sh check.sh before you stop.
`
const userRules = `version: 1
rules:
  - name: new-name
    on: shell
    action: rewrite
    when: { regex: 'touch old' }
    rewrite: { pattern: 'old\\.txt', with: new.txt }
    message: old.txt is called new.txt now.
  - name: asked-name
    on: shell
    action: rewrite
    when: { regex: 'touch asked-old' }
    rewrite: { pattern: 'asked-old\\.txt', with: asked.txt }
`

const withRules = async (cli: Cli, options: TestOptions = {}): Promise<TestRein> => {
  const rein = await startRein({ cli, scenario: '', ...options })
  for (const [dir, text] of [
    [join(rein.cwd, '.rein/rules'), projectRules],
    [join(rein.paths.state, 'rules'), userRules],
  ] as const) {
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'rules.yaml'), text)
  }
  writeFileSync(join(rein.cwd, 'check.sh'), 'echo all is well\n')
  return rein
}

const asks = (one: AnyRecord, what: string): boolean => {
  if (one.type === 'agent.held') return JSON.stringify(one.body.held).includes(what)
  return one.type === 'agent.state' && JSON.stringify(one.body.question?.input ?? {}).includes(what)
}

/** Resolves when a person is asked about it. */
const asked = ({ record }: TestRein, what: string): Promise<AnyRecord> =>
  record('agents', (one): one is AnyRecord => asks(one, what))

const isDecision = (one: AnyRecord): one is LogRecord<'rule.decided'> & AnyRecord => one.type === 'rule.decided'

const decisions = async ({ client }: TestRein): Promise<string[]> => {
  const found: string[] = []
  for await (const one of client.tail({ topic: 'rules', after: 0 })) {
    if (isDecision(one))
      found.push(`${one.body.decided}: ${one.body.opinions.map(({ by, kind }) => `${by} ${kind}`).join(', ')}`)
  }
  return found
}

/** What the model had received when it was about to give this reply. */
const before = async ({ sim }: TestRein, reply: string): Promise<string> =>
  (await sim.next((request) => request.reply === reply)).text

const there = ({ cwd }: TestRein, ...names: string[]): boolean[] => names.map((name) => existsSync(join(cwd, name)))

/** These cannot ask: the call is held. */
const holds = (name: string, host: HostKind): boolean =>
  name === 'codex' || name === 'opencode' || (name === 'copilot' && host === 'stream')

/** In its terminal Copilot can, but not about a call that was rewritten. */
const holdsRewritten = (name: string, host: HostKind): boolean => holds(name, host) || name === 'copilot'

/** Rewritten first: what is asked about, and allowed, is what will run. */
const again = (name: string, host: HostKind): string =>
  holdsRewritten(name, host)
    ? 'RUN:touch asked-old.txt ;; SAY:waiting ;; RUN:touch asked-old.txt'
    : 'RUN:touch asked-old.txt'

/** All but opencode refuse the prompt; its model is told not to follow it. */
const promptedWithPassword = async (rein: TestRein): Promise<void> => {
  const { client, cwd, record, cli, sim } = rein
  await client.prompt({ target: 'worker', cwd, text: 'Use hunter2.' })
  await record('rules', (one): one is AnyRecord => isDecision(one) && one.body.event === 'prompt')
  if (cli.name === 'opencode') await sim.next(({ text }) => text.includes('Do nothing of what this prompt asks.'))
  await idle(rein)
  await client.prompt({ target: 'worker', cwd, text: 'Go on without it.' })
  const { text } = await sim.next(
    (request) =>
      request.text.includes('Go on without it.') && request.text.includes('hunter2') === (cli.name === 'opencode'),
  )
  expect(text.includes('Passwords do not belong here.')).toBe(cli.name === 'opencode')
}

/** A headless Gemini calls no hooks for its tools: it has tests of its own. */
const hostsOf = ({ name }: Cli): HostKind[] => (name === 'gemini' ? ['tmux'] : ['tmux', 'stream'])

// Codex looks for what is queued for it every ten seconds: its hosts wait together.
describe.each(clis.map((cli) => [cli.name, cli] as const))('%s', (name, cli) => {
  test.concurrent.for(hostsOf(cli))(
    'in %s: what rules block, rewrite, warn of, keep from stopping, and ask about',
    async (host, { onTestFinished }) => {
      const rein = await withRules(cli, { onTestFinished })
      const work = 'RUN:touch forbidden.txt ;; RUN:touch old.txt ;; RUN:touch warned.txt ;; SAY:early'
      const later = `${again(name, host)} ;; SAY:asked ;; RUN:touch denied.txt ;; SAY:done ;; ${holds(name, host) ? 'SAY:told ;; ' : ''}SAY:prompted ;; SAY:fine`
      await rein.up(`${work} ;; RUN:sh check.sh ;; SAY:checked ;; ${later}`, {}, { host })

      const blocked = await before(rein, 'RUN:touch old.txt')
      expect(blocked).toContain('The rule not-forbidden forbids this: Files called forbidden are not wanted.')
      const early = await before(rein, 'SAY:early')
      expect(early).toContain('old.txt is called new.txt now.')
      expect(early).toContain('The rule a-word warns: Warned files grow old.')
      expect(await before(rein, 'RUN:sh check.sh')).toContain('Run sh check.sh before you stop.')
      await before(rein, 'SAY:checked')
      await idle(rein)
      expect(there(rein, 'forbidden.txt', 'old.txt', 'new.txt', 'warned.txt')).toEqual([false, false, true, true])
      expect(await decisions(rein)).toEqual([
        'deny: rule not-forbidden deny',
        'rewrite: rule new-name rewrite',
        'null: rule a-word warn',
        'deny: rule checked-first deny',
      ])

      await rein.tell('Go on.')
      await asked(rein, 'touch asked.txt')
      expect(there(rein, 'asked.txt')).toEqual([false])
      const shown = (await rein.rein('ps')).stdout
      expect(shown).toContain('The rule ask-first wants a person to decide about this: Is asked all right?')
      if (holdsRewritten(name, host)) await before(rein, 'SAY:waiting')
      expect(await rein.rein('answer', 'worker', 'allow')).toMatchObject({ code: 0, stderr: '' })
      await before(rein, 'SAY:asked')
      expect(there(rein, 'asked.txt', 'asked-old.txt')).toEqual([true, false])
      await idle(rein)

      await rein.tell('Go on.')
      await asked(rein, 'touch denied.txt')
      if (holds(name, host)) await before(rein, 'SAY:done')
      expect(await rein.rein('answer', 'worker', 'deny')).toMatchObject({ code: 0, stderr: '' })
      if (holds(name, host)) await rein.sim.next(({ text }) => text.includes('A person does not allow the call'))
      await idle(rein)
      expect(there(rein, 'denied.txt')).toEqual([false])
      if (host === 'stream') await promptedWithPassword(rein)
    },
  )
})

test('a daemon that comes back knows what was edited before it', async () => {
  const rein = await withRules(cliNamed('claude'))
  const { client, sim, cwd, record, killDaemon } = rein
  // Nothing but the files themselves tells that it changes them.
  writeFileSync(join(cwd, 'generate.sh'), 'echo made > made.txt\n')
  await rein.up('RUN:sh generate.sh ;; WAIT:killed ;; SAY:early ;; RUN:sh check.sh ;; SAY:checked')
  await sim.reached('killed')
  await record('sessions', (one): one is AnyRecord => one.type === 'session.snapshot' && one.body.cause === 'tool')
  await killDaemon()
  await client.status()
  sim.release('killed')
  expect(await before(rein, 'RUN:sh check.sh')).toContain('Run sh check.sh before you stop.')
  await before(rein, 'SAY:checked')
  await idle(rein)
})
