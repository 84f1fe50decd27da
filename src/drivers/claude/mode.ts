import type { HostKind, LaunchRequest } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { isAtLeast } from '../version.ts'

/** The newest version that was seen asking in a terminal when nothing is said; 2.1.325 decides itself what runs. */
const asksUntil = '2.1.197'

/** The mode that somebody named, for Rein or for the CLI itself. */
const namedMode = ({ autoApprove, permissionMode, args }: LaunchRequest): string | undefined => {
  if (autoApprove === true) return 'bypassPermissions'
  const at = args.findLastIndex((word) => /^--permission-mode(=|$)/.test(word))
  return (at < 0 ? undefined : (args[at]?.split('=')[1] ?? args[at + 1])) ?? permissionMode
}

/** A policy that says more than that a person is asked. */
const hasRules = ({ policy }: LaunchRequest): boolean =>
  policy !== undefined && (policy.otherwise !== 'ask' || Object.keys(policy.tools).length > 0)

/** What it is started with; none leaves it to the CLI. A policy is only consulted by one that asks. */
export const launchMode = (request: LaunchRequest): string | undefined =>
  namedMode(request) ?? (hasRules(request) ? 'default' : undefined)

/** The mode that it is in then, as far as that can be told. */
export const startMode = (request: LaunchRequest, version: string, host: HostKind): string =>
  launchMode(request) ?? (host === 'stream' || isAtLeast(asksUntil, version) ? 'default' : 'auto')

export const refuseUnasked = (request: LaunchRequest): void => {
  if (namedMode(request) !== 'auto' || !hasRules(request)) return
  throw new ReinError(
    'unsupported_option',
    'In auto mode Claude Code decides itself what runs: the policy would not be asked.',
    'Use --permission-mode default with a policy.',
  )
}
