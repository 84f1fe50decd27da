import { createHash } from 'node:crypto'
import { type Agent, openQuestion, type Question } from '../../contract/agent.ts'
import type { NoticeEvent } from '../../contract/notice-events.ts'
import type { Notice } from '../../contract/notice.ts'
import type { AgentWatcher } from '../../agents/agent-events.ts'
import { redact } from '../../base/redact/redact.ts'
import { after } from '../../base/util/timer.ts'

/** A notice, and what it is about. */
interface News {
  notice: Notice
  agent: Agent
  question: Question | null
  /** The same for the same news: also when the next daemon tells it. */
  key: string
}

interface NoticePorts {
  agents: () => readonly Agent[]
  agent: (id: string) => Agent | null
  isWanted: () => boolean
  send(news: News): Promise<unknown>
  now: () => number
  onTrouble(cause: unknown): void
}

/** A question that a policy or a person at the terminal answers at once, and a pause between two turns, are no news. */
const settleMs: Record<NoticeEvent, number> = { asks: 2_000, done: 5_000, crashed: 0, limited: 0 }
const whatLength = 300

/** What an agent's change means to a person who is not looking; null if nothing. */
export const noticeEvent = (agent: Agent, before: Agent | null): NoticeEvent | null => {
  const question = openQuestion(agent)
  if (question !== null && question.id !== (before === null ? null : openQuestion(before)?.id)) return 'asks'
  if (before === null || agent.state === before.state) return null
  if (agent.state === 'crashed' || agent.state === 'looping') return 'crashed'
  if (agent.state === 'limited') return 'limited'
  return agent.state === 'idle' && before.state === 'working' ? 'done' : null
}

/** Tells what a person wants to hear of who is not looking, if they want to hear of anything. */
export class Notices implements AgentWatcher {
  readonly #ports: NoticePorts

  constructor(ports: NoticePorts) {
    this.#ports = ports
  }

  /** Questions that came up while no daemon could tell; those that were told keep their id, and are not told twice. */
  start(): void {
    for (const agent of this.#ports.agents()) if (openQuestion(agent) !== null) this.#tellLater(agent, 'asks')
  }

  onChange(agent: Agent, before: Agent | null): void {
    const event = noticeEvent(agent, before)
    if (event !== null) this.#tellLater(agent, event)
  }

  #tellLater(agent: Agent, event: NoticeEvent): void {
    if (!this.#ports.isWanted()) return
    const question = openQuestion(agent)?.id ?? null
    after(settleMs[event], () => {
      const now = this.#ports.agent(agent.id)
      const isStill = now !== null && now.state === agent.state && (openQuestion(now)?.id ?? null) === question
      if (!isStill || !this.#ports.isWanted()) return
      const { handle, project, since, evidence } = now
      const asked = openQuestion(now)
      const about = event === 'asks' ? asked?.summary : event === 'crashed' ? evidence?.detail : undefined
      const what = redact(about ?? '').text.slice(0, whatLength)
      const notice: Notice = { event, handle, project, at: this.#ports.now(), what }
      const key = createHash('sha256').update(`${now.id} ${event} ${since} ${asked?.id}`).digest('hex').slice(0, 32)
      void this.#ports
        .send({ notice, agent: now, question: asked, key })
        .catch((cause: unknown) => this.#ports.onTrouble(cause))
    })
  }
}
