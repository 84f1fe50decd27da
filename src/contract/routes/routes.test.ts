import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { routes } from './all.ts'
import { type Card, type InputOf, type OutputOf, type ParamsIn, type RequestOf, route, type Scope } from './route.ts'

const cards: [string, Card][] = Object.entries(routes)
const namesWhere = (isSo: (card: Card) => boolean): string[] =>
  cards.flatMap(([name, card]) => (isSo(card) ? [name] : [])).toSorted()

/** What an agent may do; everything else is for people. A change of this list is a change of rights. */
const forAgents = `hello status ps tell inbox receipt follow read ack logs context channels sendOut createRoom rooms followRooms
  post posts moveCursor members publish events ackEvents busStatus watches control controls decide decisions tasks task
  tellLead story takeLease leases renewLease releaseLease ingest shellSession suggest history diagnose projectCommands
  notes searchNotes showNote addNote explainCall hook guard mcp`

/** By seconds: what waits for other programs, or reads the whole log or all files of an agent. */
const longLimits: Record<number, string> = {
  60: 'down decideRun',
  120: `up setup cleanup restart answer doctor archiveRoom session recording sessionTurn searchSessions ingest
    memoryStats`,
  600: 'resume rebuild startTask stopTask finishTask orchestrate teamUp teamDown sessionDiff forget',
}

/** Reserved: nothing enforces these rights yet. A change of this list is a change of what a device will be let do. */
const scopes: Record<Scope, string> = {
  read: `ps watch screen context logs inbox receipt follow channels dead tailChannel adapters turns followTurns rooms
    followRooms posts members busStatus controls decisions tasks task teamStatus story leases sessions session
    sessionTurn searchSessions loops suggest history diagnose projectCommands memoryStats adviceLog notes
    searchNotes showNote proposedNotes explainCall hello status tail`,
  tell: `prompt tell read ack cancel receive sendOut take settle retry createRoom post moveCursor publish events
    ackEvents watches decide tellLead takeLease renewLease releaseLease ingest shellSession addNote hook guard mcp`,
  answer: 'answer',
  control: `up down restart resume pause unpause interrupt attach live decideRun archiveRoom pauseRoom pruneEvents control
    newTask startTask pauseTask unpauseTask stopTask finishTask orchestrate teamUp teamDown`,
  files: 'sessionDiff rewind undo redo fork compact exportSession importSession inspectBundle recording',
  admin: `createChannel removeChannel routeChannel defaultRoute channelToken runAdapter stopAdapter collectSessions
    forget acceptNote rejectNote stop rebuild doctor setup cleanup`,
}

const words = (text: string): string[] => text.split(/\s+/).toSorted()

describe('the cards', () => {
  test('say what an agent may do', () => {
    expect(namesWhere(({ agentMay }) => agentMay === true)).toEqual(words(forAgents))
  })

  test.each(Object.entries(scopes))('say which routes have the scope %s', (scope, names) => {
    expect(namesWhere((card) => card.scope === scope)).toEqual(words(names))
  })

  test.each(Object.entries(longLimits))('say which routes have %s s', (seconds, names) => {
    expect(namesWhere(({ limitMs }) => limitMs === Number(seconds) * 1000)).toEqual(words(names))
  })

  test('say of no other route that it has a time of its own', () => {
    expect(namesWhere(({ limitMs }) => limitMs !== undefined)).toEqual(
      Object.values(longLimits).flatMap(words).toSorted(),
    )
  })

  test('are each of another request', () => {
    const asked = cards.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)
    expect(new Set(asked).size).toBe(asked.length)
  })

  test('name no parameter of a path as a field of the input', () => {
    const fields = ({ input }: Card): string[] => (input instanceof z.ZodObject ? Object.keys(input.shape) : [])
    const doubled = cards.filter(([, card]) => fields(card).some((field) => card.path.includes(`:${field}`)))
    expect(doubled).toEqual([])
  })

  test('are of features that share no name', async () => {
    expect((await namesOfAllFeatures()).toSorted()).toEqual(Object.keys(routes).toSorted())
  })

  test('say in one sentence what each does', () => {
    expect(cards.filter(([, { help }]) => !/^[A-Z].{5,110}\.$/.test(help))).toEqual([])
  })

  test('name a command once', () => {
    const commands = cards.flatMap(([, card]) => card.commands ?? [])
    expect(new Set(commands).size).toBe(commands.length)
  })
})

/** In the order of their files, also of those that nobody has put together with the others. */
const namesOfAllFeatures = async (): Promise<string[]> => {
  const files = readdirSync(import.meta.dirname).filter((file) => !/^(all|.*\.test)\.ts$/.test(file))
  const paths = files.map((file) => join(import.meta.dirname, file))
  const modules = await Promise.all(paths.map((path): Promise<Record<string, object>> => import(path)))
  const tables = modules.flatMap((module) => Object.entries(module)).filter(([name]) => name.endsWith('Routes'))
  return tables.flatMap(([, table]) => Object.keys(table))
}

describe('types', () => {
  const card = route({
    method: 'POST',
    path: '/v1/things/:id/parts/:part',
    input: z.object({ size: z.coerce.number<number>().default(1), why: z.string().optional() }),
    output: z.object({ at: z.number() }),
    scope: 'tell',
    help: 'Makes a part.',
  })
  type Making = typeof card

  test('parameters are those of the path', () => {
    expectTypeOf<ParamsIn<Making['path']>>().toEqualTypeOf<'id' | 'part'>()
    expectTypeOf<ParamsIn<'/v1/things'>>().toEqualTypeOf<never>()
    expect([...card.path.matchAll(/:(\w+)/g)].map(([, name]) => name)).toEqual(['id', 'part'])
  })

  test('a caller gives parameters and input in one object, a handler gets the input with its defaults', () => {
    expectTypeOf<{ id: string; part: string }>().toExtend<RequestOf<Making>>()
    expectTypeOf<{ id: string; part: string; size: string }>().not.toExtend<RequestOf<Making>>()
    expectTypeOf<{ id: string }>().not.toExtend<RequestOf<Making>>()
    expectTypeOf<InputOf<Making>>().toEqualTypeOf<{ size: number; why?: string | undefined }>()
    expectTypeOf<OutputOf<Making>>().toEqualTypeOf<{ at: number }>()
    expect(card.input.parse({})).toEqual({ size: 1 })
  })

  test('a caller gives nothing where there is neither input nor parameter', () => {
    expectTypeOf<RequestOf<typeof routes.collectSessions>>().toEqualTypeOf<Record<string, never>>()
    expectTypeOf<{ cwd: string }>().not.toExtend<RequestOf<typeof routes.collectSessions>>()
    expectTypeOf<RequestOf<typeof routes.cancel>>().toEqualTypeOf<{ id: string }>()
    expect(routes.collectSessions).not.toHaveProperty('input')
  })
})
