import { expect, test } from 'vitest'
import type { ScreenReading, Terminal } from '../../../drivers/contract.ts'
import type { Condition, Screen } from './screen.ts'
import { questionOn } from './agent.ts'
import type { Dialog } from './choose-option.ts'
import { Typist } from './typist.ts'

const fine: Condition = { isDead: false, isScrolled: false, typedMsAgo: null }

interface Given {
  draft?: string
  condition?: Partial<Condition>
  onPaste?: () => void
  /** How many keys have to be pressed until what it works at has ended. */
  work?: number
  limit?: boolean
  /** How many answers its dialog loses before it takes one. */
  losesKeys?: number
  /** How often its dialog is read before it is drawn whole. */
  halfDrawn?: number
  /** How many keys it lets come together before it looks at them. */
  isLateBy?: number
}

const aDialog = (marked = 0): Dialog => ({
  kind: 'dialog',
  name: 'permission',
  asks: 'permission',
  about: 'May I?',
  text: `May I? ${marked}`,
  options: [{ label: 'Yes', keys: ['y'], means: 'allow' }],
})

/** A terminal whose input box shows what is typed, a text of several lines as a mark, and empties at Enter. */
const fakeTerminal = (given: Given = {}) => {
  const done: string[] = []
  let work = given.work ?? 0
  let draft = given.draft ?? ''
  let condition = { ...fine, ...given.condition }
  let [losses, marked] = [given.losesKeys ?? -1, 0]
  let halfDrawn = given.halfDrawn ?? 0
  const waiting: string[] = []
  const take = (key: string): void => {
    if (key === 'Enter') draft = ''
    if (key === 'Escape') work -= 1
    if (key === 'y') losses -= 1
    if (losses >= 0) marked += { Up: -1, Down: 1 }[key] ?? 0
  }
  const screen: Screen = {
    read: () => Promise.resolve(draft),
    press: (...keys) => {
      done.push(`press ${keys.join(' ')}`)
      waiting.push(...keys)
      if (waiting.length >= (given.isLateBy ?? 0)) for (const key of waiting.splice(0)) take(key)
      return Promise.resolve()
    },
    paste: (text) => {
      done.push(`paste ${text}`)
      draft += text.includes('\n') ? '[Pasted text #1 +2 lines]' : text
      given.onPaste?.()
      return Promise.resolve()
    },
    condition: () => Promise.resolve(condition),
    onChange: () => () => undefined,
    end: () => Promise.resolve(null),
  }
  const terminal: Terminal = {
    read: (text) => {
      if (losses >= 0 && halfDrawn > 0) {
        halfDrawn -= 1
        return { ...aDialog(), name: 'unknown dialog', asks: 'question', about: 'May', options: [] }
      }
      if (losses >= 0) return aDialog(marked)
      if (given.limit === true) return { kind: 'limited', until: null, close: ['Escape'] }
      return { kind: work > 0 ? 'busy' : 'idle', draft: text }
    },
    interrupt: { keys: ['Escape', 'Escape'], pauseMs: 0 },
    enterDelayMs: 0,
  }
  const look = async (): Promise<ScreenReading> => terminal.read(await screen.read())
  const become = (more: Partial<Condition>): void => {
    condition = { ...condition, ...more }
  }
  return { typist: new Typist(screen, terminal, 30_000, { now: look, asked: look }, 80), done, become }
}

test('a text is pasted without its control bytes, then entered; each after the other', async () => {
  const { typist, done } = fakeTerminal()
  await Promise.all([typist.prompt('one\u001b[201~'), typist.prompt('two')])
  expect(done).toEqual(['paste one[201~', 'press Enter', 'paste two', 'press Enter'])
})

test('one who was refused does not hold up the next', async () => {
  const { typist, done, become } = fakeTerminal({ condition: { isScrolled: true } })
  await expect(typist.prompt('one')).rejects.toMatchObject({ code: 'refused', message: 'copy_mode' })
  await expect(typist.interrupt()).rejects.toMatchObject({ code: 'refused', message: 'copy_mode' })
  expect(done).toEqual([])
  become({ isScrolled: false })
  await typist.prompt('one')
  expect(done).toEqual(['paste one', 'press Enter'])
})

test.each([
  ['pane_dead', { condition: { isDead: true } }],
  ['human_typing', { condition: { typedMsAgo: 5 } }],
  ['draft', { draft: 'my own words' }],
] as const)('nothing is typed: %s', async (reason, given) => {
  const { typist, done } = fakeTerminal(given)
  await expect(typist.prompt('hello')).rejects.toMatchObject({ code: 'refused', message: reason })
  expect(done).toEqual([])
})

test('Enter is not pressed for a person who began to type meanwhile', async () => {
  const own = fakeTerminal({ onPaste: () => own.become({ typedMsAgo: 0 }) })
  await expect(own.typist.prompt('hello')).rejects.toMatchObject({ message: 'human_typing' })
  expect(own.done).toEqual(['paste hello'])
})

