/** The promises of docs/promises.md, each with the real Claude Code. The states of a receipt have `delivery.test.ts`. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import type { AnyRecord } from '../../src/contract/record.ts'
import { envOf, programOf } from '../support/clis.ts'
import { shownIn, startRein, type TestRein, usualDeadline } from '../e2e/harness.ts'
import { killProcess } from '../support/kill.ts'
import { hasTmux } from '../support/abilities.ts'
import { changedFiles, hashFiles, writeFiles } from './file-hashes.ts'
import { addGuard, filesThere, guardCompiled, guardRule } from './guarded.ts'
import { mostShown, requestBefore } from './model.ts'

test('directives come in order of priority, and again until they are acknowledged, expired or cancelled', async () => {
  const rein = await startRein({ scenario: '', config: { REIN_INBOX_ACK_DEADLINE_S: '1' } })
  const { sim, client, tell, reached } = rein
  await rein.up('WAIT:told ;; RUN:echo work ;; RUN:rein ack $(cat high.txt) ;; SAY:done')
  await sim.reached('told')
  const low = await tell('Low.', { priority: 'low' })
  await tell('Normal.')
  const high = await tell('High.', { priority: 'high' })
  const cancelled = await tell('Cancelled.', { priority: 'high' })
  const expired = await tell('Expired.', { priority: 'high', expiresInMs: 1 })
  writeFileSync(join(rein.cwd, 'high.txt'), high.id)
  expect((await client.cancel({ id: cancelled.id })).state).toBe('cancelled')
  expect((await reached(expired.id, 'closed')).state).toBe('expired')
  sim.release('told')

  const first = await requestBefore(rein, 'RUN:rein ack')
  expect(first.newText.match(/^\| (?:High|Normal|Low)\.$/gm)).toEqual(['| High.', '| Normal.', '| Low.'])
  await reached(high.id, 'acked')
  const again = await sim.next(({ newText }) => newText.includes('| Low.'), first.index + 1)
  expect(shownIn(again, low.id)).toBeGreaterThan(1)
  const { steps } = await client.receipt({ id: low.id })
  expect(steps.filter(({ reason }) => reason === 'ack_overdue').map(({ state }) => state)).toContain('queued')
  expect(sim.requests.slice(first.index + 1).filter(({ newText }) => newText.includes('| High.'))).toEqual([])
  expect([cancelled, expired].map(({ id }) => mostShown(rein, id))).toEqual([0, 0])
})

/** Resolves when the headless agent has written to its output that it asks for this, whether or not anybody reads it. */
const agentAsks = async ({ paths }: TestRein, text: string): Promise<void> => {
  const agents = join(paths.state, 'agents')
  const [id = ''] = readdirSync(agents)
  const output = join(agents, id, 'stream.ndjson')
  const isWritten = (): boolean =>
    readFileSync(output, 'utf8')
      .split('\n')
      .some((line) => line.includes('can_use_tool') && line.includes(text))
  await new Promise<void>((resolve) => {
    const watcher = watch(output, () => {
      if (isWritten()) resolve()
    })
    onTestFinished(() => watcher.close())
    if (isWritten()) resolve()
  })
}

/** What the model receives after each step but the first, from a Claude Code that Rein has no part in. */
const receivedWithoutRein = async ({ cli, cwd, home, sim }: TestRein, prompt: string): Promise<string[]> => {
  const before = sim.requests.length
  const running = promisify(execFile)(programOf(cli), ['--print', prompt], { cwd, env: envOf(cli, home, sim.url) })
  running.child.stdin?.end()
  await running
  const received = sim.requests.slice(before).filter(({ isMain }) => isMain)
  return received.slice(1).map(({ newText }) => newText)
}

const asksFor = ({ record }: TestRein, command: string): Promise<AnyRecord> =>
  record(
    'agents',
    (one): one is AnyRecord => one.type === 'agent.state' && one.body.question?.input['command'] === command,
  )

