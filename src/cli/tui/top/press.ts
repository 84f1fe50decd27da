import type { AgentView } from '../../../contract/routes/agents.ts'
import { handlePattern } from '../../../contract/handle.ts'
import { edit, emptyInput, insert } from '../terminal/input.ts'
import {
  type Command,
  type Mode,
  nameOf,
  type Purpose,
  selectedAgent,
  shownAgents,
  shownName,
  type Top,
} from './model.ts'

type Pressed = [Top, Command | null]

const pageLines = 10
const list: Mode = { kind: 'list' }

export const press = (top: Top, key: string): Pressed => {
  if (key === 'ctrl-c') return [top, { kind: 'quit' }]
  const quiet = { ...top, notice: null }
  switch (top.mode.kind) {
    case 'filter':
      return [pressInFilter(quiet, key), null]
    case 'help':
      return [{ ...quiet, mode: list }, null]
    case 'confirm':
      return key === 'y' ? confirmed({ ...quiet, mode: list }, top.mode.command) : [{ ...quiet, mode: list }, null]
    case 'answer':
      return pressInAnswer(quiet, top.mode, key)
    case 'write':
      return pressInWriting(quiet, top.mode, key)
    case 'turns':
      return pressInTurns(quiet, top.mode, key)
    case 'logs':
      return pressInLogs(quiet, key)
    default:
      return pressInList(quiet, key)
  }
}

/** Pasted text is written where something is being written, and presses no key. */
export const paste = (top: Top, text: string): Top =>
  top.mode.kind === 'write' ? { ...top, mode: { ...top.mode, input: insert(top.mode.input, text) } } : top

const pressInList = (top: Top, key: string): Pressed => {
  const moves: Record<string, number> = { up: -1, k: -1, down: 1, j: 1, home: -Infinity, end: Infinity }
  const move = moves[key]
  if (move !== undefined) {
    const shown = shownAgents(top)
    const place = shown.findIndex((agent) => nameOf(agent) === top.selected)
    const next = shown[Math.min(Math.max(0, place + move), shown.length - 1)]
    return [next === undefined ? top : { ...top, selected: nameOf(next), scroll: 0 }, null]
  }
  switch (key) {
    case 'pagedown':
      return [scrolled(top, pageLines), null]
    case 'pageup':
      return [scrolled(top, -pageLines), null]
    case 'q':
      return [top, { kind: 'quit' }]
    case '?':
      return [{ ...top, mode: { kind: 'help' } }, null]
    case '/':
      return [{ ...top, mode: { kind: 'filter' } }, null]
    case 'n':
      return [writing(top, { kind: 'handle' }), null]
    case 'escape':
      return [withFilter(top, ''), null]
    default: {
      const agent = selectedAgent(top)
      return agent === undefined ? [top, null] : pressOnAgent(top, agent, key)
    }
  }
}

const pressOnAgent = (top: Top, agent: AgentView, key: string): Pressed => {
  const target = nameOf(agent)
  switch (key) {
    case 'enter':
      return [top, { kind: 'attach', target }]
    case 't':
      return [writing(top, { kind: 'tell', target }), null]
    case 'i':
      return [top, { kind: 'interrupt', target }]
    case 'p':
      return [top, { kind: agent.isPaused ? 'unpause' : 'pause', target }]
    case 'x':
      return [
        confirming(top, 'stop', `${shownName(top, target)}: its conversation is kept`, { kind: 'down', target }),
        null,
      ]
    case 'r':
      return [
        confirming(top, 'restart', `${shownName(top, target)} in its conversation`, { kind: 'restart', target }),
        null,
      ]
    case 'R':
      return [top, { kind: 'listTurns', target }]
    case 'l':
      return [
        { ...top, mode: { kind: 'logs', target }, log: [], scroll: 0 },
        { kind: 'follow', target },
      ]
    case 'a':
      return [answering(top, agent), null]
    default:
      return [top, null]
  }
}

const answering = (top: Top, agent: AgentView): Top => {
  const { handle, question } = agent
  if (question === null) return { ...top, notice: `${handle} asks nothing.` }
  const target = nameOf(agent)
  if (question.kind === 'question' && question.options === undefined)
    return writing(top, { kind: 'reason', target, question })
  return { ...top, mode: { kind: 'answer', target, question } }
}

