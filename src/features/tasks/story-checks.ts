import type { Lease } from '../../contract/lease.ts'
import { holderName } from '../../contract/lease-text.ts'
import type { OpinionKind } from '../../contract/opinion.ts'
import type { AnyRecord, LogRecord } from '../../contract/record.ts'
import type { StoryMoment } from '../../contract/routes/story.ts'
import { shown } from './story-files.ts'
import { nameActor } from '../../contract/person.ts'
import { brief, type Moments, outcomeOf } from './story-moments.ts'
import type { StoryScope } from './story-scope.ts'
import { remember } from './story-talk.ts'

/** Where an agent was held back, or led elsewhere. */
const tones: Partial<Record<OpinionKind, StoryMoment['tone']>> = {
  deny: 'bad',
  ask: 'warn',
  rewrite: 'warn',
  warn: 'warn',
}
const deeds: Partial<Record<OpinionKind, string>> = {
  deny: 'was denied',
  ask: 'had to ask about',
  rewrite: 'ran otherwise than it wanted',
  warn: 'was warned about',
}

interface KnownLease {
  lease: Pick<Lease, 'root' | 'glob' | 'mode' | 'holder'>
  /** Null where no agent of the story holds it. */
  moment: StoryMoment | null
}

/** Denials by rules, leases and loops, and moves within sessions. */
export class StoryChecks {
  readonly #scope: StoryScope
  readonly #moments: Moments
  readonly #leases = new Map<string, KnownLease>()
  readonly #moves = new Map<string, StoryMoment>()

  constructor(scope: StoryScope, moments: Moments) {
    this.#scope = scope
    this.#moments = moments
  }

  /** `agent` is the handle of the one that the record is about, if it is of the story. */
  hear(record: AnyRecord, agent: string | null): void {
    if (record.type === 'lease.taken') return this.#taken(record)
    if (record.type === 'lease.denied') return this.#denied(record, agent)
    if (record.type === 'lease.ended') {
      const { lease, why } = record.body
      const moment = this.#leases.get(lease)?.moment
      if (moment != null)
        moment.outcome = outcomeOf({ at: record.at, text: why, tone: why === 'released' ? 'plain' : 'warn' })
      this.#leases.delete(lease)
      return
    }
    if (record.type === 'session.moved') return this.#moved(record, { text: 'done', tone: 'good' })
    if (record.type === 'session.failed')
      return this.#moved(record, { text: brief(`failed: ${record.body.reason}`), tone: 'bad' })
    if (agent === null) return
    if (record.type === 'rule.decided') this.#rule(record, agent)
    if (record.type === 'session.moving') this.#moving(record, agent)
    if (record.topic === 'loops') this.#loop(record, agent)
  }

  #rule(record: LogRecord<'rule.decided'>, agent: string): void {
    const { decided, call, tool, opinions, conversation } = record.body
    const tone = decided === null ? undefined : tones[decided]
    if (decided === null || tone === undefined || !this.#scope.hasConversation(conversation)) return
    const opinion = opinions.find(({ kind }) => kind === decided)
    const what = [tool, call].filter((part) => part !== null && part !== '').join(' ')
    const why = opinion === undefined ? null : `${opinion.by}: ${opinion.reason}`
    this.#moments.add(record, 'rule', { agent, text: `${deeds[decided]} ${what}`, why, tone })
  }

  #taken(record: LogRecord<'lease.taken'>): void {
    const { lease } = record.body
    const { id, project, root, glob, mode, holder, why } = lease
    if (project !== this.#scope.about.subject.project) return
    const isTold = this.#scope.has(holder?.id ?? null)
    const text = `took a lease on ${glob} (${mode})`
    const given = { agent: holder?.handle ?? null, text, why, evidence: [id] }
    const moment = isTold ? this.#moments.add(record, 'lease', given) : null
    remember(this.#leases, id, { lease: { root, glob, mode, holder }, moment })
  }

  #denied(record: LogRecord<'lease.denied'>, agent: string | null): void {
    if (agent === null) return
    const { lease: id, path, tool } = record.body
    const known = this.#leases.get(id)?.lease
    const holder = known === undefined ? 'somebody else' : holderName(known.holder?.handle)
    const why = `${holder} has a lease on ${known?.glob ?? 'it'}`
    this.#moments.add(record, 'lease', {
      agent,
      text: `was denied ${tool} of ${shown(path, known?.root ?? null)}`,
      why,
      tone: 'bad',
      evidence: [id],
    })
  }

  #loop(record: AnyRecord, agent: string): void {
    if (record.type !== 'loop.noted' && record.type !== 'loop.asked' && record.type !== 'loop.stopped') return
    const { loop, conversation } = record.body
    if (!this.#scope.hasConversation(conversation)) return
    const what = {
      'loop.noted': 'goes in circles',
      'loop.asked': 'goes in circles: a person is asked',
      'loop.stopped': 'went in circles and was stopped',
    }
    const text = `${what[record.type]} (${loop.count} times): ${loop.calls.slice(0, 3).join(', ')}`
    this.#moments.add(record, 'loop', {
      agent,
      text,
      why: loop.result,
      tone: record.type === 'loop.stopped' ? 'bad' : 'warn',
    })
  }

  /** Said twice: when it begins, and when it is known what its files were. */
  #moving(record: LogRecord<'session.moving'>, agent: string): void {
    const { id, kind, part } = record.body.move
    if (this.#moves.has(id)) return
    const parts = { code: 'its files', chat: 'its conversation', both: 'its files and its conversation' }
    const given = {
      agent,
      text: `${kind} of ${parts[part]} by ${nameActor(record.actor)}`,
      tone: 'warn' as const,
      evidence: [id],
    }
    remember(this.#moves, id, this.#moments.add(record, 'move', given))
  }

  #moved(
    { at, body: { move } }: LogRecord<'session.moved'> | LogRecord<'session.failed'>,
    end: Pick<NonNullable<StoryMoment['outcome']>, 'text' | 'tone'>,
  ): void {
    const moment = this.#moves.get(move)
    if (moment !== undefined) moment.outcome = outcomeOf({ at, ...end })
    this.#moves.delete(move)
  }
}