const answer = async ({ client, cwd }: TestRein, said: string): Promise<void> => {
  await client.answer({ target: 'worker', cwd, answer: said })
}

/** Stops the daemon as a debugger would: it lives, keeps its socket, and answers nobody. */
const freezeDaemon = async ({ client }: TestRein): Promise<{ thaw: () => void }> => {
  const { pid } = await client.status()
  let isFrozen = true
  const thaw = (): void => {
    if (isFrozen) killProcess(pid, 'SIGCONT')
    isFrozen = false
  }
  killProcess(pid, 'SIGSTOP')
  // After a test that fails meanwhile, the daemon has to end as always.
  onTestFinished(thaw)
  return { thaw }
}

test('hooks change nothing and answer no permission prompt while the daemon is stopped or dead', async () => {
  const rein = await startRein({ scenario: '', config: usualDeadline })
  const { sim, tell } = rein
  const steps = ['stopped', 'dead'].map((how) => `WAIT:${how} ;; RUN:echo work-${how} ;; RUN:touch ${how}.txt`)
  await rein.up(`${steps.join(' ;; ')} ;; SAY:done`, { autoApprove: false })

  await sim.reached('stopped')
  // A hook that reached the daemon would add this to the conversation.
  await tell('Rein is stopped.')
  const { thaw } = await freezeDaemon(rein)
  sim.release('stopped')
  const whenStopped = await requestBefore(rein, 'RUN:touch stopped.txt')
  await Promise.race([agentAsks(rein, 'touch stopped.txt'), sim.reached('dead')])
  expect(filesThere(rein, 'stopped.txt')).toEqual([])
  thaw()
  await asksFor(rein, 'touch stopped.txt')
  await answer(rein, 'allow')

  await sim.reached('dead')
  await tell('Rein is dead.')
  await rein.killDaemon()
  sim.release('dead')
  const whenDead = await requestBefore(rein, 'RUN:touch dead.txt')
  await Promise.race([agentAsks(rein, 'touch dead.txt'), requestBefore(rein, 'SAY:done')])
  expect(filesThere(rein, 'stopped.txt', 'dead.txt')).toEqual(['stopped.txt'])

  const received = await receivedWithoutRein(rein, 'RUN:echo work-stopped ;; RUN:echo work-dead ;; SAY:without')
  expect([whenStopped, whenDead].map(({ newText }) => newText)).toEqual(received)
  await asksFor(rein, 'touch dead.txt')
  await answer(rein, 'allow')
  await requestBefore(rein, 'SAY:done')
  expect(filesThere(rein, 'dead.txt')).toEqual(['dead.txt'])
})

test('guards fail closed while the daemon is stopped or dead', async () => {
  const rein = await startRein({ scenario: '', config: usualDeadline })
  const { sim } = rein
  addGuard(rein)
  const steps = ['stopped', 'dead'].map(
    (how) => `WAIT:${how} ;; RUN:touch fine-${how}.txt ;; RUN:touch forbidden-${how}.txt`,
  )
  await rein.up(`${steps.join(' ;; ')} ;; SAY:done`)
  await guardCompiled(rein)

  await sim.reached('stopped')
  const { thaw } = await freezeDaemon(rein)
  sim.release('stopped')
  const whenStopped = await requestBefore(rein, 'WAIT:dead')
  thaw()
  await rein.killDaemon()
  sim.release('dead')
  const whenDead = await requestBefore(rein, 'SAY:done')

  for (const { newText } of [whenStopped, whenDead]) expect(newText).toContain(`The rule ${guardRule} forbids this`)
  const names = ['stopped', 'dead'].flatMap((how) => [`fine-${how}.txt`, `forbidden-${how}.txt`])
  expect(filesThere(rein, ...names)).toEqual(['fine-stopped.txt', 'fine-dead.txt'])
})

const hosts = { headless: 'stream', terminal: hasTmux ? 'tmux' : 'pty' } as const

