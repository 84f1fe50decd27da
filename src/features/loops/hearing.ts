import type { Agent } from '../../contract/agent.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { HookCall, ToolCall } from '../../contract/hooks.ts'
import type { Driver, ShellEnd } from '../../drivers/contract.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { callOf, type Step, stepOf } from './step.ts'

type Speaker = Pick<Agent, 'id' | 'driver' | 'cwd'>

interface HearingPorts {
  driver: (name: string) => Driver
  catchUp: (id: string) => Promise<void>
  now: () => number
}

const mostCalls = 300

/** Makes steps of what hooks and transcripts tell. */
export class Hearing {
  readonly #ports: HearingPorts
  /** How commands ended, by the id of the call, where a line beside the conversation tells it first. */
  readonly #ends = new BoundedMap<string, ShellEnd>(mostCalls)
  /** Calls whose end is not yet in the transcript. */
  readonly #calls = new BoundedMap<string, ToolCall>(mostCalls)
  readonly #since: number

  constructor(ports: HearingPorts) {
    this.#ports = ports
    this.#since = ports.now()
  }

  async stepOf(agent: Speaker, call: HookCall, tool: ToolCall): Promise<Step> {
    const end = await this.endOf(agent, call, tool)
    const wanted = callOf(this.#ports.driver(call.driver), tool, call.cwd ?? agent.cwd)
    return stepOf(wanted, end, tool.response, this.#ports.now())
  }

  /** How a command ended, as a hook tells it. Some do not say: then the transcript does. Null for any other tool. */
  async endOf(agent: Pick<Speaker, 'id'>, call: HookCall, tool: ToolCall): Promise<ShellEnd | null> {
    const { shell } = this.#ports.driver(call.driver)
    if (shell.call(tool.name, tool.input) === null) return null
    const heard = shell.heard(tool.response, call.native)
    if (heard?.outcome !== 'unknown' || tool.id === null) return heard
    if (!this.#ends.has(tool.id)) await this.#ports.catchUp(agent.id)
    return this.#ends.get(tool.id) ?? heard
  }

  read({ driver: name }: Speaker, { raw }: ConversationEntry): void {
    const noted = this.#ports.driver(name).shell.noted?.(raw) ?? null
    if (noted !== null) this.#ends.set(noted.id, noted.end)
  }

  /** For an agent whose hooks tell nothing of its tools. What is from before this daemon was counted then. */
  stepsIn({ driver: name, cwd }: Speaker, { blocks, raw, at }: ConversationEntry): Step[] {
    const driver = this.#ports.driver(name)
    return blocks.flatMap((block) => {
      if (block.type === 'tool_use') this.#calls.set(block.id, block)
      const call = block.type === 'tool_result' ? this.#calls.get(block.id) : undefined
      if (block.type !== 'tool_result' || call === undefined) return []
      this.#calls.delete(block.id)
      if (at < this.#since) return []
      const isShell = driver.shell.call(call.name, call.input) !== null
      return [stepOf(callOf(driver, call, cwd), isShell ? driver.shell.end(block, raw) : null, block.text, at)]
    })
  }
}
