const counted = (count: number, one: string, many: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? one : many}`

/** `2 messages that were not sent and 1 draft`. Empty: none of either. */
export const lossText = (messages: number, drafts: number): string =>
  [counted(messages, 'message that was not sent', 'messages that were not sent'), counted(drafts, 'draft', 'drafts')]
    .filter(Boolean)
    .join(' and ')
