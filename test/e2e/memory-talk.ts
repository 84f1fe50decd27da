import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { startRein, type TestOptions, type TestRein } from './harness.ts'

const speaking = { REIN_MEMORY_ADVISE: 'true', REIN_MEMORY_COOLDOWN_MS: '0' }

/** Rein, with advice, in a project whose check fails until something is installed. */
export const startShop = async ({ config = {}, ...options }: TestOptions = {}): Promise<TestRein> => {
  const rein = await startRein({ scenario: '', ...options, config: { ...speaking, ...config } })
  const write = (name: string, text: string): void => writeFileSync(join(rein.cwd, name), text)
  write('check.cjs', "require('left-pad'); console.log('checked')\n")
  const setup = 'mkdir -p node_modules/left-pad && echo "module.exports = 1" > node_modules/left-pad/index.js'
  write('package.json', JSON.stringify({ name: 'shop', scripts: { setup } }))
  mkdirSync(join(rein.cwd, 'scripts'))
  for (const name of ['test', 'docs']) {
    write(`scripts/${name}.sh`, `#!/bin/sh\necho ran ${name}\n`)
    chmodSync(join(rein.cwd, 'scripts', `${name}.sh`), 0o755)
  }
  return rein
}

export const uninstall = ({ cwd }: TestRein): void => rmSync(join(cwd, 'node_modules'), { recursive: true })

/** A failure and its repair, and how tests are run here: twelve commands. */
export const work = [
  'node check.cjs',
  'npm run setup',
  'node check.cjs',
  ...Array.from({ length: 9 }, () => './scripts/test.sh --ci'),
]
const failure = "Error: Cannot find module 'left-pad'\nRequire stack:\n- /shop/check.cjs"

/** As if an agent had done that work in a conversation of before. */
export const ingestWork = async ({ client, cwd }: TestRein): Promise<void> => {
  const commands = work.map((command, index) => ({
    command,
    exit: index === 0 ? 1 : 0,
    output: index === 0 ? failure : null,
    at: Date.now() - 60_000 + index,
    session: 'before',
    author: 'claude',
  }))
  await client.ingest({ cwd, commands })
}

/** Resolves with all commands, oldest first, when there are so many. */
export const remembered = async ({ client, cwd }: TestRein, count: number): Promise<string[]> => {
  for await (const _ of client.tail({ topic: 'commands', after: 0, follow: true })) {
    const found = await client.history({ cwd })
    if (found.length >= count) return found.map(({ command, outcome }) => `${command}: ${outcome}`).toReversed()
  }
  throw new Error('The log ended.')
}

/** Resolves when the model has been asked for what it says last. */
export const ended = ({ sim }: TestRein, words: string): Promise<SimRequest> =>
  sim.next(({ reply, isMain }) => isMain && reply === `SAY:${words}`)

/** What was new to the model when it chose this step of its script; of several times the last. */
export const heardBefore = ({ sim }: TestRein, step: string): string =>
  sim.requests.findLast(({ reply, isMain }) => isMain && reply === step)?.newText ?? ''

type Advice = LogRecord<'advice.decided'>['body']['advice']

/** What was decided, until there is one of each of these kinds. */
export const decided = async ({ client }: TestRein, ...kinds: Advice['kind'][]): Promise<Advice[]> => {
  const found: Advice[] = []
  for await (const record of client.tail({ topic: 'advices', after: 0, follow: true })) {
    if (isAdvice(record)) found.push(record.body.advice)
    if (kinds.every((kind) => found.some((advice) => advice.kind === kind))) return found
  }
  throw new Error('The log ended.')
}

const isAdvice = (record: AnyRecord): record is LogRecord<'advice.decided'> & AnyRecord =>
  record.type === 'advice.decided'
