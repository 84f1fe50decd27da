import { parsePolicy } from '../../base/config/policy.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Policy } from '../../contract/policy.ts'
import { hasRules } from '../../contract/policy-rules.ts'
import type { CliContext } from '../context.ts'

interface PolicyFlags {
  autoApprove?: boolean
  policy?: string[]
}

/** What flags and setting say together; beside `--auto-approve` a policy would only seem to hold. */
export const givenPolicy = (
  { out }: CliContext,
  { autoApprove, policy = [] }: PolicyFlags,
  setting: string,
): Policy => {
  if (autoApprove && policy.length > 0)
    throw new ReinError(
      'usage',
      'With --auto-approve tools run without asking: --policy would not be consulted.',
      'Give only one of the two.',
    )
  const given = parsePolicy([setting, ...policy])
  if (autoApprove && hasRules(given))
    out.note(
      'rein: with --auto-approve tools run without asking: the setting agents.policy counts only where the CLI asks all the same.',
    )
  return given
}
