import { describe, expect, test } from 'vitest'
import { agentRef, now, person } from '../../../test/support/builders.ts'
import { dump, emptyDatabase } from '../../../test/support/in-process-log.ts'
import type { Actor } from '../../contract/identity.ts'
import type { LeaseMode } from '../../contract/lease.ts'
import { type AnyNewRecord, type AnyRecord, isSound, newRecord } from '../../contract/record.ts'
import { redact } from '../../base/redact/redact.ts'
import { LogWriter, type Outcome } from '../../base/log/writer.ts'
import { Leases } from './leases.ts'
import { leaseProjector } from './store.ts'

const { project } = agentRef
const ttlMs = 30 * 60_000
const ref = (handle: string) => ({ id: `agt_${handle}`, project, handle })
const by = (handle: string): Actor => ({ kind: 'agent', id: `agt_${handle}`, handle })

/** The real leases over the real tables, in memory. */
const start = () => {
  const db = emptyDatabase()
  const writer = new LogWriter(db, [leaseProjector])
  const seqs = (outcome: Outcome | undefined): number[] => {
    if (!outcome?.ok) throw outcome?.cause
    return outcome.result.appended.map(({ seq }) => seq)
  }
  const records: AnyNewRecord[] = []
  const clock = { now, steady: 0 }
  const disk = { isFull: false }
  let ids = 0
  const append = async (added: AnyNewRecord[]): Promise<number[]> => {
    if (disk.isFull) throw new Error('The disk is full.')
    records.push(...added)
    return seqs(writer.write([{ kind: 'append', records: added, cursors: [] }])[0])
  }
  const daemon = () =>
    new Leases({
      areApart: (one, other) => one !== other && [one, other].includes('/p/trees/a'),
      append,
      reader: db,
      now: () => clock.now,
      steady: () => clock.steady,
      newId: (prefix) => `${prefix}_${++ids}`,
      onTrouble: (cause) => {
        throw cause
      },
    })
  const rebuild = (): void => void seqs(writer.write([{ kind: 'rebuild' }])[0])
  return { daemon, append, records, clock, disk, rebuild, tables: () => dump(db, ['lease']) }
}

const taking =
  (leases: Leases) =>
  (handle: string, glob: string, mode: LeaseMode = 'exclusive', why = 'the parser') =>
    leases.take({ project, root: '/p', glob, mode, holder: ref(handle), why }, ttlMs, by(handle))

