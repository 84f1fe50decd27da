import type { Action } from '../../contract/action.ts'
import type { Rule, RuleAction, Surface } from '../../contract/rule.ts'
import type { ShellReading } from '../../base/shell/reading.ts'
import type { WorkBudget } from '../../base/util/work-budget.ts'
import type { Check, QuickCheck } from './match/answer.ts'
import type { PathGlobs } from './paths.ts'

/** Where rules come from: a pack of Rein's, the user's own directory, the project's. */
export type RuleOrigin = 'built-in' | 'pack' | 'user' | 'project'

/** Something wrong in a rule file. `line` and `column` begin at 1. */
export interface RuleProblem {
  file: string
  line: number
  column: number
  message: string
  /** How to fix it; empty if unknown. */
  hint: string
  /** The file may have held a guard: those that it would bind are told. */
  isGuard: boolean
  /** For a rule that was meant as a guard: its name and surfaces, as far as they are valid. */
  guard?: BrokenGuard
  /** The rule that it is about is loaded all the same: it waits for a person's trust, or has the name of another. */
  isLoaded?: boolean
}

export interface BrokenGuard {
  name: string | null
  on: readonly Surface[]
}

export interface RuleSource {
  origin: RuleOrigin
  file: string
  text: string
  /** A project's file may only forbid until a person has trusted it: `rewrite` and `external` run what it says. */
  isTrusted: boolean
  /** It exists but cannot be read; its text is empty then. */
  isUnread?: boolean
}

/** A rule with everything compiled that can be. */
export interface LoadedRule {
  rule: Rule
  origin: RuleOrigin
  file: string
  line: number
  surfaces: readonly Surface[]
  /** Null: wherever the file is. */
  files: PathGlobs | null
  /** Whether `server/tool` is meant; null: all are. */
  tools: ((name: string) => boolean) | null
  /** It rewrites or runs a program, and its file is not trusted: it rewrites nothing, and its program counts as a match. */
  isHeld: boolean
  /** False: `fits` need not be asked. */
  quick: QuickCheck
  fits: Check
  /** For `rewrite`: the text with its places replaced; null where there is none. */
  replaced: (text: string) => string | null
  /** It stands in for unreadable guards. */
  isStandIn?: boolean
}

export interface RuleSet {
  rules: readonly LoadedRule[]
  problems: readonly RuleProblem[]
  bySurface: ReadonlyMap<Surface, readonly LoadedRule[]>
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

/** The holder of a lease on a file: the caller, another one, or none. */
export type LeaseOn = 'mine' | 'other' | 'none'

/** Known at once, or later. */
export type Awaitable<T> = T | Promise<T>

export interface RanLine {
  command: string
  isSuccess: boolean | null
  isSinceEdit: boolean
  isThisTurn: boolean
}

/** The facts beside the call that rules may ask for, each computed on demand. */
export interface World {
  /** The top of the project. */
  root: string
  cwd: string
  /** The budget for comparing the files of one call with those that rules name. */
  work: WorkBudget
  home: string | null
  agent: { handle: string; driver: string; host: string; isSubagent: boolean } | null
  now: () => number
  branch: () => Promise<string | null>
  isDirty: () => Promise<boolean>
  /** The real path of a file that may not exist yet: links, `..` and, where the file system has it so, case. */
  realPath: (path: string) => Promise<string>
  /** The names in a directory, those of directories with a slash behind; none where it does not exist, null if unknown. */
  entries: (directory: string) => Promise<readonly string[] | null>
  /** Where a root of the project is in another git work tree of it, if that holds the file. */
  rootBeside: (root: string, file: string) => Promise<string | null>
  /** The text of a file now; null if there is none. */
  readFile: (path: string) => Promise<string | null>
  lease: (file: string) => Promise<LeaseOn>
  /** Null: unknown. */
  budgetUsed: () => number | null
  /** Lines that the agent ran, oldest first, with where they stand among its edits and turns; null: its end was not reported. */
  ran: () => Awaitable<readonly RanLine[]>
  /** Whether the agent has changed a file since its conversation began. */
  hasEdited: () => Awaitable<boolean>
  readShell: (command: string, cwd: string) => Awaitable<ShellReading>
  /** How long the parsing of one text may take where no hook waits for it; else the usual limit. */
  patienceMs?: number
}

/** Where in the text it fits, for messages; line begins at 1. */
export interface Place {
  target: string
  start: number
  end: number
  line: number
  /** The line that it stands in. */
  excerpt: string
}

/** A rule that fits, and what it says. */
export interface Finding {
  rule: LoadedRule
  subject: Subject
  /** The action: that of the rule, or `ask` and `block` in doubt. */
  action: RuleAction
  /** With all captures filled in; `toldOf` makes of it what the model gets. */
  message: string
  captures: Readonly<Record<string, string>>
  places: readonly Place[]
  /** For `rewrite`: the text after this rewrite and all before it; null where the text cannot be replaced. */
  text: string | null
  /** It fits because the call cannot be read, not because it was read. */
  isDoubt: boolean
}

/** The memory for `once`, `cooldown` and `max` of rules, for one agent. */
export interface RuleMemory {
  mayAct(rule: LoadedRule): boolean
  /** To be called when the findings of one call are acted upon, once for each call. */
  acted(findings: readonly Finding[]): void
}
