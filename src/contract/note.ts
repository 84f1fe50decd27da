import { z } from 'zod'
import { defineRecords } from './record-kind.ts'

export const noteRecords = defineRecords('notes', {
  /** An agent was told of these notes of its project: at a prompt, or after a command that failed. */
  'note.told': [
    1,
    z.object({
      /** Or that of a sub-agent. */
      conversation: z.string(),
      notes: z.array(z.string()),
      moment: z.enum(['prompt', 'failure']),
    }),
  ],
})
