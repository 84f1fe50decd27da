import { type Effects, NO_EFFECTS } from './effect-calls.ts'
import { baseName } from './programs.ts'
import type { RunProgram } from './reading.ts'
import type { Field } from './state.ts'

/** The standard input of a command. */
export interface Input {
  readonly text: string | null
  /** It lies in a file: what is in it is no more made at run time than any other script. */
  readonly isFile: boolean
  /** It comes from the network. */
  readonly isFetched?: boolean
  /** Texts that may be in it where nobody can tell what it is: words and input of those who print it. */
  readonly mentions?: readonly string[]
}

/** Where a command stands. */
export interface Setting {
  /** Of the command that holds this code; positions within it say nothing about the line. */
  readonly span: RunProgram['span'] | null
  readonly via: readonly string[]
  readonly input: Input | null
  readonly depth: number
  /** It runs in any case, not only in a branch. */
  readonly isCertain: boolean
  /** It runs at the same time as another part of what holds it. */
  readonly isParallel: boolean
  /** What holds it ends well only if this does. */
  readonly isDecisive: boolean
  /** It is not the shell that starts it: `sudo`, `xargs`, `command`. */
  readonly isOutsideShell: boolean
  /** Of what stands around it: `{ …; } > file`. */
  readonly around: Effects
}

export const MOST_COMMANDS = 200
/** Lines within lines: `bash -c "bash -c '…'"`. */
export const DEEPEST_CODE = 8

export const OUTERMOST: Setting = {
  span: null,
  via: [],
  input: null,
  depth: 0,
  isCertain: true,
  isParallel: false,
  isDecisive: true,
  isOutsideShell: false,
  around: NO_EFFECTS,
}
const INVISIBLE = /[\u00AD\u200B-\u200F\u2060\uFEFF]/g

export const both = (one: Effects, other: Effects): Effects => ({
  reads: [...one.reads, ...other.reads],
  writes: [...one.writes, ...other.writes],
  deletes: [...one.deletes, ...other.deletes],
  trees: [...one.trees, ...other.trees],
  resets: [...one.resets, ...other.resets],
})

export const sizeOf = ({ reads, writes, deletes, trees, resets }: Effects): number =>
  reads.length + writes.length + deletes.length + trees.length + resets.length

/** All of it, not only a word in it. */
export const isMadeAtRunTime = ({ text, isKnown }: Field): boolean =>
  !isKnown && /^\s*["']?(?:[$`]|\{\}\s*$)/.test(text)

/** The name of a program; null if only the shell can tell. A name that only looks like another counts as that one. */
export function nameOf({ text, isKnown, isPattern }: Field): string | null {
  // Shells have other names for the same: `=git` and `zf_rm` of zsh.
  const name = baseName(text).replace(/^(?:=|zf_)(?=[a-z])/, '')
  const isPlain = isKnown ? !isPattern : text.includes('/') && /^[\w.+-]+$/.test(name)
  return isPlain ? name.normalize('NFKC').replaceAll(INVISIBLE, '') : null
}
