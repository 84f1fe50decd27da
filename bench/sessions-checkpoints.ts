import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { type Sim, startSim } from '../src/sim/server.ts'
import { parseObject } from '../src/base/util/json.ts'
import { LineSplitter } from '../src/base/util/line-splitter.ts'
import { cliNamed, envOf, settle } from '../test/support/clis.ts'
import { stateOf, type TreeState } from '../test/support/snapshot-box.ts'
import { withBox } from './box.ts'
import { type Findings, median, ms, percentile, tableOf, timed, times } from './measure.ts'
import { claudePath, untilIdle } from './real-agents.ts'
import { promptLine, PromptedAgent } from './sessions-agent.ts'

const rounds = 5

const call = (tool: string, input: object): string => `CALL:${tool}${JSON.stringify(input)}`

const editIn = (cwd: string, name: string, turn: number): string =>
  `${call('Read', { file_path: join(cwd, name) })} ;; ${call('Edit', {
    file_path: join(cwd, name),
    old_string: 'one',
    new_string: `one, edited in turn ${turn}`,
  })}`

const writeIn = (cwd: string, name: string): string =>
  call('Write', { file_path: join(cwd, name), content: `${name}: one\n` })

/** What the shell does in the second turn. */
const shell = [
  'echo created > created.txt',
  'echo more >> appended.txt',
  'echo more >> plain.txt',
  'rm deleted.txt',
  'chmod 755 run.sh',
  'ln -s plain.txt link',
  'mkdir place && mv moved.txt place/',
  'mkdir empty',
].join(' && ')

const promptsIn = (cwd: string): string[] => [
  `${writeIn(cwd, 'written.txt')} ;; ${editIn(cwd, 'appended.txt', 1)} ;; SAY:first`,
  `RUN:${shell} ;; SAY:second`,
  `${editIn(cwd, 'written.txt', 3)} ;; ${editIn(cwd, 'edited.txt', 3)} ;; ${writeIn(cwd, 'late.txt')} ;; SAY:third`,
]

/** What a person does after the third turn. */
const byHand = (cwd: string): void => {
  appendFileSync(join(cwd, 'edited.txt'), 'by hand\n')
  appendFileSync(join(cwd, 'own.txt'), 'by hand\n')
  writeFileSync(join(cwd, 'note.txt'), 'by hand\n')
}

/** Each kind of change, and the paths that it is seen in. */
const kinds: Record<string, string[]> = {
  'a tool edits a file (Edit)': ['written.txt'],
  'a tool makes a file (Write)': ['late.txt'],
  'the shell makes a file': ['created.txt'],
  'the shell appends to a file that Edit has changed before': ['appended.txt'],
  'the shell appends to another file': ['plain.txt'],
  'the shell deletes a tracked file': ['deleted.txt'],
  'the shell changes a mode': ['run.sh'],
  'the shell makes a symbolic link': ['link'],
  'the shell moves a file': ['moved.txt', 'place/', 'place/moved.txt'],
  'the shell makes an empty directory': ['empty/'],
  'a person edits a file that the agent has edited': ['edited.txt'],
  'a person edits another file': ['own.txt'],
  'a person makes a file': ['note.txt'],
}

const filesIn = (cwd: string): TreeState => stateOf(Buffer.from(cwd), (name) => name !== '.git')

const fill = (cwd: string): void => {
  const names = ['appended', 'plain', 'deleted', 'moved', 'edited', 'own', 'kept'].map((name) => `${name}.txt`)
  for (const name of [...names, 'run.sh']) writeFileSync(join(cwd, name), `${name}: one\n`)
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', ...args], { cwd })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'all')
}

/** The files after the first turn and at the end, as they were and as they came back. */
interface Walked {
  first: TreeState
  end: TreeState
  back: TreeState
  forward: TreeState
  backMs: number[]
  forwardMs: number[]
}

