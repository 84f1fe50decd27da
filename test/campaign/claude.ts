import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { startSim } from '../../src/sim/server.ts'
import { parseObject } from '../../src/base/util/json.ts'
import { seeded } from '../support/seeded.ts'
import type { Account } from './account.ts'
import { play } from './campaign.ts'
import type { Options } from './options.ts'
import { readReceipts, type Stored } from './receipts.ts'
import { createStage, type Env, repository, whenBrokenOff } from './stage.ts'
import { count, judge, type Tally } from './tally.ts'
import { notesIn } from './truth.ts'

/** An obedient model. */
export const scenario = String.raw`on <rein-directive id="(dir_[0-9a-f-]+)" do RUN:rein ack $1`
const prompts = [
  'RUN:echo one ;; RUN:echo two ;; SAY:done',
  'PAR:RUN:echo a && RUN:echo b ;; SAY:done',
  'SLOW:1:thinking about it ;; SAY:done',
  'RUN:echo three ;; ERROR:400:bad request ;; SAY:done',
]

/** The campaign with the real Claude Code; the truth is what reached the scripted model. */
export const runClaude = async (options: Options): Promise<Tally> => {
  const sim = await startSim({ scenario })
  const stage = createStage(join(repository, 'node_modules/@anthropic-ai/claude-code/bin/claude.exe'))
  whenBrokenOff(stage.close)
  const random = seeded(options.seed + 3)
  const handles = Array.from({ length: options.agents }, (_, n) => `agent-${n + 1}`)
  const env: Env = {
    ...stage.env,
    ANTHROPIC_BASE_URL: sim.url,
    ANTHROPIC_API_KEY: 'sk-ant-dummy-0123456789abcdef',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
  }
  const prompt = (): string => prompts[Math.floor(random() * prompts.length)] ?? ''
  try {
    const played = await play(stage, options, { handles, envOf: () => env, prompt })
    const receipts = readReceipts(stage.paths)
    const account = await accountOfRequests(sim.requests, receipts, join(stage.env['HOME'] ?? '', '.claude/projects'))
    const counts = { ...played.counts, ...count(played.accepted, receipts, account) }
    return { mode: 'real Claude Code', seed: options.seed, counts, failures: judge(counts, options.isControl) }
  } finally {
    stage.close()
    await sim.close()
  }
}

/** One request that was answered: which notes stood in it, and how often. */
interface Answered {
  conversation: string
  at: number
  notes: string[]
}

/** What the scripted model was asked, against the receipts; `projects` is where the transcripts are. */
export const accountOfRequests = async (
  requests: readonly SimRequest[],
  receipts: Map<string, Stored>,
  projects: string,
): Promise<Account> => {
  const answered = await answeredOnes(requests)
  const repliedAt = readTimes(projects)
  const isTrue = (note: string, conversation: string, reply: string): boolean =>
    answered.some(
      (one) => one.conversation === conversation && one.at <= (repliedAt.get(reply) ?? 0) && one.notes.includes(note),
    )
  const falseSeen = [...receipts].flatMap(([note, { steps }]) =>
    steps
      .filter(({ state }) => state === 'seen')
      .filter(({ evidence }) => !isTrue(note, evidence?.conversation ?? '', evidence?.descendant ?? ''))
      .map(() => note),
  )
  const got = new Set(answered.flatMap(({ notes }) => notes))
  return { got, falseSeen, acked: new Set(), shownAgain: { 'twice in one request': twice(answered) } }
}

const answeredOnes = async (requests: readonly SimRequest[]): Promise<Answered[]> => {
  const main = requests.filter((request) => request.isMain && request.agentId === undefined)
  const outcomes = await Promise.all(main.map(({ outcome }) => outcome))
  return main
    .filter((_, index) => outcomes[index] === 'answered')
    .filter((request) => !/^(ERROR|LIMIT|DROP)/.test(request.reply))
    .map(({ headers, at, text }) => ({
      conversation: headers['x-claude-code-session-id'] ?? '',
      at: at.getTime(),
      notes: notesIn(text),
    }))
}

const twice = (answered: Answered[]): number =>
  new Set(answered.flatMap(({ notes }) => notes.filter((note, index) => notes.indexOf(note) !== index))).size

/** When each entry of each transcript was made. */
const readTimes = (projects: string): Map<string, number> => {
  const files = readdirSync(projects, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  const entries = files.flatMap((name) => readFileSync(join(projects, name), 'utf8').split('\n').map(parseObject))
  return new Map(entries.map((entry) => [String(entry?.['uuid']), Date.parse(String(entry?.['timestamp']))]))
}
