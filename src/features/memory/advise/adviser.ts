import type { Advice, AdviceKind, AdviceMoment, Command, Suggested } from '../../../contract/command.ts'
import {
  contextSeparator,
  contextUsed,
  type Decision,
  emptyReply,
  type ResponderReply,
} from '../../../contract/hooks.ts'
import { LineCache } from '../../../base/shell/line-cache.ts'
import type { Prediction } from '../predict/event.ts'
import type { About, AdviserPorts } from './about.ts'
import type { Offer, WhySilent } from './offer.ts'
import { nextOffers, type Offers, offersAfter, primerOffer, primerText } from './offers.ts'
import { rewriteOf } from './rewrite.ts'
import { budgetOf, isCoolingDown } from './rules.ts'
import { type AdviceSession, AdviceSessions, deniedKey, type Owed } from './session.ts'
import { deniedText, deniedToolText } from './wording.ts'
import { wrongTool } from './wrong-tool.ts'

const MOST_SUGGESTIONS = 10

/** Something to be done with a command before it runs. */
interface Intervention {
  readonly offer: Offer
  readonly decision: Decision
  readonly rewritten?: Owed
}

type Denial = Pick<Offer, 'text' | 'why' | 'evidence'>

/** One moment of a conversation, and what was thought to come next. */
interface Scene {
  readonly moment: AdviceMoment
  readonly about: About
  /** The command that it is about. */
  readonly subject: string | null
  readonly predictions: readonly Prediction[]
}

/** Decides in each moment whether to say something to an agent, and what. */
export class Adviser {
  readonly #ports: AdviserPorts
  readonly #lines = new LineCache()
  readonly #sessions: AdviceSessions

  constructor(ports: AdviserPorts) {
    this.#ports = ports
    this.#sessions = new AdviceSessions(ports.saidBefore)
  }