const pressInAnswer = (top: Top, { target, question }: Mode & { kind: 'answer' }, key: string): Pressed => {
  const back: Top = { ...top, mode: list }
  const answers: Record<string, string> = question.kind === 'question' ? {} : { y: 'allow', n: 'deny' }
  const isOption = /^[1-9]$/.test(key) && Number(key) <= (question.options?.length ?? 0)
  const answer = isOption ? key : answers[key]
  if (answer !== undefined) return confirmed(back, { kind: 'answer', target, answer, question: question.id })
  if (key === 'w') return [writing(top, { kind: 'reason', target, question }), null]
  if (key === 'pagedown' || key === 'pageup') return [scrolled(top, key === 'pagedown' ? pageLines : -pageLines), null]
  return [back, null]
}

/** An agent must still ask what the person has read. */
const confirmed = (top: Top, command: Command): Pressed => {
  const isMeant = (agent: AgentView): boolean =>
    command.kind !== 'answer' || (nameOf(agent) === command.target && agent.question?.id === command.question)
  if (command.kind === 'answer' && !top.agents.some(isMeant))
    return [{ ...top, notice: 'It no longer asks that: nothing was answered.' }, null]
  return [top, command]
}

const pressInWriting = (top: Top, { purpose, input }: Mode & { kind: 'write' }, key: string): Pressed => {
  if (key === 'escape') return [{ ...top, mode: list }, null]
  if (key !== 'enter') return [{ ...top, mode: { kind: 'write', purpose, input: edit(input, key) } }, null]
  const text = input.text.trim()
  const back: Top = { ...top, mode: list }
  switch (purpose.kind) {
    case 'tell':
      return text === '' ? [back, null] : [back, { kind: 'tell', target: purpose.target, text }]
    case 'reason': {
      const { target, question } = purpose
      return text === ''
        ? [back, null]
        : confirmed(back, { kind: 'answer', target, answer: text, question: question.id })
    }
    case 'handle':
      if (text === '') return [back, null]
      if (!handlePattern.test(text))
        return [{ ...top, notice: 'A handle is made of a-z, 0-9, - and _, and begins with a letter or digit.' }, null]
      return [writing(top, { kind: 'prompt', handle: text }), null]
    default:
      return [back, { kind: 'start', handle: purpose.handle, prompt: text }]
  }
}

const pressInTurns = (top: Top, mode: Mode & { kind: 'turns' }, key: string): Pressed => {
  const steps: Record<string, number> = { up: -1, k: -1, down: 1, j: 1, pageup: -pageLines, pagedown: pageLines }
  const step = steps[key]
  if (step !== undefined) {
    const chosen = Math.min(Math.max(0, mode.chosen + step), mode.turns.length - 1)
    return [{ ...top, mode: { ...mode, chosen } }, null]
  }
  const turn = mode.turns[mode.chosen]
  if (key !== 'enter' || turn === undefined) return [{ ...top, mode: list }, null]
  const about = `${shownName(top, mode.target)} to the end of turn ${turn.label}, files and conversation; what it is doing is stopped`
  return [confirming(top, 'rewind', about, { kind: 'rewind', target: mode.target, turn: turn.label }), null]
}

const pressInLogs = (top: Top, key: string): Pressed => {
  const steps: Record<string, number> = { up: 1, k: 1, down: -1, j: -1, pageup: pageLines, pagedown: -pageLines }
  const step = steps[key]
  if (step !== undefined) return [scrolled({ ...top, scroll: Math.min(top.scroll, top.log.length) }, step), null]
  if (!['q', 'l', 'escape'].includes(key)) return [top, null]
  return [{ ...top, mode: list, log: [], scroll: 0 }, { kind: 'unfollow' }]
}

const pressInFilter = (top: Top, key: string): Top => {
  if (key === 'enter') return { ...top, mode: list }
  if (key === 'escape') return withFilter({ ...top, mode: list }, '')
  if (key === 'backspace') return withFilter(top, Array.from(top.filter).slice(0, -1).join(''))
  return Array.from(key).length === 1 ? withFilter(top, top.filter + key) : top
}

const withFilter = (top: Top, filter: string): Top => {
  const filtered = { ...top, filter }
  const shown = shownAgents(filtered)
  const first = shown[0]
  const isShown = first === undefined || shown.some((agent) => nameOf(agent) === top.selected)
  return isShown ? filtered : { ...filtered, selected: nameOf(first), scroll: 0 }
}

const scrolled = (top: Top, step: number): Top => ({ ...top, scroll: Math.max(0, top.scroll + step) })

const writing = (top: Top, purpose: Purpose): Top => ({ ...top, mode: { kind: 'write', purpose, input: emptyInput } })

const confirming = (top: Top, word: string, about: string, command: Command): Top => ({
  ...top,
  mode: { kind: 'confirm', word, about, command },
})
