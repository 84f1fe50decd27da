import path from 'node:path'
import type { AnyRecord } from '../contract/record.ts'
import type { TurnBlock } from '../contract/turn.ts'

/** By which names the tools of all CLIs are given the file that they write. */
const pathInputs = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path']
const writes = /write|edit|patch|create|replace/i
const patchFile = /^\*\*\* (?:Add|Update|Delete) File: (?<file>.+)$|^\*\*\* Move to: (?<target>.+)$/gm

export const blocksOf = (records: readonly AnyRecord[], conversation: string, turn: string): TurnBlock[] =>
  records.flatMap((record) =>
    record.type === 'turn.entry' && record.body.conversation === conversation && record.body.turn === turn
      ? record.body.blocks
      : [],
  )

/** Files outside of the work tree that tools were told to write. What a shell does there nobody can tell. */
export const writtenOutside = (blocks: readonly TurnBlock[], root: string, cwd: string): string[] => {
  const written = blocks.flatMap((block) =>
    block.type === 'tool_use' && writes.test(block.name) ? filesIn(block.input) : [],
  )
  const all = new Set(written.map((file) => path.resolve(cwd, file)))
  return [...all].filter((file) => file !== root && !file.startsWith(`${root}${path.sep}`)).toSorted()
}

const filesIn = (input: Record<string, unknown>): string[] => {
  const texts = Object.values(input).filter((value) => typeof value === 'string')
  const patched = texts.flatMap((text) =>
    Array.from(text.matchAll(patchFile), ({ groups }) => groups?.['file'] ?? groups?.['target'] ?? ''),
  )
  const named = pathInputs.map((name) => input[name]).filter((value) => typeof value === 'string')
  return [...named, ...patched]
}
