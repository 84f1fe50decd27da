import type { Inner } from './inner.ts'
import type { Field, ShellState } from './state.ts'

/** A setting of git that a line gives or changes. */
export interface GitSetting {
  readonly key: string
  readonly value: string
  readonly given: Field
}

/** Settings of git that are lines of shell. */
const RUNS =
  /^(?:core\.(?:sshcommand|editor|pager|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor|pager\..+|diff\.external|interactive\.difffilter|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?program|remote\..+\.(?:receivepack|uploadpack)|uploadpack\.packobjectshook|[a-z]+\..+\.(?:textconv|command|clean|smudge|process|driver|cmd|helper|program|editor|pager|hook)|sendemail\..*cmd)$/i
const INCLUDES = /^include(?:if\..+)?\.path$/i
const IS_OFF = /^(?:false|no|off|0)$/i
/** What a word of a shell is written as when it stands for itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

export const shellLine = (text: string, from: Field): Inner => ({
  kind: 'code',
  language: 'shell',
  code: { ...from, text },
  args: [],
})

export const settingOf = (given: Field): GitSetting => {
  const equals = given.text.indexOf('=')
  return equals < 0
    ? { key: given.text, value: '', given }
    : { key: given.text.slice(0, equals), value: given.text.slice(equals + 1), given }
}

/** What a setting makes of git from now on: the push that it forces, the code that it runs, the file that it takes in. */
export function settingInner({ key, value, given }: GitSetting): readonly Inner[] {
  if (RUNS.test(key)) return [shellLine(value.replace(/^!/, ''), given)]
  if (/^remote\..*\.mirror$/i.test(key)) return IS_OFF.test(value) ? [] : [shellLine('git push --mirror', given)]
  if (/^remote\..*\.push$/i.test(key))
    return [shellLine(`git push origin ${given.isKnown ? quoted(value) : value}`, given)]
  if (/^help\.autocorrect$/i.test(key) && !/^(?:0|never|show|prompt)$/.test(value))
    return [shellLine('eval "$WHAT_GIT_TAKES_THE_VERB_FOR"', given)]
  if (INCLUDES.test(key)) return [shellLine('eval "$GIT_SETTINGS_OF_ANOTHER_FILE"', given)]
  return []
}

/** What an alias runs; without a verb when it is set, whoever calls it later. */
export function aliasInner({ key, value, given }: GitSetting, verb: string | null, rest: string): readonly Inner[] {
  const [, name] = /^alias\.(.+)$/i.exec(key) ?? []
  if (name === undefined || (verb !== null && name.toLowerCase() !== verb.toLowerCase())) return []
  const line = value.startsWith('!') ? value.slice(1) : `git ${value}`
  return [shellLine(`${line} ${rest}`.trimEnd(), given)]
}

/** Variables that lead git to other settings than those of the machine and the repository. */
const ELSEWHERE = /^(?:GIT_CONFIG(?:_GLOBAL|_SYSTEM)?|GIT_EXEC_PATH|XDG_CONFIG_HOME|HOME)$/

export const leadsGitElsewhere = (name: string, value: Field): boolean =>
  ELSEWHERE.test(name) && value.text !== '/dev/null'

/** The settings that a variable gives to git, once all that belongs to it is known. */
export function settingsInVariable(state: ShellState, name: string, value: Field): readonly GitSetting[] {
  if (name === 'GIT_CONFIG_PARAMETERS')
    return [...value.text.matchAll(/'([^'=]+)'?='?([^']*)'/g)].map(([, key = '', text = '']) => ({
      key,
      value: text,
      given: value,
    }))
  const [, part, number] = /^GIT_CONFIG_(KEY|VALUE)_(\d+)$/.exec(name) ?? []
  if (part === undefined) return []
  const of = (other: string): string | undefined => state.variables.get(`GIT_CONFIG_${other}_${number}`)?.[0]
  const key = part === 'KEY' ? value.text : of('KEY')
  const text = part === 'VALUE' ? value.text : of('VALUE')
  return key === undefined || text === undefined ? [] : [{ key, value: text, given: value }]
}
