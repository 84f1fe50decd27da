import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../src/client/client.ts'
import type { AnyRecord } from '../src/contract/record.ts'
import { type Sim, startSim } from '../src/sim/server.ts'
import { actingAs, type Box } from '../test/process/harness.ts'
import { withBox } from './box.ts'
import { type Findings, median, ms, percentile } from './measure.ts'
import { claudePath, untilIdle, upReal } from './real-agents.ts'

const rounds = 20
const others = ['ada', 'bob', 'cid']
const room = 'build'
/** The shortest that can be set. */
const gatherMs = 1000

/** What came to one agent because of a message: when it was handed over, and when it stands in its conversation. */
interface Arrival {
  handle: string
  offered: number
  placed: number
}

/** A room of three real agents; a fourth, which has ended, is the one in whose name is posted. */
interface Stage {
  box: Box
  sim: Sim
  person: Client
  agent: Client
  directives: AsyncGenerator<AnyRecord>
}

/** From a message in a room until it stands in the conversations of three other agents, real ones. */
export const placing = (): Promise<Omit<Findings, 'head'>> =>
  withBox(
    async (box) => {
      const sim = await startSim({})
      try {
        const stage = await setUp(box, sim)
        return findings(await postToIdle(stage), await postToBusy(stage))
      } finally {
        await sim.close()
      }
    },
    {
      REIN_CLAUDE_PATH: claudePath,
      REIN_NOTIFY_CHECK_S: String(gatherMs / 1000),
      REIN_NOTIFY_COOLDOWN_S: '0',
      REIN_NOTIFY_STARTUP_GRACE_S: '0',
    },
  )

const setUp = async (box: Box, sim: Sim): Promise<Stage> => {
  const person = box.client()
  await upReal(box, sim, 'author')
  await person.down({ target: 'author', cwd: box.cwd })
  await person.createRoom({ room, cwd: box.cwd })
  const agent = box.client({ env: actingAs(box, 'author') })
  return { box, sim, person, agent, directives: person.tail({ topic: 'directives', after: 0, follow: true }) }
}

interface Idle {
  named: number[]
  notice: number[]
}

const postToIdle = async (stage: Stage): Promise<Idle> => {
  const { box, sim, person, agent } = stage
  for (const handle of others) await upReal(box, sim, handle)
  const taken: Idle = { named: [], notice: [] }
  for (let round = 0; round < rounds; round += 1) {
    taken.named.push(...(await postAtRest(stage, person, `${naming} round ${round}`)))
    taken.notice.push(...(await postAtRest(stage, agent, `Round ${round}`)).map((took) => took - gatherMs))
  }
  for (const target of others) await person.down({ target, cwd: box.cwd })
  return taken
}

const naming = others.map((handle) => `@${handle}`).join(' ')

const postAtRest = async (stage: Stage, by: Client, text: string): Promise<number[]> => {
  for (const handle of others) await untilIdle(stage.person, handle)
  // The turn before is really over, and its transcript written.
  await delay(600)
  const posted = Date.now()
  await by.post({ room, text, cwd: stage.box.cwd })
  return (await arrivals(stage)).map(({ placed }) => placed - posted)
}

interface Busy {
  placed: number[]
  atModel: number[]
  sincePost: number[]
}

const postToBusy = async (stage: Stage): Promise<Busy> => {
  const { box, sim, agent, person } = stage
  for (const handle of others) {
    const steps = Array.from({ length: rounds }, (_, round) => `WAIT:${handle}-${round} ;; RUN:true`)
    await upReal(box, sim, handle, [...steps, 'SAY:done'].join(' ;; '))
  }
  const taken: Busy = { placed: [], atModel: [], sincePost: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const handle of others) await sim.reached(`${handle}-${round}`)
    const posted = Date.now()
    const { mentions } = await agent.post({ room, text: `${naming} round ${round}`, cwd: box.cwd })
    const atModel = others.map((handle) => {
      const id = mentions.find((mention) => mention.handle === handle)?.directive ?? ''
      return sim.next(({ text }) => text.includes(id)).then(() => Date.now())
    })
    for (const handle of others) sim.release(`${handle}-${round}`)
    const found = await arrivals(stage)
    for (const { handle, offered, placed } of found) {
      taken.placed.push(placed - offered)
      taken.sincePost.push(placed - posted)
      taken.atModel.push(((await atModel[others.indexOf(handle)]) ?? Number.NaN) - offered)
    }
  }
  for (const target of others) await person.down({ target, cwd: box.cwd })
  return taken
}

/** Reads on in the log until what was posted last stands in the conversations of all. */
const arrivals = async ({ directives }: Stage): Promise<Arrival[]> => {
  const offered = new Map<string, number>()
  const handles = new Map<string, string>()
  const arrived: Arrival[] = []
  while (arrived.length < others.length) {
    const { value: record } = (await directives.next()) as IteratorYieldResult<AnyRecord>
    const id = record.cause ?? ''
    if (record.type === 'directive.accepted') handles.set(id, record.body.directive.agent.handle)
    if (record.type === 'directive.offered' && !offered.has(id)) offered.set(id, record.at)
    if (record.type === 'directive.placed' && handles.has(id))
      arrived.push({ handle: handles.get(id) ?? '', offered: offered.get(id) ?? Number.NaN, placed: record.at })
  }
  return arrived
}

const row = (what: string, taken: number[]): string[] => [
  what,
  '',
  ms(median(taken)),
  ms(percentile(taken, 0.95)),
  ms(percentile(taken, 0.99)),
  '',
]

const findings = (idle: Idle, busy: Busy): Omit<Findings, 'head'> => ({
  rows: [
    row('three idle agents: from a message of a person that names them to *placed*', idle.named),
    row(
      'three idle agents: from a message of an agent to the *placed* notice of it, but for the gathering',
      idle.notice,
    ),
    row('three busy agents: from a message of an agent that names them to *placed*', busy.sincePost),
    row('the same: from the end of the batch (*offered*) to the model', busy.atModel),
    row('the same: from the end of the batch (*offered*) to *placed*', busy.placed),
  ],
  notes: [],
  goals: [],
})
