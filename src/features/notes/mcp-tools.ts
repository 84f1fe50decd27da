import { z } from 'zod'
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
    run: async (caller, note) => {
      const { name, secrets } = await propose(caller.actor, { ...note, cwd: caller.cwd })
      const proposed = `${name} is proposed. A person decides about it; no agent sees it before.`
      if (secrets === 0) return proposed
      return `${proposed} ${secrets} ${secrets === 1 ? 'secret was' : 'secrets were'} taken out.`
    },
  }),
})
