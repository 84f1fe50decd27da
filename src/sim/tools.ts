/** Which tool of those offered a step calls. */
import type { Tool } from './received.ts'
import type { ToolStep } from './script.ts'

export interface Call extends Tool {
  input: Record<string, unknown>
}

/** The shell tools of the CLIs; the first stands for all when none is offered. */
const SHELLS: { tool: string; input: (command: string) => Record<string, unknown> }[] = [
  { tool: 'Bash', input: described },
  { tool: 'bash', input: described },
  { tool: 'run_shell_command', input: described },
  { tool: 'exec_command', input: (cmd) => ({ cmd }) },
]

export function callOf(step: ToolStep, offered: readonly Tool[]): Call {
  if (step.do === 'CALL') return { ...toolNamed(step.tool, offered), input: step.input }
  const shell = SHELLS.find(({ tool }) => offered.some(({ name }) => name === tool))
  return { name: shell?.tool ?? 'Bash', input: (shell?.input ?? described)(step.command) }
}

function described(command: string): Record<string, unknown> {
  return { command, description: 'Run the scripted command' }
}

/** By its own name, or an MCP tool by the name `mcp__server__tool`, however the CLI spells that. */
export function toolNamed(wanted: string, offered: readonly Tool[]): Tool {
  return (
    offered.find(({ name, namespace }) => name === wanted && namespace === undefined) ??
    offered.find(({ name }) => name === wanted) ??
    offered.find((tool) => plainName(tool) === plainName({ name: wanted })) ?? { name: wanted }
  )
}

/** The spellings `mcp__s__t`, `mcp_s_t`, `s-t`, `s_t` and `t` in the namespace `mcp__s` become one. */
function plainName({ name, namespace }: Tool): string {
  const whole = namespace === undefined ? name : `${namespace}_${name}`
  return whole.replace(/^mcp_+/, '').replaceAll(/[-_]+/g, '_')
}
