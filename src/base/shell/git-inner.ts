import { aliasInner, settingInner, settingOf, type GitSetting, shellLine } from './git-settings.ts'
import { type Inner, past } from './inner.ts'
import { readOptions } from './options.ts'
import type { WorkBudget } from '../util/work-budget.ts'
import { type Field, field } from './state.ts'

const RUNNING_FLAGS = ['--upload-pack', '--receive-pack', '--exec', '--extcmd']

/** What git runs: aliases that the line sets, settings that name programs or force pushes, `rebase --exec`, `bisect run`. */
export function gitInner(args: readonly Field[], _: string | null, work: WorkBudget): readonly Inner[] {
  const { subcommand, values } = readOptions('git', args)
  const settings = (values.get('-c') ?? []).map(settingOf)
  const [verb = ''] = subcommand.split(' ')
  const rest = args.slice(args.findIndex(({ text }) => text === verb) + 1).map(({ text }) => text)
  const line = [verb, ...rest].join(' ')
  const named = values.get('--config-env') ?? []
  const transports = args
    .filter(({ text }) => text.startsWith('ext::'))
    .map((each) => shellLine(each.text.slice(5).replaceAll(/%([ %])/g, '$1'), each))
  // Each of them may be a line of its own with all that follows.
  work.spend((settings.length + named.length) * line.length)
  // `--config-env=name=VARIABLE`: the shell knows what the variable holds.
  return [
    ...settings.flatMap((setting) => settingInner(setting)),
    ...throughAliases(settings, verb, line.slice(verb.length + 1), args),
    ...settings.flatMap((setting) => [
      ...(verb === '' ? [] : aliasInner(setting, verb, line.slice(verb.length + 1))),
      ...aliasInner(setting, null, ''),
    ]),
    ...named
      .map(settingOf)
      .flatMap(({ key, value, given: word }) =>
        /^(?:alias|remote|include)/i.test(key) ? [shellLine(`git -c "${key}=$${value}" ${line}`, word)] : [],
      ),
    ...ofVerb(verb, args, values),
    ...transports,
    ...RUNNING_FLAGS.flatMap((flag) => values.get(flag) ?? []).map((each) => shellLine(each.text, each)),
  ]
}

const MOST_ALIASES = 8

/** An alias may stand for another one: `-c alias.a='b --force' -c alias.b=push a`. */
function throughAliases(
  settings: readonly GitSetting[],
  verb: string,
  rest: string,
  [first]: readonly Field[],
): readonly Inner[] {
  const values = new Map(settings.map(({ key, value }) => [key.toLowerCase(), value]))
  let line = `${verb} ${rest}`
  for (let step = 0; step < MOST_ALIASES; step++) {
    const name = line.split(' ', 1)[0] ?? ''
    const value = values.get(`alias.${name.toLowerCase()}`)
    if (value === undefined || line.length > MOST_LETTERS)
      return step < 2 || first === undefined ? [] : [shellLine(`git ${line}`, { ...first, isKnown: true })]
    if (value.startsWith('!'))
      return first === undefined ? [] : [shellLine(value.slice(1), { ...first, isKnown: true })]
    line = value + line.slice(name.length)
  }
  return []
}
const MOST_LETTERS = 4_096

function ofVerb(verb: string, args: readonly Field[], values: ReadonlyMap<string, readonly Field[]>): readonly Inner[] {
  const behind = (word: string): readonly Field[] => args.slice(args.findIndex(({ text }) => text === word) + 1)
  if (verb === 'clone') return (values.get('-u') ?? []).map((each) => shellLine(each.text, each))
  if (verb === 'rebase' || verb === 'difftool')
    return (values.get('-x') ?? []).map((each) => shellLine(each.text, each))
  if (verb === 'bisect' && args.some(({ text }) => text === 'run')) return [{ kind: 'words', words: behind('run') }]
  if (verb === 'submodule' && args.some(({ text }) => text === 'foreach')) {
    const words = behind('foreach').filter(({ text }) => text !== '--recursive' && text !== '--quiet')
    const [first] = words
    return first === undefined ? [] : [shellLine(words.map(({ text }) => text).join(' '), first)]
  }
  if (verb === 'config') {
    // A setting stays: what it does some time counts when it is set.
    const at = args.findIndex(({ text }) => /^[a-z][a-z0-9-]*\..+$/i.test(text))
    const [key, value] = at < 0 ? [] : args.slice(at)
    if (key === undefined || value === undefined || value.text.startsWith('--')) return []
    const setting: GitSetting = { key: key.text, value: value.text, given: value }
    return [...settingInner(setting), ...aliasInner(setting, null, '')]
  }
  if (verb === 'for-each-repo') return [{ kind: 'words', words: [field('git'), ...past(behind(verb), '--config', 0)] }]
  if (verb === 'grep')
    return args
      .filter(({ text }) => /^(?:-O.|--open-files-in-pager=)/.test(text))
      .map((each) => shellLine(each.text.replace(/^(?:-O|--open-files-in-pager=)/, ''), each))
  if (verb === 'remote')
    return args
      .filter(({ text }) => /^--mirror(?:=push)?$/.test(text))
      .map((flag) => shellLine('git push --mirror', flag))
  if (verb === 'filter-branch')
    return args.flatMap((arg, index) =>
      /^--[a-z-]+-filter$/.test(args[index - 1]?.text ?? '') ? shellLine(arg.text, arg) : [],
    )
  return []
}
