import type { Actor } from '../../contract/identity.ts'
import type { AnyRecord } from '../../contract/record.ts'
import type { Story } from '../../contract/routes/story.ts'

/** The subject of a story: its agents, task or session. */
export interface StorySubject {
  subject: Story['subject']
  /** The task whose members come and go as the log says; null: only `agents`. */
  task: string | null
  agents: readonly string[]
  /** The room of the task; null: all where one of them speaks or is named. */
  room: string | null
  /** Set for the story of a session: other conversations are left out. */
  conversations: ReadonlySet<string> | null
  /** When its agent went on elsewhere; null: it is still there. */
  until: number | null
}

/** The agents that are part of the story at the current record. */
export class StoryScope {
  readonly about: StorySubject
  readonly #now: Set<string>

  constructor(about: StorySubject) {
    this.about = about
    this.#now = new Set(about.agents)
  }

  /** An agent has one task: joining another one means leaving this one. */
  hear(record: AnyRecord): void {
    const { task } = this.about
    if (task === null) return
    if (record.type === 'task.joined') {
      if (record.body.task === task) this.#now.add(record.body.member.agent.id)
      else this.#now.delete(record.body.member.agent.id)
    }
    if (record.type === 'task.left' && record.body.task === task) this.#now.delete(record.body.agent)
  }

  has(agent: string | null): boolean {
    return agent !== null && this.#now.has(agent)
  }

  isBy(actor: Actor): boolean {
    return actor.kind === 'agent' && this.has(actor.id)
  }

  hasConversation(conversation: string | null): boolean {
    const { conversations } = this.about
    return conversations === null || conversation === null || conversations.has(conversation)
  }
}
