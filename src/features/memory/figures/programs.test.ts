import { expect, test } from 'vitest'
import { Programs } from './programs.ts'

test('those run most come first, and one with a target is never left out', () => {
  const programs = new Programs()
  for (const program of ['make', 'ls', 'make', 'mkdir', 'zip', 'ls', 'ls'])
    programs.add(program, 'ok', program === 'ls')
  programs.add('make', 'failed', false)
  programs.add('make', 'unknown', false)
  for (let run = 0; run < 9; run += 1) programs.add('server', 'unknown', false)
  expect(programs.most(2, 'known')).toEqual([
    { program: 'ls', runs: 3, known: 3, failed: 0, wrongTool: 3 },
    { program: 'make', runs: 4, known: 3, failed: 1, wrongTool: 0 },
    { program: 'mkdir', runs: 1, known: 1, failed: 0, wrongTool: 0 },
  ])
  expect(programs.most(1, 'runs')[0]).toMatchObject({ program: 'server', runs: 9, known: 0 })
})
