import { stream } from 'hono/streaming'
import { asReinError, ReinError } from '../contract/errors.ts'
import type { Actor } from '../contract/identity.ts'
import type { Card, InputOf, OutputOf, ParamsOf, ProgressLine, Routes } from '../contract/routes/route.ts'
import { refuseUnfit } from './check-answer.ts'
import { body, type Ctx, query, whileAsked } from './requests.ts'

/** One request, as its handler gets it. */
export interface Asked<C extends Card> {
  actor: Actor
  input: InputOf<C>
  params: ParamsOf<C>
  /** Aborted when the caller leaves, or the daemon begins to end. */
  signal: AbortSignal
}

type Answer<C extends Card> = C extends { stream: true }
  ? AsyncGenerator<OutputOf<C>>
  : C extends { progress: true }
    ? AsyncGenerator<ProgressLine<OutputOf<C>>>
    : OutputOf<C> | Promise<OutputOf<C>>

/** A handler for each card, but for those that are bound by hand. */
export type Handlers<R extends Routes> = {
  [Name in keyof R as R[Name] extends { media: string } ? never : Name]: (asked: Asked<R[Name]>) => Answer<R[Name]>
}

export interface Answering {
  /** Aborted when the daemon begins to end. */
  ending: AbortSignal
  /** In tests: an answer that is not what its card says is an error. */
  checksAnswers: boolean
}

/** The table of handlers is typed by the cards, which a loop over it cannot tell: each is called with what its own card has read. */
export const answerBy =
  (card: Card, handler: unknown, { ending, checksAnswers }: Answering) =>
  async (c: Ctx, actor: Actor): Promise<Response> => {
    const handle = handler as (asked: Asked<Card>) => unknown
    const input = await readInput(card, c)
    const params = c.req.param()
    const fit = <T>(value: T): T => (checksAnswers ? refuseUnfit(card, value) : value)
    if (card.stream || card.progress)
      return writeLines(c, (signal) => handle({ actor, input, params, signal }) as AsyncGenerator, fit, ending)
    const asked: Asked<Card> = {
      actor,
      input,
      params,
      get signal() {
        return whileAsked(c, ending)
      },
    }
    return c.json(fit(await handle(asked)) as object)
  }

const readInput = async ({ method, input }: Card, c: Ctx): Promise<object> => {
  if (input === undefined) return {}
  return method === 'GET' ? query(c, input) : body(c, input)
}

/** One JSON value a line; a failure before the first line is an ordinary error, a later one is the last line. */
const writeLines = async (
  c: Ctx,
  source: (signal: AbortSignal) => AsyncGenerator,
  fit: (line: unknown) => unknown,
  ending: AbortSignal,
): Promise<Response> => {
  const abort = new AbortController()
  const items = source(AbortSignal.any([abort.signal, whileAsked(c, ending)]))
  const first = await items.next()
  c.header('content-type', 'application/x-ndjson')
  return stream(c, async (out) => {
    out.onAbort(() => abort.abort())
    try {
      for (let item = first; !item.done; item = await items.next()) await out.writeln(JSON.stringify(fit(item.value)))
      if (ending.aborted) throw new ReinError('unavailable', 'The daemon is stopping.')
    } catch (cause) {
      await out.writeln(JSON.stringify(asReinError(cause).toBody()))
    }
  })
}
