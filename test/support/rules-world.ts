import path from 'node:path'
import type { Action } from '../../src/contract/action.ts'
import { loadRules } from '../../src/features/rules/load.ts'
import type { RuleSet, RuleSource, Subject, World } from '../../src/features/rules/types.ts'
import type { RunProgram, ShellReading } from '../../src/base/shell/reading.ts'
import { WorkBudget } from '../../src/base/util/work-budget.ts'

/** A project at /p of which all is known, and nothing is asked of the machine. */
export const worldOf = (given: Partial<World> & { files?: Record<string, string> } = {}): World => ({
  root: '/p',
  cwd: '/p',
  work: new WorkBudget(10_000_000),
  home: '/home/ada',
  agent: { handle: 'ada', driver: 'claude', host: 'tmux', isSubagent: false },
  now: () => Date.parse('2026-03-04T12:00:00'),
  branch: () => Promise.resolve('main'),
  isDirty: () => Promise.resolve(false),
  realPath: (file) => Promise.resolve(file),
  entries: () => Promise.resolve(null),
  rootBeside: () => Promise.resolve(null),
  readFile: (file) => Promise.resolve(given.files?.[file] ?? null),
  lease: () => Promise.resolve('none'),
  budgetUsed: () => null,
  ran: () => [],
  hasEdited: () => false,
  readShell: (command) => plainReading(command),
  ...given,
})

/** What a project usually has at its top, and nothing of CLIs other than Claude Code. */
export const usualEntries = (top: string): World['entries'] => {
  const names: Record<string, readonly string[]> = {
    [top]: ['.claude/', '.git/', '.rein/', 'README.md', 'package.json', 'src/'],
    [`${top}/.claude`]: ['settings.json'],
    [`${top}/.rein`]: ['config.toml', 'rules/'],
    [`${top}/.rein/rules`]: ['a.yaml'],
  }
  return (directory) => Promise.resolve(names[directory] ?? [])
}

export const subjectOf = (
  surface: Subject['surface'],
  action: Action | null,
  given: Partial<Subject> = {},
): Subject => ({
  surface,
  action,
  tool: null,
  input: {},
  prompt: null,
  ...given,
})

export const shell = (command: string): Subject =>
  subjectOf('shell', { kind: 'shell', command, cwd: null }, { tool: 'Bash', input: { command } })

export const write = (file: string, content: string): Subject =>
  subjectOf('write', { kind: 'write', path: file, content })

export const edit = (file: string, old: string, next: string): Subject =>
  subjectOf('edit', { kind: 'edit', path: file, replacements: [{ old, new: next, isEverywhere: false }] })

export const sourceOf = (text: string, given: Partial<RuleSource> = {}): RuleSource => ({
  origin: 'project',
  file: '/p/.rein/rules/a.yaml',
  text,
  isTrusted: true,
  ...given,
})

/** The rules of a file that must be right. */
export const rulesOf = async (rules: string, given: Partial<RuleSource> = {}): Promise<RuleSet> => {
  const set = await loadRules([sourceOf(`version: 1\nrules:\n${rules}`, given)])
  const wrong = set.problems.filter(() => given.isTrusted !== false)
  if (wrong.length > 0) throw new Error(wrong.map(({ line, message }) => `${line}: ${message}`).join('\n'))
  return set
}

/** A line of plain words: enough for what is tried of rules, not of reading. */
export const plainReading = (command: string): ShellReading => ({
  runs: command.split(/&&|\|/).map((part) => runOf(part.trim().split(/\s+/), command.indexOf(part.trim()))),
  opaque: [],
})

const runOf = ([program = '', ...args]: string[], start: number): RunProgram => {
  const operands = args.filter((arg) => !arg.startsWith('-'))
  const files = operands.map((file) => path.resolve('/p', file))
  return {
    program,
    args,
    untold: [],
    subcommand: program === 'git' ? (operands[0] ?? '') : '',
    flags: args.filter((arg) => arg.startsWith('-')).flatMap(lettersOf),
    operands,
    reads: program === 'cat' ? files : [],
    writes: program === 'touch' ? files : [],
    deletes: program === 'rm' ? files : [],
    trees: [],
    resets: [],
    pipesTo: [],
    via: [],
    isDecisive: true,
    span: { start, end: start + [program, ...args].join(' ').length },
  }
}

const lettersOf = (flag: string): string[] =>
  flag.startsWith('--') ? [flag.replace(/=.*/, '')] : Array.from(flag.slice(1), (letter) => `-${letter}`)
