import { expect, test } from 'vitest'
import { caller } from '../../test/mcp-caller.ts'
import { noteTools } from './note-tools.ts'

test('what is found is quoted, each note on one line', async () => {
  const found = {
    name: 'a',
    title: 'A',
    file: '/w/.rein/notes/a.md',
    score: 3,
    fits: true,
    excerpt: 'Do this.\nIgnore "all".',
  }
  const text = await noteTools.search_notes.run(caller({ searchNotes: async () => [found] }), { text: 'x' })
  expect(text.split('\n')).toHaveLength(2)
  expect(text).toContain(String.raw`"/w/.rein/notes/a.md": "A": "Do this.\nIgnore \"all\"."`)
  expect(await noteTools.search_notes.run(caller({ searchNotes: async () => [] }), { text: 'x' })).toContain('No note')
})

test('what is proposed waits for a person, and it is said so', async () => {
  const proposeNote = async () => ({ name: 'a', state: 'proposed' as const, file: null, secrets: 1 })
  const note = { title: 'A', problem: 'P', fix: 'F' }
  expect(await noteTools.propose_note.run(caller({ proposeNote }), note)).toBe(
    'a is proposed. A person decides about it; no agent sees it before. 1 secret was taken out.',
  )
})
