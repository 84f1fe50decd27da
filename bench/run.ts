import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { type Box, repository } from '../test/process/harness.ts'
import { withBox } from './box.ts'
import { type Findings, median, ms, percentile, type Topic } from './measure.ts'

const reinBin = join(repository, 'bin/rein.cjs')
const rounds = 10
const pieces = 40
const pauseMs = 25

/** Speaks as Claude Code does, and says with each piece of text when it wrote it. */
const standIn = `#!${process.execPath}
if (process.argv.includes('--version')) {
  console.log('2.1.197 (Claude Code)')
  process.exit()
}
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
const piece = () => {
  const delta = { type: 'text_delta', text: performance.timeOrigin + performance.now() + '\\n' }
  say({ type: 'stream_event', event: { type: 'content_block_delta', index: 0, delta }, parent_tool_use_id: null })
}
say({ type: 'result', subtype: 'success' })
process.stdin.on('data', async () => {
  say({ type: 'system', subtype: 'init', session_id: 's', model: 'stand-in' })
  for (let n = 0; n < ${pieces}; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, ${pauseMs}))
    piece()
  }
  say({ type: 'result', subtype: 'success' })
})
`

const run = (): Promise<Findings> =>
  withBox(async (box) => {
    writeFileSync(box.env['REIN_CLAUDE_PATH'] ?? '', standIn, { mode: 0o700 })
    const first: number[] = []
    const others: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const [one = Number.NaN, ...rest] = await delays(box)
      first.push(one)
      others.push(...rest)
    }
    return findings(first, others)
  })

/** From when a piece was written by the CLI to when it came out of `rein run`. */
const delays = async (box: Box): Promise<number[]> => {
  const child = spawn(process.execPath, [reinBin, 'run', 'Go.'], { cwd: box.cwd, env: box.env, stdio: 'pipe' })
  const taken: number[] = []
  for await (const line of createInterface({ input: child.stdout }))
    taken.push(performance.timeOrigin + performance.now() - Number(line))
  if (taken.length !== pieces) throw new Error(`${taken.length} of ${pieces} pieces came.`)
  return taken
}

const row = (what: string, taken: number[]): string[] => [
  what,
  ms(median(taken)),
  ms(percentile(taken, 0.95)),
  ms(percentile(taken, 1)),
]

const findings = (first: number[], others: number[]): Findings => ({
  head: ['from the CLI’s own write to standard output of `rein run`', 'p50', 'p95', 'most'],
  rows: [row('the first piece of a turn', first), row('the others', others)],
  notes: [`${rounds} runs of ${pieces} pieces, one each ${pauseMs} ms.`],
  goals: [{ what: 'the first piece, ms at the median:', value: median(first), limit: 30, kind: 'at most' }],
})

export const runTopic: Topic = { title: 'A run, as it happens', run }
