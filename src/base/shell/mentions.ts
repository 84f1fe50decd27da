import type { WorkBudget } from '../util/work-budget.ts'
import { baseName } from './programs.ts'
import { type Field, field } from './state.ts'

/** Programs that do harm which rules know of. */
const HARMFUL =
  /(?<![\w.-])(?:git|git-push|hub|rm|shred|dd|find|mkfs|curl|wget|rein|kill|pkill|killall)(?=["'\s,\\]+[^"'\s,\\])/g
const HARMFUL_NAME = /^(?:git|git-[a-z-]+|hub|rm|shred|dd|find|mkfs(?:\.\w+)?|truncate|rein|kill|pkill|killall)$/
/** They do harm to what belongs to the person or to Rein, and to nothing else. */
const HANDLING =
  /(?<![\w.-])(?:cat|tac|head|tail|less|cp|mv|ln|tee|tar|zip|base64|xxd|od|strings|scp|rsync|sed|awk|chmod|unlink|truncate|install|touch)(?=["'\s,\\]+[^"'\s,\\])/g
const IS_OWNED =
  /\.ssh\b|\.aws\b|\.gnupg\b|\.netrc\b|\.kube\b|\.docker\b|credentials|id_rsa|id_ed25519|\.env\b|\.rein\b|\brein\/|shadow\b|\.claude\b|\.codex\b|\.pem\b/
const SHELL_NAME = /^(?:ba|z|da|k|mk|a)?sh$/
const MOST_SUFFIXES = 3

/** Other programs that push to where others do. */
const PUSHES_TOO = /^(?:hg|jj|sl|dulwich|got|gt|git|git-\w+|gix|ein|bit|tig|lazygit|magit|gitui|stg|legit|glab|hub|gh)$/
const FORCES = /^(?:-[a-z]*f[a-z]*|--forc\w*|--mirror|--allow-backwards|\+\S+)$/
const IS_TARGET =
  /^(?:--[\w-]+=)?(?:origin|upstream|main|master|develop|trunk|HEAD|@|\+\S+|\S+\.git\/?|refs\/\S+|(?:HEAD|[\w./-]+):[\w./-]+|https?:\/\/\S+|git@\S+)$/

/** `alpine/git push -f origin main`, `hg push -f`: the words of a forced push, whoever gets them. */
export function forcedPush(program: string, args: readonly Field[]): readonly Field[] | null {
  const at = program === 'push' ? -1 : args.findIndex(({ text }) => /^(?:push|submit)$/.test(text))
  if (at < 0 && program !== 'push') return null
  const rest = args.slice(at + 1)
  if (!rest.some(({ text }) => FORCES.test(text))) return null
  const isPush = PUSHES_TOO.test(program) || args.slice(0, at).some(({ text }) => baseName(text) === 'git')
  return isPush || (args[at]?.text !== 'submit' && rest.some(({ text }) => IS_TARGET.test(text)))
    ? [field('git'), field('push'), ...rest.map((each) => (each.text === '--allow-backwards' ? field('-f') : each))]
    : null
}

/**
 * Each harmful command that the words of a program may hold: an unknown wrapper runs what stands behind its own words.
 * The name may be what a flag is given, with or without a `--` before its words: `--exec /usr/bin/git -- push`.
 */
export function commandsAmong(
  args: readonly Field[],
  isShellToo: boolean,
  work: WorkBudget,
): readonly (readonly Field[])[] {
  const found: (readonly Field[])[] = []
  for (const [index, arg] of args.entries()) {
    const text = arg.text.replace(/^-{0,2}[\w.-]+=/, '')
    const name = baseName(text)
    const isHarmful = HARMFUL_NAME.test(name) && index < args.length - 1
    if (!isHarmful && !(isShellToo && SHELL_NAME.test(name))) continue
    if (found.length >= MOST_SUFFIXES) break
    const rest = args.slice(index + 1)
    work.spend(args.length)
    found.push([{ ...arg, text }, ...(rest[0]?.text === '--' ? rest.slice(1) : rest)])
  }
  return found
}

const MOST_MENTIONED = 6
const LONGEST_LOOKED_AT = 4_096
/** `"pu" + "sh"`: one text in two pieces. */
const JOINS = /["'`]\s*(?:[+.]{1,2}|<>)\s*["'`]/g
/** A list that goes on in the next line. */
const GOES_ON = /([,[({])\s*\n\s*/g
const PUNCTUATION = /["'`,[\]{}()\\]/g

/**
 * What reads like a command in a text of another language, as lines of shell: `['git', 'push', '-f']` is `git push -f`.
 * A recipe, a script for a debugger and a list of words in Python have this in common.
 */
export function commandsIn(text: string, work: WorkBudget): readonly string[] {
  work.spend(Math.min(text.length, LONGEST_LOOKED_AT))
  const given = text
    .slice(0, LONGEST_LOOKED_AT)
    .replaceAll(JOINS, '')
    .replaceAll(GOES_ON, '$1 ')
    .replaceAll(/\\x20|% (?=\S)|\)\s{0,3}\.\s{0,3}args?\s{0,3}\(/g, ' ')
    .replaceAll(/\\x2[27]/g, "'")
  const found = new Set<string>()
  for (const line of given.split(/\n|\\n/)) {
    const owned = IS_OWNED.test(line) ? [...line.matchAll(HANDLING)] : []
    for (const { index } of [...line.matchAll(HARMFUL), ...owned]) {
      if (found.size >= MOST_MENTIONED) return [...found]
      work.spend(line.length - index)
      found.add(asLine(line.slice(index)))
    }
    for (const push of pushesIn(line)) found.add(push)
  }
  // `eval [http::data [http::geturl http://…]]`, `file(DOWNLOAD …) execute_process(…)`: a text that fetches, and runs.
  const [address] = /https?:\/\/[\w./:-]+/.exec(given) ?? []
  const isRun = /\b(?:exec\w*|eval\w*|system|spawn\w*|popen|dofile|runpy|shell\w*)\b/i.test(given)
  const isFetched = /\b(?:download\w*|get_?url|fetch\w*|urlopen|urlretrieve|wget|curl)\b/i.test(given)
  return [
    ...found,
    ...deletesIn(given),
    ...(address !== undefined && isRun && isFetched ? [`curl -s ${address} | sh`] : []),
  ]
}

const asLine = (text: string): string => text.replaceAll(PUNCTUATION, ' ').replaceAll(/\$(?=\s)/g, '$_')

/** Between the name of git and its verb stand the words of another language: `system2("git", c("push", "-f"))`. */
const GIT_THEN_PUSH = /\bgit\b(?=[^\n]{0,120}?\bpush\b)[^\n]*?\bpush\b/
/** The verb alone, with all that a forced push is told. */
const PUSH_ALONE =
  /(?<![\w-])push["'\s,]+(?=[^\n]{0,200}(?:["'\s](?:-f|--force|--mirror)["'\s,]|["'\s](?:-f|--force|--mirror)$|["'\s]\+[\w:/]))(?=[^\n]{0,200}\b(?:origin|upstream|main|master|refs\/))/

function pushesIn(line: string): readonly string[] {
  const found = GIT_THEN_PUSH.exec(line) ?? PUSH_ALONE.exec(line)
  return found === null ? [] : [`git push ${asLine(line.slice(found.index + found[0].length))}`]
}

/** How languages that are not read here delete, and which places nobody may give to that. */
const DELETES =
  /\b(?:delete|remove|unlink|rmtree|rmdir|rm_rf|erase|trash|wipe|nuke|truncate|rename|absent)|\brm\(|\b(?:del|rd)\s/i
const WIDE_PLACE =
  /["'(](~|\/|\.\.)\/?["')]|(?<=\s)(~)\/?(?=["'\s);]|$)|(?<![\w./~$-])(\$\{?HOME\}?|\/(?:etc|usr|bin|sbin|lib|var|boot|home|root|opt|Users|srv)(?:\/(?:\*|lib|log))?|\/(?:home|Users)\/[\w.-]+)\/?(?=["'`\s),;}\]]|$)/g

/** How languages name the home. */
const ASKS_FOR_HOME =
  /[(,\s](?:\w+[.:]+)?(?:homedir|home_dir|user_home!?|NSHomeDirectory|homeDirectory\w*|get_home_dir)\(?\)?\s*[,)]|["']user\.home["']\)\s*\)/
/** `file delete -force /etc`, `(delete-directory "~" t)`: a verb that deletes, and a place that is no part of a project. */
function deletesIn(text: string): readonly string[] {
  if (!DELETES.test(text)) return []
  const places = [...text.matchAll(WIDE_PLACE)]
    .slice(0, MOST_MENTIONED)
    .map(([, quoted, home, long]) => quoted ?? home ?? long ?? '')
  return [...places, ...(ASKS_FOR_HOME.test(text) ? ['~'] : [])].map((place) => `rm -rf ${place}`)
}

/** Words of code that lie apart, of which a forced push can be made: `cmd = ["git", "push"]; cmd.append("--force")`. */
export const isScatteredPush = (code: string): boolean =>
  /["'`](?:\S*\/)?git(?:["'`]| )/.test(code) &&
  /\bpush\b/.test(code) &&
  /["'` ](?:-f|--force|--mirror|\+[\w:/]+)["'` ]/.test(code)
