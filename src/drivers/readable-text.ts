import type { TurnBlock } from '../contract/turn.ts'

/** The text of the blocks that the model reads as text. */
export const readableText = (blocks: readonly TurnBlock[]): string =>
  blocks
    .map((block) =>
      block.type === 'text' || block.type === 'tool_result' || block.type === 'context' ? block.text : '',
    )
    .join('\n')
