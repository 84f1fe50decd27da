import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { killProcess } from '../support/kill.ts'
import { type Box, repository } from './harness.ts'

/** Runs a hook for each line, and says what it answered. */
const agent = `
const { spawnSync } = require('node:child_process')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { event, payload, deadlineMs } = JSON.parse(line)
  const options = { input: JSON.stringify(payload), env: { ...process.env, REIN_HOOK_DEADLINE_MS: String(deadlineMs) } }
  const { stdout, stderr, status } = spawnSync(process.argv[1], ['claude', event], options)
  console.log(JSON.stringify({ code: status, stdout: String(stdout), stderr: String(stderr) }))
})`

/** `deadlineMs`: how long it waits this time. */
export type CallHook = (
  event: string,
  payload: object,
  deadlineMs?: number,
) => Promise<{ code: number; stdout: string; stderr: string }>

interface Options {
  atTheEnd: (clean: () => void) => void
  /** How long it waits once it is known. */
  deadlineMs?: number
}

/** Long: a busy machine must not turn an answer into silence. */
const patientMs = 4000

/** A Claude Code that somebody started by hand, as far as hooks can tell; Rein knows it when this resolves. */
export const hookCaller = async (box: Box, { atTheEnd, deadlineMs = patientMs }: Options): Promise<CallHook> => {
  const env = { PATH: process.env['PATH'] ?? '', REIN_SOCKET: box.paths.socket, REIN_SPOOL: box.paths.spool }
  const child = spawn(process.execPath, ['-e', agent, join(repository, 'bin/rein-hook')], {
    env,
    cwd: box.cwd,
    argv0: 'claude',
  })
  atTheEnd(() => killProcess(child.pid ?? 0))
  const answers = createInterface({ input: child.stdout })
  const callWithin = async (ms: number, event: string, payload: object): ReturnType<CallHook> => {
    const about = { session_id: 'c1', cwd: box.cwd, hook_event_name: event }
    child.stdin.write(`${JSON.stringify({ event, payload: { ...about, ...payload }, deadlineMs: ms })}\n`)
    const [line] = (await once(answers, 'line')) as [string]
    return JSON.parse(line) as Awaited<ReturnType<CallHook>>
  }
  const call: CallHook = (event, payload, ms = deadlineMs) => callWithin(ms, event, payload)
  await callWithin(patientMs, 'SessionStart', { source: 'startup' })
  // What it says while Rein looks at it is heard, and not answered: it is known when its state is.
  for await (const { agents } of box.client().watch({}))
    if (agents.some(({ host, state }) => host === 'outside' && state === 'idle')) return call
  throw new Error('The daemon ended.')
}
