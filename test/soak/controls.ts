import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Stage } from '../campaign/stage.ts'
import { readProc } from '../campaign/strikes.ts'
import type { Crew } from './crew.ts'
import type { Options } from './options.ts'

const connections = 20
const doubledForMs = 3_000

/** Does what the soak has to find; returns how to undo it. */
export const misbehave = async (control: Options['control'], stage: Stage, crew: Crew): Promise<() => void> => {
  if (control === 'double') await runTwice(stage, crew)
  return control === 'leak' ? holdConnections(stage) : () => undefined
}

/** A second process of an agent that runs, stopped before it does anything. */
const runTwice = async (stage: Stage, crew: Crew): Promise<void> => {
  const [agent] = crew.members.filter(({ host }) => host === 'stream').map(({ handle }) => crew.pidOf(handle))
  const [command = '', ...args] = readProc(`${agent}/cmdline`).split('\0')
  const env = Object.fromEntries(readProc(`${agent}/environ`).split('\0').map(asEntry))
  const child = spawn(command, args, { env, cwd: stage.cwd, stdio: 'ignore' })
  await once(child, 'spawn')
  child.kill('SIGSTOP')
  await delay(doubledForMs)
  child.kill('SIGKILL')
}

const asEntry = (variable: string): [string, string] => {
  const [name = '', ...value] = variable.split('=')
  return [name, value.join('=')]
}

const holdConnections = (stage: Stage): (() => void) => {
  const ends = Array.from({ length: connections }, () => {
    const end = new AbortController()
    void drain(stage.client.tail({ topic: 'agents', after: 0, follow: true }, end.signal))
    return end
  })
  return () => ends.forEach((end) => end.abort())
}

const drain = async (records: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of records);
}