  /** What an agent is told when it starts to work here; null if too little is known. */
  primer(project: string): string | null {
    return primerText(this.#known(), project)
  }

  /** Something is to be forgotten: it may stand in what was about to be written down. */
  dropPending(): void {
    this.#sessions.dropPending()
  }

  /** `isEmpty`: the model knows nothing of what was said before. */
  start(about: About, isEmpty: boolean): ResponderReply {
    if (!this.#ports.settings.isOn) return {}
    if (isEmpty) this.#sessions.forget(about.session)
    else if (this.#isPrimed(about.session)) return {}
    return this.#decide(this.#scene('start', about, null), [primerOffer(this.#known(), about)])
  }

  /** Where nothing is taken in at the start, the first prompt is the start. */
  prompt(about: About): ResponderReply {
    if (!this.#ports.settings.isOn) return {}
    const scene = this.#scene('prompt', about, null)
    const next = nextOffers(this.#known(), about, [], scene.predictions)
    if (this.#isPrimed(about.session)) return this.#decide(scene, next)
    return this.#decide(scene, [primerOffer(this.#known(), about), ...next])
  }

  /** Only to correct or to stop what is known to fail: what is said here comes too late for the choice. */
  before(about: About, command: string, input: Record<string, unknown>): ResponderReply {
    if (!this.#ports.settings.isOn) return {}
    const intervention = this.#intervention(about, command, input)
    if (intervention === null) return {}
    const { offer, decision, rewritten } = intervention
    const isShown = this.#speak({ moment: 'before', about, subject: command, predictions: [] }, offer)
    if (!isShown) return {}
    if (rewritten !== undefined && !about.tellsRewrite) this.#sessions.of(about.session).owe(rewritten)
    return { decision }
  }

  /** What it would do with a command, without doing or remembering anything. */
  wouldDo(about: About, command: string, input: Record<string, unknown>): Decision | null {
    const isSilent = !this.#ports.settings.isOn || this.#ports.isHeldOut(about.session)
    return isSilent ? null : (this.#intervention(about, command, input)?.decision ?? null)
  }

  /** `ran`: the commands that have just ended, already learnt from; none after another tool. */
  after(about: About, ran: readonly Command[]): ResponderReply {
    if (!this.#ports.settings.isOn) return {}
    const session = this.#sessions.of(about.session)
    if (ran.length > 0) this.#tellPending(session)
    const owed = session.settle(ran.map(({ command }) => command)).map((text) => ({ from: 'memory', text }))
    const room = about.room - contextUsed({ ...emptyReply, context: owed })
    const scene = this.#scene('after', { ...about, room }, ran.at(-1)?.command ?? null)
    const { context = [] } = this.#decide(scene, offersAfter(this.#known(), about, ran, scene.predictions))
    return owed.length + context.length === 0 ? {} : { context: [...owed, ...context] }
  }

  #isPrimed(session: string): boolean {
    return this.#sessions.of(session).hasSaid('primer', 0)
  }

  #known() {
    const { book, diagnose, settings } = this.#ports
    return { book, diagnose, settings, lines: this.#lines, ground: this.#ports }
  }

  #scene(moment: AdviceMoment, about: About, subject: string | null): Scene {
    const asked = { ...about, time: this.#ports.now() }
    return { moment, about, subject, predictions: this.#ports.next(asked, MOST_SUGGESTIONS) }
  }

  /** Says the first offer that no rule speaks against. */
  #decide(scene: Scene, offers: Offers): ResponderReply {
    const session = this.#sessions.of(scene.about.session)
    let why: WhySilent | null = null
    for (const offer of offers) {
      const refusal = 'silent' in offer ? offer.silent : this.#refusal(offer, scene.about, session)
      if (refusal === null && !('silent' in offer))
        return this.#speak(scene, offer) ? { context: [{ from: 'memory', text: offer.text }] } : {}
      why ??= refusal
    }
    session.pending = { advice: this.#advice(scene, 'none', why ?? 'nothing to say', null, false), about: scene.about }
    return {}
  }

  /** The rule that speaks against it. */
  #refusal({ kind, key, evidence, text }: Offer, { room }: About, session: AdviceSession): WhySilent | null {
    const { settings, now } = this.#ports
    const isDiagnosis = kind === 'fix' || kind === 'meaning'
    if (kind !== 'tool' && !(isDiagnosis ? settings.diagnose : settings.suggest)) return 'off'
    if (session.hasSaid(key, evidence) || session.hasSaid(text, 0) || session.wasSaidEarlier(text)) return 'said before'
    if (isCoolingDown(session.lastAt, now(), settings.cooldownMs)) return 'cooldown'
    if (text.length > budgetOf(settings.tokens, kind)) return 'over budget'
    return text.length + contextSeparator.length > room ? 'no room' : null
  }

  /** False for a conversation that is held out: all is as if, but nothing is said. */
  #speak(scene: Scene, { kind, key, evidence, text, why }: Offer): boolean {
    const session = this.#sessions.of(scene.about.session)
    const isShown = !this.#ports.isHeldOut(scene.about.session)
    const heldOut: WhySilent = 'held out'
    session.say(key, evidence)
    session.say(text, 0)
    if (scene.moment !== 'before') session.pending = null
    // The primer is no interruption, and no reason to keep back what a first failure calls for.
    if (scene.moment !== 'before' && kind !== 'primer') session.lastAt = this.#ports.now()
    this.#ports.decided(this.#advice(scene, kind, isShown ? why : heldOut, text, isShown), scene.about)
    return isShown
  }

  #tellPending(session: AdviceSession): void {
    const { pending } = session
    session.pending = null
    if (pending !== null) this.#ports.decided(pending.advice, pending.about)
  }

  #advice(scene: Scene, kind: AdviceKind, why: string, text: string | null, isShown: boolean): Advice {
    const { session, author } = scene.about
    return {
      id: this.#ports.newId('adv'),
      session,
      author,
      moment: scene.moment,
      kind,
      isShown,
      why,
      text,
      about: scene.subject,
      suggestions: scene.predictions.map(({ text: command, score }): Suggested => ({ command, score })),
    }
  }

  #intervention(about: About, command: string, input: Record<string, unknown>): Intervention | null {
    return this.#denial(about, command) ?? this.#rewrite(about, command, input)
  }

  /** Who insists may have a reason, or have changed what made it fail. */
  #denial(about: About, command: string): Intervention | null {
    const found = this.#wrongTool(about, command) ?? this.#failing(about, command)
    if (found === null) return null
    const key = deniedKey(command)
    if (this.#sessions.of(about.session).hasSaid(key, found.evidence)) return null
    return { offer: { kind: 'deny', key, ...found }, decision: { kind: 'deny', reason: found.text } }
  }

  #wrongTool({ fileTools }: About, command: string): Denial | null {
    const wrong = this.#ports.settings.wrongTool === 'deny' ? wrongTool(command, fileTools) : null
    return wrong === null ? null : { text: deniedToolText(wrong), why: wrong.why, evidence: 0 }
  }

  #failing({ project, cwd, edited }: About, command: string): Denial | null {
    const { settings, book } = this.#ports
    if (!settings.denyFailing || edited.length > 0) return null
    const failing = book(project).alwaysFails(this.#lines.read(command), cwd)
    if (failing === null) return null
    const { times, error } = failing
    return { text: deniedText(times, error), why: `failed ${times} times`, evidence: times }
  }

  #rewrite(about: About, command: string, input: Record<string, unknown>): Intervention | null {
    if (!this.#ports.settings.rewrite) return null
    const field = Object.keys(input).find((name) => input[name] === command)
    const rewrite = rewriteOf(command, about.cwd, this.#ports.entryAt)
    if (field === undefined || rewrite === null) return null
    const { command: better, reason } = rewrite
    return {
      offer: { kind: 'rewrite', key: `rewrite ${better}`, evidence: 0, text: reason, why: 'known to fail' },
      decision: { kind: 'rewrite', input: { ...input, [field]: better }, reason },
      rewritten: { wanted: command, run: better, reason },
    }
  }
}
