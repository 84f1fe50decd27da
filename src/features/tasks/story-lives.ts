import type { AgentState, Question } from '../../contract/agent.ts'
import type { Actor } from '../../contract/identity.ts'
import type { AnyRecord, LogRecord } from '../../contract/record.ts'
import type { StoryMoment } from '../../contract/routes/story.ts'
import type { Tally } from './story-agents.ts'
import { nameActor } from '../../contract/person.ts'
import { brief, type Moments, type NewMoment } from './story-moments.ts'
import { remember } from './story-talk.ts'

/** States that are worth a word; in the others an agent just works. */
const words: Partial<Record<AgentState, Pick<StoryMoment, 'text' | 'tone'>>> = {
  crashed: { text: 'crashed', tone: 'bad' },
  looping: { text: 'crashed too often and was given up', tone: 'bad' },
  limited: { text: 'has to wait: its usage limit is reached', tone: 'warn' },
  stopped: { text: 'stopped', tone: 'plain' },
}

/** Of what happens by itself nobody is named. */
const byWhom = ({ actor }: AnyRecord): string => (actor.kind === 'daemon' ? '' : `, by ${nameActor(actor)}`)

/** Its name says by which way it acts. */
const isThrough = (actor: Actor): boolean =>
  actor.kind === 'channel' || (actor.kind === 'user' && actor.via !== undefined)

/** How agents came and went, what they asked, and who answered. */
export class StoryLives {
  readonly #moments: Moments
  readonly #onAllowed: (handle: string) => void
  readonly #questions = new Map<string, StoryMoment>()

  constructor(moments: Moments, onAllowed: (handle: string) => void) {
    this.#moments = moments
    this.#onAllowed = onAllowed
  }

  hasAsked(question: string): boolean {
    return this.#questions.has(question)
  }

  hear(record: AnyRecord, tally: Tally): void {
    switch (record.type) {
      case 'agent.launched': {
        const { version, host, conversation } = record.body
        const wasDown = tally.state === 'crashed' || tally.state === 'looping'
        const what = tally.launches === 0 ? 'started' : wasDown ? 'is back' : 'started again'
        tally.launches += 1
        tally.become('starting', record.at)
        const text = `${what}: ${tally.agent.driver ?? 'unknown'} ${version} (${host})${byWhom(record)}`
        const evidence = conversation === null ? [] : [conversation]
        this.#add(record, tally, { text, tone: wasDown ? 'good' : 'plain', evidence })
        return
      }
      case 'agent.state':
        return this.#state(record, tally)
      case 'agent.held':
        for (const question of record.body.held) this.#asked(record, tally, question)
        return
      case 'agent.answered':
        return this.#answered(record, tally)
      case 'agent.allowed': {
        const count = record.body.allowed.length
        const isTakenBack = count < (tally.allowed ?? 1)
        tally.allowed = count
        const text = isTakenBack
          ? 'is asked again about a call'
          : `is asked no more about ${count === 1 ? 'one call' : `${count} calls`}`
        return this.#add(record, tally, { text: `${text}${byWhom(record)}`, tone: isTakenBack ? 'plain' : 'warn' })
      }
      case 'agent.prompted':
        return this.#add(record, tally, { text: `was prompted${byWhom(record)}` })
      case 'agent.interrupted':
        return this.#add(record, tally, { text: `was interrupted${byWhom(record)}`, tone: 'warn' })
      case 'agent.paused': {
        const { isPaused, reason } = record.body
        const text = `${isPaused ? 'paused' : 'goes on after a pause'}${byWhom(record)}`
        this.#add(record, tally, { text, tone: isPaused ? 'warn' : 'plain', why: reason })
        return
      }
      case 'agent.context': {
        const { step, used, window } = record.body
        if (step === 'emptied') return
        const share = window === 0 ? '' : `: its context is ${Math.round((used / window) * 100)} % full`
        const steps = {
          warn: 'was told to come to an end',
          handover: 'was asked for a handover',
          rotate: 'goes on in a fresh conversation',
        }
        this.#add(record, tally, { text: `${steps[step]}${share}`, tone: step === 'rotate' ? 'plain' : 'warn' })
        return
      }
      default:
    }
  }

  #add(record: AnyRecord, { agent }: Tally, given: NewMoment): void {
    this.#moments.add(record, 'agent', { agent: agent.handle, ...given })
  }

  #state(record: LogRecord<'agent.state'>, tally: Tally): void {
    const { state, question, evidence } = record.body
    const isNew = tally.state !== state
    tally.become(state, record.at)
    if (question !== null) this.#asked(record, tally, question)
    const told = words[state]
    if (!isNew || told === undefined) return
    const { detail = null } = evidence
    // The last words of a program that was ended on purpose explain nothing.
    const why = state === 'stopped' ? (detail?.replace(/^(exit code \d+): .*$/s, '$1') ?? null) : detail
    this.#add(record, tally, { ...told, text: `${told.text}${byWhom(record)}`, why })
  }

  #asked(record: AnyRecord, { agent: { handle } }: Tally, question: Question): void {
    if (this.#questions.has(question.id)) return
    const { kind, tool, summary, why = null } = question
    const what = kind === 'permission' ? `asks for ${tool}` : kind === 'plan' ? 'shows its plan' : 'asks'
    const given = { agent: handle, text: `${what}: ${summary}`, why, tone: 'warn' as const, evidence: [question.id] }
    remember(this.#questions, question.id, this.#moments.add(record, 'question', given))
  }

  /** Repeated approvals by a policy are only counted. */
  #answered(record: LogRecord<'agent.answered'>, { agent: { handle } }: Tally): void {
    const { question, answer, by, why: given } = record.body
    const asked = this.#questions.get(question.id)
    const isRoutine = asked === undefined && by !== 'person' && answer === 'allow'
    if (isRoutine) return this.#onAllowed(handle)
    const who = by === 'person' ? nameActor(record.actor) : `a ${by}`
    const why = isThrough(record.actor) || given === '' ? null : brief(given)
    const tone: StoryMoment['tone'] = answer.startsWith('deny') ? 'bad' : 'good'
    const outcome = { at: record.at, text: brief(answer), by: who, why, tone }
    if (asked !== undefined) asked.outcome = outcome
    else {
      const text = `asks for ${question.tool}: ${question.summary}`
      this.#moments.add(record, 'question', { agent: handle, text, outcome, evidence: [question.id] })
    }
  }
}
