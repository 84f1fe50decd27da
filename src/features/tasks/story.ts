import type { AnyRecord, RecordType } from '../../contract/record.ts'
import type { Story } from '../../contract/routes/story.ts'
import { isGone, Tally } from './story-agents.ts'
import { StoryChecks } from './story-checks.ts'
import { StoryLives } from './story-lives.ts'
import { linesIn, type ReadLine } from './story-files.ts'
import { nameActor } from '../../contract/person.ts'
import { Moments } from './story-moments.ts'
import { StoryScope, type StorySubject } from './story-scope.ts'
import { StoryTalk } from './story-talk.ts'
import { StoryTurns } from './story-turns.ts'

/** All that a story is told from. */
export const storyTopics = [
  'tasks',
  'agents',
  'turns',
  'directives',
  'chats',
  'events',
  'decisions',
  'rules',
  'leases',
  'loops',
  'sessions',
] as const

/** They say what became of something that was told. */
const outcomes: ReadonlySet<RecordType> = new Set([
  'directive.seen',
  'directive.acked',
  'directive.held',
  'directive.failed',
  'directive.expired',
  'directive.cancelled',
  'event.acked',
  'event.escalated',
  'event.pruned',
  'lease.ended',
  'session.moved',
  'session.failed',
])

/** Facts about an agent that are in no record. */
interface StoryCast {
  handle: string
  driver: string | null
  cwd: string | null
}

interface StoryOptions {
  /** Nothing that was before is told or counted. */
  since?: number
  mostMoments?: number
  agent: (id: string) => StoryCast | null
  /** The reading of a command line; every line that `linesIn` gives is asked for when its record comes. */
  readLine: ReadLine
}

/** Tells a story record by record, in the order of the log, in memory of fixed size. */
export class StoryTeller {
  readonly #scope: StoryScope
  readonly #since: number
  readonly #agent: StoryOptions['agent']
  readonly #moments: Moments
  readonly #tallies = new Map<string, Tally>()
  readonly #talk: StoryTalk
  readonly #turns: StoryTurns
  readonly #lives: StoryLives
  readonly #checks: StoryChecks
  #state: string | null = null
  #overAt: number | null = null

  constructor(about: StorySubject, { since = 0, mostMoments, agent, readLine }: StoryOptions) {
    this.#scope = new StoryScope(about)
    this.#since = since
    this.#agent = agent
    this.#moments = new Moments(since, mostMoments)
    this.#talk = new StoryTalk(this.#scope, this.#moments)
    const place = (id: string) => agent(id) ?? { driver: null, cwd: null }
    this.#turns = new StoryTurns({ moments: this.#moments, place, readLine, told: this.#talk.told })
    this.#lives = new StoryLives(this.#moments, (handle) => this.#turns.allowed(handle))
    this.#checks = new StoryChecks(this.#scope, this.#moments)
    for (const id of about.agents) this.#tally(id)
  }

  /** The lines of shell that a record tells of, and where they were run: they are read before it is heard. */
  linesIn(record: AnyRecord): { command: string; cwd: string }[] {
    const { driver, cwd } = this.#agent(record.agent ?? '') ?? { driver: null, cwd: null }
    if (record.type !== 'turn.entry' || cwd === null || !this.#scope.has(record.agent)) return []
    return linesIn(driver, record.body.blocks).map((command) => ({ command, cwd }))
  }

  hear(record: AnyRecord): void {
    const { until } = this.#scope.about
    if (until !== null && record.at > until) return
    this.#scope.hear(record)
    if (record.topic === 'tasks') return this.#task(record)
    const tally = this.#scope.has(record.agent) ? this.#tally(record.agent ?? '') : null
    if (this.#overAt !== null && !this.#isAftermath(record, this.#overAt, tally)) return
    if (tally !== null && record.topic === 'agents') this.#lives.hear(record, tally)
    if (tally !== null && record.topic === 'turns' && this.#isTold(record)) this.#turns.hear(record, tally)
    this.#talk.hear(record)
    this.#checks.hear(record, tally?.agent.handle ?? null)
  }

  end(now: number, isCut: boolean): Story {
    this.#turns.close()
    const tallies = [...this.#tallies.values()]
    const moments = this.#moments.all()
    // The clock may have been set back meanwhile.
    const overAt = this.#overAt === null ? this.#scope.about.until : Math.max(this.#overAt, moments[0]?.at ?? 0)
    const to = overAt ?? now
    const state = this.#state ?? tallies[0]?.state ?? null
    for (const tally of tallies) tally.until(to)
    const { subject } = this.#scope.about
    return {
      subject,
      state,
      from: moments[0]?.at ?? null,
      to,
      isCut,
      foldedCount: this.#moments.foldedCount,
      moments,
      agents: tallies.map(({ agent }) => agent),
      blockers: this.#talk.blockers(),
    }
  }

  /** Late records that still belong to a finished task: earlier events, their outcomes, and agents leaving. */
  #isAftermath(record: AnyRecord, overAt: number, tally: Tally | null): boolean {
    if (record.topic === 'turns') return record.at <= overAt || record.type !== 'turn.started'
    if (record.type === 'agent.state') return tally !== null && !isGone(tally.state) && isGone(record.body.state)
    if (record.type === 'agent.answered') return this.#lives.hasAsked(record.body.question.id)
    // What others have taken is known when the task goes on.
    if (record.type === 'lease.taken') return !this.#scope.has(record.body.lease.holder?.id ?? null)
    return outcomes.has(record.type)
  }

  #isTold(record: AnyRecord): boolean {
    return !('conversation' in record.body) || this.#scope.hasConversation(record.body.conversation)
  }

  #tally(id: string): Tally {
    const known = this.#tallies.get(id)
    if (known !== undefined) return known
    const { handle, driver } = this.#agent(id) ?? { handle: id, driver: null }
    const tally = new Tally(handle, driver, this.#since)
    this.#tallies.set(id, tally)
    return tally
  }

  #task(record: AnyRecord): void {
    const by = nameActor(record.actor)
    if (record.type === 'task.created' && record.body.task.id === this.#scope.about.task) {
      this.#state = record.body.task.state
      this.#moments.add(record, 'task', { text: `${by} made the task ${record.body.task.name}` })
    }
    if (record.type === 'task.state' && record.body.task === this.#scope.about.task) {
      const { state, reason } = record.body
      this.#state = state
      this.#overAt = state === 'done' || state === 'stopped' ? record.at : null
      const tone = state === 'done' ? 'good' : 'plain'
      this.#moments.add(record, 'task', { text: `${by}: the task is ${state}`, why: reason, tone })
    }
    const { task } = this.#scope.about
    if (record.type === 'task.joined' && record.body.task === task) {
      const { agent, role, worktree } = record.body.member
      const tally = this.#tally(agent.id)
      tally.agent.role = role
      const where = worktree === null ? '' : `, in the work tree ${worktree}`
      this.#moments.add(record, 'task', { agent: agent.handle, text: `joined as ${role}${where}` })
    }
    if (record.type === 'task.left' && record.body.task === task) {
      const tally = this.#tally(record.body.agent)
      tally.leave(record.at)
      const { agent } = tally
      this.#moments.add(record, 'task', { agent: agent.handle, text: 'left the task', why: record.body.reason })
    }
  }
}
