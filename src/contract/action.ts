/** One text of a file that is replaced by another. */
export interface Replacement {
  old: string
  new: string
  /** Each place where it stands, not only the first. */
  isEverywhere: boolean
}

export interface McpTool {
  server: string
  tool: string
}

/**
 * What one tool call is about to do, in the same words for all CLIs: `apply_patch`, `Write` and `write_file` are files.
 * Paths are as the call gives them; who compares them resolves them.
 */
export type Action =
  | { kind: 'shell'; command: string; cwd: string | null }
  /** The whole file. */
  | { kind: 'write'; path: string; content: string }
  | { kind: 'edit'; path: string; replacements: readonly Replacement[] }
  | { kind: 'delete'; path: string }
  | { kind: 'move'; from: string; to: string }
  | { kind: 'read'; path: string }
  | { kind: 'fetch'; url: string }
  /** Where the name of the tool does not say how far that of the server goes, `readings` has all that it may mean. */
  | { kind: 'mcp'; server: string; tool: string; readings?: readonly McpTool[] }
  /** A patch or file tool whose input cannot be read: guards treat it as a change of any file. */
  | { kind: 'unreadable'; why: string }
  /** A fetch whose addresses are only partly known. */
  | { kind: 'unreadable-fetch'; why: string }

export type ActionKind = Action['kind']

/** Which text of a tool's input an action stands in, so that it can be replaced there. */
export interface ToolActions {
  actions: readonly Action[]
  /** The whole input with another text in the place of the command, the content, the new text or the address; null where that cannot be done. */
  rewritten: (text: string) => Record<string, unknown> | null
}
