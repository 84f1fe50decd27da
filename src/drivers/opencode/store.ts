/**
 * opencode's log of events: each has the next number of its session, given in the transaction that writes it, and none
 * is ever changed. So nothing can appear behind a number that was read. (Messages and parts themselves change in place.)
 */
export const query = `
  SELECT seq + 1 AS position, type, data FROM event
  WHERE aggregate_id = ? AND seq >= ?
    AND type IN ('message.updated.1', 'message.part.updated.1', 'message.removed.1', 'message.part.removed.1')
  ORDER BY seq`
