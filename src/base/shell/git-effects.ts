import { moves } from './copy-effects.ts'
import {
  type Call,
  type Effects,
  given,
  has,
  operands,
  pathOf,
  paths,
  type Place,
  type Teller,
} from './effect-calls.ts'
import { baseName } from './programs.ts'
import { type Field, field } from './state.ts'

/** Which files a change of branch touches only git knows. */
const ANY_FILE: Partial<Effects> = { writes: [null] }
const gaveUp = ({ place }: Call): Partial<Effects> => ({ writes: [null], resets: [place.directory] })
const GIT: Readonly<Record<string, Teller>> = {
  checkout: (call) => {
    if (afterDashes(call).length === 0 && has(call, '-f', '--force')) return gaveUp(call)
    return has(call, '-b', '-B', '--orphan') ? {} : checkedOut(call)
  },
  restore: (call) =>
    has(call, '--staged', '-S') && !has(call, '--worktree', '-W')
      ? {}
      : broughtBack(call, call.options.operands, has(call, '-s', '--source')),
  rm: (call) => (has(call, '--cached') ? {} : { deletes: operands(call) }),
  mv: moves,
  clean: (call) =>
    has(call, '-n', '--dry-run')
      ? {}
      : call.options.operands.length > 0
        ? { deletes: operands(call) }
        : { deletes: [null], resets: [call.place.directory] },
  apply: (call) => (has(call, '--check', '--stat') ? {} : { reads: operands(call), writes: [null] }),
  am: () => ANY_FILE,
  'checkout-index': () => ANY_FILE,
  'sparse-checkout': () => ANY_FILE,
  'read-tree': (call) => (has(call, '-u') ? ANY_FILE : {}),
  submodule: (call) => (call.args.some(({ text }) => text === 'update') ? ANY_FILE : {}),
  switch: (call) => {
    if (has(call, '-f', '--force', '--discard-changes')) return gaveUp(call)
    return has(call, '-c', '-C', '--create') ? {} : ANY_FILE
  },
  pull: () => ANY_FILE,
  merge: () => ANY_FILE,
  rebase: () => ANY_FILE,
  revert: () => ANY_FILE,
  'cherry-pick': () => ANY_FILE,
  reset: (call) => ({
    ...(has(call, '--hard', '--merge', '--keep') ? gaveUp(call) : {}),
    ...movedRefs(call, [field('HEAD')]),
  }),
  stash(call: Call): Partial<Effects> {
    const { subcommand } = call.options
    if (/stash (?:list|show|drop|clear|create|store)/.test(subcommand)) return {}
    const files = afterDashes(call)
    if (files.length > 0) return broughtBack(call, files, true)
    return /stash (?:pop|apply|branch)/.test(subcommand) ? ANY_FILE : gaveUp(call)
  },
  worktree: (call) =>
    call.options.subcommand === 'worktree remove' ? { deletes: operands(call) } : movedRefs(call, [field('HEAD')]),
  'update-ref': (call) => movedRefs(call, call.options.operands.slice(0, 1)),
  'symbolic-ref': (call) =>
    call.options.operands.length > 1 ? movedRefs(call, call.options.operands.slice(0, 1)) : {},
  branch: (call) =>
    has(call, '-f', '-d', '-D', '-m', '-M', '-C', '--force', '--move', '--delete')
      ? movedRefs(call, call.options.operands.slice(0, 1))
      : {},
  fetch: (call) =>
    movedRefs(
      call,
      call.options.operands.filter(
        ({ text }) =>
          /^[^:]+:(?!refs\/remotes\/)/.test(text) &&
          !/^\w+:\/\//.test(text) &&
          (text.startsWith('+') || has(call, '-f', '--force')),
      ),
    ),
  'fast-import': (call) => movedRefs(call, [field('HEAD')]),
  clone: (call) => ({ writes: paths(call, call.options.operands.slice(1, 2)) }),
}

/** Branches of a repository that is no work tree are somebody's to push to. */
function movedRefs(call: Call, words: readonly Field[]): Partial<Effects> {
  const [own] = given(call, '--git-dir')
  const directory = own === undefined ? (call.place.gitDirectory ?? call.place.directory) : pathOf(own, call.place)
  if (directory === null || !/[^/]\.git$/.test(directory)) return {}
  return { writes: words.map(({ text }) => `${directory}/refs/heads/${baseName(text.replace(/^.*:/, ''))}`) }
}

/** Files in any case. A `--` with nothing behind it says that there are none. */
function afterDashes({ args }: Call): readonly Field[] {
  const dashes = args.findIndex(({ text }) => text === '--')
  return dashes < 0 ? [] : args.slice(dashes + 1)
}

function checkedOut(call: Call): Partial<Effects> {
  const files = afterDashes(call)
  if (files.length > 0) {
    const before = call.args.slice(0, -files.length).filter(({ text }) => !text.startsWith('-'))
    return broughtBack(call, files, before.length > 1)
  }
  const { operands: words } = call.options
  if (words.some(({ text }) => text === '.')) return broughtBack(call, words, words.length > 1)
  // A word may be a branch or a file: git itself refuses what is both.
  return { ...ANY_FILE, trees: paths(call, words) }
}

/** To give up all that is not committed is everyday work; to bring all back from elsewhere is not. */
function broughtBack(call: Call, words: readonly Field[], isFromElsewhere: boolean): Partial<Effects> {
  const trees = words.filter(({ text }) => isFromElsewhere || text !== '.')
  return { writes: paths(call, words), trees: paths(call, trees) }
}

export const git: Teller = (call) => {
  const [verb = ''] = call.options.subcommand.split(' ')
  const moved = given(call, '-C').reduce<Place>((place, to) => ({ ...place, directory: pathOf(to, place) }), call.place)
  const told = Object.hasOwn(GIT, verb) ? (GIT[verb]?.({ ...call, place: moved }) ?? {}) : {}
  const printed = given(call, '--output', ...(verb === 'archive' ? ['-o'] : []))
  return printed.length === 0
    ? told
    : { ...told, writes: [...(told.writes ?? []), ...printed.map((each) => pathOf(each, moved))] }
}
