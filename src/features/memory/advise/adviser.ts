import type { Advice, AdviceKind, AdviceMoment, Command, Suggested } from '../../../contract/command.ts'
import {
  contextSeparator,
  contextUsed,
  type Decision,
  emptyReply,
  type ResponderReply,
} from '../../../contract/hooks.ts'
import { LineCache } from '../../../base/shell/line-cache.ts'
import { BoundedMap } from '../../../base/util/bounded-map.ts'
import type { Prediction } from '../predict/event.ts'
import type { About, AdviserPorts } from './about.ts'
import {
  budgetChars,
  nextOffers,
  type Offer,
  type Offers,
  offersAfter,
  primerOffer,
  primerText,
  type WhySilent,
} from './offers.ts'
import { rewriteOf } from './rewrite.ts'
import { AdviceSession, deniedKey, type Owed } from './session.ts'
import { deniedText, deniedToolText } from './wording.ts'
import { wrongTool } from './wrong-tool.ts'

const mostSuggestions = 10
const mostSessions = 256

/** A change to a command before it runs. */
interface Intervention {
  readonly offer: Offer
  readonly decision: Decision
  readonly rewritten?: Owed
}

/** One moment of a conversation, and the predicted next commands. */
interface Scene {
  readonly moment: AdviceMoment
  readonly about: About
  /** The command that it is about. */
  readonly subject: string | null
  readonly predictions: readonly Prediction[]
}

/** Decides at each moment whether to say something to an agent, and what. */
export class Adviser {
  readonly #ports: AdviserPorts
  readonly #lines = new LineCache()
  readonly #sessions = new BoundedMap<string, AdviceSession>(mostSessions)

  constructor(ports: AdviserPorts) {
    this.#ports = ports
  }

