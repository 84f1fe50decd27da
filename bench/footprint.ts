import { readFileSync } from 'node:fs'
import type { Box } from '../test/process/harness.ts'
import { startBusyAgents, withBox } from './box.ts'
import { type Findings, least, median, ms, timed, type Topic } from './measure.ts'

const starts = 10
const directives = 1000

const run = (): Promise<Findings> =>
  withBox(async (box) => {
    const taken = await startOften(box)
    const { pid } = await box.client().status()
    const idle = residentMiB(pid)
    await fillInbox(box)
    return {
      head: ['the daemon', ''],
      rows: [
        ['`rein daemon start`, from the command to a daemon that answers: least of 10', ms(least(taken))],
        ['the same: median', ms(median(taken))],
        ['memory when idle (RSS)', `${idle} MiB`],
        [`memory with ${directives} open directives (RSS)`, `${residentMiB(pid)} MiB`],
      ],
      notes: [],
      goals: [],
    }
  })

const startOften = async (box: Box): Promise<number[]> => {
  const taken: number[] = []
  for (let count = 0; count < starts; count += 1) {
    await box.rein(['daemon', 'stop'])
    taken.push(await timed(() => box.rein(['daemon', 'start'])))
  }
  return taken
}

const fillInbox = async (box: Box): Promise<void> => {
  const [target = ''] = await startBusyAgents(box, 1)
  const client = box.client()
  for (let number = 0; number < directives; number += 1)
    await client.tell({ target, cwd: box.cwd, text: `Note ${number}: ${'x'.repeat(200)}`, from: 'bench' })
}

const residentMiB = (pid: number): number => {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kib) / 1024)
}

export const footprint: Topic = { title: 'Start and memory of the daemon', run }
