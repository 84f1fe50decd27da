import { otherThan } from './other-than.ts'

/** Expressions for hidden effects of a line, which is in lower case, without quotes and backslashes. */

const start = '(^|[^a-z0-9_.-])'
const end = '([^a-z0-9_-]|$)'

/** They run what a file, a pipe or an argument says. */
const always = ['eval', 'source', 'xargs', 'parallel', '[gmn]?awk', 'base64', 'base32', 'uudecode', 'xxd'].join('|')

/** Programs that run code which is given to them as an argument or on their standard input. */
const interpreters = [
  '(ba|z|da|k|mk|a|fi|c|tc|tcl)?sh',
  'busybox',
  '(python|pypy|perl|ruby|php|lua)[0-9.]*',
  'luajit',
  'node(js)?',
  'deno',
  'bun',
  'pwsh',
  'osascript',
  'expect',
].join('|')

/** A file that a line writes may be run by it. */
const writing = [
  '>[>|]* *([^&/ >|]|/([^d]|d[^e]|dev/[^n]))',
  '>& *([^0-9 /-]|/[^d])',
  `${start}(tee|dd|curl|wget|cp|mv|ln|install|sed)${end}`,
].join('|')
const wrappers =
  'sudo|doas|env|nice|ionice|nohup|setsid|time|g?timeout|exec|command|builtin|stdbuf|strace|then|do|else|if|while|until|!'
/** They run what stands in the files of a project, which the line may have written before. */
const building =
  'g?make|just|rake|npm|pnpm|yarn|npx|cargo|go|pytest|vitest|jest|tox|gradle|mvn|pre-commit|crontab|at|batch'
const running = [
  `${start}(${building})${end}`,
  `${start}(${interpreters}) +[^ -]`,
  `(^|[;&|("{]) *([a-z0-9_]+=[^ ;&|]* +)*((${wrappers}) [^;&|]*)?[^ ;&|<>"=]*/`,
].join('|')

/** Downloaded text may be run by a later command. */
const fetching = [
  `${start}(curl|curlie|wget2?|https?|xh|aria2c|axel|lynx|w3m|e?links|nc|ncat|netcat|socat|telnet|dig|host|nslookup|scp|sftp|rsync|t?ftp|gsutil|rclone|s3cmd|mc|croc|wormhole)${end}`,
  `${start}(git|gh|glab|kubectl|oc|docker|podman|aws|az|gcloud|go) ([^;&|]* )?(clone|cp|download|storage|api|gist|s3|install)${end}`,
].join('|')

/**
 * Programs of which all is said by their words. Every other one may run what it is given in a language of its own, or
 * make the evaluator doubt, so that a line with one is left to the judge.
 */
const plain =
  'echo printf cat head tail grep egrep fgrep rg cut tr sort uniq wc diff cmp ls stat mkdir rmdir touch cp mv rm ln chmod chown cd pwd git gh jq test true false sleep date which ps df du tree file basename dirname realpath readlink tee kill pkill killall rein tsc npm pnpm yarn npx make node python python3 cargo go pytest ['.split(
    ' ',
  )
const other = otherThan(plain, ' ;&|)<>"').replaceAll('(?:', '(')
/** With nothing but plain words, and no input, they are given nothing to run. */
const otherPrograms = [`("(command|cmd|script)": *"|[^>]&|[;({]) *${other}[^;&|"]*( -|[~/<+:])`, `[|] *${other}`].join(
  '|',
)

const words: readonly string[] = [
  otherPrograms,
  // Expansions, globs, and letters that only look like others.
  '[$`*?]|[!@+][(]',
  // A home that is written out where it is named.
  '(^|[ =:,"])~',
  '[^ ;&|("[][[]',
  '[[][^" []',
  '[{][^"]*(,|[.][.])',
  '[^ -~]',
  // A function may be called like any program.
  '[(] *[)]',
  `${start}function `,
  `${start}(${always})${end}`,
  '(^|[;&|("{]) *[.] ',
  `${start}(${interpreters})([^a-z0-9_;&|-][^;&|]*)?( -|<)`,
  `[|]([^|;&]*[^a-z0-9_.-])?(${interpreters})${end}`,
  `(${writing}).*(${running})`,
  `(${fetching}).*[;&|)]`,
  // Languages that are not read delete by verbs of their own.
  '(delete|remove|unlink|rmtree|rmdir|erase|trash).*(/|[.][.])',
  // Settings of git make another command of a plain one, and so do variables that lead it elsewhere.
  `${start}git([^a-z0-9_;&|-][^;&|]*)? (config|remote|-c|--config-env)`,
  '(git_[a-z_]+|xdg_config_home|home) *=',
]

const changesOfBranch =
  'checkout|clean|apply|am|switch|pull|merge|rebase|revert|cherry-pick|reset|stash|restore|update-ref|symbolic-ref|branch|fetch'

/** Programs that touch files which only they know. */
const files: readonly string[] = [
  // Names that follow are those of another directory, in which links may lead anywhere.
  `${start}(cd|chdir|pushd|popd)${end}`,
  ' (-c|--(chdir|cwd|directory|working-directory))',
  '[<>][(]',
  `${start}(g?tar|bsdtar|unzip|patch|g?find|rsync|scp|wget|cp|mv|install|ln)${end}`,
]

/** Git alone knows which files these touch. */
const branches: readonly string[] = [`${start}git([^a-z0-9_;&|-][^;&|]*)? (${changesOfBranch})${end}`]

/** `bin/rein-guard` adds the name of each that it finds, after two slashes, which no path has. */
export const hiding = { words, files, branches }

/** A shell may make words here that do not stand in the line. */
export const madeWords = '//words'
/** Files may be touched that do not stand in the line. */
export const unnamedFiles = '//files'
/** Files of another branch may be touched. */
export const filesOfBranch = '//branches'
/** A directory that holds the project, the home or the working directory. */
export const wholeDirectory = '//holds'
/** Not only the text counts, but also where the paths in it really lead to. */
export const realPaths = '//paths'
