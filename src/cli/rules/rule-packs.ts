import path from 'node:path'
import { loadConfig } from '../../base/config/load.ts'
import { packList } from '../../base/config/rule-packs.ts'
import { setSetting } from '../../base/config/set.ts'
import { ReinError } from '../../contract/errors.ts'
import type { PackSwitched } from '../../contract/outputs/rule-tools.ts'
import { hintNearest } from '../../base/util/nearest.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { refuseAgents } from '../person-only.ts'
import { packNames, rulesHere, shownFrom } from './rules-here.ts'
import { shownPath } from '../safe-text.ts'

/** Puts a pack into the user's setting or the project's, or takes it out. */
export const switchPack =
  (isOn: boolean) =>
  async (
    context: CliContext,
    { project = false, json }: { project?: boolean } & JsonFlag,
    pack: string,
  ): Promise<void> => {
    const { out, cwd } = context
    await refuseAgents(context, 'switch packs of rules')
    const names = await packNames()
    if (!names.includes(pack)) {
      const hint = hintNearest(pack, names, `There are: ${names.join(', ')}.`)
      throw new ReinError('not_found', `There is no pack "${pack}".`, hint)
    }
    const { root } = await rulesHere(context)
    const file = project ? path.join(root, '.rein/config.toml') : context.paths().config
    // Only what this one file sets.
    const { config } = await loadConfig(
      project ? { paths: { config: '' }, projectDir: root, env: {} } : { paths: context.paths(), env: {} },
    )
    const others = packList(config['rules.packs'].value).filter((name) => name !== pack)
    await setSetting(file, 'rules.packs', [...others, ...(isOn ? [pack] : [])].join(' '))
    const { packs } = await rulesHere(context)
    const switched: PackSwitched = { pack, isOn: packs.includes(pack), packs: [...packs], file }
    if (json) return out.document(switched)
    out.line(`${pack} is ${switched.isOn ? 'on' : 'off'}: rules.packs in ${shownPath(shownFrom(cwd(), file))}`)
    if (switched.isOn !== isOn)
      out.note(
        project ? 'You have it on for everything of yours.' : 'This project has it on: --project switches it off here.',
      )
  }
