import { setTimeout as pause } from 'node:timers/promises'
import type { Question } from '../../../contract/agent.ts'
import { ReinError } from '../../../contract/errors.ts'
import type { Answer } from '../../../contract/host.ts'
import type { ScreenReading, Terminal } from '../../../drivers/contract.ts'
import { bare, handsOff, harmless, isPasted, type Refusal, refusalOf, stands } from './careful.ts'
import { chooseOption, type Dialog, idOf, isAbout } from './choose-option.ts'
import type { Screen } from './screen.ts'

/** A CLI takes some time to show what was pasted, and an Enter that comes before is part of the paste. */
const [showLimitMs, showEveryMs] = [3000, 40]
/** A dialog that was answered is gone by then, or looks different, also on a busy machine. */
const takeLimitMs = 3000
/** How many times that long a dialog that shows no change is looked at for the effect of a move. */
const patience = 3
const mostPresses = 3
const mostMoves = 30
/** Each with the one that takes it back. */
const moves = [
  ['Down', 'Up'],
  ['Up', 'Down'],
] as const
/** A turn that has just begun is on the screen by then. */
const busyLimitMs = 500

/** How the screen is read. */
interface Looks {
  now: () => Promise<ScreenReading>
  /** While a dialog is answered: also one that no driver understands. */
  asked: () => Promise<ScreenReading>
}

/** The only one who types into a terminal besides people: one thing after the other, and each only where it is safe. */
export class Typist {
  readonly #screen: Screen
  readonly #terminal: Terminal
  readonly #quietMs: number
  readonly #look: () => Promise<ScreenReading>
  readonly #lookAsked: () => Promise<ScreenReading>
  readonly #takeMs: number
  #last: Promise<unknown> = Promise.resolve()

  constructor(screen: Screen, terminal: Terminal, quietMs: number, { now, asked }: Looks, takeMs = takeLimitMs) {
    this.#screen = screen
    this.#terminal = terminal
    this.#quietMs = quietMs
    this.#look = now
    this.#lookAsked = asked
    this.#takeMs = takeMs
  }

  prompt(text: string): Promise<void> {
    return this.#inTurn(() => this.#type(harmless(text)))
  }

