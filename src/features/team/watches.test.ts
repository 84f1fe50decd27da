import { expect, test } from 'vitest'
import { agentRef, now, owner, person } from '../../../test/support/builders.ts'
import { startLog } from '../../../test/support/in-process-log.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { type TeamFile, watchesAll } from '../../contract/team.ts'
import { openDatabase } from '../../base/store/sqlite.ts'
import { Watches } from './watches.ts'

const team: TeamFile = { agents: {}, hubs: { backend: { rooms: ['api'], events: [] } } }

const start = () => {
  const { log, path } = startLog()
  const appended: string[][] = []
  const world = { fails: false }
  let ids = 0
  const ports = {
    append: async (records: AnyNewRecord[]) => {
      if (world.fails) throw new Error('no room')
      appended.push(records.map(({ type }) => type))
      return log.append(records)
    },
    reader: openDatabase(path, { readOnly: true }),
    team: () => team,
    now: () => now,
    newId: (prefix: string) => `${prefix}_${++ids}`,
  }
  return { watches: new Watches(ports), again: () => new Watches(ports), appended, world, log }
}

test('an agent watches all until something else is said', async () => {
  const { watches, again } = start()
  expect(watches.get(agentRef.id)).toEqual(watchesAll)
  await watches.change(agentRef, { drop: ['room:api'], add: ['bus:heartbeat'] }, person)
  const expected = { subjects: ['room:*', 'bus:*', 'bus:heartbeat'], except: ['room:api'], intervalS: null }
  expect(watches.get(agentRef.id)).toEqual(expected)
  expect(again().get(agentRef.id)).toEqual(expected)
  expect(watches.get('agt_2')).toEqual(watchesAll)
})

test('what is set takes the place of all, but not of the interval', async () => {
  const { watches } = start()
  await watches.control(agentRef, 'set-interval 300', owner)
  await watches.change(agentRef, { drop: ['room:api'] }, person)
  await watches.change(agentRef, { set: ['room:a', 'room:a', 'hub:backend'] }, person)
  expect(watches.get(agentRef.id)).toEqual({ subjects: ['room:a', 'hub:backend'], except: [], intervalS: 300 })
})

test('a line and what comes of it are one append; what changes nothing is only a line', async () => {
  const { watches, appended } = start()
  await watches.control(agentRef, 'unregister room:api', owner)
  await watches.control(agentRef, 'unregister room:api', owner)
  await watches.control(agentRef, '# quiet now', owner)
  await watches.control(agentRef, '  ', owner)
  expect(appended).toEqual([['control.line', 'watch.set'], ['control.line'], ['control.line']])
  expect(watches.get(agentRef.id).except).toEqual(['room:api'])
})

test('a wrong line is kept with what is wrong about it, and refused', async () => {
  const { watches } = start()
  await expect(watches.control(agentRef, 'regster room:x', owner)).rejects.toMatchObject({ code: 'usage' })
  await expect(watches.control(agentRef, 'register hub:front', person)).rejects.toMatchObject({
    code: 'usage',
    hint: 'There are: backend',
  })
  await watches.control(agentRef, 'register hub:backend', owner)
  const history = watches.history(agentRef.id)
  expect(history.map(({ line, by, at }) => [line, by, at])).toEqual([
    ['regster room:x', owner, now],
    ['register hub:front', person, now],
    ['register hub:backend', owner, now],
  ])
  expect(history.map(({ error }) => error)).toEqual([
    expect.stringContaining('did you mean register?'),
    'There is no hub front.',
    null,
  ])
  expect(watches.history('agt_2')).toEqual([])
})

test('changes at the same time each begin with the one before', async () => {
  const { watches, again } = start()
  const names = Array.from({ length: 20 }, (_, index) => `room:r${index}`)
  await Promise.all(names.map((name) => watches.control(agentRef, `unregister ${name}`, owner)))
  expect(watches.get(agentRef.id).except).toEqual(names)
  expect(again().get(agentRef.id).except).toEqual(names)
})

test('what could not be written down does not count', async () => {
  const { watches, world } = start()
  world.fails = true
  await expect(watches.change(agentRef, { drop: ['room:api'] }, person)).rejects.toThrow('no room')
  world.fails = false
  expect(watches.get(agentRef.id)).toEqual(watchesAll)
  await watches.control(agentRef, 'unregister room:web', owner)
  expect(watches.get(agentRef.id).except).toEqual(['room:web'])
})

test('an unknown hub can be dropped, not added', async () => {
  const { watches } = start()
  await expect(watches.change(agentRef, { add: ['hub:x'] }, person)).rejects.toMatchObject({ code: 'usage' })
  await watches.change(agentRef, { drop: ['hub:x'] }, person)
  expect(watches.get(agentRef.id).except).toEqual(['hub:x'])
})

test('tables made anew say the same', async () => {
  const { watches, log } = start()
  await watches.control(agentRef, 'unregister room:api', owner)
  const before = [watches.get(agentRef.id), watches.history(agentRef.id)]
  await log.rebuild()
  watches.reload()
  expect([watches.get(agentRef.id), watches.history(agentRef.id)]).toEqual(before)
})
