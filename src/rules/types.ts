import type { Action } from '../contract/action.ts'
import type { Rule, RuleAction, Surface } from '../contract/rule.ts'
import type { ShellReading } from '../shell/reading.ts'

/** Where rules come from: a pack of Rein's, the user's own directory, the project's. */
export type RuleOrigin = 'built-in' | 'pack' | 'user' | 'project'

/** Something wrong in a rule file. `line` and `column` begin at 1. */
export interface RuleProblem {
  file: string
  line: number
  column: number
  message: string
  /** What to do about it; empty where nobody can tell. */
  hint: string
  /** The file may have held a guard: those that it would bind are told. */
  isGuard: boolean
}

export interface RuleSource {
  origin: RuleOrigin
  file: string
  text: string
  /** A project's file may only forbid until a person has trusted it: `rewrite` and `external` run what it says. */
  isTrusted: boolean
}

/** A rule with everything compiled that can be. */
export interface LoadedRule {
  rule: Rule
  origin: RuleOrigin
  file: string
  line: number
}

export interface RuleSet {
  rules: readonly LoadedRule[]
  problems: readonly RuleProblem[]
}

/** One thing that rules look at: an action of a tool call, a prompt, or a stop. */
export interface Subject {
  surface: Surface
  /** Null for a prompt and a stop. */
  action: Action | null
  tool: string | null
  input: Record<string, unknown>
  prompt: string | null
}

/** What rules may ask about the world beside the call. Each is asked only when a rule wants to know. */
export interface World {
  /** The top of the project. */
  root: string
  cwd: string
  home: string | null
  agent: { handle: string; driver: string; host: string; isSubagent: boolean } | null
  now: () => number
  branch: () => Promise<string | null>
  isDirty: () => Promise<boolean>
  /** The real path of a file that may not exist yet: links, `..` and, where the file system has it so, case. */
  realPath: (path: string) => Promise<string>
  /** The text of a file now; null if there is none. */
  readFile: (path: string) => Promise<string | null>
  lease: (path: string) => 'mine' | 'other' | 'none'
  budgetUsed: () => number | null
  /** Commands that the agent ran, oldest first, with where they stand among its edits and turns. */
  ran: () => readonly { command: string; isSuccess: boolean; isSinceEdit: boolean; isThisTurn: boolean }[]
  /** Whether the agent has changed a file since its conversation began. */
  hasEdited: () => boolean
  readShell: (command: string, cwd: string) => ShellReading
}

/** Where in the text it fits, for messages; line begins at 1. */
export interface Place {
  target: string
  start: number
  end: number
  line: number
}

/** A rule that fits, and what it says. */
export interface Finding {
  rule: LoadedRule
  action: RuleAction
  /** With all captures filled in. */
  message: string
  captures: Readonly<Record<string, string>>
  places: readonly Place[]
  /** For `rewrite`: the new text. */
  text: string | null
  /** It fits because the call cannot be read, not because it was read. */
  isDoubt: boolean
}