  /** Only what is at work: in an idle input box the same keys take a draft away or open something. */
  interrupt(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#keepOff(0)
      let reading = await this.#until(({ kind }) => kind === 'busy' || kind === 'dialog', busyLimitMs).catch(this.#look)
      if (reading.kind === 'dialog') throw new ReinError('refused', `A dialog is open (${reading.name}): answer it.`)
      if (reading.kind === 'unknown') throw refused('not_ready')
      const { keys, pauseMs } = this.#terminal.interrupt
      for (const [index, key] of keys.entries()) {
        if (index > 0) await pause(pauseMs)
        if (index > 0) reading = await this.#look()
        if (reading.kind !== 'busy' && reading.kind !== 'unknown') return
        await this.#screen.press(key)
      }
    })
  }

  /** Presses the key of the option that says so, and only while the dialog that was asked about is on the screen. */
  answer(question: Question, answer: Answer): Promise<void> {
    return this.#inTurn(async () => {
      await this.#keepOff(0)
      // A dialog that is only half drawn looks like another one.
      const isAsked = (shown: ScreenReading): boolean => shown.kind === 'dialog' && isAbout(shown, question)
      const reading = await this.#until(isAsked, showLimitMs, this.#lookAsked).catch(this.#lookAsked)
      if (reading.kind !== 'dialog') throw new ReinError('nothing_to_answer', 'No dialog is open any more.')
      const { keys, text, left } = chooseOption(reading, question, answer)
      if (left === null) await this.#choose(reading, keys)
      else await this.#goTo(left)
      if (text !== null) await this.#fillIn(harmless(text).replaceAll(/\s+/g, ' ').trim())
    })
  }

  async #choose(dialog: Dialog, keys: readonly string[]): Promise<void> {
    for (let presses = 0; presses < mostPresses; presses += 1) if (await this.#isTaken(dialog, keys)) return
    throw untaken()
  }

  /** Key by key, each when the one before is seen: any of them may be lost, and the last chooses what is marked then. */
  async #goTo(left: (reading: ScreenReading) => readonly string[] | null): Promise<void> {
    for (let presses = 0; presses < mostMoves; presses += 1) {
      const shown = await this.#until((reading) => left(reading) !== null, showLimitMs, this.#lookAsked)
      const keys = left(shown) ?? []
      if (keys.length > 1) {
        await this.#screen.press(...keys.slice(0, 1))
        await this.#sees((reading) => (left(reading)?.length ?? keys.length) !== keys.length)
      } else if (shown.kind === 'dialog' && (await this.#isTaken(shown, keys))) return
    }
    throw untaken()
  }

  /**
   * A key may be lost, or only late. A dialog takes keys in their order, so once a later one has moved its mark the first was
   * lost, and can be pressed again; one that is only late would choose something in the dialog that comes next.
   */
  async #isTaken(dialog: Dialog, keys: readonly string[]): Promise<boolean> {
    await this.#screen.press(...keys)
    const isChanged = (reading: ScreenReading): boolean => reading.kind !== 'dialog' || reading.text !== dialog.text
    if (await this.#sees(isChanged)) return true
    for (const [move, back] of moves) {
      await this.#screen.press(move)
      const reading = await this.#sees(isChanged, patience * this.#takeMs)
      if (reading === null) continue
      if (reading.kind !== 'dialog' || idOf(reading) !== idOf(dialog)) return true
      // What is pressed again must find the mark where it was.
      await this.#screen.press(back)
      if ((await this.#sees((again) => !isChanged(again))) === null) throw untaken()
      return false
    }
    throw untaken()
  }

  #sees(isSo: (reading: ScreenReading) => boolean, limitMs = this.#takeMs): Promise<ScreenReading | null> {
    return this.#until(isSo, limitMs, this.#lookAsked).catch(() => null)
  }

  /** Enter is pressed when the text stands in the dialog, and only then. */
  async #fillIn(text: string): Promise<void> {
    await this.#screen.paste(text)
    await this.#until((reading) => reading.kind === 'dialog' && bare(reading.text).includes(bare(text)))
    await pause(this.#terminal.enterDelayMs)
    await this.#screen.press('Enter')
  }

  /** Enter is pressed when exactly this text stands there, and it has worked when the text is gone. */
  async #type(text: string): Promise<void> {
    await this.#keepOff(this.#quietMs)
    await this.#closeLimit()
    const before = await this.#until(({ kind }) => kind === 'idle' || kind === 'dialog').catch(this.#look)
    await this.#refuse(text, before, this.#quietMs)
    const since = performance.now()
    const isThere = stands(before, text)
    const isOurs = isThere ? stands : isPasted
    if (!isThere) await this.#screen.paste(text)
    await this.#until((reading) => isOurs(reading, text))
    await pause(this.#terminal.enterDelayMs)
    // Whoever came in between has the keyboard now.
    await this.#refuse(text, await this.#look(), Math.min(this.#quietMs, performance.now() - since), isOurs)
    await this.#screen.press('Enter')
    await this.#until((reading) => !isOurs(reading, text))
  }

  /** Whoever prompts or wakes a limited agent thinks that the limit is over; while its dialog is open it does nothing. */
  closeLimit(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#keepOff(this.#quietMs)
      await this.#closeLimit()
    })
  }

  async #closeLimit(): Promise<void> {
    const reading = await this.#look()
    if (reading.kind === 'limited') await this.#screen.press(...reading.close)
  }

  async #refuse(text: string, reading: ScreenReading, quietMs: number, isOurs = stands): Promise<void> {
    const reason = refusalOf(text, reading, await this.#screen.condition(), quietMs, isOurs)
    if (reason !== null) throw refused(reason)
  }

  async #keepOff(quietMs: number): Promise<void> {
    const reason = handsOff(await this.#screen.condition(), quietMs)
    if (reason !== null) throw refused(reason)
  }

  /** A screen is drawn a little later than its hooks are called. */
  async #until(
    isSo: (reading: ScreenReading) => boolean,
    limitMs = showLimitMs,
    look = this.#look,
  ): Promise<ScreenReading> {
    for (let waited = 0; waited < limitMs; waited += showEveryMs) {
      const reading = await look()
      if (isSo(reading)) return reading
      await pause(showEveryMs)
    }
    throw refused('not_ready')
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#last.then(act)
    this.#last = done.catch(() => undefined)
    return done
  }
}

const untaken = (): ReinError =>
  new ReinError('refused', 'The dialog does not take the answer.', 'Look at it: rein attach')

const refused = (reason: Refusal): ReinError => new ReinError('refused', reason)
