import { stream } from 'hono/streaming'
import { asReinError, ReinError } from '../contract/errors.ts'
import type { Actor } from '../contract/identity.ts'
import type { Asked, Card } from '../contract/routes/route.ts'
import { refuseUnfit } from './check-answer.ts'
import { body, type Ctx, query, whileAsked } from './requests.ts'

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
    const asked: Asked<Card> = { actor, input, params: c.req.param(), signal: whileAsked(c, ending) }
    const fit = fitterOf(card, checksAnswers)
    if (card.stream || card.progress) return writeLines(c, handle(asked) as AsyncGenerator, fit, ending)
    return c.json(fit(await handle(asked)) as object)
  }

/** Every answer in JSON passes here. */
export const fitterOf =
  (card: Card, checksAnswers: boolean) =>
  <T>(answer: T): T =>
    checksAnswers ? refuseUnfit(card, answer) : answer

const readInput = async ({ method, input }: Card, c: Ctx): Promise<object> => {
  if (input === undefined) return {}
  return method === 'GET' ? query(c, input) : body(c, input)
}

/** One JSON value a line; a failure before the first line is an ordinary error, a later one is the last line. */
const writeLines = async (
  c: Ctx,
  items: AsyncGenerator,
  fit: (line: unknown) => unknown,
  ending: AbortSignal,
): Promise<Response> => {
  const first = await items.next()
  c.header('content-type', 'application/x-ndjson')
  return stream(c, async (out) => {
    try {
      for (let item = first; !item.done; item = await items.next()) await out.writeln(JSON.stringify(fit(item.value)))
      if (ending.aborted) throw new ReinError('unavailable', 'The daemon is stopping.')
    } catch (cause) {
      await out.writeln(JSON.stringify(asReinError(cause).toBody()))
    }
  })
}
