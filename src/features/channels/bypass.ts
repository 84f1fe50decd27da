import type { Agent, LaunchRequest } from '../../contract/agent.ts'
import { isShellName } from '../../drivers/shell-names.ts'

/** Whether the tools of an agent run without asking a person; `mode` is the mode that its CLI reports now. */
export const isBypassing = (agent: Pick<Agent, 'request'> | null, mode = ''): boolean =>
  (agent?.request != null && asksNobody(agent.request)) || bypassWords.test(mode) || isAuto(mode)

/** Whether they do if it is started like this: by a flag or a policy of Rein, or by a mode of its CLI. */
export const asksNobody = ({ autoApprove, permissionMode, policy, args, env }: LaunchRequest): boolean =>
  autoApprove === true ||
  policy?.otherwise === 'approve' ||
  Object.entries(policy?.tools ?? {}).some(([tool, rule]) => rule === 'approve' && isAnyCommand(tool)) ||
  args.some((word, index) => allowing.test(word) && isAnyCommand(args[index + 1] ?? '')) ||
  isAuto(permissionMode ?? '') ||
  args.some((word, index) => isAuto(word.split('=').at(-1) ?? '') && modeFlag.test(`${args[index - 1]} ${word}`)) ||
  [permissionMode ?? '', ...args, ...Object.keys(env)].some((word) => bypassWords.test(word))

/** The names of this mode in the five CLIs, in every spelling; a false match costs a confirmation, a missed one much more. */
const bypassWords =
  /bypassPermissions|dangerously-(skip|bypass-approvals)|danger-full-access|yolo|full-auto|allow-all|autopilot|^-y$|approval\S*\W+never|^(-a)?never$|^COPILOT_ALLOW_ALL$/i

/** The CLI decides itself what runs: a model, not a person, is asked. */
const isAuto = (mode: string): boolean => /^auto$/i.test(mode)
const modeFlag = /(^|\s)--permission-mode(=| )auto$/i

/** Permission for every command is permission for everything; the names of shell tools include `shell`, Copilot's word for it. */
const isAnyCommand = (name: string): boolean => name === '*' || isShellName(name)
const allowing = /^--(allow-?tools?|allowed-?tools)$/i
