import { ReinError } from '../contract/errors.ts'
import { randomBytes } from '../base/util/random.ts'
import { bodyText, type Ctx, whenLost } from './requests.ts'

/** The clients of hooks and guards believe an answer only if it ends with this line: half an answer is none. */
const answerEnd = '\nrein-end\n'

/** How long a client waits for a first answer, in milliseconds. Clients without this header know no tickets. */
const waitHeader = 'x-rein-wait'

/** Longer than any client waits for what its ticket is good for. */
const keptMs = 5_000

export interface Said {
  text: string
  /** To be called if nobody gets it. */
  lost?: () => void
}

/** Answers for clients that take a daemon for dead soon: what takes longer gets a ticket, for which they ask once more. */
export class Later {
  readonly #answers = new Map<string, Promise<Said>>()

  async answer(c: Ctx, make: () => Promise<Said>): Promise<Response> {
    const ticket = c.req.query('ticket')
    const { text, lost } = await (ticket === undefined ? this.#soon(c, make) : this.#redeem(ticket))
    if (lost !== undefined) whenLost(c, lost)
    return c.text(`${text}${answerEnd}`)
  }

  /** Half of what the client waits is left for the way. */
  async #soon(c: Ctx, make: () => Promise<Said>): Promise<Said> {
    const waitMs = Number(c.req.header(waitHeader))
    const until = performance.now() + waitMs / 2
    // A client that is answered before its whole body is read may fail to send the rest.
    await bodyText(c).catch(() => '')
    const answer = make()
    return waitMs > 0 ? Promise.race([answer, this.#ticketAt(until, answer)]) : answer
  }

  async #ticketAt(until: number, answer: Promise<Said>): Promise<Said> {
    let isAnswered = false
    const noted = (): void => void (isAnswered = true)
    answer.then(noted, noted)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now())))
    if (isAnswered) return { text: '' }
    const ticket = randomBytes(16).toString('hex')
    this.#answers.set(ticket, answer)
    const lost = (): void => this.#drop(ticket)
    setTimeout(lost, keptMs).unref()
    return { text: `later ${ticket}`, lost }
  }

  /** Nobody comes for this answer. */
  #drop(ticket: string): void {
    const answer = this.#answers.get(ticket)
    this.#answers.delete(ticket)
    answer?.then(
      ({ lost }) => lost?.(),
      () => undefined,
    )
  }

  #redeem(ticket: string): Promise<Said> {
    const answer = this.#answers.get(ticket)
    this.#answers.delete(ticket)
    if (answer === undefined) throw new ReinError('not_found', 'There is no such ticket.')
    return answer
  }
}
