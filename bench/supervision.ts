import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { HostKind } from '../src/contract/agent.ts'
import type { AnyRecord } from '../src/contract/record.ts'
import { type Sim, startSim } from '../src/sim/server.ts'
import { childrenOf, readProc } from '../test/campaign/strikes.ts'
import type { Box } from '../test/process/harness.ts'
import { killProcess } from '../test/support/kill.ts'
import { withBox } from './box.ts'
import { type Findings, median, ms, percentile, times, type Topic } from './measure.ts'
import { claudePath, untilIdle, upReal } from './real-agents.ts'

const rounds = 20
const restarts = 6
const backoffMs = 1000
const idleAgents = 3
const watchedMs = 10_000
/** A person reads something before pressing Esc. */
const readingMs = 2000

const config = {
  REIN_CLAUDE_PATH: claudePath,
  REIN_AGENTS_RESTART_BACKOFF_S: String(backoffMs / 1000),
  REIN_AGENTS_RESTART_BACKOFF_MAX_S: String(backoffMs / 1000),
  REIN_AGENTS_RESTART_LIMIT: '1000',
}

const run = (): Promise<Findings> =>
  withBox(async (box) => {
    const sim = await startSim({ scenario: String.raw`on <rein-directive id="(dir_[0-9a-f-]+)" do RUN:rein ack $1` })
    try {
      const byHooks = await turnEnds(box, sim, 'tmux')
      const byStream = await turnEnds(box, sim, 'stream')
      const byScreen = await escapes(box, sim)
      const back = await comebacks(box, sim)
      const server = await serverDeath(box, sim)
      return findings({ byHooks, byStream, byScreen, ...back, server, spawned: await spawnedWhileIdle(box, sim) })
    } finally {
      await sim.close()
    }
  }, config)

/** The next record after `since` that matches. */
const recordAfter = async (box: Box, since: number, match: (one: AnyRecord) => boolean): Promise<AnyRecord> => {
  for await (const one of box.client().tail({ topic: 'agents', after: 0, follow: true }))
    if (one.at >= since && match(one)) return one
  throw new Error('The log has ended.')
}

const isState = (state: string) => (one: AnyRecord) => one.type === 'agent.state' && one.body.state === state

/** From the end of the model's last reply to *idle* on the log. */
const turnEnds = async (box: Box, sim: Sim, host: HostKind): Promise<number[]> => {
  const taken: number[] = []
  const repliedAt = noteReplies(sim)
  await upReal(box, sim, host, undefined, host)
  for (let round = 0; round < rounds; round += 1) {
    await untilIdle(box.client(), host)
    const { id } = await box.client().tell({ target: host, cwd: box.cwd, text: `Round ${round}`, from: 'bench' })
    for await (const _ of box.client().follow({ id, until: 'acked' }));
    const { at } = await recordAfter(box, Date.now(), isState('idle'))
    taken.push(at - Math.max(...repliedAt.filter((one) => one <= at)))
  }
  await box.client().down({ target: host, cwd: box.cwd })
  return taken
}

/** When each reply of the model had been sent, from now on. */
const noteReplies = (sim: Sim): number[] => {
  const moments: number[] = []
  const note = async (from: number): Promise<void> => {
    const { index, outcome } = await sim.next(({ isMain }) => isMain, from)
    void outcome.then(() => moments.push(Date.now()))
    await note(index + 1)
  }
  // It ends with the scripted model.
  note(sim.requests.length).catch(() => undefined)
  return moments
}

const tmux = async (box: Box, ...args: string[]): Promise<string> =>
  (await promisify(execFile)('tmux', ['-S', join(box.paths.runtime, 'tmux.sock'), ...args])).stdout.trim()

const sessionOf = async (box: Box, target: string): Promise<string> =>
  `${(await box.client().attach({ target, cwd: box.cwd })).command?.at(-1)}:`

/** From the key to *interrupted* on the log: no hook tells of it. */
const escapes = async (box: Box, sim: Sim): Promise<number[]> => {
  const taken: number[] = []
  await upReal(box, sim, 'esc')
  const session = await sessionOf(box, 'esc')
  for (let round = 0; round < rounds / 2; round += 1) {
    await untilIdle(box.client(), 'esc')
    await tmux(box, 'send-keys', '-t', session, 'C-u')
    await tmux(box, 'send-keys', '-t', session, '-l', `WAIT:esc-${round}`)
    while (!(await tmux(box, 'capture-pane', '-p', '-t', session)).includes(`esc-${round}`));
    await tmux(box, 'send-keys', '-t', session, 'Enter')
    await sim.reached(`esc-${round}`)
    await delay(readingMs)
    const pressed = Date.now()
    await tmux(box, 'send-keys', '-t', session, 'Escape')
    taken.push((await recordAfter(box, pressed, ({ type }) => type === 'agent.interrupted')).at - pressed)
  }
  await box.client().down({ target: 'esc', cwd: box.cwd })
  return taken
}

