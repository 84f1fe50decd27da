import { join } from 'node:path'
import type { LaunchRequest } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { LaunchPlan, Opening } from '../../contract/host.ts'
import { quoted } from '../../base/util/shell.ts'
import type { LaunchContext } from '../contract.ts'
import { bridgeVariables } from '../bridge.ts'
import { guardCommand, guardProgram } from '../guard.ts'
import { uuid } from '../launch-options.ts'
import { hookProgram, skillsDirectory } from './assets.ts'
import { hookSettings } from './hooks.ts'
import { setting } from './settings.ts'

const sandboxes: readonly string[] = ['read-only', 'workspace-write', 'danger-full-access']
const approvals: readonly string[] = ['on-request', 'never']

export const launch = (request: LaunchRequest, context: LaunchContext): LaunchPlan => {
  refuse(request, context)
  const isHeadless = context.host === 'stream'
  const settings = [...settingsFor(request, context), ...request.args]
  // A shared background server would run the hooks in its own environment, for everybody.
  const older = request.resume === undefined ? (request.fork === undefined ? [] : ['fork']) : ['resume']
  const subcommand = request.continue === true ? ['resume', '--last'] : older
  const operands = [request.resume ?? request.fork, request.prompt].filter((one) => one !== undefined)
  const plan = {
    command: context.installed.path,
    args: isHeadless
      ? ['app-server', ...settings]
      : [
          ...subcommand,
          '--no-daemon',
          '--cd',
          request.cwd,
          ...setting('check_for_update_on_startup', false),
          // The only place where Codex always says whether it works.
          ...setting('tui.status_line', ['run-state', 'model-with-reasoning', 'current-dir']),
          ...settings,
          ...(operands.length === 0 ? [] : ['--', ...operands]),
        ],
    env: { ...context.env, ...request.env },
    cwd: request.cwd,
    conversation: request.resume !== undefined && uuid.test(request.resume) ? request.resume : null,
    firstPrompt: isHeadless ? (request.prompt ?? null) : null,
    files: [],
  }
  return isHeadless ? { ...plan, opening: opening(request, context) } : plan
}

const settingsFor = (request: LaunchRequest, context: LaunchContext): string[] => [
  ...hookSettings({
    client: (event) => `exec ${quoted(join(context.assets, hookProgram))} codex ${event}`,
    guard: (event) => guardCommand(quoted(join(context.assets, guardProgram)), 'codex', event),
  }),
  ...setting('mcp_servers.rein', {
    command: context.mcp[0] ?? '',
    args: context.mcp.slice(1),
    env_vars: [...bridgeVariables],
    default_tools_approval_mode: 'approve',
  }),
  // No project switches them off.
  ...setting('features.hooks', true),
  // Starting an agent here means trusting the directory, for this run only, and without the hooks in it.
  ...setting('projects', { [request.cwd]: { trust_level: 'trusted' } }),
  // A login shell would set a PATH of its own, without the `rein` of this agent.
  ...setting('allow_login_shell', false),
  ...permissions(request),
  ...(request.model === undefined ? [] : setting('model', request.model)),
  // Headless it goes over the protocol. Here Codex has no other way, and every user of the machine can see an argument.
  ...(request.system === undefined || context.host === 'stream'
    ? []
    : setting('developer_instructions', request.system)),
]

const permissions = ({ permissionMode, autoApprove }: LaunchRequest): string[] => {
  if (autoApprove === true)
    return [...setting('approval_policy', 'never'), ...setting('sandbox_mode', 'danger-full-access')]
  if (permissionMode === undefined) return []
  return setting(sandboxes.includes(permissionMode) ? 'sandbox_mode' : 'approval_policy', permissionMode)
}

const opening = ({ resume, fork, system }: LaunchRequest, { assets }: LaunchContext): Opening => {
  const instructions = system === undefined ? {} : { instructions: system }
  const others = { model: null, mode: null, skills: join(assets, skillsDirectory), ...instructions }
  if (resume !== undefined) return { from: { kind: 'resume', conversation: resume }, ...others }
  return { from: fork === undefined ? { kind: 'new' } : { kind: 'fork', conversation: fork }, ...others }
}

const refuse = ({ session, permissionMode, ...request }: LaunchRequest, { host }: LaunchContext): void => {
  if (session !== undefined) unsupported('Codex chooses the ids of its sessions itself.', 'Leave --session out.')
  if (permissionMode !== undefined && ![...sandboxes, ...approvals].includes(permissionMode))
    unsupported(
      `Codex has no permission mode "${permissionMode}".`,
      `Use one of ${[...sandboxes, ...approvals].join(', ')}.`,
    )
  if (request.budgetUsd !== undefined)
    unsupported('Codex does not say what it costs.', 'Limit the turns instead: --max-turns N')
  if (request.continue === true && host === 'stream')
    unsupported('Codex cannot continue its last session without a terminal.', 'Name it: --resume ID')
}

const unsupported = (what: string, hint: string): never => {
  throw new ReinError('unsupported_option', what, hint)
}
