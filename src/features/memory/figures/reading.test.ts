import { expect, test } from 'vitest'
import type { FileTools } from '../../../drivers/contract.ts'
import { CommandReader } from './reading.ts'

const none: FileTools = { read: null, edit: null, write: null, search: null, find: null }

test('what is wrong depends on the tools of the one who ran it', () => {
  const asked: string[] = []
  const reader = new CommandReader((author, agent) => {
    asked.push(`${author} ${agent}`)
    if (author === 'unknown') return null
    return agent === 'old' ? { ...none, read: 'Read' } : none
  })
  const wrongFor = (author: string, agent: string | null) => reader.read(author, agent, 'cat a.ts').isWrongTool
  const ask = () => [
    wrongFor('claude', 'old'),
    wrongFor('claude', 'new'),
    wrongFor('person', null),
    wrongFor('unknown', null),
  ]
  expect(ask()).toEqual([true, false, null, null])
  expect(ask()).toEqual([true, false, null, null])
  expect(asked).toEqual(['claude old', 'claude new', 'unknown null'])
})

test('a program is named with its subcommand, and spelling does not matter', () => {
  const reader = new CommandReader(() => none)
  expect(reader.read('claude', null, 'cd x && git  commit -m "a b"')).toEqual({
    text: 'cd x && git commit -m "a b"',
    program: 'git commit',
    isWrongTool: false,
  })
})
