import type { Outcome } from '../../../contract/outcome.ts'
import type { ConductView } from '../../../contract/routes/memory.ts'
import { hashText } from '../predict/hash.ts'

/** A command as the figures see it. */
export interface RanCommand {
  author: string
  session: string
  /** Normalised. */
  text: string
  outcome: Outcome
  durationMs: number | null
  /** Length of the known output: the record keeps only the end of the output of failed commands. */
  outputChars: number
  /** The agent changed files since the session's last command. */
  isAfterEdit: boolean
  /** Null if the tools of the session are unknown. */
  isWrongTool: boolean | null
}

/** The role of a command in its session. */
export interface Place {
  isFirst: boolean
  /** Not run before in this session. */
  isNew: boolean
  /** The same as the previous command, with nothing edited in between. */
  isRepeat: boolean
  /** A repeat of one that failed. */
  isRetry: boolean
}

interface Session {
  last: number
  hasFailed: boolean
  /** Hashes: a session may have thousands of long commands. */
  texts: Set<number>
}

/** Finds the role of each command; commands of one session must come in order, others may lie between them. */
export class Sessions {
  readonly #sessions = new Map<string, Session>()

  place(command: RanCommand): Place {
    const key = `${command.author}\0${command.session}`
    const hash = hashText(command.text)
    const known = this.#sessions.get(key)
    const session = known ?? { last: hash, hasFailed: false, texts: new Set() }
    const isRepeat = known?.last === hash && !command.isAfterEdit
    const isNew = !session.texts.has(hash)
    const place = { isFirst: known === undefined, isNew, isRepeat, isRetry: isRepeat && session.hasFailed }
    session.last = hash
    session.hasFailed = command.outcome === 'failed'
    session.texts.add(hash)
    if (known === undefined) this.#sessions.set(key, session)
    return place
  }
}

const charsPerToken = 4
const msPerMinute = 60_000

/** Sums up the results of commands. */
export class Tally {
  readonly #sums = {
    sessions: 0,
    commands: 0,
    known: 0,
    failed: 0,
    retries: 0,
    different: 0,
    withTools: 0,
    wrongTool: 0,
    outputChars: 0,
    wastedChars: 0,
    wastedMs: 0,
  }

  add({ outcome, isWrongTool, outputChars, durationMs }: RanCommand, place: Place): void {
    const sums = this.#sums
    const isFailed = outcome === 'failed'
    sums.commands += 1
    sums.sessions += Number(place.isFirst)
    sums.different += Number(place.isNew)
    sums.known += Number(isFailed || outcome === 'ok')
    sums.failed += Number(isFailed)
    sums.retries += Number(place.isRetry)
    sums.withTools += Number(isWrongTool !== null)
    sums.wrongTool += Number(isWrongTool === true)
    sums.outputChars += outputChars
    if (!isFailed && !place.isRepeat) return
    sums.wastedChars += outputChars
    sums.wastedMs += durationMs ?? 0
  }

  get counts() {
    const { sessions, commands, failed, retries, wrongTool, outputChars } = this.#sums
    const outputTokens = Math.round(outputChars / charsPerToken)
    return { sessions, commands, failed, retries, wrongTool, outputTokens, ...this.#waste() }
  }

  view(): ConductView {
    const { sessions, commands, known, failed, retries, different, withTools, wrongTool } = this.#sums
    return {
      sessions,
      commands,
      failed: divide(failed, known),
      retries: divide(retries, commands),
      wrongTool: divide(wrongTool, withTools),
      unique: divide(different, sessions),
      ...this.#waste(),
    }
  }

  #waste(): { wastedTokens: number; wastedMinutes: number } {
    return {
      wastedTokens: Math.round(this.#sums.wastedChars / charsPerToken),
      wastedMinutes: Math.round((this.#sums.wastedMs / msPerMinute) * 10) / 10,
    }
  }
}

const divide = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
