import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import type { RuleTemplate } from '../../contract/outputs/rule-tools.ts'
import { nearest } from '../../base/util/nearest.ts'
import { loadRules } from './load.ts'

/** Beside the sources, and beside what is built of them. */
const directory = path.join(import.meta.dirname, 'templates')

export const blankTemplate = 'blank'

export const templateNames = async (): Promise<string[]> =>
  (await readdir(directory)).map((file) => path.basename(file, '.yaml')).toSorted()

export const templateText = async (name: string): Promise<string> => {
  const names = await templateNames()
  if (names.includes(name)) return readFile(path.join(directory, `${name}.yaml`), 'utf8')
  const meant = nearest(name, names)
  throw new ReinError(
    'not_found',
    `There is no template "${name}".`,
    meant === undefined ? '`rein rules new --list` shows them.' : `Did you mean ${meant}?`,
  )
}

export const describedTemplates = async (): Promise<RuleTemplate[]> => {
  const described = (await templateNames()).map(async (name) => {
    // As if it stood in a file of its own.
    const source = { origin: 'user', file: `${name}.yaml`, text: await templateText(name), isTrusted: true } as const
    return (await loadRules([source])).rules.slice(0, 1).map(({ rule, surfaces }) => ({
      name: rule.name,
      description: rule.description ?? '',
      on: [...surfaces],
      action: rule.action,
      isGuard: rule.guard,
    }))
  })
  return (await Promise.all(described)).flat()
}

interface NewRule {
  name: string
  template: string
  isGuard: boolean
  /** The schema that editors use. */
  schema: string
}

/** The text of a new rule file: the template under another name. */
export const newRuleText = (text: string, { name, template, isGuard, schema }: NewRule): string => {
  const named = text.replaceAll(new RegExp(`^(  - name: )${template}(?=[-\\n])`, 'gm'), `$1${name}`)
  const guarded = isGuard && !/^ {4}guard:/m.test(named) ? named.replace(/^( {4})on: .*$/m, '$&\n$1guard: true') : named
  return `# yaml-language-server: $schema=${schema}\n${guarded}`
}
