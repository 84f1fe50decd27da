import type { WorkBudget } from '../util/work-budget.ts'
import type { Language } from './inner.ts'
import { baseName } from './programs.ts'
import type { RunProgram } from './reading.ts'
import type { Field, ShellState, WrittenFile } from './state.ts'

/** Programs that print, search, send or keep the texts that they are given, and never run them. */
const INERT = new Set(
  (
    'echo printf cat tee tac head tail grep egrep fgrep zgrep rg ag ack git gh glab jq yq sed gsed cut tr sort uniq wc diff cmp comm column fold fmt nl less more ' +
    'test [ [[ : true false read export declare typeset local readonly let set shift unset alias return exit cd pushd popd ' +
    'curl wget http https xh ls stat file mkdir touch cp mv rm rmdir ln chmod chown chgrp install realpath readlink basename dirname which whence where type command hash ' +
    'man info whatis apropos say logger notify-send mail mailx pbcopy xclip xsel wl-copy date seq sleep wait kill pwd ' +
    'rein claude codex gemini copilot opencode entire bd linear slack prettier eslint biome tsc go cargo pytest vitest jest perl-rename'
  ).split(' '),
)

/** Whether the words and the input of a program may be code of a language that is not read here. */
export const mayRunWords = ({ program, subcommand, args }: RunProgram): boolean =>
  program === 'git'
    ? RUNS_WORDS.test(subcommand)
    : !INERT.has(program) || args.some((arg) => RUNS_BY_FLAG.test(arg) || (program === 'man' && arg.startsWith('-P')))
/** Flags by which programs that run nothing else are told to. */
const RUNS_BY_FLAG =
  /^--(?:compress-program|pre|hostname-bin|filter|to-command|exec|command|rsh|editor|pager|preprocessor)(?:=|$)/
/** Verbs of git that are none of those whose words are names and messages. */
const RUNS_WORDS =
  /^(?!(?:add|am|apply|archive|bisect|blame|branch|bundle|cat-file|check-\S+|checkout|cherry|cherry-pick|clean|clone|commit|commit-tree|config|count-objects|describe|diff|diff-\S+|fetch|for-each-ref|format-patch|fsck|gc|grep|hash-object|help|init|lfs|log|ls-files|ls-remote|ls-tree|maintenance|merge|merge-base|mv|name-rev|notes|prune|pull|push|rebase|reflog|remote|replace|reset|restore|rev-list|rev-parse|revert|rm|shortlog|show|show-ref|sparse-checkout|stash|status|submodule|switch|symbolic-ref|tag|update-index|update-ref|var|version|whatchanged|worktree|write-tree)(?: |$)|$)/

/** Whether git itself has a verb of this name, as far as it is used every day. */
export const isGitVerb = (word: string): boolean => !RUNS_WORDS.test(word)

/** Their words are inert, but they run the code of the directory that they are called in. */
const RUNS_FILES = /^(?:pytest|vitest|jest|go|cargo|eslint|tsc)$/
/** Nothing runs these unless it is given their names. */
const IS_PROSE = /\.(?:md|mdx|txt|rst|adoc|html?|css|svg|csv|log|patch|diff)$/i
const IS_HOOK = /\/hooks\/|\/(?:pre|post|prepare|commit|applypatch|update|reference|fsmonitor|sendemail|push)-[a-z-]+$/

/** Texts that the line has written, and that this program may run: as code, as a module, as a setting, by what it starts. */
export function writtenFor(run: RunProgram, { files, work }: ShellState): readonly string[] {
  const { program, args } = run
  const isRunner = RUNS_FILES.test(program) || (program !== 'git' && mayRunWords(run))
  if (!isRunner && program !== 'git') return []
  work.spend(files.size * (1 + args.length))
  return [...files].flatMap(([path, file]) => {
    const text = file.text ?? wordsOfWriters(file)
    const isNamed = args.some((arg) => arg.includes(baseName(path)))
    if (isRunner ? IS_PROSE.test(path) && !isNamed : !text.startsWith('#!') && !IS_HOOK.test(path)) return []
    return [text]
  })
}

/** What cannot be told of a file may stand in the words of who wrote it: `sed 's/x/git push -f/' > file`. */
const wordsOfWriters = ({ writers }: WrittenFile): string => writers.flatMap(({ args }) => args ?? []).join('\n')