interface Comebacks {
  /** From its launch until the CLI says that it has begun. */
  cold: number[]
  /** From the kill until it says so again, without the wait that is set. */
  again: number[]
}

const comebacks = async (box: Box, sim: Sim): Promise<Comebacks> => {
  const taken: Comebacks = { cold: [], again: [] }
  for (let round = 0; round < restarts; round += 1) {
    const handle = `crash-${round}`
    const asked = Date.now()
    const { pid } = await upReal(box, sim, handle)
    const launched = await recordAfter(box, asked, ({ type }) => type === 'agent.launched')
    taken.cold.push((await recordAfter(box, launched.at, isState('idle'))).at - launched.at)
    const killed = Date.now()
    killProcess(pid)
    const crashed = await recordAfter(box, killed, isState('crashed'))
    taken.again.push((await recordAfter(box, crashed.at, isState('idle'))).at - killed - backoffMs)
    await box.client().down({ target: handle, cwd: box.cwd })
  }
  return taken
}

/** From the kill of the tmux server until the last of its agents is on the log as crashed. */
const serverDeath = async (box: Box, sim: Sim): Promise<number> => {
  const handles = Array.from({ length: idleAgents }, (_, index) => `pane-${index + 1}`)
  for (const handle of handles) await upReal(box, sim, handle)
  const killed = Date.now()
  killProcess(Number(await tmux(box, 'display-message', '-p', '#{pid}')))
  const reported = new Map<string, number>()
  for await (const one of box.client().tail({ topic: 'agents', after: 0, follow: true })) {
    if (one.at >= killed && isState('crashed')(one)) reported.set(one.agent ?? '', one.at - killed)
    if (reported.size === handles.length) break
  }
  for (const handle of handles) await untilIdle(box.client(), handle)
  return Math.max(...reported.values())
}

/** Those that the agents of before are idle now. */
const spawnedWhileIdle = async (box: Box, sim: Sim): Promise<number> => {
  await upReal(box, sim, 'one-more')
  await untilIdle(box.client(), 'one-more')
  await delay(watchedMs)
  const { pid } = await box.client().status()
  const parents = [pid, Number(await tmux(box, 'display-message', '-p', '#{pid}'))]
  const known = new Set(parents.flatMap(childrenOf))
  const before = parents.map(endedChildren)
  const spawned = new Set<number>()
  for (const until = Date.now() + watchedMs; Date.now() < until; await delay(5))
    for (const child of parents.flatMap(childrenOf)) if (!known.has(child)) spawned.add(child)
  const hasMissed = parents.map(endedChildren).some((faults, index) => faults !== before[index])
  return Math.max(spawned.size, Number(hasMissed))
}

/** Page faults of children that have ended: it changes with each, however short it lived. */
const endedChildren = (pid: number): number => {
  const stat = readProc(`${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[8])
}

interface Measured extends Comebacks {
  byHooks: number[]
  byStream: number[]
  byScreen: number[]
  server: number
  spawned: number
}

const row = (what: string, taken: number[]): string[] => [what, ms(median(taken)), ms(percentile(taken, 0.95))]
const atMost = (what: string, value: number, limit: number) => ({ what, value, limit, kind: 'at most' as const })

const findings = ({ byHooks, byStream, byScreen, cold, again, server, spawned }: Measured): Findings => {
  const ratio = median(again) / median(cold)
  return {
    head: ['real Claude Code', 'p50', 'p95'],
    rows: [
      row('in a terminal: from the end of the last reply to *idle* on the log (by hook)', byHooks),
      row('headless: the same (by stream)', byStream),
      row('in a terminal: from Esc to *interrupted* on the log (by screen or transcript)', byScreen),
      row('its own cold start: from its launch to its first hook', cold),
      row(`killed: from the kill to its first hook again, without the ${backoffMs} ms that are waited`, again),
      ['the same, compared with the cold start', times(ratio), ''],
      [`tmux killed: until the last of its ${idleAgents} agents is on the log as crashed`, ms(server), ''],
      [
        `${idleAgents + 1} idle agents: processes that Rein and tmux start in ${watchedMs / 1000} s`,
        String(spawned),
        '',
      ],
    ],
    notes: [
      'The time that the CLI itself takes from the end of a reply until it calls its hook is part of the first two.',
    ],
    goals: [
      atMost('by hook, p95 in ms', percentile(byHooks, 0.95), 100),
      atMost('by stream, p95 in ms', percentile(byStream, 0.95), 100),
      atMost('by screen, p95 in ms', percentile(byScreen, 0.95), 1000),
      atMost('back after a crash, compared with the cold start', ratio, 1.5),
      atMost('tmux killed, reported in ms', server, 2000),
      atMost('processes started while idle', spawned, 0),
    ],
  }
}

export const supervision: Topic = { title: 'Supervision: how soon a state is known, and a crash made good', run }
