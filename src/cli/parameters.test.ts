import { expect, test } from 'vitest'
import { argument } from './parameters.ts'

test('a story is of something that has a name', () => {
  const { parse } = argument.storied
  expect(parse('parser-1')).toBe('parser-1')
  for (const name of ['', ' ', 'x'.repeat(201)]) expect(() => parse(name)).toThrow('of a task, an agent or a session')
})
