import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import { noteText } from '../../src/features/notes/note.ts'
import { cliNamed } from '../support/clis.ts'
import { startRein } from './harness.ts'
import { ended, heardBefore } from './memory-talk.ts'

const note = {
  title: 'Port 5432 is already allocated',
  problem: 'The database does not start: Bind for 0.0.0.0:5432 failed.',
  fix: 'Stop the other one: systemctl stop postgresql.',
}
const failure = 'echo "Error: Bind for 0.0.0.0:5432 failed: port is already allocated" >&2; exit 1\n'
const told = `| ${note.fix}`
const timesTold = (text: string): number => text.split(told).length - 1

const isTold = (record: AnyRecord): record is LogRecord<'note.told'> & AnyRecord => record.type === 'note.told'

// Codex does not tell a hook how a command ended.
test.each(['claude', 'codex'])(
  '%s: what one agent proposes helps another, when a person has accepted it, once',
  async (name) => {
    const rein = await startRein({ cli: cliNamed(name), scenario: '' })
    writeFileSync(join(rein.cwd, 'db.sh'), failure)
    await rein.up(`CALL:mcp__rein__propose_note${JSON.stringify(note)} ;; SAY:proposed`, {}, { handle: 'first' })
    expect((await ended(rein, 'proposed')).newText).toContain('port-5432-is-already-allocated is proposed')

    await rein.up(
      'RUN:sh db.sh ;; WAIT:accepted ;; RUN:sh db.sh ;; RUN:sh ./db.sh ;; SAY:done',
      {},
      { handle: 'second' },
    )
    await rein.sim.reached('accepted')
    const before = rein.sim.requests.findLast(({ isMain }) => isMain)?.text ?? ''
    expect(before).toContain('port is already allocated')
    expect(before).not.toContain(note.fix)
    expect((await rein.rein('memory', 'note', 'accept', 'port-5432-is-already-allocated')).code).toBe(0)
    rein.sim.release('accepted')
    expect(timesTold((await ended(rein, 'done')).text)).toBe(1)
    expect(timesTold(heardBefore(rein, 'RUN:sh ./db.sh'))).toBe(1)

    await rein.up('Why does the port 5432 fail to bind?\nSAY:asked', {}, { handle: 'third' })
    expect(timesTold((await ended(rein, 'asked')).text)).toBe(1)
    const moments: string[] = []
    // What was told is written down a little later than the model has it.
    for await (const record of rein.client.tail({ topic: 'notes', after: 0, follow: true })) {
      if (isTold(record)) moments.push(record.body.moment)
      if (moments.length === 2) break
    }
    expect(moments).toEqual(['failure', 'prompt'])
  },
)

test('a note is told again when its conversation was summed up, not before', async () => {
  const rein = await startRein({ scenario: '' })
  mkdirSync(join(rein.cwd, '.rein/notes'), { recursive: true })
  writeFileSync(join(rein.cwd, '.rein/notes/port.md'), noteText(note))
  const ask = (words: string): string => `Why does the port 5432 fail to bind?\nSAY:${words}`
  await rein.up(ask('first'))
  expect(timesTold((await ended(rein, 'first')).text)).toBe(1)
  await rein.type(ask('again'))
  expect(timesTold((await ended(rein, 'again')).text)).toBe(1)
  await rein.type('/compact')
  await rein.sim.next(({ kind }) => kind === 'compaction')
  await rein.type(ask('anew'))
  expect(timesTold((await ended(rein, 'anew')).newText)).toBe(1)
})
