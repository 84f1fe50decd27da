import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { actingAs, type Box } from '../test/process/harness.ts'
import { startBusyAgents, withBox } from './box.ts'
import { type Findings, interleave, median, ms, percentile, times, type Topic } from './measure.ts'
import { sendAll } from './sender.ts'

const rounds = 600
/** Until the code is compiled as well as it will be. */
const warmUp = 150
const command = 'git status --short && npm test -- --run unit 2>&1 | tail -20'

type Variant = 'empty' | 'none' | 'rules200' | 'rules1000'
const names: Record<Variant, string> = {
  empty: 'an event that nobody answers to: what every hook call costs',
  none: 'a shell call in a project without rules',
  rules200: 'the same with 200 rules on shell calls',
  rules1000: 'the same with 1,000',
}
const variants = Object.keys(names) as Variant[]
const counts: Record<Variant, number> = { empty: 0, none: 0, rules200: 200, rules1000: 1000 }

/** Three of five look at the programs of the line, two at its text; none of them fits, as is usual. */
const ruleText = (index: number): string => {
  const when =
    index % 5 < 3
      ? `{ shell: { program: [tool-${index}, git], subcommand: verb-${index}, flags: [--force, -f] } }`
      : `{ regex: '\\bdeploy-${index}\\s+(?P<target>\\w+)' }`
  return `  - { name: rule-${index}, on: shell, when: ${when}, message: 'Not {{ $target }}.' }\n`
}

const makeProject = (directory: string, count: number): void => {
  mkdirSync(join(directory, '.rein/rules'), { recursive: true })
  const rules = Array.from({ length: count }, (_, index) => ruleText(index))
  if (count > 0) writeFileSync(join(directory, '.rein/rules/all.yaml'), `version: 1\nrules:\n${rules.join('')}`)
}

type Call = (round: number) => Promise<number>

/** Hook calls of one agent, sent as they are: a client would cost more than what is measured. */
const callsOf = async (box: Box, variant: Variant): Promise<Call> => {
  const { env, root } = box
  const cwd = join(root, variant)
  makeProject(cwd, counts[variant])
  await box.client().up({ handle: variant, driver: 'claude', host: 'stream', request: { cwd, env: {}, args: [] }, env })
  const { port } = box.registered() ?? { port: 0 }
  const { REIN_TOKEN: token } = actingAs(box, variant)
  const conversation = (await box.client().ps({})).find(({ handle }) => handle === variant)?.conversation
  const event = variant === 'empty' ? 'Nothing' : 'PreToolUse'
  const bodyOf = (id: string, line: string): string =>
    JSON.stringify({
      session_id: conversation,
      cwd,
      hook_event_name: event,
      tool_name: 'Bash',
      tool_input: { command: line },
      tool_use_id: id,
    })
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  if (counts[variant] > 0) await mustDeny(port, headers, bodyOf('toolu_first', 'deploy-4 production'))
  const head = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return async (round) => {
    const body = bodyOf(`toolu_${round}`, command)
    const start = `POST /v1/hooks/claude/${event} HTTP/1.1\r\n${head.join('')}`
    const taken: number[] = []
    await sendAll(String(port), [`${start}Content-Length: ${body.length}\r\n\r\n${body}`], taken)
    return taken[0] ?? Number.NaN
  }
}

/** Rein would be quick if it did not look at its rules: then the figures mean nothing. */
const mustDeny = async (port: number, headers: Record<string, string>, body: string): Promise<void> => {
  const url = `http://127.0.0.1:${port}/v1/hooks/claude/PreToolUse`
  const answer = await (await fetch(url, { method: 'POST', headers, body })).text()
  if (!answer.includes('rule-4')) throw new Error(`The rules are not looked at: ${answer}`)
}

const run = (): Promise<Findings> =>
  withBox(
    async (box) => {
      await startBusyAgents(box, 0)
      const calls = {} as Record<Variant, Call>
      for (const variant of variants) calls[variant] = await callsOf(box, variant)
      const taken = await interleave(calls, warmUp + rounds)
      return toFindings(taken)
    },
    // The same call again and again is a loop, and nothing to learn from.
    {
      REIN_LOOPS_ENABLED: 'false',
      REIN_MEMORY_ADVISE: 'false',
      REIN_MEMORY_FEED: 'false',
      REIN_SESSIONS_ENABLED: 'false',
    },
  )

const toFindings = (all: Record<Variant, number[]>): Findings => {
  const taken = (variant: Variant): number[] => all[variant].slice(warmUp)
  const p95 = (variant: Variant): number => percentile(taken(variant), 0.95)
  return {
    head: ['one hook call, answered by the daemon', 'p50', 'p95', 'p95 compared with the empty one'],
    rows: variants.map((variant) => [
      names[variant],
      ms(median(taken(variant))),
      ms(p95(variant)),
      times(p95(variant) / p95('empty')),
    ]),
    notes: [`${rounds} calls each, in turns, on a connection of their own that is made before the clock starts.`],
    goals: [
      {
        what: 'p95 with 200 rules, compared with the empty call:',
        value: p95('rules200') / p95('empty'),
        limit: 10,
        kind: 'at most',
      },
    ],
  }
}

export const rules: Topic = { title: 'Rules on a shell call', run }
