import { expect, test } from 'vitest'
import type { Question } from '../../contract/agent.ts'
import type { LiveEvent } from '../../contract/live.ts'
import { createOutput } from '../output.ts'
import { PlainView } from './plain.ts'

/** What stands on standard error after these events. */
const notes = (...events: LiveEvent[]): string => {
  let said = ''
  const write = (text: string): void => void (said += text)
  const out = createOutput({ stdout: { write: () => undefined }, stderr: { write } }, {})
  const to = { out, write: () => undefined, isTerminal: false, isVerbose: false, name: () => 'shop/run' }
  const view = new PlainView(to)
  for (const event of events) view.event(event)
  return said
}

const question: Question = { id: 'q', kind: 'permission', tool: 'Bash', input: {}, summary: 'Bash: make' }
const asks = (more: Partial<Question> = {}): LiveEvent => ({
  kind: 'state',
  state: 'awaiting_permission',
  question: { ...question, ...more },
  reason: '',
})

test('a question says how it is answered, and why Rein wants a person to be asked', () => {
  expect(notes(asks())).toBe(
    '? It asks: Bash: make\n  Answer: rein answer shop/run allow, or: rein answer shop/run deny\n',
  )
  expect(notes(asks({ why: 'Rein: it goes in circles.\u001b[2J' }))).toBe(
    '? It asks: Bash: make\n  Rein: it goes in circles.\\u{1b}[2J\n  Answer: rein answer shop/run allow, or: rein answer shop/run deny\n',
  )
})

test('a pause says how it goes on, unless Rein made it: then the run ends with the reason', () => {
  const paused: LiveEvent = { kind: 'state', state: 'paused', question: null, reason: 'In circles.' }
  expect(notes(paused)).toBe('‖ It is paused. Go on: rein resume shop/run; end it: rein down shop/run\n')
  expect(notes({ ...paused, isHeldUp: true })).toBe('')
})
