import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killProcess } from '../support/kill.ts'
import { type Box, createBox, repository, until } from './harness.ts'
import { namesOf, program, quick, running, up } from './supervision-box.ts'

const preload = join(import.meta.dirname, 'fixtures/heap.cjs')
/** Each directive says this. */
const words = 'Keep nothing of this when it is over.'
/** What an agent may leave behind in the daemon, by the name of its kind in the heap. */
const kinds = ['Timeout', 'FSWatcher', 'FSEvent', 'ChildProcess', 'Socket', 'FileHandle']

interface Heap {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } }
  nodes: number[]
  strings: string[]
}

/** How many texts with those words the daemon holds, how many of each kind, and how many descriptors are open. */
const holdings = async (box: Box, pid: number): Promise<Record<string, number>> => {
  const file = join(box.root, 'heap.json')
  rmSync(file, { force: true })
  killProcess(pid, 'SIGUSR2')
  await until(() => existsSync(file))
  const { snapshot, nodes, strings } = JSON.parse(readFileSync(file, 'utf8')) as Heap
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [type, name] = [fields.indexOf('type'), fields.indexOf('name')]
  const found: Record<string, number> = { texts: 0, descriptors: readdirSync(`/proc/${pid}/fd`).length }
  for (const kind of kinds) found[kind] = 0
  for (let at = 0; at < nodes.length; at += fields.length) {
    const [what = '', called = ''] = [types[0][nodes[at + type] ?? 0], strings[nodes[at + name] ?? 0]]
    if (what.endsWith('string')) found['texts'] = (found['texts'] ?? 0) + Number(called.includes(words))
    else if (what === 'object' && called in found) found[called] = (found[called] ?? 0) + 1
  }
  return found
}

/** Starts an agent, tells it something until it is acknowledged, crashes it once, and ends it. */
const employ = async (box: Box, handle: string, seed: number): Promise<void> => {
  const { cwd } = box
  await up(box, handle, { CAMPAIGN_TRUTH: join(box.root, handle), CAMPAIGN_SEED: String(seed) })
  const client = box.client()
  const told = await client.tell({ target: handle, cwd, text: words, from: 'test' })
  const stateNow = async (): Promise<string> => (await client.receipt({ id: told.id })).state
  await until(async () => ['seen', 'acked'].includes(await stateNow()))
  if ((await stateNow()) !== 'acked') await client.ack({ id: told.id })
  await client.restart({ target: handle, cwd })
  await client.down({ target: handle, cwd })
  await until(() => running(box).length === 0)
}

test('agents that came and went leave nothing in the daemon: no text, timer, watcher, process or descriptor', async () => {
  const { bundleTs } = (await import(join(repository, 'scripts/load-ts.mjs'))) as {
    bundleTs: (source: string) => Promise<string>
  }
  const standIn = await bundleTs('test/campaign/stand-in/main.ts')
  const box = createBox({ ...quick, REIN_HOOKS_DEADLINE_MS: '4000', REIN_LOOPS_ENABLED: 'false' })
  program(box, `exec '${process.execPath}' '${standIn}' "$@"`)
  const heap = { NODE_OPTIONS: `--require ${preload}`, HEAP_FILE: join(box.root, 'heap.json') }
  const { pid } = await box.daemon({ env: heap })
  const [first = '', ...others] = namesOf(4)
  await employ(box, first, 1)
  const before = await holdings(box, pid)
  for (const [index, handle] of others.entries()) await employ(box, handle, index + 2)
  let after = await holdings(box, pid)
  // A connection that is not used any more is closed after a while.
  await until(async () => {
    const isLess = kinds.every((kind) => (after[kind] ?? 0) <= (before[kind] ?? 0))
    if (!isLess) after = await holdings(box, pid)
    return isLess
  })
  expect(after['texts']).toBe(0)
  expect(after['descriptors']).toBeLessThanOrEqual(before['descriptors'] ?? 0)
})