  /** The text for an agent that starts to work here; null if too little is known. */
  primer(project: string): string | null {
    return primerText(this.#known(), project)
  }

  /** Pending decisions may contain a command that is being forgotten. */
  dropPending(): void {
    for (const session of this.#sessions.values()) session.pending = null
  }

  /** `isEmpty`: the model knows nothing of earlier advice. */
  start(about: About, isEmpty: boolean): ResponderReply {
    if (!this.#ports.settings.isOn) return {}
    if (isEmpty) this.#sessions.set(about.session, new AdviceSession([]))
    else if (this.#isPrimed(about.session)) return {}
    return this.#decide(this.#scene('start', about, null), [primerOffer(this.#known(), about)])
  }

  /** Where a CLI takes no context at the start, the first prompt counts as the start. */
  prompt(about: About): ResponderReply {
    if (!this.#ports.settings.isOn) return {}
    const scene = this.#scene('prompt', about, null)
    const next = nextOffers(this.#known(), about, [], scene.predictions)
    if (this.#isPrimed(about.session)) return this.#decide(scene, next)
    return this.#decide(scene, [primerOffer(this.#known(), about), ...next])
  }

  /** Corrects or stops a command that is known to fail; suggestions would come too late for the choice. */
  before(about: About, command: string, input: Record<string, unknown>): ResponderReply {
    if (!this.#ports.settings.isOn) return {}
    const intervention = this.#intervene(about, command, input)
    if (intervention === null) return {}
    const { offer, decision, rewritten } = intervention
    const isShown = this.#speak({ moment: 'before', about, subject: command, predictions: [] }, offer)
    if (!isShown) return {}
    if (rewritten !== undefined && !about.tellsRewrite) this.#session(about.session).owe(rewritten)
    return { decision }
  }

  /** The decision for a command, without acting on it or remembering it. */
  wouldDo(about: About, command: string, input: Record<string, unknown>): Decision | null {
    const isSilent = !this.#ports.settings.isOn || this.#ports.isHeldOut(about.session)
    return isSilent ? null : (this.#intervene(about, command, input)?.decision ?? null)
  }

  /** `ran`: the commands that have just ended, already learnt from; none after another tool. */
  after(about: About, ran: readonly Command[]): ResponderReply {
    if (!this.#ports.settings.isOn) return {}
    const session = this.#session(about.session)
    const { pending } = session
    if (ran.length > 0 && pending !== null) {
      session.pending = null
      this.#ports.decided(pending.advice, pending.about)
    }
    const owed = session.settle(ran.map(({ command }) => command)).map((text) => ({ from: 'memory', text }))
    const room = about.room - contextUsed({ ...emptyReply, context: owed })
    const scene = this.#scene('after', { ...about, room }, ran.at(-1)?.command ?? null)
    const { context = [] } = this.#decide(scene, offersAfter(this.#known(), about, ran, scene.predictions))
    return owed.length + context.length === 0 ? {} : { context: [...owed, ...context] }
  }

  #session(id: string): AdviceSession {
    const session = this.#sessions.get(id) ?? new AdviceSession(this.#ports.saidBefore(id))
    this.#sessions.set(id, session)
    return session
  }

  #isPrimed(session: string): boolean {
    return this.#session(session).hasSaid('primer', 0)
  }

  #known() {
    const { book, diagnose, settings } = this.#ports
    return { book, diagnose, settings, lines: this.#lines, ground: this.#ports }
  }

  #scene(moment: AdviceMoment, about: About, subject: string | null): Scene {
    const asked = { ...about, time: this.#ports.now() }
    return { moment, about, subject, predictions: this.#ports.next(asked, mostSuggestions) }
  }

  /** Says the first offer that no rule speaks against. */
  #decide(scene: Scene, offers: Offers): ResponderReply {
    const session = this.#session(scene.about.session)
    let why: WhySilent | null = null
    for (const offer of offers) {
      const refusal = 'silent' in offer ? offer.silent : this.#refuse(offer, scene.about, session)
      if (refusal === null && !('silent' in offer))
        return this.#speak(scene, offer) ? { context: [{ from: 'memory', text: offer.text }] } : {}
      why ??= refusal
    }
    session.pending = { advice: this.#advice(scene, 'none', why ?? 'nothing to say', null, false), about: scene.about }
    return {}
  }

  /** The rule that speaks against an offer. */
  #refuse({ kind, key, evidence, text }: Offer, { room }: About, session: AdviceSession): WhySilent | null {
    const { settings, now } = this.#ports
    const isDiagnosis = kind === 'fix' || kind === 'meaning'
    if (kind !== 'tool' && !(isDiagnosis ? settings.diagnose : settings.suggest)) return 'off'
    if (session.hasSaid(key, evidence) || session.hasSaid(text, 0) || session.wasSaidEarlier(text)) return 'said before'
    if (session.lastAt !== null && now() - session.lastAt < settings.cooldownMs) return 'cooldown'
    if (text.length > budgetChars(settings.tokens, kind)) return 'over budget'
    return text.length + contextSeparator.length > room ? 'no room' : null
  }

  /** False for a conversation that is held out: everything is recorded as if, but nothing is said. */
  #speak(scene: Scene, { kind, key, evidence, text, why }: Offer): boolean {
    const session = this.#session(scene.about.session)
    const isShown = !this.#ports.isHeldOut(scene.about.session)
    const heldOut: WhySilent = 'held out'
    session.say(key, evidence)
    session.say(text, 0)
    if (scene.moment !== 'before') session.pending = null
    // The primer is no interruption: it does not delay the advice for a first failure.
    if (scene.moment !== 'before' && kind !== 'primer') session.lastAt = this.#ports.now()
    this.#ports.decided(this.#advice(scene, kind, isShown ? why : heldOut, text, isShown), scene.about)
    return isShown
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

  #intervene(about: About, command: string, input: Record<string, unknown>): Intervention | null {
    const { settings, book, entryAt } = this.#ports
    const { project, session, cwd, edited, fileTools } = about
    const wrong = settings.wrongTool === 'deny' ? wrongTool(command, fileTools) : null
    // Changed files may have removed the cause of the failure.
    const failing =
      settings.denyFailing && edited.length === 0 ? book(project).alwaysFails(this.#lines.read(command), cwd) : null
    const denial =
      wrong !== null
        ? { text: deniedToolText(wrong), why: wrong.why, evidence: 0 }
        : failing && {
            text: deniedText(failing.times, failing.error),
            why: `failed ${failing.times} times`,
            evidence: failing.times,
          }
    // A repeated attempt may have a reason: it is denied only on new evidence.
    if (denial !== null && !this.#session(session).hasSaid(deniedKey(command), denial.evidence))
      return {
        offer: { kind: 'deny', key: deniedKey(command), ...denial },
        decision: { kind: 'deny', reason: denial.text },
      }
    const field = Object.keys(input).find((name) => input[name] === command)
    const rewrite = settings.rewrite ? rewriteOf(command, cwd, entryAt) : null
    if (field === undefined || rewrite === null) return null
    const { command: better, reason } = rewrite
    return {
      offer: { kind: 'rewrite', key: `rewrite ${better}`, evidence: 0, text: reason, why: 'known to fail' },
      decision: { kind: 'rewrite', input: { ...input, [field]: better }, reason },
      rewritten: { wanted: command, run: better, reason },
    }
  }
}
