import { z } from 'zod'
import { RuleAction, Surface } from '../rule.ts'

/** The JSON output of the commands for authors of rules. Most of them work without a daemon, so there are no routes here. */

const origin = z.enum(['built-in', 'pack', 'user', 'project'])
const line = z.number().describe('from 1')
const isGuard = z.boolean().describe('it holds even while the daemon is away')

const RuleProblem = z.object({
  file: z.string(),
  line,
  column: line,
  message: z.string(),
  hint: z.string().describe('what to do about it; empty if unknown'),
  isGuard: z.boolean().describe('the file may have held a guard'),
  denies: z
    .array(Surface)
    .describe('what agents are denied until it is right, where the daemon does not know what held before'),
})
const problems = z.array(RuleProblem).describe('errors in rule files')

export const ListedRule = z.object({
  name: z.string(),
  description: z.string().nullable(),
  on: z.array(Surface),
  action: RuleAction,
  isGuard,
  isOn: z.boolean().describe('false: `enabled: false`'),
  isWaiting: z.boolean().describe('it runs a program, and its file is not trusted yet'),
  tests: z.number(),
  origin,
  file: z.string(),
  line,
})
export const RulesList = z.object({
  root: z.string().describe('the top of the project'),
  rules: z.array(ListedRule),
  packs: z.array(z.object({ name: z.string(), description: z.string(), rules: z.number(), isOn: z.boolean() })),
  untrusted: z.array(z.string()).describe('files with rules that wait for `rein rules trust`'),
  problems,
})

export const PackSwitched = z.object({
  pack: z.string(),
  isOn: z.boolean(),
  packs: z.array(z.string()).describe('those that are on now'),
  file: z.string().describe('the file of settings that says so'),
})

export const CheckFinding = z.object({
  rule: z.string(),
  action: RuleAction,
  isGuard,
  isDoubt: z.boolean().describe('the file could not be read as the rule needs it'),
  file: z.string().describe('from the top of the project'),
  line,
  column: line,
  endLine: line,
  endColumn: line.describe('from 1, behind the last character'),
  message: z.string(),
  text: z.string().describe('the line itself'),
})
export const RulesCheck = z.object({
  root: z.string(),
  rules: z.number().describe('that look into files; with `--rules-only` all'),
  files: z.number().describe('that were looked at; with `--rules-only` the rule files'),
  skipped: z.object({
    binary: z.number(),
    large: z.number().describe('over 1 MiB'),
    unreadable: z.number(),
  }),
  findings: z.array(CheckFinding),
  problems,
})

export const FailedTest = z.object({
  rule: z.string(),
  file: z.string(),
  line: line.describe('where the rule begins'),
  test: z.number().describe('which of its tests, from 1'),
  input: z.string(),
  expected: z.string(),
  came: z.string(),
})
export const RulesTested = z.object({
  passed: z.number(),
  failures: z.array(FailedTest),
  untested: z.array(z.string()).describe('rules without tests'),
  problems,
})

export const RuleTemplate = z.object({
  name: z.string(),
  description: z.string(),
  on: z.array(Surface),
  action: RuleAction,
  isGuard,
})
export const RulesNew = z.object({
  file: z.string().nullable().describe('what was written; null with `--list`'),
  rules: z.array(z.string()),
  passed: z.number().describe('of its tests'),
  failures: z.array(FailedTest),
  isTrusted: z.boolean(),
  templates: z.array(RuleTemplate).describe('with `--list`'),
})

export const TrustedFile = z.object({
  file: z.string(),
  sha256: z.string(),
  allows: z.array(z.string()).describe('what its rules may run or change'),
  isTrusted: z.boolean(),
})
export const RulesTrust = z.object({ files: z.array(TrustedFile) })

const review = z.object({
  summary: z.string().describe('the call, on one line'),
  count: z.number().describe('how often it was made'),
  lastAt: z.number().nullable().describe('when last, milliseconds since 1970'),
  agents: z.array(z.string()),
  succeeded: z.number().describe('how often it ran and succeeded'),
  approved: z.number().describe('how often a person had allowed it'),
  isDoubt: z.boolean(),
  isLikelyFalse: z.boolean().describe('a person had allowed it, or it succeeded each time: look at it first'),
})
export const RulesBacktest = z.object({
  since: z.number().nullable().describe('milliseconds since 1970'),
  sessions: z.number(),
  calls: z.number().describe('tool calls that were looked at'),
  prompts: z.number(),
  stops: z.number(),
  unknown: z.number().describe('calls of agents whose CLI is not known any more'),
  rules: z.array(
    z.object({
      rule: z.string(),
      action: RuleAction,
      isGuard,
      count: z.number().describe('how often it would have acted'),
      calls: z.array(review).describe('the distinct calls; likely false alarms first'),
      likelyFalse: z.number().describe('how many of these calls are likely false alarms'),
    }),
  ),
  problems,
})

export const RulesLearnt = z.object({
  since: z.number().nullable(),
  proposals: z.array(
    z.object({
      name: z.string(),
      why: z
        .enum(['denied', 'corrected', 'failed'])
        .describe('what people refused, said, or what failed again and again'),
      count: z.number(),
      evidence: z.array(z.object({ at: z.number(), who: z.string(), what: z.string() })),
      yaml: z.string(),
      file: z.string().nullable().describe('where it was written; rules there are not in force'),
    }),
  ),
})

export const ruleToolOutputs = {
  'rein rules list': RulesList,
  'rein rules enable': PackSwitched,
  'rein rules disable': PackSwitched,
  'rein rules check': RulesCheck,
  'rein rules test': RulesTested,
  'rein rules new': RulesNew,
  'rein rules trust': RulesTrust,
  'rein rules backtest': RulesBacktest,
  'rein rules learn': RulesLearnt,
} as const

export type ListedRule = z.infer<typeof ListedRule>
export type RulesList = z.infer<typeof RulesList>
export type PackSwitched = z.infer<typeof PackSwitched>
export type CheckFinding = z.infer<typeof CheckFinding>
export type RulesCheck = z.infer<typeof RulesCheck>
export type FailedTest = z.infer<typeof FailedTest>
export type RulesTested = z.infer<typeof RulesTested>
export type RuleTemplate = z.infer<typeof RuleTemplate>
export type RulesNew = z.infer<typeof RulesNew>
export type TrustedFile = z.infer<typeof TrustedFile>
export type RulesTrust = z.infer<typeof RulesTrust>
export type RulesBacktest = z.infer<typeof RulesBacktest>
export type BacktestRule = RulesBacktest['rules'][number]
export type ReviewedCall = BacktestRule['calls'][number]
export type RulesLearnt = z.infer<typeof RulesLearnt>
export type Proposal = RulesLearnt['proposals'][number]
