import path from 'node:path'
import type { Action } from '../../../contract/action.ts'
import type { AnyRecord } from '../../../contract/record.ts'
import type { Proposal } from '../../../contract/outputs/rule-tools.ts'
import { isWithin } from '../../../base/shell/places.ts'
import type { RecordedAgent, RecordedAgents } from '../recorded/agents.ts'
import { actionsOf } from '../recorded/driver.ts'
import { fromCorrections, type Said } from './corrections.ts'
import { fromDenials } from './denials.ts'
import { fromFailures, type Ran } from './failures.ts'

interface ListenerPorts {
  agents: RecordedAgents
  /** The agents that count. */
  ids: ReadonlySet<string>
  since: number
  /** The top of the project, where the rules will stand. */
  root: string
}

/** So many commands back a word of a person may be about. */
const remembered = 30

/** Hears the log, and makes proposals of what people refused, said, and what failed. */
export class Listener {
  readonly #ports: ListenerPorts
  readonly #ran = new Map<string, string[]>()
  readonly #said: Said[] = []
  readonly #commands: Ran[] = []

  constructor(ports: ListenerPorts) {
    this.#ports = ports
  }

  add(record: AnyRecord): void {
    const { agents, ids } = this.#ports
    const agent = record.agent !== null && ids.has(record.agent) ? agents.get(record.agent) : undefined
    if (agent === undefined) return
    if (record.type === 'turn.entry') {
      const uses = record.body.blocks.filter((block) => block.type === 'tool_use')
      const ran = uses
        .flatMap(({ name, input }) => actionsOf(agent, name, input))
        .flatMap((action) => (action.kind === 'shell' ? [action.command] : []))
      this.#ran.set(agent.id, [...(this.#ran.get(agent.id) ?? []), ...ran].slice(-remembered))
    }
    if (record.at < this.#ports.since) return
    if (record.type === 'turn.started') this.#hear(agent, record.at, record.body.prompt)
    if (record.type === 'directive.accepted' && record.actor.kind === 'user')
      this.#hear(agent, record.at, record.body.directive.text)
    if (record.type === 'command.ran')
      for (const { command, session, outcome, at } of record.body.commands)
        this.#commands.push({ command, session, outcome, at: at ?? record.at, who: agent.handle })
  }

  proposals(): Proposal[] {
    const { agents, ids, since, root } = this.#ports
    const answers = agents.answers
      .filter(({ at, agent, question }) => at >= since && ids.has(agent.id) && question.kind === 'permission')
      .flatMap(({ at, agent, question, answer }) =>
        actionsOf(agent, question.tool, question.input).map((action) => ({
          at,
          who: agent.handle,
          action: nameFromTop(action, agent.cwd, root),
          isAllowed: answer === 'allow',
          reason: answer === 'allow' || answer === 'deny' ? '' : answer,
        })),
      )
    const found = [...fromDenials(answers), ...fromCorrections(this.#said), ...fromFailures(this.#commands)]
    return [...new Map(found.toReversed().map((each) => [each.name, each])).values()].toReversed()
  }

  #hear(agent: RecordedAgent, at: number, text: string): void {
    this.#said.push({ at, who: agent.handle, text, ran: this.#ran.get(agent.id) ?? [] })
  }
}

/** A rule goes to other machines with the project: what lies in it is named from its top. */
const nameFromTop = (action: Action, cwd: string, root: string): Action => {
  if (action.kind !== 'write' && action.kind !== 'edit' && action.kind !== 'delete') return action
  const file = path.resolve(cwd, action.path)
  return { ...action, path: isWithin(root, file) ? path.relative(root, file) : file }
}