/** One agent in each kind of host, started at once. */
const startBoth = (rein: TestRein, prompt: string): Promise<AgentView[]> =>
  Promise.all(Object.entries(hosts).map(([handle, host]) => rein.up(prompt, {}, { handle, host })))

const ownHooks = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } })

/** What a person keeps where Rein could be tempted to write. */
const homeFiles = {
  '.bashrc': 'alias ll="ls -l"\n',
  '.tmux.conf': 'set -g mouse on\n',
  '.gitconfig': '[user]\n\tname = Me\n',
  // Claude Code adds this line by itself, also without Rein.
  '.config/git/ignore': '**/.claude/settings.local.json\n',
  '.claude/settings.json': ownHooks,
  '.claude/CLAUDE.md': 'Answer in English.\n',
}
const projectFiles = {
  'CLAUDE.md': 'Use tabs.\n',
  'AGENTS.md': 'Use tabs.\n',
  '.mcp.json': '{"mcpServers":{}}',
  '.claude/settings.json': ownHooks,
  '.claude/settings.local.json': '{}',
}

/** What Claude Code is configured by in a home. The rest of `.claude` is its own state. */
const configures =
  /^\.claude\/(?:settings.*\.json|CLAUDE\.md|.*mcp\.json|(?:hooks|commands|agents|skills|rules|output-styles)\/)/

/** Claude Code writes this file itself; these parts of it are what a person, or `claude mcp add`, configures. */
const configuredIn = (file: string): unknown[] => {
  const content = JSON.parse(readFileSync(file, 'utf8')) as Configuration
  const parts = [content, ...Object.values(content.projects)]
  return parts.map(({ mcpServers, hooks, permissions, env }) => ({ mcpServers, hooks, permissions, env }))
}

/** With xdg-utils on the machine, Claude Code registers itself for its own links: a line that names it in the desktop's list. */
const isOfCli = (home: string, path: string): boolean => {
  if (configures.test(path)) return false
  if (path !== '.config/mimeapps.list') return path.includes('claude')
  const lines = readFileSync(join(home, path), 'utf8').split('\n')
  return lines.every((line) => line === '' || line.startsWith('[') || line.includes('claude'))
}

type Configuration = Partial<Record<'mcpServers' | 'hooks' | 'permissions' | 'env', unknown>> & {
  projects: Record<string, Partial<Configuration>>
}

test('starting an agent edits none of your files', async () => {
  const rein = await startRein({ scenario: '' })
  const { cwd, home, client } = rein
  writeFiles(home, homeFiles)
  writeFiles(cwd, projectFiles)
  const look = () => [hashFiles(cwd), hashFiles(home), configuredIn(join(home, '.claude.json'))] as const
  const [projectBefore, homeBefore, configuredBefore] = look()
  await startBoth(rein, 'SAY:done')
  for (const target of Object.keys(hosts)) {
    const { id } = await rein.tell('Use tabs.', { target })
    await rein.reached(id, 'seen')
    await client.down({ target, cwd })
  }
  const [projectAfter, homeAfter, configuredAfter] = look()
  expect(changedFiles(projectBefore, projectAfter)).toEqual([])
  const changed = changedFiles(homeBefore, homeAfter)
  expect(changed.filter((path) => !isOfCli(home, path))).toEqual([])
  expect(configuredAfter).toEqual(configuredBefore)
})

test('agents outlive the daemon', async () => {
  const rein = await startRein({ scenario: '' })
  const started = await startBoth(rein, 'SAY:hello')
  await rein.killDaemon()
  const agents = await rein.client.ps({})
  for (const { handle, pid } of started) {
    expect(agents.find((agent) => agent.handle === handle)?.pid).toBe(pid)
    const { id } = await rein.tell(`Still there, ${handle}?`, { target: handle })
    await rein.reached(id, 'seen')
    expect(mostShown(rein, id)).toBe(1)
  }
})
