import type { Inner } from './inner.ts'
import { readOptions } from './options.ts'
import type { WorkBudget } from '../util/work-budget.ts'
import { costOf, type Field } from './state.ts'

/** Settings of git that are lines of shell. */
const RUNS =
  /^(?:core\.(?:sshcommand|editor|pager|fsmonitor|askpass|gitproxy)|sequence\.editor|pager\.\w+|diff\.external|credential\.helper|gpg\.program)$/i

const RUNNING_FLAGS = ['--upload-pack', '--receive-pack', '--exec', '--extcmd']

const shell = (text: string, from: Field): Inner => ({
  kind: 'code',
  language: 'shell',
  code: { ...from, text },
  args: [],
})

/** What git runs: aliases that the line sets, settings that name programs, `rebase --exec`, `bisect run`. */
export function gitInner(args: readonly Field[], _: string | null, work: WorkBudget): readonly Inner[] {
  const { subcommand, values } = readOptions('git', args)
  const settings = (values.get('-c') ?? []).map(settingOf)
  const [verb = ''] = subcommand.split(' ')
  return [
    ...settings.filter(({ key }) => RUNS.test(key)).map(({ value, given }) => shell(value.replace(/^!/, ''), given)),
    ...settings.flatMap((setting) => aliased(setting, verb, args, work)),
    ...ofVerb(verb, args, values),
    ...RUNNING_FLAGS.flatMap((flag) => values.get(flag) ?? []).map((each) => shell(each.text, each)),
  ]
}

interface Setting {
  readonly key: string
  readonly value: string
  readonly given: Field
}

const settingOf = (given: Field): Setting => {
  const equals = given.text.indexOf('=')
  return equals < 0
    ? { key: given.text, value: '', given }
    : { key: given.text.slice(0, equals), value: given.text.slice(equals + 1), given }
}

function aliased(
  { key, value, given }: Setting,
  verb: string,
  args: readonly Field[],
  work: WorkBudget,
): readonly Inner[] {
  if (key.toLowerCase() !== `alias.${verb.toLowerCase()}` || verb === '') return []
  work.spend(costOf(args))
  const at = args.findIndex(({ text }) => text === verb)
  const rest = args.slice(at + 1).map(({ text }) => text)
  const line = value.startsWith('!') ? value.slice(1) : `git ${value}`
  return [shell([line, ...rest].join(' '), given)]
}

function ofVerb(verb: string, args: readonly Field[], values: ReadonlyMap<string, readonly Field[]>): readonly Inner[] {
  const behind = (word: string): readonly Field[] => args.slice(args.findIndex(({ text }) => text === word) + 1)
  if (verb === 'rebase' || verb === 'difftool') return (values.get('-x') ?? []).map((each) => shell(each.text, each))
  if (verb === 'bisect' && args.some(({ text }) => text === 'run')) return [{ kind: 'words', words: behind('run') }]
  if (verb === 'submodule' && args.some(({ text }) => text === 'foreach'))
    return joined(behind('foreach').filter(({ text }) => text !== '--recursive' && text !== '--quiet'))
  if (verb === 'config') return configured(args)
  if (verb === 'filter-branch')
    return args.flatMap((arg, index) =>
      /^--[a-z-]+-filter$/.test(args[index - 1]?.text ?? '') ? shell(arg.text, arg) : [],
    )
  return []
}

/** An alias is run some time: what it says counts when it is set. */
function configured(args: readonly Field[]): readonly Inner[] {
  const at = args.findIndex(({ text }) => /^alias\../i.test(text))
  const value = at < 0 ? undefined : args[at + 1]
  if (value === undefined) return []
  return [shell(value.text.startsWith('!') ? value.text.slice(1) : `git ${value.text}`, value)]
}

const joined = (words: readonly Field[]): readonly Inner[] => {
  const [first] = words
  return first === undefined ? [] : [shell(words.map(({ text }) => text).join(' '), first)]
}
