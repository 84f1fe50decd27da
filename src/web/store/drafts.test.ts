import { beforeEach, expect, test } from 'vitest'
import { Drafts } from './drafts.ts'

const ada = { project: 'shop', handle: 'ada' }
let stored: Map<string, string>
let isFull: boolean

const create = (): Drafts =>
  new Drafts({
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, text) => {
      if (isFull) throw new Error('The quota is exceeded.')
      stored.set(key, text)
    },
    removeItem: (key) => void stored.delete(key),
  })

beforeEach(() => {
  stored = new Map()
  isFull = false
})

test('survives a reload until it is empty', () => {
  create().write(ada, 'Use tabs.')
  const later = create()
  expect(later.of(ada).value).toBe('Use tabs.')
  expect(later.of({ ...ada, handle: 'bob' }).value).toBe('')
  later.write(ada, '')
  expect(stored.size).toBe(0)
})

test('what left its box is kept until that is saved', () => {
  const drafts = create()
  drafts.write(ada, 'Use tabs.')
  drafts.empty(ada)
  expect([drafts.of(ada).value, create().of(ada).value]).toEqual(['', 'Use tabs.'])
  drafts.save(ada)
  expect(stored.size).toBe(0)
})

test('what is handed back is shown by the box that is open, before what was typed since', () => {
  const drafts = create()
  const shown = drafts.of(ada)
  drafts.handBack(ada, 'Use tabs.')
  expect(shown.value).toBe('Use tabs.')
  drafts.write(ada, `${shown.value} Please.`)
  drafts.handBack(ada, 'No spaces.')
  expect(shown.value).toBe('No spaces.\n\nUse tabs. Please.')
  expect(create().of(ada).value).toBe(shown.value)
})

test('a full store takes nothing from what is shown', () => {
  isFull = true
  const drafts = create()
  drafts.handBack(ada, 'Use tabs.')
  expect(drafts.of(ada).value).toBe('Use tabs.')
})

test('follows what another page of the browser writes', () => {
  const [here, there] = [create(), create()]
  const shown = here.of(ada)
  there.write(ada, 'Use tabs.')
  const [[key, text] = ['', '']] = stored
  here.onStored(key, text)
  here.onStored('rein.theme', 'dark')
  expect(shown.value).toBe('Use tabs.')
})
