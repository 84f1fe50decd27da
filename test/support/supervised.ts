import { onTestFinished } from 'vitest'
import { join } from 'node:path'
import { type Agent, LaunchRequest } from '../../src/contract/agent.ts'
import { overProtocol, type Responder } from '../../src/contract/hooks.ts'
import type { Host, HostedAgent, HostEvent, LaunchPlan } from '../../src/contract/host.ts'
import type { AnyNewRecord } from '../../src/contract/record.ts'
import { claude } from '../../src/drivers/claude/driver.ts'
import { runPipeline } from '../../src/agents/hooks/pipeline.ts'
import { policyResponder } from '../../src/agents/questions/policy-responder.ts'
import { Launches } from '../../src/agents/launch/launches.ts'
import { OpenConversations } from '../../src/agents/conversation/open-conversations.ts'
import { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import { aCall, anAgent, now, tempDir } from './builders.ts'

export const evidence = { source: 'stream' as const, detail: 'test' }

const ignore = (): void => undefined

/** A host whose process is only pretended: it is told what happens. */
const fakeHost = (isThere = true) => {
  const said: string[] = []
  const plans: LaunchPlan[] = []
  let on: (event: HostEvent) => void = ignore
  let answering = ignore
  let stopping = ignore
  const hosted: HostedAgent = {
    process: { pid: 4711, startTime: '12345' },
    prompt: async (text) => void said.push(`prompt ${text}`),
    wakeWaiter: () => false,
    waiter: () => 'none',
    interrupt: async () => void said.push('interrupt'),
    answer: async (question, { kind }) => {
      answering()
      said.push(`${kind} ${question.id}`)
    },
    readScreen: () => '',
    stop: async () => {
      stopping()
      on({ kind: 'exit', code: null, signal: 'SIGTERM', evidence })
    },
    release: () => void said.push('release'),
  }
  const events = { early: [] as HostEvent[] }
  const host: Host = {
    kind: 'stream',
    start: async (_, plan, listener) => {
      plans.push(plan)
      on = listener
      events.early.forEach(on)
      return hosted
    },
    adopt: async (_, __, listener) => {
      on = listener
      return isThere ? hosted : null
    },
  }
  return {
    host,
    said,
    plans,
    events,
    happen: (event: HostEvent) => on(event),
    onAnswer: (run: () => void) => (answering = run),
    onStop: (run: () => void) => (stopping = run),
  }
}

/** An agent whose process and log are only pretended. */
export const startSupervised = (given: Partial<Agent> = {}, isThere = true, rules: Responder[] = []) => {
  const fake = fakeHost(isThere)
  const dir = tempDir()
  const records: AnyNewRecord[] = []
  const atAnswer = { types: [] as string[] }
  const news: string[] = []
  const clock = { now, bootedAt: 0 }
  const kept: Record<string, string>[] = []
  let ids = 0
  const agent = new SupervisedAgent(anAgent({ transcript: join(dir, 'c1.jsonl'), ...given }), {
    append: async (some) => void records.push(...some),
    cursor: () => 0,
    now: () => clock.now,
    newId: (prefix) => `${prefix}_${++ids}`,
    driver: () => claude,
    host: () => fake.host,
    agentDir: () => dir,
    watchers: [
      {
        onEntry: () => void news.push('entry'),
        onRead: () => void news.push('read'),
        onNewContext: () => void news.push('new context'),
      },
    ],
    onTrouble: () => undefined,
    onSettled: () => undefined,
    conversations: new OpenConversations(() => []),
    launches: new Launches(),
    context: async (_, __, ___, known) => ({
      installed: known ?? { path: '/usr/bin/claude', version: '2.1.197' },
      host: 'stream',
      assets: '/assets',
      env: { HOME: dir },
      mcp: ['/usr/bin/node', '/rein/rein.cjs', 'mcp'],
      private: join(dir, 'home'),
      newConversation: 'aaaaaaaa-0000-4000-8000-000000000000',
    }),
    environment: { keep: (_, env) => void kept.push(env), of: () => kept.at(-1) ?? {} },
    endLeftovers: async () => undefined,
    refuseUntrusted: async () => undefined,
    restart: { isOn: true, firstWaitMs: 1000, longestWaitMs: 60_000, limit: 3 },
    stopTimeoutMs: 1000,
    bootedAt: () => clock.bootedAt,
    say: (_, text) => void fake.said.push(`say ${text}`),
    decide: (one, { question, call: id }) => {
      const policy = policyResponder({
        agent: () => one,
        asksPerson: (_, asked) => agent.questions.asksPerson(asked),
        asksAlways: () => false,
      })
      const tools = [{ id, name: question.tool, input: question.input }]
      const call = aCall({ event: 'permission', native: overProtocol, question, tools })
      return runPipeline([...rules, policy], call, () => undefined)
    },
  })
  fake.onAnswer(() => (atAnswer.types = records.map(({ type }) => type)))
  onTestFinished(() => agent.release())
  const launch = (request: Partial<LaunchRequest> = {}) =>
    agent.launch(LaunchRequest.parse({ cwd: dir, ...request }), 'stream', { HOME: dir })
  const state = (name: Agent['state']) => fake.happen({ kind: 'state', state: name, evidence, question: null })
  const types = (): string[] => records.map(({ type }) => type)
  return { ...fake, agent, dir, records, atAnswer, news, clock, launch, state, types }
}
