import { writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { AgentState } from '../../src/contract/agent.ts'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import { killProcess } from '../support/kill.ts'
import { processesUnder } from '../soak/processes.ts'
import type { Box, Env, OwnDaemon } from './harness.ts'

export const quick = {
  REIN_AGENTS_RESTART_BACKOFF_S: '1',
  REIN_AGENTS_RESTART_BACKOFF_MAX_S: '1',
  REIN_AGENTS_RESTART_LIMIT: '1000',
}

export const up = (box: Box, handle: string, more: Env = {}) => {
  const request = { cwd: box.cwd, env: {}, args: [] }
  return box.client().up({ handle, driver: 'claude', host: 'stream', request, env: { ...box.env, ...more } })
}

const records = (box: Box) => box.client().tail({ topic: 'agents', after: 0, follow: true })

export const record = async <T extends AnyRecord>(box: Box, match: (one: AnyRecord) => one is T): Promise<T> => {
  for await (const one of records(box)) if (match(one)) return one
  throw new Error('The log has ended.')
}

/** Resolves when some agent has come into this state. */
export const inState = (box: Box, state: AgentState): Promise<LogRecord<'agent.state'>> =>
  record(box, (one): one is LogRecord<'agent.state'> => one.type === 'agent.state' && one.body.state === state)

/** Resolves at the launch with this number. */
export const launch = (box: Box, number: number): Promise<LogRecord<'agent.launched'>> => {
  let count = 0
  return record(box, (one): one is LogRecord<'agent.launched'> => one.type === 'agent.launched' && ++count === number)
}

export const launches = async (box: Box): Promise<number> => {
  let count = 0
  for await (const { type } of box.client().tail({ topic: 'agents', after: 0 }))
    count += Number(type === 'agent.launched')
  return count
}

/** The processes that have the name of an agent, or of this one, in their environment. */
export const running = ({ root }: Box, agent?: string): number[] =>
  processesUnder(root, '')
    .filter((one) => one.agent !== null && (agent === undefined || one.agent === agent))
    .map(({ pid }) => pid)

export const pidOf = async (box: Box, handle: string): Promise<number> =>
  (await box.client().ps({})).find((one) => one.handle === handle)?.pid ?? 0

export const program = ({ env }: Box, script: string): void => {
  const version = `[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }`
  writeFileSync(env['REIN_CLAUDE_PATH'] ?? '', `#!/bin/sh\n${version}\n${script}\n`, { mode: 0o755 })
}

export const idleUntilEnded = `echo '{"type":"result","subtype":"success"}'; exec cat >/dev/null`

export const namesOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `agent-${index + 1}`)

/** Kills each agent so often, whenever it is idle again; returns how often agents were launched. */
export const killEach = async (box: Box, handles: readonly string[], kills: number): Promise<number> => {
  await Promise.all(handles.map((handle) => up(box, handle)))
  const launched = new Map<string, number[]>()
  let finished = 0
  for await (const one of records(box)) {
    const pids = launched.get(one.agent ?? '') ?? []
    if (one.type === 'agent.launched') launched.set(one.agent ?? '', [...pids, one.body.process.pid])
    if (one.type !== 'agent.state' || one.body.state !== 'idle') continue
    expect(running(box, one.agent ?? '')).toEqual([pids.at(-1)])
    if (pids.length <= kills) killProcess(pids.at(-1))
    else finished += 1
    if (finished === handles.length) break
  }
  return [...launched.values()].flat().length
}

/** Restarts one agent by hand while it is restarted by itself; returns what is known and what runs. */
export const restartAtOnce = async (box: Box): Promise<{ known: number; found: number[] }> => {
  killProcess(await pidOf(box, 'worker'))
  const restart = () => box.client().restart({ target: 'worker', cwd: box.cwd })
  await Promise.allSettled([restart(), restart(), box.client().resume({ cwd: box.cwd, env: box.env }), restart()])
  return { known: await pidOf(box, 'worker'), found: running(box) }
}

/** Kills the daemon so often; returns the agents that ran before, those known afterwards, and those that run. */
export const killDaemon = async (box: Box, handles: readonly string[], kills: number) => {
  let daemon: OwnDaemon = await box.daemon()
  await Promise.all(handles.map((handle) => up(box, handle)))
  const before = running(box)
  for (let time = 0; time < kills; time += 1) {
    await daemon.kill()
    daemon = await box.daemon()
  }
  const known = (await box.client().ps({})).map(({ pid, state }) => ({ pid, state }))
  return { before, known, after: running(box) }
}
