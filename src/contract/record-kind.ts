import type { z } from 'zod'

type Kinds = Record<string, readonly [v: number, body: z.ZodType]>
type Defined<K extends Kinds> = { [Type in keyof K]: { topic: string; isClean: boolean; v: number; body: K[Type][1] } }

interface Options {
  /** Secrets are removed before the record is made, or it holds none: nonces, hashes and exact texts must not change. */
  isClean?: boolean
}

/** The kinds of records of one topic, each with its version and body. The log redacts those that are not clean. */
export const defineRecords = <const K extends Kinds>(
  topic: string,
  kinds: K,
  { isClean = false }: Options = {},
): Defined<K> =>
  Object.fromEntries(
    Object.entries(kinds).map(([type, [v, body]]) => [type, { topic, isClean, v, body }]),
  ) as Defined<K>
