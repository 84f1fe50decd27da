import { z } from 'zod'
import { noticeEvents } from '../notice-events.ts'
import { AdapterOutput } from '../routes/channels.ts'

export const NotifyOutput = z.object({
  isOn: z.boolean(),
  events: z.array(z.enum(noticeEvents)),
  details: z.boolean().describe('whether the question is shown, too'),
  by: z.string().nullable().describe('the program that shows it; null: none, only the terminal of `rein top` rings'),
  state: AdapterOutput.shape.state.nullable().describe('of the adapter that runs it; null if none does'),
  error: z.string().nullable(),
})
export const NotifyTestOutput = z.object({
  isShown: z.boolean(),
  by: z.string().nullable(),
  error: z.string().nullable().describe('why it was not shown'),
})

export type NotifyStatus = z.infer<typeof NotifyOutput>
export type NotifyTest = z.infer<typeof NotifyTestOutput>
