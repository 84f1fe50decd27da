import type { HostKind, LaunchRequest } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { hasRules } from '../../contract/policy-rules.ts'
import { isAtLeast } from '../version.ts'

/** The newest version seen to ask in a terminal by default; 2.1.325 decides itself what runs. */
const asksUntil = '2.1.197'

/** As the CLI itself calls it. */
const cliMode = ({ permissionMode, args }: LaunchRequest): string | undefined => {
  if (args.includes('--dangerously-skip-permissions')) return 'bypassPermissions'
  const at = args.findLastIndex((word) => /^--permission-mode(=|$)/.test(word))
  return (at < 0 ? undefined : (args[at]?.split('=')[1] ?? args[at + 1])) ?? permissionMode
}

/** What it is started with; none leaves it to the CLI. A policy is only consulted by one that asks. */
export const launchMode = (request: LaunchRequest): string | undefined =>
  (request.autoApprove === true ? 'bypassPermissions' : cliMode(request)) ??
  (hasRules(request.policy) ? 'default' : undefined)

/** The mode it starts in, as far as that is known. */
export const startMode = (request: LaunchRequest, version: string, host: HostKind): string =>
  launchMode(request) ?? (host === 'stream' || isAtLeast(asksUntil, version) ? 'default' : 'auto')

/** Beside `--auto-approve` a policy of the settings is known to wait; it has been said. */
export const refuseUnasked = (request: LaunchRequest): void => {
  const why = unasked[cliMode(request) ?? '']
  if (why === undefined || !hasRules(request.policy) || request.autoApprove === true) return
  throw new ReinError(
    'unsupported_option',
    `${why}: the policy would not be asked.`,
    'Use --permission-mode default with a policy.',
  )
}

const unasked: Record<string, string> = {
  auto: 'In auto mode Claude Code decides itself what runs',
  bypassPermissions: 'In its bypass mode Claude Code runs every tool',
}
