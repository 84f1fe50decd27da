import { expect, test } from 'vitest'
import { caller } from '../../test/support/mcp-caller.ts'
import { noteTools } from './note-tools.ts'

test('what is proposed waits for a person, and it is said so', async () => {
  const proposeNote = async () => ({ name: 'a', state: 'proposed' as const, file: null, secrets: 1 })
  const note = { title: 'A', problem: 'P', fix: 'F' }
  expect(await noteTools.propose_note.run(caller({ proposeNote }), note)).toBe(
    'a is proposed. A person decides about it; no agent sees it before. 1 secret was taken out.',
  )
})
