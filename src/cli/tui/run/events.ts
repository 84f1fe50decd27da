import type { AgentState } from '../../../contract/agent.ts'
import { wentText } from '../../sessions/move-text.ts'
import { emptyInput } from '../terminal/input.ts'
import type { Block } from './blocks.ts'
import { finish, nothingWritten, write } from './markdown.ts'
import { append, isAtWork, type Run, withMove, withNote } from './model.ts'
import type { ScreenEvent } from './ports.ts'
import { askedOf } from './question.ts'
import { statusNumbers } from './status.ts'
import { blockAt, lastBlock, withReplaced } from './transcript.ts'

/** So much of a result is kept, from its beginning and its end. */
const keptResult = 20_000
/** A program's colours are nothing but noise where they are shown as text. */
const colours = /\u001b\[[0-9;]*m/g
/** Longer thoughts are several blocks, so that a piece costs the same however much came before it. */
const longestThought = 2_000

/** Events that may come between two pieces of one thought. */
const beside: readonly string[] = ['thinking', 'reply', 'usage', 'model', 'state', 'progress', 'other']

export const withEvent = (run: Run, event: ScreenEvent, now: number): Run => {
  const changed = withKnown(run, event, now)
  return beside.includes(event.kind) ? changed : { ...changed, thought: null }
}

const withKnown = (run: Run, event: ScreenEvent, now: number): Run => {
  switch (event.kind) {
    case 'prompt':
      return append(
        { ...withGap(finished(run)), sending: run.sending === null ? null : '' },
        { kind: 'prompt', text: event.text },
      )
    case 'text': {
      const isNew = run.writing === nothingWritten && !said.includes(lastBlock(run.transcript)?.kind ?? '')
      const { done, writing } = write(run.writing, isNew ? event.text.replace(/^\n+/, '') : event.text)
      return done.reduce(append, { ...(isNew ? withGap(run) : run), writing })
    }
    case 'thinking':
      return withThought(finished(run), event.text)
    case 'tool':
      return withTool(finished(run), event)
    case 'tool_result': {
      const { id, text, isError } = event
      const n = run.tools.get(id)
      const block = n === undefined ? undefined : blockAt(run.transcript, n)
      if (n === undefined || block?.kind !== 'tool') return append(run, otherBlock({ result: id, text }))
      const tools = new Map(run.tools)
      tools.delete(id)
      const result = { text: shortened(text.replaceAll(colours, '')), isError }
      return { ...run, tools, transcript: withReplaced(run.transcript, n, { ...block, result }) }
    }
    case 'usage':
      return {
        ...run,
        usage: event.usage,
        costUsd: event.usage.costUsd ?? run.costUsd,
        model: event.usage.model ?? run.model,
      }
    case 'reply':
      return run
    case 'model':
      return { ...run, model: event.model }
    case 'state': {
      const { state, question, reason } = event
      const isSame = run.state === state
      const isSameQuestion = question !== null && run.asked?.question.id === question.id
      const next: Run = {
        ...run,
        state,
        costBefore: isAtWork({ state }) && !isAtWork(run) ? (run.costUsd ?? 0) : run.costBefore,
        since: isSame || (isAtWork(run) && isAtWork({ state })) ? run.since : now,
        sending: state === 'idle' ? run.sending : null,
        asked: isSameQuestion ? run.asked : question === null ? null : askedOf(question),
        answer: isSameQuestion ? run.answer : emptyInput,
        bottom: isSameQuestion || question === null ? run.bottom : null,
      }
      const words = state.replaceAll('_', ' ')
      return isSame || run.doing !== null || !telling.includes(state)
        ? next
        : withNote(finished(next), `It is ${words}: ${reason}`, true)
    }
    case 'ended':
      return withEnd(finished(run), event, now)
    case 'note':
      return withNote(finished(run), event.text)
    case 'moved':
      // A command reports its own move.
      return run.doing === null
        ? withNote(withMove(finished(run), event.move.from, event.move.to), `⇄ ${wentText(event.move)}`)
        : run
    case 'progress':
      return run.doing === null ? run : { ...run, doing: event.text }
    case 'gap':
      return withNote(finished(run), '… something is missing here')
    case 'other':
      return append(run, otherBlock(event.raw))
    default:
      return append(run, otherBlock(event))
  }
}

/** Whatever comes is shown as it is, a line of it. */
const otherBlock = (raw: unknown): Block => ({ kind: 'other', text: (JSON.stringify(raw) ?? '').slice(0, keptResult) })

/** Ends the text of the model. */
const finished = (run: Run): Run =>
  run.writing === nothingWritten ? run : finish(run.writing).reduce(append, { ...run, writing: nothingWritten })

/** An empty row between things of different kinds. */
const withGap = (run: Run): Run => {
  const last = lastBlock(run.transcript)
  const isApart = last === undefined || last.kind === 'gap' || (last.kind === 'line' && last.text.trim() === '')
  return isApart ? run : append(run, { kind: 'gap' })
}

const said = ['line', 'code', 'table']

const withThought = (run: Run, piece: string): Run => {
  const { transcript, thought } = run
  const last = thought === null ? undefined : blockAt(transcript, thought)
  if (thought === null || last?.kind !== 'thinking') return withNewThought(withGap(run), piece, true)
  if (last.text.length > longestThought) return withNewThought(run, piece, false)
  return { ...run, transcript: withReplaced(transcript, thought, { ...last, text: last.text + piece }) }
}

const withNewThought = (run: Run, text: string, isFirst: boolean): Run => {
  const thought = run.transcript.end
  return { ...append(run, { kind: 'thinking', text, isFirst }), thought }
}

const withTool = (run: Run, { id, name, input, isSubagent }: Extract<ScreenEvent, { kind: 'tool' }>): Run => {
  const apart = lastBlock(run.transcript)?.kind === 'tool' ? run : withGap(run)
  const tools = new Map(run.tools).set(id, apart.transcript.end)
  return append({ ...apart, tools }, { kind: 'tool', call: { id, name, input, isSubagent }, result: null, lines: [] })
}

const shortened = (text: string): string => {
  if (text.length <= keptResult) return text
  const half = keptResult / 2
  return `${text.slice(0, half)}\n… ${text.length - keptResult} characters are left out …\n${text.slice(-half)}`
}

/** Why it is no longer there is said where it was talked to, unless a command of ours stops it and starts it again. */
const telling: readonly AgentState[] = ['limited', 'paused', 'stopped', 'crashed', 'looping']

const withEnd = (run: Run, { reason, isError }: { reason: string; isError: boolean }, now: number): Run => {
  const facts = [isError ? `ended: ${reason}` : reason, ...statusNumbers(run, now)].filter((fact) => fact !== '')
  return withNote(
    {
      ...run,
      tools: new Map(),
      sending: null,
      usage: run.usage === null ? null : { ...run.usage, inputTokens: 0, cacheTokens: 0, outputTokens: 0 },
    },
    `■ ${facts.join(' · ')}`,
    isError,
  )
}
