import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSkills, skillNames } from './skills.ts'

test('every skill is named', () => {
  expect(readSkills(join(import.meta.dirname, '../../skills')).map(({ name }) => name)).toEqual(skillNames)
})
