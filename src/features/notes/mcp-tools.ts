import { z } from 'zod'
import type { AddedNote } from '../../contract/routes/notes.ts'
import { tool } from '../../mcp/tool.ts'
import type { NoteHandlers } from './handlers.ts'

/** The caller is a model: its note is only a proposal. */
export const noteTools = (propose: NoteHandlers['propose']) => ({
  propose_note: tool({
    description:
      'Proposes a note for this project: a problem that took you long, its fix, and how you verified it. A person accepts it or not.',
    input: z.object({
      title: z.string().min(1).max(120).describe('the problem in one line, with the words that its error has'),
      problem: z.string().min(1).max(8_000).describe('what happens, and why'),
      fix: z.string().min(1).max(8_000).describe('what to do'),
      verification: z.string().max(4_000).optional().describe('how one sees that it helped'),
    }),
    isReadOnly: false,
    isFree: true,
    run: async (caller, note) => proposedText(await propose(caller.actor, { ...note, cwd: caller.cwd })),
  }),
})

const proposedText = ({ name, secrets }: AddedNote): string =>
  [
    `${name} is proposed. A person decides about it; no agent sees it before.`,
    ...(secrets === 0 ? [] : [`${secrets} ${secrets === 1 ? 'secret was' : 'secrets were'} taken out.`]),
  ].join(' ')
