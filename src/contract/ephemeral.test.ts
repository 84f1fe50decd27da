import { expect, test } from 'vitest'
import { saysEphemeral } from './ephemeral.ts'

test.each([
  [{}, false],
  [{ REIN_EPHEMERAL: '' }, false],
  [{ REIN_EPHEMERAL: '0' }, false],
  [{ REIN_EPHEMERAL: '1' }, true],
  [{ REIN_EPHEMERAL: 'yes' }, true],
  [{ CLAI_EPHEMERAL: '1' }, true],
  [{ CLAI_EPHEMERAL: '0' }, false],
  [{ REIN_EPHEMERAL: '0', CLAI_EPHEMERAL: '1' }, false],
])('%j: %s', (env, expected) => {
  expect(saysEphemeral(env)).toBe(expected)
})
