import { expect, test } from 'vitest'
import { toolCaller } from '../../../test/support/mcp-caller.ts'
import { noteTools } from './mcp-tools.ts'

test('what is proposed waits for a person, and it is said so', async () => {
  const tools = noteTools(async () => ({ name: 'a', state: 'proposed', file: null, secrets: 1 }))
  const note = { title: 'A', problem: 'P', fix: 'F' }
  expect(await tools.propose_note.run(toolCaller, note)).toBe(
    'a is proposed. A person decides about it; no agent sees it before. 1 secret was taken out.',
  )
})