/** A shell runs these whenever it starts, and so do others, whoever starts them. */
export const isStartupFile = (path: string): boolean =>
  /\/(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|kshrc|envrc|vimrc|exrc|gdbinit|pythonrc|irbrc|Rprofile)|\.?(?:sitecustomize|usercustomize)\.py|init\.vim|config\.fish)$|\/etc\/(?:profile|bash\.bashrc|zsh\/\w+|profile\.d\/.+|cron[^/]*(?:\/.+)?|rc\.local)$|\/(?:systemd\/(?:user|system)|autostart|cron(?:tabs)?)\/[^/]+$|\/\.git\/hooks\/|\/\.husky\//.test(
    path,
  )

/** Programs that do harm which rules know of. */
const HARMFUL =
  /(?<![\w.-])(?:git|git-push|hub|rm|shred|dd|find|mkfs|curl|wget|rein|kill|pkill|killall)(?=["'\s,\\]+[^"'\s,\\])/g
const HARMFUL_NAME = /^(?:git|git-[a-z-]+|hub|rm|shred|dd|find|mkfs(?:\.\w+)?|truncate|rein|kill|pkill|killall)$/
const SHELL_NAME = /^(?:ba|z|da|k|mk|a)?sh$/
const MOST_SUFFIXES = 3

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

const MOST_GUESSED = 6
const LONGEST_GUESSED = 4_096
/** `"pu" + "sh"`: one text in two pieces. */
const JOINS = /["'`]\s*[+.]{1,2}\s*["'`]/g

/**
 * What reads like a command in a text of another language, as lines of shell: `['git', 'push', '-f']` is `git push -f`.
 * A recipe, a script for a debugger and a list of words in Python have this in common.
 */
export function commandsIn(text: string, work: WorkBudget): readonly string[] {
  work.spend(Math.min(text.length, LONGEST_GUESSED))
  const given = text
    .slice(0, LONGEST_GUESSED)
    .replaceAll(JOINS, '')
    .replaceAll(/\\x20|\)\s{0,3}\.\s{0,3}args?\s{0,3}\(/g, ' ')
  const found = new Set<string>()
  for (const line of given.split(/\n|\\n/)) {
    for (const { index } of line.matchAll(HARMFUL)) {
      if (found.size >= MOST_GUESSED) return [...found]
      work.spend(line.length - index)
      found.add(
        line
          .slice(index)
          .replaceAll(/["'`,[\]{}()\\]/g, ' ')
          .replaceAll(/\$(?=\s)/g, '$_'),
      )
    }
  }
  return [...found, ...deletesIn(given)]
}

/** How languages that are not read here delete, and which places nobody may give to that. */
const DELETES = /\b(?:delete|remove|unlink|rmtree|rmdir|rm_rf|erase|trash)|\brm\(/i
const WIDE_PLACE =
  /["'(](~|\/|\.\.)\/?["')]|(?<![\w./~$-])(\$\{?HOME\}?|\/(?:etc|usr|bin|sbin|lib|var|boot|home|root|opt|Users|srv)(?:\/(?:\*|lib|log))?|\/(?:home|Users)\/[\w.-]+)\/?(?=["'`\s),;}\]]|$)/g

/** `file delete -force /etc`, `(delete-directory "~" t)`: a verb that deletes, and a place that is no part of a project. */
function deletesIn(text: string): readonly string[] {
  if (!DELETES.test(text)) return []
  const places = [...text.matchAll(WIDE_PLACE)].slice(0, MOST_GUESSED).map(([, short, long]) => short ?? long ?? '')
  return places.map((place) => `rm -rf ${place}`)
}

/** Code that can start a program at all, by what its language has for that. */
const STARTERS: Readonly<Partial<Record<Language, RegExp>>> = {
  python: /\bos\b|\bpickle\b|\bmarshal\b|\bctypes\b|\bbreakpoint\b|subprocess|\bpty\b|__import__|\bsystem\b|popen/i,
  node: /child_|execSync|execFile|spawn|Bun\.\$|process\.binding/,
}
const ANY_STARTER = /\b(?:system|exec\w*|spawn\w*|popen|shell\w*|execute|passthru|proc_open|qx|getline)\b|`|\|\s*"|%x/

export const canStart = (language: Language, code: string): boolean => (STARTERS[language] ?? ANY_STARTER).test(code)
