import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { quoted } from './shell.ts'

test('a shell gets the word as it is', () => {
  const word = `it's "$HOME" \`x\` \\ a\nb *`
  expect(execFileSync('sh', ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' })).toBe(word)
})
