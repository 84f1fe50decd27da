/** Finds the offered tool that a step calls. */
import type { Tool } from './received.ts'
import type { ToolStep } from './script.ts'

export interface Call extends Tool {
  input: Record<string, unknown>
}

const described = (command: string): Record<string, unknown> => ({
  command,
  description: 'Run the scripted command',
})

/** The shell tools of the CLIs; the first one is the default when none is offered. */
const shells: { tool: string; input: (command: string) => Record<string, unknown> }[] = [
  { tool: 'Bash', input: described },
  { tool: 'bash', input: described },
  { tool: 'run_shell_command', input: described },
  { tool: 'exec_command', input: (cmd) => ({ cmd }) },
]

export const chooseCall = (step: ToolStep, offered: readonly Tool[]): Call => {
  if (step.do === 'CALL') return { ...findTool(step.tool, offered), input: step.input }
  const shell = shells.find(({ tool }) => offered.some(({ name }) => name === tool))
  return { name: shell?.tool ?? 'Bash', input: (shell?.input ?? described)(step.command) }
}

/** By its own name, or an MCP tool by the name `mcp__server__tool`, however the CLI spells that. */
export const findTool = (wanted: string, offered: readonly Tool[]): Tool =>
  offered.find(({ name, namespace }) => name === wanted && namespace === undefined) ??
  offered.find(({ name }) => name === wanted) ??
  offered.find((tool) => plainName(tool) === plainName({ name: wanted })) ?? { name: wanted }

/** The spellings `mcp__s__t`, `mcp_s_t`, `s-t`, `s_t` and `t` in the namespace `mcp__s` become one. */
const plainName = ({ name, namespace }: Tool): string => {
  const whole = namespace === undefined ? name : `${namespace}_${name}`
  return whole.replace(/^mcp_+/, '').replaceAll(/[-_]+/g, '_')
}
