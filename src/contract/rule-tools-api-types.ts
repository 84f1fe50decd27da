import type { z } from 'zod'
import type * as api from './rule-tools-api.ts'

/** The shapes of rule-tools-api.ts for callers that must not load the schemas. */
export type ListedRule = z.infer<typeof api.ListedRule>
export type RulesList = z.infer<typeof api.RulesList>
export type PackSwitched = z.infer<typeof api.PackSwitched>
export type CheckFinding = z.infer<typeof api.CheckFinding>
export type RulesCheck = z.infer<typeof api.RulesCheck>
export type FailedTest = z.infer<typeof api.FailedTest>
export type RulesTested = z.infer<typeof api.RulesTested>
export type RuleTemplate = z.infer<typeof api.RuleTemplate>
export type RulesNew = z.infer<typeof api.RulesNew>
export type TrustedFile = z.infer<typeof api.TrustedFile>
export type RulesTrust = z.infer<typeof api.RulesTrust>
export type RulesBacktest = z.infer<typeof api.RulesBacktest>
export type BacktestRule = RulesBacktest['rules'][number]
export type ReviewedCall = BacktestRule['calls'][number]
export type RulesLearnt = z.infer<typeof api.RulesLearnt>
export type Proposal = RulesLearnt['proposals'][number]
