import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { directiveOf, noteText } from '../campaign/truth.ts'
import { createBox, repository } from '../process/harness.ts'
import {
  killDaemon,
  killEach,
  launches,
  namesOf,
  program,
  quick,
  restartAtOnce,
  running,
  up,
} from '../process/supervision-box.ts'

const many = namesOf(20)

test('a hundred kills of twenty agents: each comes back every time, and never twice', async () => {
  const box = createBox(quick)
  await box.daemon()
  expect(await killEach(box, many, 5)).toBe(many.length * 6)
})

test('several restarts at once, fifteen times, leave one process that is known', async () => {
  const box = createBox(quick)
  await box.daemon()
  await up(box, 'worker')
  for (let time = 0; time < 15; time += 1) {
    const { known, found } = await restartAtOnce(box)
    expect(found).toEqual([known])
  }
})

test('a daemon that is killed ten times: the agents live on and are taken over, none is started again', async () => {
  const box = createBox(quick)
  const { before, known, after } = await killDaemon(box, many.slice(0, 5), 10)
  expect(known).toEqual(expect.arrayContaining(before.map((pid) => ({ pid, state: 'idle' }))))
  expect([after, await launches(box)]).toEqual([before, 5])
  for (const handle of many.slice(0, 5)) await box.client().down({ target: handle, cwd: box.cwd })
  expect(running(box)).toEqual([])
})

test('twenty agents at once: each is told one thing, and all of it is acknowledged', async () => {
  const { bundleTs } = (await import(join(repository, 'scripts/load-ts.mjs'))) as {
    bundleTs: (source: string) => Promise<string>
  }
  const standIn = await bundleTs('test/campaign/stand-in/main.ts')
  const box = createBox({ ...quick, REIN_HOOKS_DEADLINE_MS: '4000', REIN_INBOX_ACK_DEADLINE_S: '2' })
  program(box, `exec '${process.execPath}' '${standIn}' "$@"`)
  await box.daemon()
  const truth = (handle: string) => ({ CAMPAIGN_TRUTH: join(box.root, handle), CAMPAIGN_SEED: handle.slice(6) })
  const told = await Promise.all(
    many.map(async (handle) => {
      await up(box, handle, truth(handle))
      const note = randomUUID()
      const words = { id: directiveOf(note), text: noteText(note), from: 'tester' }
      return box.client().tell({ target: handle, cwd: box.cwd, ...words })
    }),
  )
  for (const { id } of told) for await (const _ of box.client().follow({ id, until: 'acked' }));
  expect(await launches(box)).toBe(many.length)
  expect(running(box).length).toBeGreaterThanOrEqual(many.length)
})
