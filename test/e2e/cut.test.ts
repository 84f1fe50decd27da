import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { SimRequest } from '../../src/sim/recorder.ts'
import { clis } from '../clis.ts'
import { startTalks, type Talks } from './talks.ts'

type Json = Record<string, unknown>

const prompts = [
  'RUN:echo one ;; SAY:first',
  'PAR:RUN:echo a && RUN:echo b && RUN:echo c ;; SAY:second',
  'THINK:hm ;; RUN:echo three ;; SAY:third',
  'SAY:fourth',
]

/** What a CLI says anew at each start, or sends beside what its model reads. */
const passing: readonly [RegExp, string][] = [
  // Copilot and Gemini: when and where they were started.
  [/<current_datetime>[^<]*/g, ''],
  [/<session_context>[^]*?<\/session_context>/g, ''],
  [/session-state\/[0-9a-f-]{36}/g, 'session-state'],
  // Fields of the API that Copilot and Gemini send back, or make up, while the process lives.
  [/"refusal":null,?/g, ''],
  [/,"__copilotMessageSource":\{[^}]*\}/g, ''],
  [/,"thoughtSignature":"skip_thought_signature_validator"/g, ''],
  // Codex names the first message after the conversation.
  [/"id":"msg_[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f-]{21}",?/g, ''],
]

const listOf = (body: Json): Json[] => (body.messages ?? body.input ?? body.contents) as Json[]

/** One message of a request: what marks the cache is left out, and text is a block, as it is where a mark was. */
const shown = (message: Json): string => {
  const { content } = message
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const text = JSON.stringify(
    content === undefined ? message : { ...message, content: blocks },
    (key, value: unknown) => (key === 'cache_control' ? undefined : value),
  )
  return passing.reduce((one, [pattern, by]) => one.replaceAll(pattern, by), text)
}

const messagesOf = ({ body }: SimRequest): string[] => listOf(body as Json).map(shown)

const firstWith = ({ sim }: Talks, prompt: string, from = 0): Promise<SimRequest> =>
  sim.next((request) => request.isMain && request.index >= from && request.newText.includes(prompt))

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Goes on from there with the prompt that came next, and compares what the model got with what it had got then. */
const expectSame = async (talks: Talks, conversation: string, prompt: string, original: SimRequest): Promise<void> => {
  const from = talks.sim.requests.length
  const talk = await talks.open({ resume: conversation })
  await talk.say(prompt)
  await talk.end()
  const [got, was] = [messagesOf(await firstWith(talks, prompt, from)), messagesOf(original)]
  const end = was.findLastIndex((message) => message.includes(JSON.stringify(prompt).slice(1, -1)))
  expect(end).toBeGreaterThan(0)
  expect(got.slice(0, end)).toEqual(was.slice(0, end))
  expect(got[end]).toContain(JSON.stringify(prompt).slice(1, -1))
}

test.each(clis)('$name: cut after any turn, a conversation goes on as it was', async (cli) => {
  const talks = await startTalks(cli)
  const talk = await talks.open()
  for (const prompt of prompts) await talk.say(prompt)
  await talk.end()
  const source = talks.transcriptOf(talk.conversation)
  const before = hashOf(source)
  const { turns } = talks.read(talk.conversation)
  expect(turns.map(({ prompt }) => prompt)).toEqual(prompts)
  const originals = await Promise.all(prompts.map((prompt) => firstWith(talks, prompt)))
  for (const [index, { leaf }] of turns.slice(0, -1).entries()) {
    const made = await talks.cut(talk.conversation, leaf)
    expect(made.damaged).toEqual([])
    expect(existsSync(made.transcript)).toBe(true)
    const { turns: kept } = talks.read(made.conversation)
    expect(kept.map(({ prompt }) => prompt)).toEqual(prompts.slice(0, index + 1))
    const original = originals[index + 1]
    if (original !== undefined) await expectSame(talks, made.conversation, prompts[index + 1] ?? '', original)
  }
  if (cli.name !== 'opencode') expect(hashOf(source)).toBe(before)
})
