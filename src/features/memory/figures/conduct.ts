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
  /** As much of its output as is known of: what is on record has the end of what failed ones printed, no more. */
  outputChars: number
  /** The agent changed files since the session's last command. */
  isAfterEdit: boolean
  /** Null if it is not known which tools the session had. */
  isWrongTool: boolean | null
}

/** What a command is in its session. */
export interface Place {
  isFirst: boolean
  /** Not run before in this session. */
  isNew: boolean
  /** The same as the command right before it, with nothing edited in between. */
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

/** Tells of each command what it is in its session; those of one session have to come in order, whatever lies between. */
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

/** Sums up how commands went. */
export class Tally {
  #sessions = 0
  #commands = 0
  #known = 0
  #failed = 0
  #retries = 0
  #different = 0
  #withTools = 0
  #wrongTool = 0
  #outputChars = 0
  #wastedChars = 0
  #wastedMs = 0

  add(command: RanCommand, place: Place): void {
    const isFailed = command.outcome === 'failed'
    this.#commands += 1
    this.#sessions += Number(place.isFirst)
    this.#different += Number(place.isNew)
    this.#known += Number(isFailed || command.outcome === 'ok')
    this.#failed += Number(isFailed)
    this.#retries += Number(place.isRetry)
    this.#withTools += Number(command.isWrongTool !== null)
    this.#wrongTool += Number(command.isWrongTool === true)
    this.#outputChars += command.outputChars
    if (!isFailed && !place.isRepeat) return
    this.#wastedChars += command.outputChars
    this.#wastedMs += command.durationMs ?? 0
  }

  get counts() {
    return {
      sessions: this.#sessions,
      commands: this.#commands,
      failed: this.#failed,
      retries: this.#retries,
      wrongTool: this.#wrongTool,
      outputTokens: Math.round(this.#outputChars / charsPerToken),
      ...this.#waste(),
    }
  }

  view(): ConductView {
    return {
      sessions: this.#sessions,
      commands: this.#commands,
      failed: share(this.#failed, this.#known),
      retries: share(this.#retries, this.#commands),
      wrongTool: share(this.#wrongTool, this.#withTools),
      unique: share(this.#different, this.#sessions),
      ...this.#waste(),
    }
  }

  #waste(): { wastedTokens: number; wastedMinutes: number } {
    return {
      wastedTokens: Math.round(this.#wastedChars / charsPerToken),
      wastedMinutes: Math.round((this.#wastedMs / msPerMinute) * 10) / 10,
    }
  }
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
