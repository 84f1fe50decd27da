import { z } from 'zod'
import { ReinError } from './errors.ts'
import { Actor } from './identity.ts'
import { manifest } from './manifest.ts'

export type RecordType = keyof typeof manifest
export type RecordBody<T extends RecordType> = z.infer<(typeof manifest)[T]['body']>

/** One entry of the log, as it is stored and as every reader gets it. */
export interface LogRecord<T extends RecordType = RecordType> {
  seq: number
  id: string
  topic: string
  type: T
  v: number
  at: number
  actor: Actor
  agent: string | null
  project: string | null
  cause: string | null
  body: RecordBody<T>
}

/** A record to append; the log assigns the sequence number. */
export type NewRecord<T extends RecordType = RecordType> = Omit<LogRecord<T>, 'seq'>
export type AnyRecord = { [T in RecordType]: LogRecord<T> }[RecordType]
/** A record as it leaves the daemon; its body was checked by its type when it was written. */
export const LogLine = z.object({
  seq: z.number(),
  id: z.string(),
  topic: z.string(),
  type: z.enum(Object.keys(manifest) as [RecordType]),
  v: z.number(),
  at: z.number().describe('milliseconds since 1970'),
  actor: Actor,
  agent: z.string().nullable(),
  project: z.string().nullable(),
  cause: z.string().nullable(),
  body: z.record(z.string(), z.unknown()),
}) as unknown as z.ZodType<AnyRecord, AnyRecord>
export type AnyNewRecord = { [T in RecordType]: NewRecord<T> }[RecordType]

export interface RecordContext {
  id: string
  at: number
  actor: Actor
  agent: string | null
  project: string | null
  cause?: string
}

export const newRecord = <T extends RecordType>(type: T, body: RecordBody<T>, context: RecordContext): NewRecord<T> => {
  const { topic, v } = manifest[type]
  return { ...context, cause: context.cause ?? null, topic, type, v, body }
}

/** Whether its body is what its type says. */
export const isSound = ({ type, body }: AnyRecord): boolean => manifest[type].body.safeParse(body).success

/** Old versions are brought up to date here, one function per step; a record from a newer Rein is refused by name. */
export const upcast = (record: { type: string; v: number; seq: number }): void => {
  const known = Object.hasOwn(manifest, record.type) ? manifest[record.type as RecordType].v : 0
  if (record.v > known) {
    throw new ReinError(
      'record_too_new',
      `Record ${record.seq} (${record.type} v${record.v}) was written by a newer Rein.`,
      'Upgrade Rein, then try again.',
    )
  }
}
