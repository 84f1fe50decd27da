import type { Policy } from './policy.ts'

/** Whether it says more than that a person is asked. */
export const hasRules = (policy: Policy | undefined): boolean =>
  policy !== undefined && (policy.otherwise !== 'ask' || Object.keys(policy.tools).length > 0)
