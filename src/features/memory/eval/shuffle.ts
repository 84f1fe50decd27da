import { groupsOf, type HistoryRow } from './replay.ts'

/** The control: the commands of a group change places with each other, all else stays. A predictor that does not fall to the most frequent command then has seen the future. */
export const shuffled = (rows: readonly HistoryRow[]): HistoryRow[] => {
  // The same each time.
  let state = 1
  const next = (most: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  return groupsOf(rows).flatMap((group) => {
    const runs = group.map(({ cmd, exit, err }) => ({ cmd, exit, err }))
    return group.map((row, index) => {
      const other = index + next(runs.length - index)
      const [mine, theirs] = [runs[index], runs[other]]
      if (mine === undefined || theirs === undefined) return row
      runs[other] = mine
      return { ...row, ...theirs }
    })
  })
}
