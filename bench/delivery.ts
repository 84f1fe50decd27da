import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../src/client/client.ts'
import type { Receipt } from '../src/contract/directive.ts'
import { type Sim, startSim } from '../src/sim/server.ts'
import type { Box } from '../test/process/harness.ts'
import { withBox } from './box.ts'
import { type Findings, median, ms, percentile, type Topic } from './measure.ts'
import { claudePath, untilIdle, upReal } from './real-agents.ts'

const rounds = 40
const idleAgents = 20
const watchedMs = 20_000

const run = (): Promise<Findings> =>
  withBox(
    async (box) => {
      const sim = await startSim({ scenario: String.raw`on <rein-directive id="(dir_[0-9a-f-]+)" do RUN:rein ack $1` })
      try {
        const idle = await tellIdle(box, sim)
        const busy = await tellBusy(box, sim)
        const cost = await costOfIdle(box, sim)
        return findings(idle, busy, cost)
      } finally {
        await sim.close()
      }
    },
    { REIN_CLAUDE_PATH: claudePath },
  )

const tellIdle = async (box: Box, sim: Sim): Promise<number[]> => {
  const client = box.client()
  await upReal(box, sim, 'idle')
  const taken: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await untilIdle(client, 'idle')
    // The turn before is really over, and its transcript written.
    await delay(600)
    const told = await client.tell({ target: 'idle', cwd: box.cwd, text: `Round ${round}`, from: 'bench' })
    taken.push(between(await acked(client, told.id), 'queued', 'placed'))
  }
  await client.down({ target: 'idle', cwd: box.cwd })
  return taken
}

interface Busy {
  placed: number[]
  atModel: number[]
}

const tellBusy = async (box: Box, sim: Sim): Promise<Busy> => {
  const client = box.client()
  const steps = Array.from({ length: rounds }, (_, round) => `WAIT:busy-${round} ;; RUN:true`)
  await upReal(box, sim, 'busy', [...steps, 'SAY:done'].join(' ;; '))
  const taken: Busy = { placed: [], atModel: [] }
  for (let round = 0; round < rounds; round += 1) {
    await sim.reached(`busy-${round}`)
    const told = await client.tell({ target: 'busy', cwd: box.cwd, text: `Round ${round}`, from: 'bench' })
    const arrived = sim.next(({ text }) => text.includes(told.id)).then(() => Date.now())
    sim.release(`busy-${round}`)
    const receipt = await acked(client, told.id)
    taken.placed.push(between(receipt, 'offered', 'placed'))
    taken.atModel.push((await arrived) - stepAt(receipt, 'offered'))
  }
  await client.down({ target: 'busy', cwd: box.cwd })
  return taken
}

interface Cost {
  cpu: number
  residentMiB: number
  processes: number
}

/** Everything of Rein's that runs beside the agents themselves: the daemon, the waiters, tmux. */
const costOfIdle = async (box: Box, sim: Sim): Promise<Cost> => {
  const client = box.client()
  for (let number = 1; number <= idleAgents; number += 1) await upReal(box, sim, `agent-${number}`)
  await delay(10_000)
  const pids = ownProcesses(box)
  const before = pids.map(cpuTicks)
  await delay(watchedMs)
  const ticks = pids.map(cpuTicks).reduce((sum, after, index) => sum + after - (before[index] ?? 0), 0)
  for (const { handle } of await client.ps({})) await client.down({ target: handle, cwd: box.cwd })
  const residentMiB = pids.map(residentKiB).reduce((sum, kib) => sum + kib, 0) / 1024
  return { cpu: (ticks * 10 * 100) / watchedMs, residentMiB, processes: pids.length }
}

const ownProcesses = (box: Box): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const command = readText(`/proc/${pid}/cmdline`)
      const isOurs = command.includes(box.paths.state) || readText(`/proc/${pid}/environ`).includes(box.paths.state)
      return isOurs && /daemon\.js|rein-wait|^tmux/.test(command)
    })

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const cpuTicks = (pid: number): number => {
  const stat = readText(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}

const residentKiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0)

const acked = async (client: Client, id: string): Promise<Receipt> => {
  let last: Receipt | undefined
  for await (const receipt of client.follow({ id, until: 'acked' })) last = receipt
  if (last === undefined) throw new Error(`Nothing became of ${id}.`)
  return last
}

const stepAt = ({ steps }: Receipt, state: string): number =>
  steps.find((step) => step.state === state)?.at ?? Number.NaN

const between = (receipt: Receipt, from: string, to: string): number => stepAt(receipt, to) - stepAt(receipt, from)

const row = (what: string, taken: number[]): string[] => [what, ms(median(taken)), ms(percentile(taken, 0.95))]

const findings = (idle: number[], busy: Busy, { cpu, residentMiB, processes }: Cost): Findings => ({
  head: ['real Claude Code in a terminal', 'p50', 'p95'],
  rows: [
    row('idle: from `tell` to *placed*', idle),
    row('busy: from the end of its batch (*offered*) to the model', busy.atModel),
    row('busy: from the same to *placed*', busy.placed),
    [`${idleAgents} idle agents: CPU of all Rein processes (${processes})`, `${cpu.toFixed(2)} %`, ''],
    [`${idleAgents} idle agents: memory of the same (RSS added up)`, `${residentMiB.toFixed(0)} MiB`, ''],
  ],
  notes: [
    '*placed* is when the CLI has written its transcript, which it does every 100 ms or so: no evidence can be earlier, although the model has the text before.',
  ],
  goals: [
    { what: 'idle: tell to placed, p95 in ms', value: percentile(idle, 0.95), limit: 500, kind: 'at most' },
    {
      what: 'busy: batch end to the model, p95 in ms',
      value: percentile(busy.atModel, 0.95),
      limit: 100,
      kind: 'at most',
    },
    { what: 'busy: batch end to placed, p95 in ms', value: percentile(busy.placed, 0.95), limit: 100, kind: 'at most' },
    { what: `${idleAgents} idle agents, CPU in %`, value: cpu, limit: 1, kind: 'at most' },
    { what: `${idleAgents} idle agents, RSS in MiB`, value: residentMiB, limit: 200, kind: 'at most' },
  ],
})

export const delivery: Topic = { title: 'Delivery to terminal agents, and what idle ones cost', run }
