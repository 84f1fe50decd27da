import { readFileSync } from 'node:fs'
import { agentToken } from '../src/agents/identity/tokens.ts'
import { agentTokenOf, type Box, select } from '../test/process/harness.ts'
import { startBusyAgents, withBox } from './box.ts'
import { type Findings, interleave, median, ms, percentile } from './measure.ts'
import { Role } from './role.ts'
import type { SendResult } from './sender.ts'
import type { PostKind, PostOrder } from './team-poster.ts'

const agents = 30
const rounds = 12
/** By each of them. */
const perRound = 70
/** So many until the daemon's code is compiled as well as it will be. */
const warmUp = 400
const room = 'build'
const kinds = ['hello', 'nothing', 'post'] as const
const names: Record<PostKind, string> = {
  hello: '30 agents at once: an empty request (`GET /v1/hello`)',
  nothing: '30 agents at once: as many bytes, nothing to do (a hook call of no agent)',
  post: '30 agents at once: a message in their room, durably posted (`POST /v1/rooms/posts`)',
}

/** 30 agents post in one room, which all of them watch. */
export const posting = (): Promise<Omit<Findings, 'head'>> =>
  withBox(async (box) => {
    await startBusyAgents(box, agents)
    await box.client().createRoom({ room, cwd: box.cwd })
    const poster = new Role<PostOrder, SendResult>('team-poster', box.paths.socket)
    const latencies: Record<PostKind, number[]> = { hello: [], nothing: [], post: [] }
    const who = { ...tokensOf(box), room, cwd: box.cwd }
    const send = (kind: PostKind) => async (): Promise<number> => {
      const result = await poster.ask({ kind, count: perRound, ...who })
      latencies[kind].push(...result.latencies)
      return result.perSecond
    }
    for (const kind of kinds) await poster.ask({ kind, count: warmUp, ...who })
    const before = await box.client().status()
    const rates = await interleave({ hello: send('hello'), nothing: send('nothing'), post: send('post') }, rounds)
    const after = await box.client().status()
    poster.end()
    await checkAll(box)
    return toFindings(rates, latencies, (after.commits - before.commits) / latencies.post.length)
  })

const tokensOf = ({ paths }: Box): Pick<PostOrder, 'tokens' | 'nobody'> => {
  const { secret } = JSON.parse(readFileSync(paths.endpoint, 'utf8')) as { secret: string }
  const handles = select(paths, 'SELECT handle FROM agent').map(({ handle }) => String(handle))
  const tokens = handles.map((handle) => agentTokenOf(paths, handle))
  return { tokens, nobody: agentToken(secret, 'agt_00000000-0000-7000-8000-000000000000', null) }
}

/** A figure counts only if every message is there, and unread by everybody but its author. */
const checkAll = async (box: Box): Promise<void> => {
  const posts = agents * (warmUp + rounds * perRound)
  const members = await box.client().members({ room, cwd: box.cwd })
  const wrong = members.filter(({ kind, unread }) => unread !== (kind === 'agent' ? posts - posts / agents : posts))
  if (members.length !== agents + 1 || wrong.length > 0) throw new Error(`Not right: ${JSON.stringify(wrong)}`)
}

const toFindings = (
  rates: Record<PostKind, number[]>,
  latencies: Record<PostKind, number[]>,
  fsyncs: number,
): Omit<Findings, 'head'> => {
  const pairs = (kind: PostKind): number => median(rates.post.map((rate, round) => rate / (rates[kind][round] ?? 0)))
  const row = (kind: PostKind): string[] => [
    names[kind],
    median(rates[kind]).toFixed(0),
    ...[0.5, 0.95, 0.99].map((share) => ms(percentile(latencies[kind], share))),
    kind === 'post' ? '1' : `posts: ${pairs(kind).toFixed(2)} of it`,
  ]
  return {
    rows: kinds.map(row),
    notes: [`${fsyncs.toFixed(3)} commits (each one fsync) per message posted by the 30.`],
    goals: [
      {
        what: 'durable messages of 30 agents, compared with requests of that size that ask for nothing:',
        value: pairs('nothing'),
        limit: 0.6,
        kind: 'at least',
      },
    ],
  }
}
