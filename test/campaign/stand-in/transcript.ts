import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject, parseObject } from '../../../src/base/util/json.ts'
import { notesIn } from '../truth.ts'

export type Entry = Record<string, unknown> & { uuid: string; parentUuid: string | null }

const pathOf = (conversation: string, cwd: string): string =>
  join(process.env['HOME'] ?? '', '.claude/projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'), `${conversation}.jsonl`)

/** A transcript as Claude Code writes it: entries linked to their parents, and some time after they happened. */
export class Transcript {
  readonly path: string
  readonly #conversation: string
  readonly #random: () => number
  #leaf: string | null = null
  #waiting: string[] = []
  #flushing: NodeJS.Timeout | null = null

  constructor(conversation: string, cwd: string, random: () => number) {
    this.#conversation = conversation
    this.#random = random
    this.path = pathOf(conversation, cwd)
    mkdirSync(dirname(this.path), { recursive: true })
  }

  /** Goes on with what is written: that is all that the CLI knows after a crash. Returns the notes the model has before it. */
  resume(): string[] {
    const entries = readEntries(this.path)
    this.#leaf = entries.at(-1)?.uuid ?? null
    return entries.length === 0 ? [] : notesBefore(entries)
  }

  /** Adds an entry after the newest one, or after `parent`; returns its uuid. */
  add(fields: Record<string, unknown>, parent = this.#leaf): string {
    const uuid = randomUUID()
    const entry = { parentUuid: parent, isSidechain: false, ...fields, uuid, ...this.#frame() }
    this.#leaf = uuid
    this.#write(entry)
    return uuid
  }

  /** A hook's own note of how it went; its output stands here whether or not the model ever gets it. */
  addHookNote(event: string, stdout: string): void {
    const note = { type: 'hook_success', hookName: event, toolUseID: randomUUID(), hookEvent: event, content: '' }
    this.add({ type: 'attachment', attachment: { ...note, stdout, stderr: '', exitCode: 0, durationMs: 12 } })
  }

  addContext(event: string, text: string): void {
    const context = { content: [text], hookName: event, toolUseID: randomUUID(), hookEvent: event }
    this.add({ type: 'attachment', attachment: { type: 'hook_additional_context', ...context } })
  }

  addBoundary(): void {
    const logicalParentUuid = this.#leaf
    this.add(
      { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', logicalParentUuid },
      null,
    )
    const summary = { role: 'user', content: 'This session is being continued from a previous conversation.' }
    this.add({ type: 'user', isCompactSummary: true, message: summary })
  }

  flush(): void {
    if (this.#flushing !== null) clearTimeout(this.#flushing)
    this.#flushing = null
    if (this.#waiting.length > 0) appendFileSync(this.path, this.#waiting.splice(0).join(''))
  }

  #frame(): Record<string, unknown> {
    const said = { userType: 'external', entrypoint: 'sdk-cli', version: '2.1.197', gitBranch: 'HEAD' }
    return { timestamp: new Date().toISOString(), cwd: process.cwd(), sessionId: this.#conversation, ...said }
  }

  #write(entry: Record<string, unknown>): void {
    this.#waiting.push(`${JSON.stringify(entry)}\n`)
    this.#flushing ??= setTimeout(() => this.flush(), 50 + this.#random() * 100)
  }
}

const readEntries = (path: string): Entry[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').map(parseObject).filter(isEntry) : []

const isEntry = (value: Record<string, unknown> | null): value is Entry => typeof value?.['uuid'] === 'string'

/** The notes on the chain from the newest entry back to the last compaction, with the results of parallel calls. */
const notesBefore = (entries: Entry[]): string[] => {
  const byId = new Map(entries.map((entry) => [entry.uuid, entry]))
  const onChain = new Set<Entry>()
  for (let entry = entries.at(-1); entry !== undefined; entry = byId.get(entry.parentUuid ?? '')) onChain.add(entry)
  const messages = new Set([...onChain].map(messageId).filter(Boolean))
  const lines = new Set(entries.filter((entry) => messages.has(messageId(entry))).map(({ uuid }) => uuid))
  const results = entries.filter((entry) => lines.has(String(entry['sourceToolAssistantUUID'])))
  return [...onChain, ...results].flatMap((entry) => notesIn(textOf(entry)))
}

const messageId = ({ type, message }: Entry): string =>
  type === 'assistant' && isObject(message) ? String(message['id']) : ''

/** What of an entry goes to the model: hook context and the results of tools. */
const textOf = ({ attachment, message }: Entry): string => {
  if (isObject(attachment)) return attachment['type'] === 'hook_additional_context' ? String(attachment['content']) : ''
  const content = isObject(message) && Array.isArray(message['content']) ? message['content'] : []
  const results = content.map((block: unknown) => (isObject(block) ? block['content'] : null))
  return results.filter((result) => typeof result === 'string').join('\n')
}
