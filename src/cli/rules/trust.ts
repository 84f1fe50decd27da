import type { RulesTrust } from '../../contract/outputs/rule-tools.ts'
import { requireConfirmed } from '../confirm.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { counted } from '../format.ts'
import { refuseAgents } from '../person-only.ts'
import { rulesHere, rulesNamed } from './rules-here.ts'
import { allowsText } from './text.ts'

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
  const { allowedBy } = await import('../../features/rules/allowed.ts')
  const { hashOf } = await import('../../agents/trust/trusted.ts')
  const rules = (named.length === 0 ? here.set : rulesNamed(here, cwd(), named)).rules.filter(({ isHeld }) => isHeld)
  const waiting = here.sources
    .filter(({ file }) => rules.some((rule) => rule.file === file))
    .map(({ file, text }) => ({
      file,
      sha256: hashOf(text),
      // All of the file: it is trusted as a whole.
      allows: here.set.rules.filter((rule) => rule.file === file).flatMap(({ rule }) => allowedBy(rule)),
      isTrusted: false,
    }))
  if (waiting.length === 0)
    return json ? out.document({ files: [] } satisfies RulesTrust) : out.line('Nothing here waits to be trusted.')
  if (!yes) {
    if (!json) for (const file of waiting) out.line(allowsText(file, cwd(), out))
    const question = `May ${waiting.length === 1 ? 'it' : 'they'} do this from now on?`
    const isWanted = await requireConfirmed(context, { json }, question, 'Look at the files, then give --yes.')
    if (!isWanted) return out.note('Nothing was trusted.')
  }
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
