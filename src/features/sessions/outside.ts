import path from 'node:path'
import type { AnyRecord } from '../../contract/record.ts'
import { changedFiles } from '../../contract/tool-input.ts'
import type { TurnBlock } from '../../contract/turn.ts'

export const blocksOf = (records: readonly AnyRecord[], conversation: string, turn: string): TurnBlock[] =>
  records.flatMap((record) =>
    record.type === 'turn.entry' && record.body.conversation === conversation && record.body.turn === turn
      ? record.body.blocks
      : [],
  )

/** Files outside the work tree that tools were told to write. Writes by shell commands are unknown. */
export const writtenOutside = (blocks: readonly TurnBlock[], root: string, cwd: string): string[] => {
  const written = blocks.flatMap((block) => (block.type === 'tool_use' ? changedFiles(block.name, block.input) : []))
  const all = new Set(written.map((file) => path.resolve(cwd, file)))
  return [...all].filter((file) => file !== root && !file.startsWith(`${root}${path.sep}`)).toSorted()
}
