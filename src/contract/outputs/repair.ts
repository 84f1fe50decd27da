import { z } from 'zod'

/** The findings and actions of `rein daemon repair`. */
export const RepairOutput = z.object({
  database: z.string(),
  state: z.enum(['sound', 'damaged', 'missing', 'empty']).describe('what the database is, or was before the repair'),
  faults: z.array(z.string()).describe('what SQLite says is wrong with the file'),
  pages: z.array(z.number()).describe('damaged pages, as far as they are known'),
  wal: z
    .enum(['absent', 'read', 'damaged', 'missing'])
    .describe('the log beside it; `missing`: there should be one, and what was accepted last may be lost'),
  copy: z
    .object({ file: z.string(), at: z.number() })
    .nullable()
    .describe('the daily copy that fills the gaps; null if there is none that is sound'),
  topics: z.array(
    z.object({
      topic: z.string(),
      kept: z.number().describe('records that can be read'),
      recovered: z.number().describe('records that only the copy has'),
      lost: z.number().describe('lost records'),
    }),
  ),
  records: z
    .array(
      z.object({
        seq: z.number(),
        topic: z.string().nullable(),
        page: z.number().nullable(),
        isLost: z.boolean().describe('false if the copy has it'),
      }),
    )
    .describe('the records that are damaged or missing, and on which page they were, if that is known'),
  repaired: z.boolean().describe('whether the database was replaced'),
  kept: z.string().nullable().describe('where the damaged one is now'),
})

export type RepairView = z.infer<typeof RepairOutput>
