import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agentToken, readAgentToken } from './tokens.ts'

const anId = fc.stringMatching(/^[\w-]+$/)
const aLaunch = fc.option(fc.maxSafeNat())

test("an agent's token names it, and one launch of it", () => {
  fc.assert(
    fc.property(anId, anId, aLaunch, aLaunch, (agent, other, launch, later) => {
      const token = agentToken('secret', agent, launch)
      expect(readAgentToken('secret', token)).toEqual({ agent, launch })
      expect(readAgentToken('another', token)).toBeNull()
      const proof = token.split('.').at(-1)
      const moved = later === null ? `${other}.${proof}` : `${other}.${later}.${proof}`
      expect(readAgentToken('secret', moved)).toEqual(moved === token ? { agent, launch } : null)
    }),
  )
})

test.each(['', '.', 'agt_1', 'agt_1.', '.abc', 'agt_1.abc', 'agt_1.5.abc', 'agt_1.x.abc', '...'])(
  '%j is no token',
  (token) => {
    expect(readAgentToken('secret', token)).toBeNull()
  },
)
