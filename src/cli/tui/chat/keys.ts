import { channelPattern } from '../../../contract/handle.ts'
import type { Size } from '../terminal/terminal.ts'
import { edit, emptyInput, insert, sent, withText } from '../terminal/input.ts'
import { type Chat, choose, chosenRoom } from './model.ts'
import { lookDown, lookUp } from '../terminal/scroll.ts'
import { scrollOf } from './sight.ts'
import { helpLines, paneOf } from './view.ts'

/** Side effects of a key; everything else it does is in the model. */
export type Command =
  | { kind: 'quit' }
  | { kind: 'send'; room: string; text: string; id: string | null }
  | { kind: 'create'; room: string; about: string }
  | { kind: 'older'; room: string; before: number }

type Pressed = [Chat, Command | null]

const roomSteps: Record<string, number> = { tab: 1, 'ctrl-n': 1, 'shift-tab': -1, 'ctrl-p': -1 }

export const press = (chat: Chat, key: string, size: Size): Pressed => {
  if (key === 'ctrl-c' || (key === 'ctrl-d' && chat.input.text === '')) return [chat, { kind: 'quit' }]
  if (chat.helpPage !== null) {
    // What is typed is meant for the room: the help gives way.
    if (Array.from(key).length === 1 && key !== ' ') return press({ ...chat, helpPage: null }, key, size)
    const next = chat.helpPage + 1
    return [{ ...chat, helpPage: key !== 'escape' && helpLines(paneOf(size), next).length > 0 ? next : null }, null]
  }
  const quiet = { ...chat, notice: null }
  const named = key === 'tab' ? completeName(quiet) : null
  if (named !== null) return [named, null]
  const step = roomSteps[key]
  if (step !== undefined) {
    const { rooms, chosen } = quiet
    const place = rooms.findIndex(({ name }) => name === chosen)
    const next = rooms[(place + step + rooms.length) % rooms.length]
    return [next === undefined ? quiet : choose(quiet, next.name), null]
  }
  switch (key) {
    case 'pageup': {
      const { columns, rows } = paneOf(size)
      const { bottom, isTop } = lookUp(scrollOf(quiet, columns), quiet.bottom, page(size), rows)
      const room = chosenRoom(quiet)
      const oldest = quiet.posts[0]?.n ?? 0
      if (!isTop || quiet.isLoading || room === undefined || oldest <= room.first) return [{ ...quiet, bottom }, null]
      return [
        { ...quiet, bottom, isLoading: true },
        { kind: 'older', room: room.name, before: oldest },
      ]
    }
    case 'pagedown':
      return [{ ...quiet, bottom: lookDown(scrollOf(quiet, paneOf(size).columns), quiet.bottom, page(size)) }, null]
    case 'escape':
      return [{ ...quiet, bottom: null }, null]
    case 'enter':
      return enter(quiet)
    default:
      return [{ ...quiet, input: edit(quiet.input, key) }, null]
  }
}

/** Completes the name after an @ that the cursor stands behind; null if there is none. */
const completeName = (chat: Chat): Chat | null => {
  const { text, at } = chat.input
  const [, begun] = /(?:^|\s)@([\w-]*)$/.exec(text.slice(0, at)) ?? []
  if (begun === undefined) return null
  const handles = chat.members.filter(({ kind }) => kind === 'agent').map(({ handle }) => handle)
  const found = [...handles, 'all'].filter((name) => name.startsWith(begun.toLowerCase()))
  const [first] = found
  if (first === undefined) return { ...chat, notice: `No agent here is called @${begun}.` }
  if (found.length === 1) return { ...chat, input: insert(chat.input, `${first.slice(begun.length)} `) }
  let length = begun.length
  while (found.every((name) => name[length] !== undefined && name[length] === first[length])) length += 1
  const notice = found.map((name) => `@${name}`).join('  ')
  return { ...chat, input: insert(chat.input, first.slice(begun.length, length)), notice }
}

/** One row stays in sight, to go on from. */
const page = (size: Size): number => Math.max(1, paneOf(size).rows - 1)

const enter = (chat: Chat): Pressed => {
  const { input, chosen, unsent } = chat
  const { text } = input
  if (text.trim() === '') return [chat, null]
  if (text.startsWith('/') && !text.startsWith('//')) {
    const cleared = { ...chat, input: sent(input) }
    const [word, name = '', ...about] = text.trim().split(/\s+/)
    if (word === '/quit') return [cleared, { kind: 'quit' }]
    if (word === '/help') return [{ ...cleared, helpPage: 0 }, null]
    if (word === '/create')
      return channelPattern.test(name)
        ? [cleared, { kind: 'create', room: name, about: about.join(' ') }]
        : [{ ...cleared, notice: '/create NAME: up to 32 of a-z, 0-9, - and _' }, null]
    const kept = withText({ ...emptyInput, history: cleared.input.history }, text)
    return [{ ...cleared, input: kept, notice: `There is no ${word}: /help shows all.` }, null]
  }
  if (chosen === null) return [{ ...chat, notice: 'There is no room yet: /create NAME' }, null]
  const said = text.replace(/^\/\//, '/')
  const id = unsent?.room === chosen && unsent.text === said ? unsent.id : null
  return [
    { ...chat, input: sent(input), bottom: null, newFrom: null, unsent: null },
    { kind: 'send', room: chosen, text: said, id },
  ]
}
