import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filledIn, plantedTexts } from '../support/redaction-corpus.ts'
import { planted } from '../support/redaction-values.ts'
import { readTree } from '../support/live-tree.ts'
import { type Box, createBox } from './harness.ts'
import { hookCaller } from './hook-caller.ts'

/** No secret: what is kept must be found. */
const markers = ['plain-word-by-ingest', 'plain-word-by-shell', 'plain-word-by-command', 'plain-word-by-output']

interface Planted {
  text: string
  secrets: string[]
}

/** One text of each kind, with values that no other seed has, and a word that is none. */
const plantedWith = (seed: number): Planted[] => {
  const kinds = new Map(filledIn(plantedTexts, seed).map(({ kind, template }) => [kind, template]))
  const texts = [...kinds.values()].map((template) => planted(template, ''))
  return [...texts, { text: `echo ${markers[seed - 1]}`, secrets: [] }]
}
const [byIngest, byShell, byCommand, byOutput] = [1, 2, 3, 4].map(plantedWith) as [
  Planted[],
  Planted[],
  Planted[],
  Planted[],
]
const all = [...byIngest, ...byShell, ...byCommand, ...byOutput]

/** Values so short that they stand somewhere by chance prove nothing. */
const secrets = [...new Set(all.flatMap((each) => each.secrets))].filter((secret) => secret.length >= 8)
/** As they are and as JSON has them, by their first four bytes: thousands are looked for in megabytes. */
const wanted = new Map<number, Buffer[]>()
for (const form of new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))) {
  const bytes = Buffer.from(form)
  const start = bytes.readUInt32LE()
  wanted.set(start, [...(wanted.get(start) ?? []), bytes])
}

const foundIn = (bytes: Buffer): string[] => {
  const found = new Set<string>()
  for (let at = 0; at + 4 <= bytes.length; at += 1)
    for (const form of wanted.get(bytes.readUInt32LE(at)) ?? [])
      if (form.equals(bytes.subarray(at, at + form.length))) found.add(form.toString())
  return [...found]
}

const cleanUps: (() => void)[] = []
let box: Box
/** Whatever hooks and requests answered. */
const answers: string[] = []
afterAll(() => cleanUps.forEach((clean) => clean()))

const inBatches = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', String.raw`\t`).replaceAll('\n', String.raw`\n`)

/** As a shell that has ended by now left it. */
const writeShellFile = (): void => {
  const lines = byShell.map(({ text }, n) => `\n1\t${n + 1}\t${Date.now()}\t5\t1\t${box.cwd}\t${escaped(text)}\t.\n`)
  mkdirSync(box.paths.shells, { recursive: true, mode: 0o700 })
  writeFileSync(join(box.paths.shells, 'bash-4194304-1.cmds'), lines.join(''), { mode: 0o600 })
}

/** Calls hooks as Claude Code does, for commands that failed. */
const callHooks = async (calls: { command: string; output: string }[]): Promise<void> => {
  const call = await hookCaller(box, { atTheEnd: (clean) => cleanUps.push(clean) })
  let n = 0
  for (const batch of inBatches(calls, 50)) {
    const tools = batch.map(({ command, output }) => ({
      tool_name: 'Bash',
      tool_use_id: `toolu_${calls.length}_${(n += 1)}`,
      tool_input: { command },
      tool_response: `Exit code 1\n${output}`,
    }))
    answers.push((await call('PreToolUse', { ...tools[0] })).stdout)
    answers.push((await call('PostToolBatch', { tool_calls: tools })).stdout)
  }
}

beforeAll(async () => {
  const config = { REIN_MEMORY_COOLDOWN_MS: '0', REIN_MEMORY_CONFIDENCE: '0' }
  box = createBox({ ...config, REIN_HOOKS_DEADLINE_MS: '4000' }, (clean) => cleanUps.push(clean))
  await box.daemon()
  const client = box.client()
  writeShellFile()
  for (const commands of inBatches(byIngest, 500))
    await client.ingest({
      cwd: box.cwd,
      commands: commands.map(({ text }) => ({ command: text, output: text, exit: 1 })),
    })
  await callHooks([
    ...byCommand.map(({ text }) => ({ command: text, output: 'no such thing' })),
    ...byOutput.map(({ text }, index) => ({ command: `make step-${index}`, output: text })),
  ])
  for await (const _ of client.tail({ topic: 'commands', after: 0, follow: true }))
    if ((await client.projectCommands({ cwd: box.cwd })).commands >= all.length) break
})

/** Everything under Rein's home, by its name. */
const files = (): Record<string, Buffer> =>
  Object.fromEntries([...readTree(box.paths.state)].map(([path, content]) => [basename(path), content]))

test('no planted secret is in an answer: of suggestions, history, diagnoses, figures, decisions or hooks', async () => {
  const { cwd } = box
  const client = box.client()
  const history = await client.history({ cwd, limit: 10_000 })
  expect(history).toHaveLength(all.length)
  expect(new Set(history.map(({ source }) => source))).toEqual(new Set(['ingest', 'shell', 'hook']))
  const words = [...new Set(all.map(({ text }) => text.slice(0, 3)))]
  for (const prefix of ['', ...words.slice(0, 200), ...byIngest.slice(0, 50).map(({ text }) => text)])
    answers.push(JSON.stringify(await client.suggest({ cwd, prefix, limit: 20 })))
  for (const { text } of byOutput.slice(0, 50))
    answers.push(JSON.stringify(await client.diagnose({ cwd, command: text, exit: 1, output: text })))
  const rest = [
    history,
    await client.diagnose({ cwd }),
    await client.projectCommands({ cwd, limit: 1000 }),
    await client.memoryStats({ cwd }),
    await client.adviceLog({ cwd, limit: 10_000 }),
  ]
  const said = [...answers, ...rest.map((answer) => JSON.stringify(answer))].join('\n')
  expect(foundIn(Buffer.from(said))).toEqual([])
  // The search finds what is there: words that are no secrets.
  for (const marker of markers) expect(said).toContain(marker)
  expect(said).toContain('additionalContext')
  expect((await client.memoryStats({ cwd })).secrets).toBeGreaterThanOrEqual(secrets.length)
})

test('no planted secret is in a file, neither while the daemon runs nor when it has stopped', async () => {
  expect(new Set(filledIn(plantedTexts, 1).map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(200)
  const running = files()
  await box.client().stop()
  const stopped = files()
  expect(Object.keys(stopped)).toEqual(expect.arrayContaining(['rein.db', 'memory.bin', 'rein.log']))
  for (const [name, text] of [...Object.entries(running), ...Object.entries(stopped)])
    expect({ name, found: foundIn(text) }).toEqual({ name, found: [] })
  // What is no secret is found in the same files.
  const database = Buffer.concat(
    Object.entries(stopped).flatMap(([name, text]) => (name.startsWith('rein.db') ? [text] : [])),
  )
  for (const marker of markers) {
    expect(database.includes(marker)).toBe(true)
    expect(stopped['memory.bin']?.includes(marker)).toBe(true)
  }
})
