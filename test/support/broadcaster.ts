import { once } from 'node:events'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Broadcast } from '../../src/features/channels/broadcast/broadcast.ts'
import { toLine } from '../../src/features/channels/broadcast/lines.ts'
import { broadcastServer } from '../../src/features/channels/broadcast/socket.ts'
import { TurnSource } from '../../src/features/channels/broadcast/source.ts'
import { listenAt } from '../../src/daemon/servers.ts'
import { Log } from '../../src/base/log/log.ts'
import { openDatabase } from '../../src/base/store/sqlite.ts'
import { agentRef, now } from './builders.ts'
import { turnRecords } from './turn-records.ts'

const writer = join(import.meta.dirname, '../../dist/writer.js')
/** As the daemon has them. */
const limits = { count: 1_000, bytes: 8 * 1024 * 1024 }

export interface Broadcaster {
  log: Log
  broadcast: Broadcast
  server: Server
}

export const socketIn = (dir: string): string => join(dir, 'output.sock')

/** What a daemon broadcasts with, and nothing else of it. */
export const startBroadcaster = async (dir: string, stuckMs = 60_000): Promise<Broadcaster> => {
  const path = join(dir, 'rein.db')
  const worker = new Worker(writer, { workerData: { path, isOurs: true, isSuspect: false, isNew: true } })
  await once(worker, 'message')
  const reader = openDatabase(path, { readOnly: true })
  const log = new Log(worker, reader)
  const ports = {
    source: new TurnSource({ reader, handle: () => agentRef.handle }),
    news: (signal: AbortSignal) => log.changes(['turns'], signal),
    now: () => performance.now(),
    soon: (run: () => void) => void setImmediate(run),
    onTrouble: (cause: unknown) => console.error(cause),
  }
  const broadcast = new Broadcast(ports, { ...limits, stuckMs })
  void broadcast.run()
  return { log, broadcast, server: await listenAt(broadcastServer(broadcast), socketIn(dir)) }
}

/** What the agent says in its nth turn. */
const said = (n: number, bytes: number) => [{ type: 'text' as const, text: `${n} ${'漢'.repeat(bytes / 3)}` }]

export const nthTurn = (n: number, bytes: number) => turnRecords({ turn: `t${n}`, blocks: said(n, bytes) })

/** The line of the nth turn of a log that has nothing else: started, one entry, ended. */
export const nthLine = (n: number, bytes: number): Buffer =>
  toLine({
    seq: 3 * (n + 1),
    ts: now,
    session: 'c1',
    agent: agentRef.handle,
    project: agentRef.project,
    prompt: `prompt t${n}`,
    turn: said(n, bytes),
    reason: 'idle',
    usage: null,
  }).json