test('a mark in place of a text is believed after our own paste only', async () => {
  const own = fakeTerminal()
  await own.typist.prompt('one\ntwo')
  expect(own.done).toEqual(['paste one\ntwo', 'press Enter'])
  const theirs = fakeTerminal({ draft: '[Pasted text #1 +2 lines]' })
  await expect(theirs.typist.prompt('one\ntwo')).rejects.toMatchObject({ message: 'draft' })
  expect(theirs.done).toEqual([])
})

test.each([0, 1, 2])('an interrupt presses only what ends the work: %d', async (work) => {
  const { typist, done } = fakeTerminal({ work, draft: 'my own words' })
  await typist.interrupt()
  expect(done).toEqual(Array(work).fill('press Escape'))
})

test('the dialog of a limit is closed, but not under the hands of a person', async () => {
  const { typist, done, become } = fakeTerminal({ limit: true, condition: { typedMsAgo: 5 } })
  await expect(typist.closeLimit()).rejects.toMatchObject({ message: 'human_typing' })
  expect(done).toEqual([])
  become({ typedMsAgo: null })
  await typist.closeLimit()
  expect(done).toEqual(['press Escape'])
})

test.each([0, 1, 2])('a dialog that loses keys is answered all the same: %d', async (losesKeys) => {
  const { typist, done } = fakeTerminal({ losesKeys })
  await typist.answer(questionOn(aDialog()), { kind: 'allow' })
  const again = ['press Down', 'press Up', 'press y']
  expect(done).toEqual(['press y', ...Array.from({ length: losesKeys }, () => again).flat()])
})

test('a dialog that is still being drawn is waited for', async () => {
  const { typist, done } = fakeTerminal({ losesKeys: 0, halfDrawn: 3 })
  await typist.answer(questionOn(aDialog()), { kind: 'allow' })
  expect(done).toEqual(['press y'])
})

test('a dialog that takes its answer late is not answered twice', async () => {
  const { typist, done } = fakeTerminal({ losesKeys: 0, isLateBy: 2 })
  await typist.answer(questionOn(aDialog()), { kind: 'allow' })
  expect(done).toEqual(['press y', 'press Down'])
})

test('an answer that a dialog never takes is none', async () => {
  const { typist } = fakeTerminal({ losesKeys: 9 })
  await expect(typist.answer(questionOn(aDialog()), { kind: 'allow' })).rejects.toMatchObject({
    message: 'The dialog does not take the answer.',
  })
})

/** A list whose mark moves with the keys, but for those that it loses. */
const listTerminal = (lost: readonly number[]) => {
  const labels = ['Use this', 'Use this and all future ones', 'Continue without']
  let [marked, count, isOpen] = [2, 0, true]
  const done: string[] = []
  const reading = (): Dialog => {
    const options = labels.map((label, index) => {
      const steps = Array<string>(Math.abs(index - marked)).fill(index < marked ? 'Up' : 'Down')
      return { label, keys: [...steps, 'Enter'], means: 'other' as const, isMarked: index === marked }
    })
    const text = `New server ${marked}`
    return { kind: 'dialog', name: 'MCP server', asks: 'question', about: 'New server', text, options }
  }
  const screen: Screen = {
    read: () => Promise.resolve(''),
    press: (...keys) => {
      done.push(keys.join(' '))
      count += 1
      if (lost.includes(count)) return Promise.resolve()
      marked += { Up: -1, Down: 1 }[keys[0] ?? ''] ?? 0
      if (keys[0] === 'Enter') isOpen = false
      return Promise.resolve()
    },
    paste: () => Promise.resolve(),
    condition: () => Promise.resolve(fine),
    onChange: () => () => undefined,
    end: () => Promise.resolve(null),
  }
  const terminal: Terminal = { read: reading, interrupt: { keys: [], pauseMs: 0 }, enterDelayMs: 0 }
  const looks = {
    now: () => Promise.resolve<ScreenReading>({ kind: 'unknown' }),
    asked: () => Promise.resolve<ScreenReading>(isOpen ? reading() : { kind: 'unknown' }),
  }
  const chosen = (): string | undefined => (isOpen ? undefined : labels[marked])
  return { typist: new Typist(screen, terminal, 0, looks, 80), chosen, question: questionOn(reading()), done }
}

test.each([[[]], [[1]], [[2]], [[1, 2]], [[3]], [[3, 4]]])(
  'Enter chooses what was meant, whichever keys are lost, also itself: %j',
  async (lost) => {
    const { typist, chosen, question } = listTerminal(lost)
    await typist.answer(question, { kind: 'text', text: '1' })
    expect(chosen()).toBe('Use this')
  },
)

test('an Enter that is never taken is no answer', async () => {
  const { typist, question, chosen } = listTerminal(Array.from({ length: 99 }, (_, index) => index + 3))
  await expect(typist.answer(question, { kind: 'text', text: '1' })).rejects.toMatchObject({ code: 'refused' })
  expect(chosen()).toBeUndefined()
})

test('a mark that never moves chooses nothing', async () => {
  const { typist, question, done } = listTerminal(Array.from({ length: 99 }, (_, index) => index + 1))
  await expect(typist.answer(question, { kind: 'text', text: 'use this' })).rejects.toMatchObject({ code: 'refused' })
  expect(done).not.toContain('Enter')
})
