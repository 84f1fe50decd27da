import { ReinError } from '../contract/errors.ts'
import { randomBytes } from '../base/util/random.ts'
import { bodyText, type Ctx } from './requests.ts'

/** The clients of hooks and guards believe an answer only if it ends with this line: half an answer is none. */
const answerEnd = '\nrein-end\n'

/** How long a client waits for a first answer, in milliseconds. Clients without this header know no tickets. */
const waitHeader = 'x-rein-wait'

/** Longer than any client waits for what its ticket is good for. */
const keptMs = 10_000

/** Answers for clients that take a daemon for dead soon: what takes longer gets a ticket, for which they ask once more. */
export class Later {
  readonly #answers = new Map<string, Promise<string>>()

  async answer(c: Ctx, make: () => Promise<string>): Promise<Response> {
    const ticket = c.req.query('ticket')
    const said = await (ticket === undefined ? this.#soon(c, make) : this.#redeem(ticket))
    return c.text(`${said}${answerEnd}`)
  }

  /** Half of what the client waits is left for the way. */
  async #soon(c: Ctx, make: () => Promise<string>): Promise<string> {
    const waitMs = Number(c.req.header(waitHeader))
    const until = performance.now() + waitMs / 2
    // A client that is answered before its whole body is read may fail to send the rest.
    await bodyText(c).catch(() => '')
    const answer = make()
    return waitMs > 0 ? Promise.race([answer, this.#ticketAt(until, answer)]) : answer
  }

  async #ticketAt(until: number, answer: Promise<string>): Promise<string> {
    let isAnswered = false
    const noted = (): void => void (isAnswered = true)
    answer.then(noted, noted)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now())))
    if (isAnswered) return ''
    const ticket = randomBytes(16).toString('hex')
    this.#answers.set(ticket, answer)
    setTimeout(() => this.#answers.delete(ticket), keptMs).unref()
    return `later ${ticket}`
  }

  #redeem(ticket: string): Promise<string> {
    const answer = this.#answers.get(ticket)
    this.#answers.delete(ticket)
    if (answer === undefined) throw new ReinError('not_found', 'There is no such ticket.')
    return answer
  }
}