/** One who goes through the three turns, and then back to the first and forward again. */
interface Walker {
  say(prompt: string, turn: number): Promise<unknown>
  back(): Promise<unknown>
  forward(): Promise<unknown>
}

const walk = async (cwd: string, walker: Walker): Promise<Walked> => {
  const states: TreeState[] = []
  for (const [index, prompt] of promptsIn(cwd).entries()) {
    await walker.say(prompt, index + 1)
    states.push(filesIn(cwd))
  }
  byHand(cwd)
  const walked: Walked = { first: states[0] ?? {}, end: filesIn(cwd), back: {}, forward: {}, backMs: [], forwardMs: [] }
  for (let round = 0; round < rounds; round += 1) {
    walked.backMs.push(await timed(() => walker.back()))
    if (round === 0) walked.back = filesIn(cwd)
    walked.forwardMs.push(await timed(() => walker.forward()))
    if (round === 0) walked.forward = filesIn(cwd)
  }
  return walked
}

const inRepository = <T>(
  use: (box: Parameters<Parameters<typeof withBox>[0]>[0], sim: Sim) => Promise<T>,
): Promise<T> =>
  withBox(
    async (box) => {
      fill(box.cwd)
      const sim = await startSim({})
      try {
        return await use(box, sim)
      } finally {
        await sim.close()
      }
    },
    { REIN_CLAUDE_PATH: claudePath },
  )

const withRein = (part: 'code' | 'both'): Promise<Walked> =>
  inRepository(async (box, sim) => {
    const agent = await PromptedAgent.start(box, sim)
    const target = { target: 'worker', cwd: box.cwd }
    const idle = (): Promise<void> => untilIdle(box.client(), 'worker')
    const walked = await walk(box.cwd, {
      say: async (prompt, turn) => {
        await agent.say(prompt)
        await agent.saved(turn)
        await idle()
      },
      back: () => box.client().rewind({ ...target, turn: '1', part }),
      forward: () => box.client().redo(target),
    })
    await agent.end()
    return walked
  })

type Child = ChildProcessByStdio<Writable, Readable, null>

/** Claude Code alone, with its own checkpoints, told what to do over its stdin. */
class BareClaude {
  readonly #child: Child
  readonly #waiting = new Map<string, (line: Record<string, unknown>) => void>()

  constructor(cwd: string, env: Record<string, string>) {
    const stream = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
    const args = ['-p', ...stream, '--permission-mode', 'bypassPermissions']
    this.#child = spawn(claudePath, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
    const lines = new LineSplitter()
    this.#child.stdout.on('data', (chunk: Buffer) => lines.push(chunk).forEach((line) => this.#read(line)))
  }

  async say(prompt: string, uuid: string): Promise<void> {
    const ended = this.#next('result')
    this.#child.stdin.write(promptLine(prompt, { uuid, parent_tool_use_id: null, session_id: '' }))
    await ended
  }

  /** The files as they were when this prompt came, as far as it knows. */
  async rewind(prompt: string): Promise<void> {
    const id = randomUUID()
    const answered = this.#next(id)
    const request = { subtype: 'rewind_files', user_message_id: prompt }
    this.#child.stdin.write(`${JSON.stringify({ type: 'control_request', request_id: id, request })}\n`)
    const answer = JSON.stringify(await answered)
    if (!answer.includes('"canRewind":true')) throw new Error(`rewind_files: ${answer}`)
  }

  async end(): Promise<void> {
    this.#child.stdin.end()
    await once(this.#child, 'close')
  }

  #next(name: string): Promise<Record<string, unknown>> {
    return new Promise((resolve) => this.#waiting.set(name, resolve))
  }

  #read(text: string): void {
    const line = parseObject(text) ?? {}
    const { request_id: id } = (line['response'] ?? {}) as { request_id?: string }
    this.#waiting.get(id ?? String(line['type']))?.(line)
  }
}