describe('leases', () => {
  test('what somebody holds is refused, with who, for what and until when', async () => {
    const { daemon } = start()
    const take = taking(daemon())
    await take('ada', 'src')
    await expect(take('bob', 'src/a.ts')).rejects.toMatchObject({
      code: 'lease_held',
      message: expect.stringMatching(/^ada holds src \(exclusive\) for "the parser" until .+Z \(in 30 minutes\)\.$/),
      hint: expect.stringContaining('rein tell ada'),
    })
    await expect(take('bob', 'docs')).resolves.toMatchObject({ glob: 'docs' })
  })

  test('a reason that redaction made longer than a request may be is a sound record', async () => {
    const { daemon, records } = start()
    const why = redact('postgres://ada:hunter2@db '.repeat(7)).text
    expect(why.length).toBeGreaterThan(200)
    const leases = daemon()
    await taking(leases)('ada', 'src', 'exclusive', why)
    await leases.renew({ root: '/p', lease: 'src' }, 'agt_ada', ttlMs, by('ada'))
    expect(records.map((record) => [record.type, isSound(record as AnyRecord)])).toEqual([
      ['lease.taken', true],
      ['lease.renewed', true],
    ])
  })

  test('many share, and nobody takes it exclusively meanwhile', async () => {
    const { daemon } = start()
    const take = taking(daemon())
    await take('ada', 'src', 'shared')
    await take('bob', 'src', 'shared')
    await expect(take('eve', 'src/a.ts')).rejects.toMatchObject({ code: 'lease_held' })
  })

  test('of twenty at once exactly one has it', async () => {
    const { daemon } = start()
    const leases = daemon()
    const take = taking(leases)
    const tried = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => take(`a${n}`, 'src/**')))
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(leases.held()).toHaveLength(1)
  })

  test('an agent releases its own, a person anybody’s', async () => {
    const { daemon, records } = start()
    const leases = daemon()
    const take = taking(leases)
    await take('ada', 'src')
    const meant = { root: '/p', lease: 'src' }
    await expect(leases.release(meant, 'agt_bob', by('bob'))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(leases.renew(meant, 'agt_bob', ttlMs, by('bob'))).rejects.toMatchObject({ code: 'forbidden' })
    await leases.release(meant, null, person)
    await expect(leases.release(meant, null, person)).rejects.toMatchObject({ code: 'not_found' })
    await take('bob', 'src')
    await leases.releaseAll('agt_bob', by('bob'))
    expect(records.map(({ type, body }) => [type, 'why' in body ? body.why : ''])).toEqual([
      ['lease.taken', ''],
      ['lease.ended', 'taken away'],
      ['lease.taken', ''],
      ['lease.ended', 'released'],
    ])
  })

  test('of several who share, a person gives back their own, and takes away only the one that is named', async () => {
    const { daemon } = start()
    const leases = daemon()
    const take = taking(leases)
    const ada = await take('ada', 'src', 'shared')
    const bob = await take('bob', 'src', 'shared')
    await leases.take({ project, root: '/p', glob: 'src', mode: 'shared', holder: null, why: null }, ttlMs, person)
    const meant = { root: '/p', lease: 'src' }
    await expect(leases.release(meant, null, person)).resolves.toMatchObject([
      { lease: { holder: null }, ended: { why: 'released' } },
    ])
    await expect(leases.release(meant, null, person)).rejects.toMatchObject({
      code: 'refused',
      message: `Several hold "src" here: ada (${ada.id}), bob (${bob.id}).`,
    })
    await expect(leases.release({ root: '/p', lease: ada.id }, null, person)).resolves.toMatchObject([
      { lease: { id: ada.id }, ended: { why: 'taken away' } },
    ])
    expect(leases.held().map(({ id }) => id)).toEqual([bob.id])
  })

  test('the next daemon knows them; set back, its clock makes none longer than it was taken for', async () => {
    const { daemon, clock } = start()
    await taking(daemon())('ada', 'src')
    clock.now -= 365 * 24 * 3_600_000
    const next = daemon()
    expect(next.held()).toHaveLength(1)
    clock.steady += ttlMs
    expect(next.held()).toEqual([])
  })

  test('what one is for now is told, also by the next daemon and by tables that are made anew', async () => {
    const { daemon, rebuild, records } = start()
    const take = taking(daemon())
    await take('ada', 'src')
    await take('ada', 'src', 'exclusive', 'the lexer')
    await expect(take('bob', 'src')).rejects.toMatchObject({ message: expect.stringContaining('for "the lexer"') })
    expect(records.at(-1)).toMatchObject({ type: 'lease.renewed', body: { why: 'the lexer' } })
    expect(daemon().held()).toMatchObject([{ why: 'the lexer' }])
    rebuild()
    expect(daemon().held()).toMatchObject([{ why: 'the lexer' }])
  })

  test('a renewal on the log that does not say what for leaves that as it was', async () => {
    const { daemon, append } = start()
    const { id } = await taking(daemon())('ada', 'src')
    const context = { id: 'rec_old', at: now, actor: person, agent: null, project }
    await append([newRecord('lease.renewed', { lease: id, until: now + 1 }, context)])
    expect(daemon().held()).toMatchObject([{ why: 'the parser', until: now + 1 }])
  })

  test('whoever waits hears of a release, and of the end of its own patience', async () => {
    const { daemon } = start()
    const leases = daemon()
    await taking(leases)('ada', 'src')
    const change = leases.nextChange(new AbortController().signal).then(() => leases.held())
    await leases.releaseAll('agt_ada', by('ada'))
    await expect(change).resolves.toEqual([])
    await expect(leases.nextChange(AbortSignal.abort())).resolves.toBeUndefined()
  })

  test('what cannot be written is not held', async () => {
    const { daemon, disk } = start()
    const leases = daemon()
    disk.isFull = true
    await expect(taking(leases)('ada', 'src')).rejects.toThrow('full')
    disk.isFull = false
    await taking(leases)('bob', 'src')
    expect(leases.held().map(({ holder }) => holder?.handle)).toEqual(['bob'])
  })

  test('those on the files of a glob are listed, from whichever top, and not those of another work tree', async () => {
    const { daemon } = start()
    const leases = daemon()
    const places = ['/p', '/p/src', '/p/trees/a', '/elsewhere'].map((root) => ({ root, glob: 'a.ts' }))
    for (const place of places)
      await leases.take({ project, ...place, mode: 'shared', holder: ref('ada'), why: null }, ttlMs, by('ada'))
    const on = (root: string, glob: string) =>
      leases.list(project, { on: { root, glob }, isWithEnded: false }).map(({ lease }) => lease.root)
    expect(on('/p', 'a.ts')).toEqual(['/p'])
    expect(on('/p', 'src')).toEqual(['/p/src'])
    expect(on('/p', '**')).toEqual(['/p', '/p/src'])
    expect(on('/p/trees/a', 'a.ts')).toEqual(['/p/trees/a'])
  })

  test('the tables can be made anew from the records', async () => {
    const { daemon, clock, rebuild, tables } = start()
    const leases = daemon()
    const take = taking(leases)
    await take('ada', 'src')
    clock.now += 1000
    await leases.renew({ root: '/p', lease: 'src' }, 'agt_ada', ttlMs, by('ada'))
    await take('bob', 'docs')
    await leases.releaseAll('agt_bob', by('bob'))
    const before = tables()
    rebuild()
    expect(tables()).toEqual(before)
    expect(leases.list(project, { isWithEnded: true }).map(({ lease, ended }) => [lease.glob, ended?.why])).toEqual([
      ['docs', 'released'],
      ['src', undefined],
    ])
    expect(leases.list(project, { on: { root: '/p', glob: 'src/a.ts' }, isWithEnded: true })).toHaveLength(1)
  })
})
