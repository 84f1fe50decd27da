import { expect, test } from 'vitest'
import { nameWithoutSecrets } from './name.ts'

const secret = (letter: string): string => `ghp_${`${letter}1B2c3D4e5F6`.repeat(3)}`

test('a name with a secret in it is another, the same each time and no other', () => {
  const named = nameWithoutSecrets(`run-${secret('a')}`)
  expect(named).not.toContain('1B2c3D4e')
  expect(nameWithoutSecrets(`run-${secret('a')}`)).toBe(named)
  expect(nameWithoutSecrets(`run-${secret('b')}`)).not.toBe(named)
})

test.each(['s1', 'bash-4711-3', 'cmd_claude_toolu_01A09q90qw90lq917835lq9', '0b6fd9c1-4a52-4b5e-9d5f-6f2f4a0c9e11'])(
  'any other stays what it is: %s',
  (name) => {
    expect(nameWithoutSecrets(name)).toBe(name)
  },
)
