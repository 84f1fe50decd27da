import type { ConversationEntry } from '../../src/contract/conversation.ts'
import { parse } from '../../src/drivers/claude/transcript.ts'
import { now } from './builders.ts'

type Json = Record<string, unknown>

const common = {
  userType: 'external',
  entrypoint: 'sdk-cli',
  cwd: '/home/dev/project',
  sessionId: 'c0ffee00-0000-4000-8000-000000000001',
  version: '2.1.197',
  gitBranch: 'HEAD',
}

/** Writes a transcript as Claude Code 2.1.197 does, line by line, each chained to the one before. */
export class Transcript {
  readonly lines: string[] = []
  at = now
  #count = 0
  #leaf: string | null = null
  #lastCall = { id: '', entry: '' }

  get entries(): ConversationEntry[] {
    return this.lines.map(parse).filter((entry) => entry !== null)
  }

  prompt(text: string, more: Json = {}): string {
    return this.#chained({ type: 'user', message: { role: 'user', content: text }, ...more })
  }

  reply(text: string): string {
    return this.#assistant([{ type: 'text', text }])
  }

  thinking(text: string): string {
    return this.#assistant([{ type: 'thinking', thinking: text, signature: 's' }])
  }

  call(command: string): string {
    const id = `toolu_${this.#count}`
    const entry = this.#assistant([{ type: 'tool_use', id, name: 'Bash', input: { command } }])
    this.#lastCall = { id, entry }
    return entry
  }

  result(content: unknown): string {
    const { id, entry } = this.#lastCall
    const block = { tool_use_id: id, type: 'tool_result', content, is_error: false }
    const message = { role: 'user', content: [block] }
    return this.#chained({ type: 'user', message, toolUseResult: { stdout: content }, sourceToolAssistantUUID: entry })
  }

  hookContext(event: string, ...content: string[]): string {
    return this.attachment({
      type: 'hook_additional_context',
      content,
      hookName: event,
      toolUseID: 'hook-1',
      hookEvent: event,
    })
  }

  /** What the CLI notes about a hook that ran: its output stands there, and the model never gets it. */
  hookNote(event: string, stdout: string): string {
    return this.attachment({
      type: 'hook_success',
      hookName: event,
      toolUseID: 'hook-1',
      hookEvent: event,
      content: '',
      stdout,
      stderr: '',
      exitCode: 0,
    })
  }

  attachment(attachment: Json, more: Json = {}): string {
    return this.#chained({ type: 'attachment', attachment, ...more })
  }

  feedback(reason: string): string {
    return this.prompt(`Stop hook feedback:\n${reason}`, { isMeta: true })
  }

  apiError(text: string): string {
    const message = {
      id: `err_${this.#count}`,
      model: '<synthetic>',
      role: 'assistant',
      content: [{ type: 'text', text }],
    }
    return this.#chained({ type: 'assistant', message, isApiErrorMessage: true })
  }

  system(subtype: string, content: string): string {
    return this.#chained({ type: 'system', subtype, content })
  }

  compaction(summary: string): void {
    this.#leaf = null
    this.system('compact_boundary', 'Conversation compacted')
    this.prompt(`This session is being continued.\n\n${summary}`, { isCompactSummary: true })
  }

  /** A line that is no entry: it has no id and no parent. */
  line(value: Json): void {
    this.lines.push(JSON.stringify({ ...value, timestamp: this.#time(), sessionId: common.sessionId }))
  }

  /** Of a sub-agent, as older versions wrote it into the same file. */
  sidechain(value: Json): void {
    this.lines.push(
      JSON.stringify({
        parentUuid: null,
        isSidechain: true,
        uuid: this.#id(),
        timestamp: this.#time(),
        ...common,
        ...value,
      }),
    )
  }

  #assistant(content: Json[]): string {
    const message = {
      id: `msg_${this.#count}`,
      model: 'claude-opus-4-8',
      role: 'assistant',
      content,
      usage: { input_tokens: 1, output_tokens: 2 },
    }
    return this.#chained({ type: 'assistant', message })
  }

  #chained(value: Json): string {
    const uuid = this.#id()
    this.lines.push(
      JSON.stringify({
        parentUuid: this.#leaf,
        isSidechain: false,
        uuid,
        timestamp: this.#time(),
        ...common,
        ...value,
      }),
    )
    this.#leaf = uuid
    return uuid
  }

  #id(): string {
    this.#count += 1
    return `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`
  }

  #time(): string {
    this.at += 10
    return new Date(this.at).toISOString()
  }
}
