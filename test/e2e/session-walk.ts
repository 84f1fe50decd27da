/** An agent that works turn by turn in a repository, with the files after each turn and the request that began it. */
import { execFileSync } from 'node:child_process'
import { chmodSync, constants, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Agent } from '../../src/contract/agent.ts'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { stateOf, type TreeState } from '../support/snapshot-box.ts'
import { startRein, type TestOptions, type TestRein } from './harness.ts'
import { messagesOf } from './messages.ts'
import { idle, terminalOf } from './terminal.ts'

export interface Walked extends TestRein {
  /** The agent that walks. */
  target: { target: string; cwd: string }
  prompts: string[]
  /** The files after each turn; before the first one at 0. */
  states: TreeState[]
  /** The first request of each turn; the first turn's at 1. */
  requests: SimRequest[]
  /** Resolves when the turn has ended and its files are saved. */
  say: (prompt: string, handle?: string) => Promise<SimRequest>
}

export interface WalkOptions extends TestOptions {
  host?: 'stream' | 'tmux'
  /** How many of the five turns. */
  turns?: number
  /** Others instead of these. */
  promptsIn?: (cwd: string) => string[]
}

export const call = (tool: string, input: object): string => `CALL:${tool}${JSON.stringify(input)}`

/** Create, edit, delete, move, chmod, link, binary: by tools of the CLI and by the shell. */
const fivePrompts = (cwd: string): string[] => [
  `${call('Write', { file_path: join(cwd, 'made.txt'), content: 'one\ntwo\n' })} ;; RUN:chmod 755 run.sh ;; SAY:first`,
  `RUN:rm gone.txt && mkdir -p deep/er && mv moved.txt deep/er/ && printf '\\000\\377' > binary ;; SAY:second`,
  `${call('Edit', { file_path: join(cwd, 'made.txt'), old_string: 'two', new_string: 'three' })} ;; SAY:third`,
  `PAR:RUN:ln -sf made.txt link && RUN:echo more >> kept.txt ;; SAY:fourth`,
  `RUN:rm -r deep link && echo again > gone.txt && mkdir empty ;; SAY:fifth`,
]

export const files = (cwd: string): TreeState => stateOf(Buffer.from(cwd), (name) => name !== '.git')

/** All of the user's git but what a look of theirs changes by itself. */
export const gitOf = (cwd: string): string =>
  ['status --porcelain=v2 --branch', 'stash list', 'diff --cached', 'for-each-ref']
    .map((args) => execFileSync('git', args.split(' '), { cwd, encoding: 'utf8' }))
    .join('\n')

const git = (cwd: string, ...args: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], { cwd })

/** A repository with a commit, staged and unstaged changes, and a secret that git ignores. */
export const fill = (cwd: string): void => {
  for (const name of ['gone.txt', 'moved.txt', 'kept.txt', 'run.sh']) writeFileSync(join(cwd, name), `${name}\n`)
  writeFileSync(join(cwd, '.gitignore'), 'secret\n')
  writeFileSync(join(cwd, 'secret'), 'never to be lost')
  git(cwd, 'init', '-q')
  git(cwd, 'add', '-A')
  git(cwd, 'commit', '-q', '-m', 'begin')
  writeFileSync(join(cwd, 'staged.txt'), 'staged\n')
  git(cwd, 'add', 'staged.txt')
  writeFileSync(join(cwd, 'kept.txt'), 'changed\n')
  symlinkSync('nowhere', join(cwd, 'dangling'))
  chmodSync(join(cwd, 'run.sh'), 0o600)
}

/** How many turns of the session have ended and have their files. */
const turnsDone = async ({ client }: TestRein, target: Walked['target']): Promise<number> => {
  const { turns } = await client.session(target).catch(() => ({ turns: [] }))
  return turns.filter(({ endedAt, hasFiles }) => endedAt !== null && hasFiles).length
}

/** A turn ends with a record of one topic, and its files with one of another: whichever is last. */
export const turnsReach = async (rein: TestRein, target: Walked['target'], count: number): Promise<void> => {
  const ended = new AbortController()
  const look = async (topic: string): Promise<void> => {
    for await (const _ of rein.client.tail({ topic, after: 0, follow: true }, ended.signal))
      if ((await turnsDone(rein, target)) >= count) return
  }
  await Promise.race([look('sessions'), look('turns')])
  ended.abort()
}

/** What a person would type into an agent, which need not be the only one. */
const typeTo = async (rein: TestRein, handle: string, text: string): Promise<void> => {
  const agent = await createdAs(rein, handle)
  if (agent.host !== 'stream') {
    await idle(rein)
    return (await terminalOf(rein)).write(text)
  }
  const pipe = await open(join(rein.paths.state, 'agents', agent.id, 'stdin.fifo'), constants.O_WRONLY)
  await pipe.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`)
  await pipe.close()
}

const createdAs = async ({ client }: TestRein, handle: string): Promise<Agent> => {
  for await (const one of client.tail({ topic: 'agents', after: 0 }))
    if (one.type === 'agent.created' && one.body.agent.handle === handle) return one.body.agent
  throw new Error(`There is no ${handle}.`)
}

export const walk = async (options: WalkOptions = {}): Promise<Walked> => {
  const { host = 'stream', turns = 5, promptsIn = fivePrompts } = options
  const rein = await startRein({ scenario: '', ...options })
  const { cwd, sim, client } = rein
  fill(cwd)
  const target = { target: 'worker', cwd }
  const prompts = promptsIn(cwd).slice(0, turns)
  const [states, requests]: [TreeState[], SimRequest[]] = [[files(cwd)], []]
  const say = async (prompt: string, handle = 'worker'): Promise<SimRequest> => {
    const { length } = sim.requests
    const count = await turnsDone(rein, target)
    const agents = await client.ps({})
    if (agents.length === 0) await rein.up(prompt, {}, { host })
    else await typeTo(rein, handle, prompt)
    const request = await sim.next((one) => one.isMain && one.newText.includes(prompt), length)
    await turnsReach(rein, target, count + 1)
    return request
  }
  for (const [index, prompt] of prompts.entries()) {
    requests[index + 1] = await say(prompt)
    states.push(files(cwd))
  }
  return { ...rein, target, prompts, states, requests, say }
}

/** All that the model had before a prompt. */
export const prefixOf = (request: SimRequest, prompt: string): unknown[] => {
  const messages = messagesOf(request)
  const text = JSON.stringify(prompt).slice(1, -1)
  const end = messages.findLastIndex((message) => JSON.stringify(message).includes(text))
  expect(end).toBeGreaterThanOrEqual(0)
  return messages.slice(0, end)
}
