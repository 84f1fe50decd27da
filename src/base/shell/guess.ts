import type { Language } from './inner.ts'
import { baseName } from './programs.ts'
import type { RunProgram } from './reading.ts'
import type { Field, ShellState } from './state.ts'

/** Programs that print, search, send or keep the texts that they are given, and never run them. */
const INERT = new Set(
  (
    'echo printf cat tee tac head tail grep egrep fgrep zgrep rg ag ack git gh glab jq yq sed gsed cut tr sort uniq wc diff cmp comm column fold fmt nl less more ' +
    'test [ [[ : true false read export declare typeset local readonly let set shift unset alias return exit cd pushd popd ' +
    'curl wget http https xh ls stat file mkdir touch cp mv rm rmdir ln chmod chown chgrp install realpath readlink basename dirname which whence where type command hash ' +
    'man info whatis apropos say logger notify-send mail mailx pbcopy xclip xsel wl-copy date seq sleep wait kill pwd ' +
    'rein claude codex gemini copilot opencode entire bd linear slack prettier eslint biome tsc pytest vitest jest perl-rename'
  ).split(' '),
)

export const isInert = (program: string): boolean => INERT.has(program)

/** Whether the words and the input of a program may be code of a language that is not read here. */
export const mayRunWords = ({ program, subcommand, args }: RunProgram): boolean =>
  program === 'git'
    ? RUNS_WORDS.test(subcommand)
    : !INERT.has(program) || args.some((arg) => RUNS_BY_FLAG.test(arg) || RUNS_BY_WORD.get(program)?.test(arg) === true)
/** Flags by which programs that run nothing else are told to. */
const RUNS_BY_FLAG =
  /^--(?:compress-program|pre|hostname-bin|filter|to-command|exec|command|rsh|editor|pager|preprocessor)(?:=|$)/
const RUNS_BY_WORD: ReadonlyMap<string, RegExp> = new Map([
  ['man', /^-[PH]/],
  ['less', /^\+/],
  ['more', /^\+/],
  ['gh', /^(?:alias|extension|ext)$/],
])

/** Flags whose value is a text for people or the name of a test. */
const TAKES_TEXT =
  /^--(?:title|body|message|description|desc|notes?|subject|reason|comment|summary|text|prompt|grep|testNamePattern|test-name-pattern|label|name)(?:=|$)/
const TAKES_NAME = /^(?:-t|-k|-g|-run|--run)$/
const RUNS_TESTS =
  /^(?:npm|pnpm|yarn|npx|bunx?|vitest|playwright|mocha|cypress|jest|go|cargo|pytest|uv|tox|rspec|phpunit)$/

/** The words of a program without those that are a text in any case. */
export const withoutTexts = (program: string, args: readonly Field[]): readonly Field[] =>
  args.filter(({ text }, at) => {
    const before = args[at - 1]?.text ?? ''
    if (TAKES_TEXT.test(text) && text.includes('=')) return false
    if (TAKES_TEXT.test(before) && !before.includes('=')) return false
    return !(TAKES_NAME.test(before) && RUNS_TESTS.test(program))
  })

/** They leave alone whatever else the line holds. */
export const keepsWords = (run: RunProgram): boolean =>
  !mayRunWords(run) && !SETS_FOR_OTHERS.test(`${run.program} ${run.args.join(' ')}`)
/** What is set becomes a part of the environment of whatever is run then. */
const SETS_FOR_OTHERS = /^(?:export|declare -\w*[xn]|typeset -\w*[xn]|set -(?:a|o allexport)|alias|let|hash)\b/

/** Words of git that are neither names nor messages: a setting, an address, a program. */
export const wordsThatMayRun = ({ program, subcommand, args }: RunProgram): readonly string[] => {
  if (program !== 'git') return []
  const [verb = ''] = subcommand.split(' ')
  const at = args.indexOf(verb)
  return (KEEPS_MESSAGES.test(verb) ? args.slice(0, Math.max(0, at)) : args).filter((arg) => arg.length > LONGEST_NAME)
}
const LONGEST_NAME = 8
const KEEPS_MESSAGES =
  /^(?:commit|commit-tree|tag|notes|stash|merge|log|show|grep|shortlog|rev-list|whatchanged|diff|revert|cherry-pick|blame|interpret-trailers|am|format-patch|reflog|branch|checkout|switch|push|describe|cherry|range-diff)$/

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
    // What cannot be told of a file may stand in the words of who wrote it: `sed 's/x/git push -f/' > file`.
    const text = file.text ?? file.writers.flatMap((writer) => writer.args ?? []).join('\n')
    const isNamed = args.some((arg) => arg.includes(baseName(path)))
    if (isRunner ? IS_PROSE.test(path) && !isNamed : !text.startsWith('#!') && !IS_HOOK.test(path)) return []
    return [text]
  })
}

/** A shell runs these whenever it starts, and so do others, whoever starts them. */
export const isStartupFile = (path: string): boolean =>
  /\/(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|kshrc|envrc|vimrc|exrc|gdbinit|pythonrc|irbrc|Rprofile)|\.?(?:sitecustomize|usercustomize)\.py|init\.vim|config\.fish)$|\/etc\/(?:profile|bash\.bashrc|zsh\/\w+|profile\.d\/.+|cron[^/]*(?:\/.+)?|rc\.local)$|\/(?:systemd\/(?:user|system)|autostart|cron(?:tabs)?)\/[^/]+$|\/\.git\/hooks\/|\/\.husky\//.test(
    path,
  )

/** Code that can start a program at all, by what its language has for that. */
const STARTERS: Readonly<Partial<Record<Language, RegExp>>> = {
  python: /\bos\b|\bpickle\b|\bmarshal\b|\bctypes\b|\bbreakpoint\b|subprocess|\bpty\b|__import__|\bsystem\b|popen/i,
  node: /child_|execSync|execFile|spawn|Bun\.\$|process\.binding/,
}
const ANY_STARTER = /\b(?:system|exec\w*|spawn\w*|popen|shell\w*|execute|passthru|proc_open|qx|getline)\b|`|\|\s*"|%x/

export const canStart = (language: Language, code: string): boolean => (STARTERS[language] ?? ANY_STARTER).test(code)
