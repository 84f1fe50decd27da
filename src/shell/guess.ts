import type { WorkBudget } from '../util/work-budget.ts'
import type { Language } from './inner.ts'
import type { ShellState } from './state.ts'

/** Programs that print, search, send or keep the texts that they are given, and never run them. */
const INERT = new Set(
  (
    'echo printf cat tee tac head tail grep egrep fgrep zgrep rg ag ack git gh glab jq yq sed gsed cut tr sort uniq wc diff cmp comm column fold fmt nl less more ' +
    'test [ [[ : true false read mapfile readarray export declare typeset local readonly let set shift unset alias return exit cd pushd popd ' +
    'curl wget http https xh ls stat file mkdir touch cp mv rm rmdir ln chmod chown chgrp install realpath readlink basename dirname which type ' +
    'man info whatis apropos say logger notify-send mail mailx pbcopy xclip xsel wl-copy date seq sleep wait kill pwd history ' +
    'rein claude codex gemini copilot opencode entire bd linear slack prettier eslint biome tsc go cargo pytest vitest jest perl-rename'
  ).split(' '),
)

/** They run what stands in files that the line may have written. */
const RECIPES =
  /^(?:g?make|just|task|npm|pnpm|yarn|bun|rake|ninja|cmake|gradlew?|mvn|tox|nox|inv|invoke|ant|scons|bazel|docker|docker-compose|podman|vagrant|ansible-playbook|act|pre-commit|direnv|crontab|systemctl|expect|tclsh|osascript|gdb|R|Rscript|julia|ghci|runghc|swift|kotlinc|groovy|scala|elixir|erl|escript|m4|ed|ex|emacs)$/

/** Whether the words and the input of a program may be code of a language that is not read here. */
export const mayRunWords = (program: string): boolean => !INERT.has(program)

/** Texts that the line has written, and that this program may run. */
export const writtenRecipes = (program: string, { files }: ShellState): readonly string[] => {
  const isRecipe = RECIPES.test(program)
  if (!isRecipe && program !== 'git') return []
  return [...files].flatMap(([path, { text }]) =>
    text !== null &&
    (isRecipe ||
      text.startsWith('#!') ||
      /\/hooks\/|\/(?:pre|post|prepare|commit|applypatch|update|reference|fsmonitor|sendemail|push)-[a-z-]+$/.test(
        path,
      ))
      ? [text]
      : [],
  )
}

/** Programs that do harm which rules know of. */
const HARMFUL =
  /(?<![\w.-])(?:git|git-push|hub|rm|shred|dd|find|mkfs|curl|wget|rein|kill|pkill|killall)(?=["'\s,]+[^"'\s,])/g
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
  const given = text.slice(0, LONGEST_GUESSED).replaceAll(JOINS, '')
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
  return [...found]
}

/** Code that can start a program at all, by what its language has for that. */
const STARTERS: Readonly<Partial<Record<Language, RegExp>>> = {
  python: /\bos\b|subprocess|\bpty\b|__import__|\bsystem\b|popen/i,
  node: /child_|execSync|execFile|spawn|Bun\.\$|process\.binding/,
}
const ANY_STARTER = /\b(?:system|exec\w*|spawn\w*|popen|shell\w*|execute|passthru|proc_open|qx|getline)\b|`|\|\s*"|%x/

export const canStart = (language: Language, code: string): boolean => (STARTERS[language] ?? ANY_STARTER).test(code)
