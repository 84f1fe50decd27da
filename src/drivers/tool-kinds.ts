/** What a tool does, as far as its name reveals. */
export type ToolKind =
  /** Runs a command, or types into one. */
  | 'shell'
  /** Types into a command that runs; with nothing to type it waits for what that prints. */
  | 'poll'
  /** Changes files. */
  | 'change'
  /** Reads or searches files. */
  | 'read'
  /** Loads what an address names. */
  | 'fetch'
  /** Waits for what was started before, which may have changed files meanwhile. */
  | 'wait'
  /** Starts a sub-agent, whose own calls are looked at by themselves. */
  | 'agent'
  /** Hands work to a skill, or to an agent that runs already. */
  | 'delegate'
  /** Touches only the conversation and the state of the CLI: questions, plans, lists, searches of the web. */
  | 'none'
  /** The name does not tell. */
  | 'any'

export type ToolKinds = Readonly<Record<string, ToolKind>>

/** How a CLI names the tools of MCP servers: `<prefix><server><between><tool>`; either name may have `between` in it. */
export interface McpNaming {
  prefix: string
  between: string
}

/** The tools of one CLI, those that only some of its versions have included. */
export interface ToolTable {
  /** By the names that its hooks use. */
  own: ToolKinds
  /** By those that only its protocol or its transcript uses. */
  told: ToolKinds
  /** Null where it has no such servers. */
  mcp: McpNaming | null
}

/** Of a driver, what it knows of its tools. */
export interface WithTools {
  tools: ToolTable
}

/** A tool that the driver does not know, or that belongs to a server, may do anything. */
export const kindOf = ({ tools: { own, told } }: WithTools, name: string): ToolKind => {
  const kinds = [own, told].find((one) => Object.hasOwn(one, name))
  return kinds?.[name] ?? 'any'
}

/** The names of all tools of a kind. */
export const toolsOfKind = ({ tools: { own, told } }: WithTools, kind: ToolKind): string[] =>
  Object.entries({ ...told, ...own }).flatMap(([name, one]) => (one === kind ? [name] : []))
