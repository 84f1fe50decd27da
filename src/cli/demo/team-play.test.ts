import { expect, test } from 'vitest'
import { anAgent } from '../../../test/support/builders.ts'
import type { Client } from '../../client/client.ts'
import { everybodyIdle } from './team-play.ts'

const watched = (...states: ('working' | 'idle')[]): Pick<Client, 'watch'> => ({
  watch: async function* () {
    for (const state of states) yield { agents: [anAgent(), anAgent({ state })] }
  } as unknown as Client['watch'],
})

test('a demo whose agents never rest says so', async () => {
  await expect(everybodyIdle(watched('working', 'idle'))).resolves.toBeUndefined()
  await expect(everybodyIdle(watched('working'))).rejects.toThrow('for everybody to be idle, in vain')
})
