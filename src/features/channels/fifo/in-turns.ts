/**
 * What was read at once from several FIFOs, which are in the order in which they had something to read: one line of each in turn.
 * Nothing tells when a line was written; so those of several writers that take turns come in their order, however late they are read.
 */
export const inTurns = <T>(queues: readonly (readonly T[])[]): T[] => {
  const rounds = Math.max(0, ...queues.map(({ length }) => length))
  return Array.from({ length: rounds }, (_, round) => queues.flatMap((queue) => queue.slice(round, round + 1))).flat()
}