/** To what was after the first turn: that is before the second prompt. Nothing leads to the end; the last prompt is nearest. */
const withCheckpoints = (): Promise<Walked> =>
  inRepository(async ({ cwd, root }, sim) => {
    const [cli, home] = [cliNamed('claude'), join(root, 'bare')]
    mkdirSync(home)
    await settle(cli, home, sim.url, cwd)
    const env = { ...envOf(cli, home, sim.url), CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1' }
    const claude = new BareClaude(cwd, env)
    const prompts = ['', randomUUID(), randomUUID(), randomUUID()]
    const walked = await walk(cwd, {
      say: (prompt, turn) => claude.say(prompt, prompts[turn] ?? ''),
      back: () => claude.rewind(prompts[2] ?? ''),
      forward: () => claude.rewind(prompts[3] ?? ''),
    })
    await claude.end()
    return walked
  })

const isSame = (a: TreeState, b: TreeState, paths: string[]): boolean => paths.every((path) => a[path] === b[path])

const pathsOf = ({ first, end, back, forward }: Walked): string[] => [
  ...new Set([first, end, back, forward].flatMap((state) => Object.keys(state))),
]

/** What had not gone back cannot come forward. */
const wordsFor = ({ first, end, back, forward }: Walked, paths: string[]): string[] => [
  isSame(back, first, paths) ? 'yes' : '**no**',
  isSame(back, end, paths) ? '–' : isSame(forward, end, paths) ? 'yes' : '**lost**',
]

const wrongIn = (walked: Walked): number => {
  const { first, end, back, forward } = walked
  const wrong = (a: TreeState, b: TreeState): number => pathsOf(walked).filter((path) => a[path] !== b[path]).length
  return wrong(back, first) + wrong(forward, end)
}

const row = (what: string, taken: number[], base: number[]): string[] => [
  what,
  ms(median(taken)),
  ms(percentile(taken, 0.95)),
  times(median(taken) / median(base)),
]

const restoredTable = (own: Walked, rein: Walked): string => {
  const line = ([kind, paths]: [string, string[]]): string[] => [
    kind,
    ...wordsFor(own, paths),
    ...wordsFor(rein, paths),
  ]
  const whole = ['**the whole tree**', ...wordsFor(own, pathsOf(own)), ...wordsFor(rein, pathsOf(rein))]
  const head = ['restored, byte for byte?', 'Claude Code: back', 'forward', 'Rein: back', 'forward']
  return tableOf(head, [...Object.entries(kinds).map(line), whole])
}

/** What Rein and Claude Code's own checkpoints bring back of the same three turns. */
export const checkpoints = async (): Promise<Omit<Findings, 'head'>> => {
  const own = await withCheckpoints()
  const rein = await withRein('code')
  const both = await withRein('both')
  const value = wrongIn(rein) + wrongIn(both)
  return {
    rows: [
      row("Claude Code's own checkpoints: back to turn 1, some files", own.backMs, own.backMs),
      row('Rein: back to turn 1, all files', rein.backMs, own.backMs),
      row('Rein: the same with the conversation, for which Claude Code is started anew', both.backMs, own.backMs),
      row("Claude Code's own checkpoints: forward to the third prompt, some files", own.forwardMs, own.forwardMs),
      row('Rein: forward to the end, all files', rein.forwardMs, own.forwardMs),
      row('Rein: the same with the conversation', both.forwardMs, own.forwardMs),
    ],
    notes: [restoredTable(own, rein), about],
    goals: [{ what: 'paths that Rein does not restore, back and forward:', value, limit: 0, kind: 'at most' }],
  }
}

const about =
  'Three turns: tools write and edit (1), the shell does what the table says (2), tools edit and write again (3); then a person does something. *back* is to the end of turn 1, *forward* from there to the very end, what the person did included; – is what had not gone back at all. Claude Code has the files as they were at a prompt, of those that its own tools have changed: the end of turn 1 is at the second prompt, and what is nearest to the very end is the third one. It is asked headless, by `rewind_files` with `CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1`.'
