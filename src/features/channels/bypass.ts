import type { Agent, LaunchRequest } from '../../contract/agent.ts'
import { isShellName } from '../../drivers/shell-names.ts'

/** Whether the tools of an agent run without anybody being asked; `mode` is what its CLI says of itself now. */
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

/** What the five CLIs call it, in every way in which it can be written; a word too many costs a confirmation, one too few much more. */
const bypassWords =
  /bypassPermissions|dangerously-(skip|bypass-approvals)|danger-full-access|yolo|full-auto|allow-all|autopilot|^-y$|approval\S*\W+never|^(-a)?never$|^COPILOT_ALLOW_ALL$/i

/** The CLI decides itself what runs: a model, not a person, is asked. */
const isAuto = (mode: string): boolean => /^auto$/i.test(mode)
const modeFlag = /(^|\s)--permission-mode(=| )auto$/i

/** Who may run any command may do anything; the names of shell tools hold Copilot's word for that permission, `shell`. */
const isAnyCommand = (name: string): boolean => name === '*' || isShellName(name)
const allowing = /^--(allow-?tools?|allowed-?tools)$/i
