import { ReinError } from '../../contract/errors.ts'
import type { RulesTrust, TrustedFile } from '../../contract/outputs/rule-tools.ts'
import { isConfirmed } from '../confirm.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { counted } from '../format.ts'
import { refuseAgents } from '../person-only.ts'
import { type RulesHere, rulesHere, rulesNamed } from './rules-here.ts'
import { allowsText } from './text.ts'
import { isInteractive } from '../tui/terminal/terminal.ts'

export interface TrustFlags {
  yes?: boolean
}

export const run = async (
  context: CliContext,
  { yes = false, json }: TrustFlags & JsonFlag,
  ...named: string[]
): Promise<void> => {
  const { out, cwd, paths } = context
  await refuseAgents(context, 'trust rules')
  const here = await rulesHere(context)
  const waiting = await waitingFiles(here, cwd(), named)
  if (waiting.length === 0)
    return json ? out.document({ files: [] } satisfies RulesTrust) : out.line('Nothing here waits to be trusted.')
  if (!yes && !(await isWanted(context, waiting, json === true))) return out.note('Nothing was trusted.')
  const { trust } = await import('../../agents/trust/trusted.ts')
  const files = new Set(waiting.map(({ file }) => file))
  // The text that was shown, whatever stands in the file by now.
  await trust(
    paths().state,
    here.sources.filter(({ file }) => files.has(file)).map(({ text }) => ({ text })),
  )
  if (json) out.document({ files: waiting.map((each) => ({ ...each, isTrusted: true })) } satisfies RulesTrust)
  else out.line(`${counted(waiting.length, 'file')} trusted as they are now.`)
}

const waitingFiles = async (here: RulesHere, cwd: string, named: readonly string[]): Promise<TrustedFile[]> => {
  const { allowedBy } = await import('../../features/rules/allowed.ts')
  const { hashOf } = await import('../../agents/trust/trusted.ts')
  const rules = (named.length === 0 ? here.set : rulesNamed(here, cwd, named)).rules.filter(({ isHeld }) => isHeld)
  return here.sources
    .filter(({ file }) => rules.some((rule) => rule.file === file))
    .map(({ file, text }) => ({
      file,
      sha256: hashOf(text),
      // All of the file: it is trusted as a whole.
      allows: here.set.rules.filter((rule) => rule.file === file).flatMap(({ rule }) => allowedBy(rule)),
      isTrusted: false,
    }))
}

const isWanted = async (
  { out, env, stdin, cwd }: CliContext,
  waiting: readonly TrustedFile[],
  json: boolean,
): Promise<boolean> => {
  if (!json) for (const file of waiting) out.line(allowsText(file, cwd(), out))
  if (json || !isInteractive(env))
    throw new ReinError('refused', 'Nobody can be asked here.', 'Look at the files, then give --yes.')
  return isConfirmed({ stdin }, `May ${waiting.length === 1 ? 'it' : 'they'} do this from now on?`)
}
