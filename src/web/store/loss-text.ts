const counted = (count: number, one: string, many: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? one : many}`

/** `2 messages that may not have arrived and 1 draft`. Empty: none of either. */
export const lossText = (messages: number, drafts: number): string =>
  [
    counted(messages, 'message that may not have arrived', 'messages that may not have arrived'),
    counted(drafts, 'draft', 'drafts'),
  ]
    .filter(Boolean)
    .join(' and ')
