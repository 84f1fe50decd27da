import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentState } from '../../src/contract/agent.ts'
import { mayMount } from '../support/abilities.ts'
import { startRein, type TestRein } from './harness.ts'
import { lookUntil } from './look.ts'

const must = (command: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}

const diskBytes = 40 * 1024 * 1024

/** A small disk for the state directory alone. */
const onSmallDisk = async (): Promise<TestRein> => {
  const rein = await startRein()
  must('mount', '-t', 'tmpfs', '-o', `size=${diskBytes},mode=700`, 'none', rein.paths.state)
  rein.onFinished(() => must('umount', '-l', rein.paths.state))
  return rein
}

/** Takes all room, and goes on doing so: the daemon clears away files of its own. Returns how to give it back. */
const fill = ({ paths, onFinished }: TestRein): (() => void) => {
  const file = join(paths.state, 'filler')
  const take = (): void => {
    for (const size of [1 << 20, 1 << 16, 4096, 1]) while (takeSome(file, size));
  }
  take()
  const again = setInterval(take, 20)
  onFinished(() => clearInterval(again))
  return () => {
    clearInterval(again)
    rmSync(file)
  }
}

/** Never more than the small disk has: what is taken must not be that of the machine. */
const takeSome = (file: string, size: number): boolean => {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) + size > diskBytes) return false
  try {
    writeFileSync(file, Buffer.alloc(size), { flag: 'a' })
    return true
  } catch {
    return false
  }
}

/** Asked for again and again: who follows the log hears of nothing while nothing can be written. */
const untilState = async ({ client }: TestRein, wanted: AgentState): Promise<void> => {
  await lookUntil(
    async () => (await client.ps({}))[0]?.state,
    (state) => state === wanted,
  )
}

test.each(mayMount ? ['working'] : [])(
  'a headless agent that finds no room to say that its turn is over is idle all the same, and gets the next directive',
  async (before) => {
    const rein = await onSmallDisk()
    const [begun, go] = ['begun', 'go'].map((name) => join(rein.cwd, name)) as [string, string]
    // More words than would fit into what is left of the last page.
    const words = 'long '.repeat(3000)
    await rein.up(`RUN:touch begun; while [ ! -e go ]; do sleep 0.1; done ;; SAY:${words}`)
    await lookUntil(() => existsSync(begun), Boolean)
    expect((await rein.client.ps({}))[0]?.state).toBe(before)
    const free = fill(rein)
    writeFileSync(go, '')
    await untilState(rein, 'idle')
    free()
    const { id } = await rein.tell('Use tabs.')
    expect(await rein.reached(id, 'acked')).toMatchObject({ state: 'acked' })
    await untilState(rein, 'idle')
    await rein.killDaemon()
    await untilState(rein, 'idle')
  },
)

test('an end that its stream has lost is found in the transcript, also by the next daemon', async () => {
  const rein = await startRein()
  await rein.up('RUN:echo work ;; SAY:done')
  await untilState(rein, 'idle')
  await rein.killDaemon()
  const agents = join(rein.paths.state, 'agents')
  const stream = join(agents, readdirSync(agents)[0] ?? '', 'stream.ndjson')
  const lines = readFileSync(stream, 'utf8').split('\n')
  const end = lines.findLastIndex((line) => line.includes('"type":"result"'))
  // As where there was room for half of the last line.
  writeFileSync(stream, [...lines.slice(0, end), lines[end]?.slice(0, 100)].join('\n'))
  await untilState(rein, 'working')
  await untilState(rein, 'idle')
  const { id } = await rein.tell('Use tabs.')
  expect(await rein.reached(id, 'acked')).toMatchObject({ state: 'acked' })
})
